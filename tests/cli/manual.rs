//! The manual pages.

use std::fs;

use crate::support::Stage;

#[test]
fn every_manual_page_has_examples_exit_status_environment_and_files() {
    let stage = Stage::offline();
    let page = stage.run(&["man"]).expect(0).stdout;
    stage.run(&["man", "pages"]).expect(0);
    let pages: Vec<String> = fs::read_dir(stage.path("pages"))
        .unwrap()
        .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    assert!(pages.len() > 12, "one page per command");
    for page in pages.iter().chain([&page]) {
        for section in [
            "NAME",
            "SYNOPSIS",
            "DESCRIPTION",
            "OPTIONS",
            "\"EXIT STATUS\"",
            "ENVIRONMENT",
            "FILES",
            "EXAMPLES",
            "\"SEE ALSO\"",
        ] {
            assert!(
                page.contains(&format!("\n.SH {section}\n")),
                "{section}: {page}"
            );
        }
        assert!(page.contains("GUTTERBATCH_HOME"));
        assert!(!page.contains(".SH EXTRA"));
    }
    let import = fs::read_to_string(stage.path("pages/gutterbatch-import.1")).unwrap();
    assert!(import.contains("gutterbatch import leads.csv"), "{import}");
    assert!(import.contains("\\fB7\\fR"), "{import}");
    let first = ".SH OPTIONS\n.TP\n<\\fIFILE\\fR>\n";
    assert!(import.contains(first), "{import}");
}

#[cfg(unix)]
#[test]
fn a_manual_page_replaces_a_link_and_not_the_file_behind_it() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let stage = Stage::offline();
    stage.file("leads.csv", "ID,Name\n");
    fs::create_dir(stage.path("pages")).unwrap();
    let page = stage.path("pages/gutterbatch.1");
    symlink(stage.path("leads.csv"), &page).unwrap();
    stage.run(&["man", "pages"]).expect(0);
    assert_eq!(
        fs::read_to_string(stage.path("leads.csv")).unwrap(),
        "ID,Name\n"
    );
    let written = fs::symlink_metadata(&page).unwrap();
    assert!(written.is_file());
    // As any new file, not only for its owner.
    fs::write(stage.path("other"), "").unwrap();
    let other = fs::metadata(stage.path("other")).unwrap();
    assert_eq!(written.permissions().mode(), other.permissions().mode());
}

#[test]
fn a_file_that_is_no_manual_page_is_kept() {
    let stage = Stage::offline();
    stage.file("pages/gutterbatch-check.1", "my notes");
    let run = stage.run(&["man", "pages"]).expect(8);
    let reason = "gutterbatch-check.1 is not a page of this manual";
    assert!(run.stderr.contains(reason), "{}", run.stderr);
    let kept = fs::read_to_string(stage.path("pages/gutterbatch-check.1"));
    assert_eq!(kept.unwrap(), "my notes");
    fs::remove_file(stage.path("pages/gutterbatch-check.1")).unwrap();
    stage.run(&["man", "pages"]).expect(0);
    stage.run(&["man", "pages"]).expect(0);
}

/// A page as plain text: without the requests and escapes of roff.
fn plain(page: &str) -> String {
    let text = page
        .replace("\\-", "-")
        .replace("\\&", "")
        .replace("\\*(Aq", "'");
    ["\\fB", "\\fI", "\\fR"]
        .iter()
        .fold(text, |text, font| text.replace(font, ""))
}

#[test]
fn every_flag_is_described_on_its_page() {
    let stage = Stage::offline();
    stage.run(&["man", "pages"]).expect(0);
    let read = |name: &str| plain(&fs::read_to_string(stage.path("pages").join(name)).unwrap());
    let mut grammar = gutterbatch::cli::command();
    grammar.build();
    for command in grammar
        .get_subcommands()
        .filter(|one| one.get_name() != "help")
    {
        let page = read(&format!("gutterbatch-{}.1", command.get_name()));
        let synopsis = page.split(".SH SYNOPSIS\n").nth(1).unwrap();
        assert!(
            synopsis.starts_with(&format!("gutterbatch {}", command.get_name())),
            "{page}"
        );
        for argument in command
            .get_arguments()
            .filter(|one| !one.is_hide_set() && one.get_id() != "help")
        {
            let Some(help) = argument.get_help().map(ToString::to_string) else {
                continue;
            };
            let help = help.lines().next().unwrap();
            let id = argument.get_id();
            assert!(page.contains(help), "{} {id}: {help}", command.get_name());
        }
    }
}
