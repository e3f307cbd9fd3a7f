//! The arrows between the rooms and the one library a room, read from the sources themselves.

use std::fs;
use std::path::{Path, PathBuf};

/// Which rooms each room may use; itself always.
const ARROWS: [(&str, &[&str]); 10] = [
    ("model", &[]),
    ("sheet", &["model"]),
    ("table", &["model", "sheet"]),
    ("api", &["model"]),
    ("journal", &["model", "sheet"]),
    ("dispatch", &["model", "api", "journal"]),
    ("connect", &["model", "sheet", "api"]),
    (
        "import",
        &["model", "sheet", "api", "journal", "table", "dispatch"],
    ),
    (
        "export",
        &["model", "sheet", "api", "journal", "table", "dispatch"],
    ),
    ("sandbox", &[]),
];

/// Where each library is at home, by the start of the file's path below `src`.
const LIBRARIES: [(&str, &[&str]); 13] = [
    ("reqwest", &["api/"]),
    ("rusqlite", &["journal/"]),
    ("governor", &["dispatch/"]),
    ("calamine", &["sheet/"]),
    ("csv", &["sheet/"]),
    ("encoding_rs", &["sheet/"]),
    ("quick_xml", &["sheet/"]),
    ("zip", &["sheet/"]),
    (
        "rust_xlsxwriter",
        &["sheet/", "export/workbook", "cli/template"],
    ),
    ("axum", &["sandbox/"]),
    ("maud", &["sandbox/"]),
    ("clap", &["cli/"]),
    ("indicatif", &["cli/"]),
];

/// A folder of a file may be so deep below `src`.
const FOLDERS: usize = 3;

/// Every source file below `src`, by its path there.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![root.clone()];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    let below = |path: &Path| {
        path.strip_prefix(&root)
            .unwrap()
            .to_string_lossy()
            .replace('\\', "/")
    };
    files
        .iter()
        .map(|path| (below(path), fs::read_to_string(path).unwrap()))
        .collect()
}

/// The rooms that a text reaches by `crate::…`, comments left out.
fn rooms_used(text: &str) -> Vec<String> {
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let mut rooms = Vec::new();
    for line in code {
        for after in line.split("crate::").skip(1) {
            rooms.push(
                after
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '_')
                    .collect(),
            );
        }
    }
    rooms
}

#[test]
fn arrows_between_the_rooms_run_one_way() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let room = path.split('/').next().unwrap();
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == room) else {
            continue;
        };
        for used in rooms_used(&text) {
            if used != room && !allowed.contains(&used.as_str()) {
                wrong.push(format!("{path} uses {used}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_room_of_the_source_has_its_arrows_written_down() {
    for (path, _) in sources() {
        let room = path.split('/').next().unwrap();
        let known = ARROWS.iter().any(|(name, _)| *name == room);
        assert!(
            known || room == "cli" || path == "lib.rs" || path == "main.rs",
            "{path}"
        );
    }
}

/// Commands are files and folders of their own names, and so are test modules.
#[test]
fn the_list_of_files_names_every_file_of_a_room() {
    let mut missing = Vec::new();
    let all = sources();
    let (_, list) = all.iter().find(|(path, _)| path == "lib.rs").unwrap();
    for (path, text) in &all {
        let Some((room, file)) = path.split_once('/') else {
            continue;
        };
        let name = file.rsplit('/').next().unwrap();
        let is_module_file = name == "mod.rs" || text.contains("use super::*");
        let sections = list.split("//! # Files of `").skip(1);
        let mut sections = sections.filter(|section| section.starts_with(room));
        let folder = file.split_once('/').map(|(folder, _)| folder);
        let is_named = |section: &str| {
            section.contains(&format!("`{file}`"))
                || section.contains(&format!("`{name}`"))
                || folder.is_some_and(|folder| section.contains(&format!("`{folder}/`")))
        };
        if room != "cli" && !is_module_file && !sections.any(is_named) {
            missing.push(path);
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn only_the_command_line_uses_the_sandbox() {
    for (path, text) in sources() {
        let home = path.starts_with("sandbox/") || path.starts_with("cli/") || path == "lib.rs";
        assert!(
            home || !rooms_used(&text).contains(&"sandbox".to_owned()),
            "{path}"
        );
    }
}

#[test]
fn every_library_stays_in_its_room() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        for (library, homes) in LIBRARIES {
            let named = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"))
                .any(|line| {
                    let mut from = 0;
                    while let Some(at) = line[from..].find(&format!("{library}::")) {
                        let before = line[..from + at].chars().next_back();
                        if !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                            return true;
                        }
                        from += at + 1;
                    }
                    false
                });
            if named && !homes.iter().any(|home| path.starts_with(home)) {
                wrong.push(format!("{path} uses {library}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_file_is_more_than_three_folders_deep() {
    for (path, _) in sources() {
        assert!(path.matches('/').count() <= FOLDERS, "{path}");
    }
}

#[test]
fn the_crate_documentation_lists_every_file_outside_cli_and_sandbox() {
    let sources = sources();
    let (_, documentation) = sources.iter().find(|(path, _)| path == "lib.rs").unwrap();
    for (path, _) in &sources {
        let (room, file) = path.rsplit_once('/').unwrap_or(("", path));
        let module = format!("#[cfg(test)]\nmod {};", file.trim_end_matches(".rs"));
        let is_test = sources.iter().any(|(_, text)| text.contains(&module));
        let is_listed =
            !room.is_empty() && !room.starts_with("cli") && !room.starts_with("sandbox");
        if is_listed && !is_test && file != "mod.rs" {
            assert!(documentation.contains(&format!("`{file}`")), "{path}");
        }
    }
}

#[test]
fn every_file_opens_by_saying_what_it_owns() {
    for (path, text) in sources() {
        assert!(text.starts_with("//! "), "{path}");
    }
}

#[test]
fn no_arm_of_a_match_has_an_if_let_guard_which_the_lowest_rust_lacks() {
    let is_guard = |line: &&str| {
        let places = line.find(" if let ").zip(line.find("=>"));
        places.is_some_and(|(guard, arrow)| guard < arrow)
    };
    assert!(is_guard(&"    _ if let Some(text) = found => text,"));
    for (path, text) in sources() {
        assert_eq!(text.lines().find(is_guard), None, "{path}");
    }
}
