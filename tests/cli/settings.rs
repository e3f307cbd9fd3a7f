//! Where each setting comes from: flag, environment, profile, default.

use crate::support::{Run, Stage};

/// A stage whose settings file holds this.
pub(crate) fn configured(config: &str) -> Stage {
    let stage = Stage::offline();
    stage.file("home/config.toml", config);
    stage
}

/// A setting as `status` shows it: its value, and who said so.
pub(crate) fn setting(run: &Run, key: &str) -> (String, String) {
    let document = run.json();
    let settings = document["settings"].as_array().unwrap();
    let found = settings.iter().find(|setting| setting["key"] == key);
    let found = found.unwrap_or_else(|| panic!("no {key} in {settings:?}"));
    let text = |name: &str| found[name].as_str().unwrap().to_owned();
    (text("value"), text("origin"))
}

pub(crate) fn said(value: &str, origin: &str) -> (String, String) {
    (value.to_owned(), origin.to_owned())
}

#[test]
fn a_section_whose_name_is_nearly_that_of_the_profile_is_named() {
    let stage = configured("[profile.defualt]\nbase-url = \"https://profile.example.com\"\n");
    let run = Run::of(stage.bare_command(&["whoami"]).output().unwrap()).expect(2);
    let hint = "hint: config.toml has a section [profile.defualt]; if this profile is meant, rename it to [profile.default]\n";
    assert!(run.stderr.contains(hint), "{}", run.stderr);
}

#[test]
fn a_flag_wins_over_the_environment_and_that_over_the_profile_and_that_over_the_default() {
    let stage = configured("[profile.default]\nbase-url = \"https://profile.example.com\"\n");
    let status = |args: &[&str], variable: Option<&str>| {
        let mut command = stage.bare_command(&[&["status", "--json"], args].concat());
        command.envs(variable.map(|value| ("GUTTERBATCH_BASE_URL", value)));
        Run::of(command.output().unwrap()).expect(0)
    };
    let flag = ["--base-url", "https://flag.example.com"];
    let variable = Some("https://environment.example.com");

    let all = status(&flag, variable);
    assert_eq!(
        setting(&all, "base-url"),
        said("https://flag.example.com", "flag")
    );
    let environment = status(&[], variable);
    assert_eq!(
        setting(&environment, "base-url"),
        said("https://environment.example.com", "environment")
    );
    let profile = status(&[], None);
    assert_eq!(
        setting(&profile, "base-url"),
        said("https://profile.example.com", "profile")
    );
    assert_eq!(setting(&profile, "rate"), said("600/1h", "default"));
}

#[test]
fn a_profile_speaks_for_itself_alone() {
    let stage = configured("[profile.default]\nreserve = 50\n[profile.acme]\nreserve = 7\n");
    let reserve = |args: &[&str]| {
        let args = [&["status", "--json"], args].concat();
        setting(
            &Run::of(stage.bare_command(&args).output().unwrap()).expect(0),
            "reserve",
        )
    };
    assert_eq!(reserve(&[]), said("50", "profile"));
    assert_eq!(reserve(&["--profile", "acme"]), said("7", "profile"));
    // A profile without a section of its own, which a journal makes one.
    stage.file("home/journals/nobody.db", "");
    assert_eq!(reserve(&["--profile", "nobody"]), said("0", "default"));
}

#[test]
fn an_unknown_key_that_is_near_another_or_a_secret_is_told_so() {
    for (line, hint) in [
        ("base-ulr = \"x\"", "did you mean `base-url`?"),
        (
            "token = \"x\"",
            "secrets do not belong into this file; `gutterbatch connect` stores them",
        ),
        (
            "xyzzy = 1",
            "gutterbatch config --example shows the usual keys",
        ),
    ] {
        let stage = configured(&format!("[profile.default]\n{line}\n"));
        let run = stage.run(&["status"]).expect(2);
        assert!(
            run.stderr.ends_with(&format!("hint: {hint}\n")),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn a_profile_holds_texts_numbers_dates_truth_values_and_lists() {
    let stage = configured(
        "[profile.default]\nservice-version = 2026-01-31\nmax-rps = 2.5\nas-is = true\nno-progress = false\n\
         map = [\"line1=Where\", \"name=Who\"]\n",
    );
    let sheet = "id,Who,Where,City,Region,Postal code,Email\n1, Ann ,12 Elm St,Ottawa,ON,k1a 0b1,ann@example.com\n";
    stage.file("leads.csv", sheet);
    let check = stage
        .run(&["check", "leads.csv", "--json"])
        .expect(0)
        .json();
    assert_eq!(check["mapping"]["line1"], "Where");
    assert_eq!(check["mapping"]["name"], "Who");
    assert_eq!(check["tidied"], 0, "as-is is on");
    let status = stage.run(&["status", "--json"]).expect(0);
    assert_eq!(
        setting(&status, "service-version"),
        said("2026-01-31", "profile")
    );
    assert_eq!(setting(&status, "max-rps"), said("2.5", "profile"));
}

#[test]
fn a_flag_leaves_out_what_the_profile_says_against_it() {
    let stage = configured("[profile.default]\nport = 8484\n");
    let address = [
        "--base-url",
        "http://127.0.0.1:9",
        "--service-version",
        "2026-01-31",
    ];
    let words = [
        &["connect", "--token-stdin", "--client-id", "app_1"],
        &address[..],
    ]
    .concat();
    let run = stage.run(&words);
    assert!(!run.stderr.contains("--port"), "{}", run.stderr);
    assert!(run.stderr.contains("token"), "{}", run.stderr);
}

#[test]
fn a_rehearsal_has_its_own_quota_whatever_the_profile_says() {
    let stage = configured("[profile.default]\nrate = \"2/20h\"\n");
    stage.run(&["rehearse", "-o", "results.xlsx"]).expect(0);
}

#[test]
fn an_unknown_key_names_the_nearest() {
    let stage = configured("[profile.default]\nbase-ulr = \"https://api.example.com\"\n");
    let run = stage.run(&["status"]).expect(2);
    let file = stage.path("home/config.toml");
    assert_eq!(
        run.stderr,
        format!(
            "error: {}: [profile.default] has an unknown key `base-ulr`\nhint: did you mean `base-url`?\n",
            file.display()
        )
    );
}

#[test]
fn an_unknown_key_of_another_profile_is_named_when_config_is_asked() {
    let stage = configured("[profile.default]\n[profile.other]\nfoo = 1\n");
    let run = stage.run(&["config", "--profiles"]).expect(0);
    assert_eq!(run.stdout, "default\nother\n");
    let named = "config.toml: [profile.other] has an unknown key `foo`\n";
    assert!(run.stderr.starts_with("warning: "), "{}", run.stderr);
    assert!(run.stderr.ends_with(named), "{}", run.stderr);
    assert_eq!(stage.run(&["status"]).expect(0).stderr, "");
}

#[test]
fn a_settings_file_that_cannot_be_read_says_where() {
    let line = |config: &str| {
        let run = configured(config).run(&["status"]).expect(2);
        run.stderr.lines().next().unwrap().to_owned()
    };
    let broken = line("[profile.default]\nreserve = 50\nrate = \"60/1m\n");
    assert!(broken.contains("config.toml: line 3: "), "{broken}");
    let section = line("reserve = 50\n");
    assert!(
        section.ends_with("unknown section or key `reserve`"),
        "{section}"
    );
    let nested = line("[profile.default.reserve]\nhour = 5\n");
    assert!(
        nested.ends_with("[profile.default] has a wrong type of value for `reserve`"),
        "{nested}"
    );
}

#[test]
fn a_settings_file_in_utf16_is_told_its_encoding() {
    let stage = Stage::offline();
    let text: Vec<u8> = "\u{feff}[profile.default]\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    stage.file("home/config.toml", text);
    let stopped = stage.run(&["status"]).expect(8).stderr;
    assert!(
        stopped.contains("its encoding is not UTF-8; save it in that encoding"),
        "{stopped}"
    );
}

#[test]
fn a_key_that_resembles_no_setting_gets_no_suggestion() {
    let run = configured("[profile.default]\nwallpaper = 1\n")
        .run(&["status"])
        .expect(2);
    assert!(!run.stderr.contains("did you mean"), "{}", run.stderr);
    assert!(
        run.stderr.contains("hint: gutterbatch config --example"),
        "{}",
        run.stderr
    );
}

#[test]
fn config_prints_an_example_and_lists_the_profiles() {
    let stage = configured("[profile.acme]\nreserve = 7\n");
    stage.file("home/journals/north.db", "");
    assert_eq!(
        stage.run(&["config", "--profiles"]).expect(0).stdout,
        "acme\nnorth\n"
    );
    let json = stage
        .run(&["config", "--profiles", "--json"])
        .expect(0)
        .json();
    assert_eq!(json["profiles"], serde_json::json!(["acme", "north"]));
    let example = stage.run(&["config", "--example"]).expect(0);
    assert!(
        example.stdout.contains("# [profile.default]"),
        "{}",
        example.stdout
    );
    stage.run(&["config"]).expect(2);
}

#[test]
fn the_program_alone_prints_the_first_three_commands() {
    let stage = Stage::offline();
    let run = stage.run(&[]).expect(0);
    assert!(run.stderr.is_empty());
    assert!(run.stdout.lines().count() <= 15, "{}", run.stdout);
    let commands = run
        .stdout
        .lines()
        .filter(|line| line.starts_with("  gutterbatch "));
    assert_eq!(commands.count(), 3, "{}", run.stdout);
}

#[test]
fn a_broken_settings_file_stops_no_command_that_does_not_use_it() {
    let stage = configured("[profile.default\n");
    for words in [
        &["config", "--example"][..],
        &["man"],
        &["completions", "bash"],
        &["template", "empty.xlsx"],
        &["--help"],
        &["import", "--help"],
        &["--version"],
    ] {
        Run::of(stage.bare_command(words).output().unwrap()).expect(0);
    }
    stage.run(&["config", "--profiles"]).expect(2);
}

#[cfg(unix)]
#[test]
fn without_a_home_folder_a_command_asks_for_one_and_leaves_nothing_behind() {
    let stage = Stage::offline();
    stage.file("leads.csv", "id\n");
    for words in [&["check", "leads.csv"][..], &["template", "empty.csv"]] {
        let mut command = stage.bare_command(words);
        command.env_remove("GUTTERBATCH_HOME").env("HOME", ".");
        for variable in ["XDG_CONFIG_HOME", "XDG_DATA_HOME"] {
            command.env_remove(variable);
        }
        let run = Run::of(command.output().unwrap()).expect(2);
        assert!(run.stderr.contains("GUTTERBATCH_HOME"), "{}", run.stderr);
    }
    let left = std::fs::read_dir(stage.folder()).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["leads.csv"]);
}

#[test]
fn an_example_is_printed_with_q_because_it_was_asked_for() {
    let stage = configured("[profile.acme]\nreserve = 7\n");
    let example = stage.run(&["config", "--example", "-q"]).expect(0);
    assert!(
        example.stdout.starts_with("# Settings"),
        "{}",
        example.stdout
    );
    let names = stage.run(&["config", "--profiles", "-q"]).expect(0);
    assert_eq!(names.stdout, "acme\n");
}

#[cfg(unix)]
#[test]
fn completions_offer_the_profiles_of_the_moment_and_only_sheets_where_one_is_read() {
    let stage = configured("[profile.acme]\nreserve = 7\n");
    for name in ["my leads.XLSX", "notes.pdf"] {
        stage.file(name, "");
    }
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = stage.run(&["completions", shell]).expect(0).stdout;
        assert!(
            script.contains("(gutterbatch config --profiles -q 2>"),
            "{shell}"
        );
        assert!(
            script.contains("csv|tsv|tab|txt|xlsb|xlsx|xlsm|"),
            "{shell}"
        );
        for placeholder in ["GUTTERBATCH_PROFILES", "GUTTERBATCH_EXTENSIONS"] {
            assert!(!script.contains(placeholder), "{shell}");
        }
        stage.file(shell, script);
    }
    let zsh = std::fs::read_to_string(stage.path("zsh")).unwrap();
    let sheets = r#"_files -g "*.(#i)(csv|tsv|tab|txt|xlsb|xlsx|xlsm|xltx|xltm|xls|ods)"' \"#;
    assert_eq!(zsh.matches(sheets).count(), 5, "{zsh}");
    let completed = |words: &str| {
        let program = std::path::Path::new(env!("CARGO_BIN_EXE_gutterbatch"));
        let folder = program.parent().unwrap().display();
        let script = format!(
            "PATH={folder}:$PATH; . ./bash; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _gutterbatch_sheets gutterbatch \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD - 1]}}\"; \
             printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let mut bash = std::process::Command::new("bash");
        bash.args(["-c", &script]).current_dir(stage.folder());
        bash.env("GUTTERBATCH_HOME", stage.path("home"));
        Run::of(bash.output().unwrap()).stdout
    };
    assert_eq!(completed("gutterbatch whoami --profile a"), "acme\n");
    assert_eq!(completed("gutterbatch check m"), "my leads.XLSX\n");
    assert_eq!(completed("gutterbatch check n"), "\n");
    assert_eq!(completed("gutterbatch export --for m"), "my leads.XLSX\n");
    assert_eq!(completed("gutterbatch export m"), "my leads.XLSX\n");
    assert_eq!(completed("gutterbatch completions b"), "bash\n");
    assert_eq!(completed("gutterbatch check leads.csv --map m"), "\n");
}

#[test]
fn an_import_without_settings_creates_nothing() {
    let stage = Stage::offline();
    stage.file("leads.csv", crate::support::imports::sheet(0..1));
    let run = Run::of(
        stage
            .bare_command(&["import", "leads.csv"])
            .output()
            .unwrap(),
    )
    .expect(2);
    assert!(
        run.stderr
            .contains("does not set the service's address and version"),
        "{}",
        run.stderr
    );
    assert!(!stage.path("home").exists());
}

#[test]
fn a_relative_journal_in_the_settings_file_is_the_same_in_every_folder() {
    let stage = configured("[profile.default]\njournal = \"leads.db\"\n");
    let journal = |folder: &str| {
        std::fs::create_dir_all(stage.path(folder)).unwrap();
        let mut command = stage.bare_command(&["status", "--json"]);
        command.current_dir(stage.path(folder));
        let status = Run::of(command.output().unwrap()).expect(0).json();
        status["journal"]["path"].as_str().unwrap().to_owned()
    };
    assert_eq!(journal("monday"), journal("tuesday"));
    assert_eq!(
        journal("monday"),
        stage.path("home/leads.db").to_str().unwrap()
    );
}

#[test]
fn one_error_names_all_settings_that_are_missing() {
    let stage = Stage::offline();
    stage.file("leads.csv", crate::support::imports::sheet(0..1));
    let import = ["import", "leads.csv", "--json"];
    let error = &stage.run(&import).expect(2).json()["error"];
    assert_eq!(error["kind"], "settings");
    let both = "profile `default` does not set the service's address and version";
    assert_eq!(error["message"], both);
    let hint = error["hint"].as_str().unwrap();
    let variables = "or GUTTERBATCH_BASE_URL and GUTTERBATCH_SERVICE_VERSION";
    assert!(hint.ends_with(variables), "{hint}");
}

#[test]
fn the_first_steps_are_wrapped_at_the_width_of_the_terminal() {
    let stage = Stage::offline();
    let mut command = stage.bare_command(&[]);
    let run = Run::of(command.env("COLUMNS", "60").output().unwrap()).expect(0);
    let longest = run.stdout.lines().map(|line| line.chars().count()).max();
    assert!(longest.unwrap() <= 60, "{}", run.stdout);
}

#[test]
fn the_query_of_an_address_is_never_shown_and_is_6_also_for_status() {
    let stage = configured("[profile.default]\nbase-url = \"https://example.com/?key=s3cret\"\n");
    for args in [&["status", "-v"][..], &["status", "--json"]] {
        let run = stage.run(args).expect(6);
        assert!(
            run.stderr.contains("a query or a fragment"),
            "{}",
            run.stderr
        );
        assert!(!(run.stdout + &run.stderr).contains("s3cret"));
    }
}
