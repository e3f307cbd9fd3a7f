//! Questions whose answers are not shown, at a terminal of their own: `script` makes one for a command and passes on what
//! is typed.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

use crate::support::{Run, Stage};

/// The end of the question for the client secret.
const SECRET: &str = "in the dashboard; not shown): ";

/// A shell at a terminal.
pub(crate) struct Sitting {
    script: Child,
    keys: ChildStdin,
    seen: String,
}

impl Sitting {
    /// Starts a shell script at a terminal that echoes, with the stage's settings and without its secret.
    pub(crate) fn at(stage: &Stage, command: &str) -> Self {
        let mut ours = stage.command(&[]);
        ours.env_remove("GUTTERBATCH_CLIENT_SECRET")
            .env_remove("GUTTERBATCH_TOKEN");
        let mut script = Command::new("script");
        for (name, value) in ours.get_envs() {
            match value {
                Some(value) => script.env(name, value),
                None => script.env_remove(name),
            };
        }
        let program = env!("CARGO_BIN_EXE_gutterbatch");
        let command = command.replace("gutterbatch", &format!("'{program}'"));
        let mut script = script
            .env("SHELL", "/bin/sh")
            .args(["--quiet", "--return", "--flush", "--command"])
            // Ctrl-C goes to the shell as well; some shells would end before they said how the command ended.
            .arg(format!("trap : INT; stty echo; {command}"))
            .arg("/dev/null")
            .current_dir(stage.folder())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let keys = script.stdin.take().unwrap();
        let seen = String::new();
        Self { script, keys, seen }
    }

    /// Reads on until the terminal shows `text`; returns what it showed since the last time.
    pub(crate) fn until(&mut self, text: &str) -> String {
        let mut shown = Vec::new();
        let screen = self.script.stdout.as_mut().unwrap();
        while !String::from_utf8_lossy(&shown).contains(text) {
            let mut byte = [0];
            screen.read_exact(&mut byte).unwrap_or_else(|_| {
                panic!("{text:?} did not show: {}", String::from_utf8_lossy(&shown))
            });
            shown.push(byte[0]);
        }
        let shown = String::from_utf8_lossy(&shown).into_owned();
        self.seen.push_str(&shown);
        shown
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Whatever is shown until the shell ends.
    pub(crate) fn end(mut self) -> Run {
        let mut rest = Vec::new();
        let mut screen = self.script.stdout.take().unwrap();
        screen.read_to_end(&mut rest).unwrap();
        self.seen.push_str(&String::from_utf8_lossy(&rest));
        Run {
            code: self.script.wait().unwrap().code(),
            stdout: self.seen,
            stderr: String::new(),
        }
    }
}

#[test]
fn a_secret_typed_as_soon_as_it_is_asked_for_does_not_show() {
    let stage = Stage::open();
    let secret = stage.sandbox().connection_info().client_secret.clone();
    let mut sitting = Sitting::at(&stage, "gutterbatch connect --no-browser; stty -a");
    sitting.until(SECRET);
    sitting.press(&format!("{secret}\n"));
    let shown = sitting.until("code_challenge_method=S256\r\n");
    let link = shown.lines().find(|line| line.starts_with("http")).unwrap();
    stage.allow(link);
    let run = sitting.end();
    assert!(run.stdout.contains("connected to"), "{}", run.stdout);
    assert!(!run.stdout.contains(&secret), "{}", run.stdout);
    assert!(run.stdout.contains(" echo "), "{}", run.stdout);
}

#[test]
fn a_wrong_secret_and_a_version_that_is_not_served_are_asked_for_again() {
    let stage = Stage::open();
    let announced = stage.sandbox().connection_info().clone();
    let connect = "unset GUTTERBATCH_SERVICE_VERSION; gutterbatch connect --no-browser";
    let mut sitting = Sitting::at(&stage, connect);
    sitting.until("service's version (");
    sitting.press("2020-01-15\n");
    for secret in ["gbs_wrong", &announced.client_secret] {
        sitting.until(SECRET);
        sitting.press(&format!("{secret}\n"));
        let shown = sitting.until("code_challenge_method=S256\r\n");
        let link = shown.lines().find(|line| line.starts_with("http")).unwrap();
        // What is typed while nothing is asked is no answer.
        sitting.press("typed too early\n");
        sitting.until("typed too early\r\n");
        stage.allow(link);
    }
    let shown = sitting.until("service's version (");
    assert!(shown.contains("does not serve this version"), "{shown}");
    sitting.press(&format!("{}\n", announced.service_version));
    let run = sitting.end().expect(0);
    assert!(
        run.stdout
            .contains("does not know this client id and secret"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("connected to"), "{}", run.stdout);
    let saved = std::fs::read_to_string(stage.path("home/config.toml")).unwrap();
    assert!(saved.contains(&announced.service_version), "{saved}");
}

#[test]
fn ctrl_c_at_a_hidden_question_ends_with_130_and_the_terminal_echoes_again() {
    let stage = Stage::open();
    let mut sitting = Sitting::at(
        &stage,
        "gutterbatch connect --no-browser; echo code $?; stty -a",
    );
    sitting.until(SECRET);
    sitting.press("half a sec\u{3}");
    let run = sitting.end();
    assert!(run.stdout.contains("error: interrupted"), "{}", run.stdout);
    assert!(run.stdout.contains("code 130"), "{}", run.stdout);
    assert!(!run.stdout.contains("half"), "{}", run.stdout);
    assert!(run.stdout.contains(" echo "), "{}", run.stdout);
    assert!(run.stdout.contains(" icanon "), "{}", run.stdout);
}

#[test]
fn ctrl_c_at_a_question_ends_with_130_and_a_line_of_its_own() {
    let stage = Stage::open();
    let command = "unset GUTTERBATCH_BASE_URL; gutterbatch connect; echo code $?";
    let mut sitting = Sitting::at(&stage, command);
    sitting.until("service's address (");
    sitting.press("http\u{3}");
    let run = sitting.end();
    assert!(
        run.stdout.contains("\nerror: interrupted"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("code 130"), "{}", run.stdout);
}

#[test]
fn a_token_is_typed_without_showing_it() {
    let stage = Stage::open();
    let token = stage.sandbox().connection_info().token.clone();
    let mut sitting = Sitting::at(&stage, "gutterbatch connect --token-stdin");
    sitting.until("token (not shown): ");
    sitting.press(&format!("{token}\n"));
    let run = sitting.end().expect(0);
    assert!(run.stdout.contains("connected to"), "{}", run.stdout);
    assert!(!run.stdout.contains(&token), "{}", run.stdout);
}

#[test]
fn a_hidden_question_is_asked_again_until_the_terminal_is_closed() {
    let stage = Stage::open();
    for keys in ["\n\u{4}", "\u{4}"] {
        let mut sitting = Sitting::at(&stage, "gutterbatch connect");
        sitting.until(SECRET);
        sitting.press(keys);
        let run = sitting.end().expect(2);
        let hint = "hint: give it with --client-secret-file PATH or GUTTERBATCH_CLIENT_SECRET";
        assert!(run.stdout.contains(hint), "{}", run.stdout);
    }
}

#[test]
fn nothing_typed_is_kept_when_nobody_consents_and_a_connected_team_is_asked_about() {
    let stage = Stage::open();
    let announced = stage.sandbox().connection_info().clone();
    let unset = "unset GUTTERBATCH_BASE_URL GUTTERBATCH_SERVICE_VERSION GUTTERBATCH_CLIENT_ID; ";
    let connect = |flags: &str| format!("{unset} gutterbatch connect --no-browser {flags}");
    let mut sitting = Sitting::at(&stage, &connect("--timeout 100ms"));
    let shown = sitting.until("service's address (");
    assert!(shown.contains("ends the team's earlier one"), "{shown}");
    sitting.press("\n");
    sitting.until("service's address (");
    sitting.press("gutters.example.com\n");
    let shown = sitting.until("service's address (");
    let whole = "is not a base address; write https://gutters.example.com";
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains(whole), "{shown}");
    sitting.press(&format!("{}\n", announced.base_url));
    sitting.until("service's version (");
    sitting.press(&format!("{}\n", announced.service_version));
    sitting.until("client id (");
    sitting.press(&format!("{}\n", announced.client_id));
    sitting.until(SECRET);
    sitting.press(&format!("{}\n", announced.client_secret));
    let run = sitting.end().expect(5);
    assert!(
        run.stdout.contains("nobody answered the consent page"),
        "{}",
        run.stdout
    );
    let typed = format!(
        "gutterbatch connect --base-url {} --service-version {} --client-id {} --timeout 15m",
        announced.base_url, announced.service_version, announced.client_id
    );
    assert!(run.stdout.contains(&typed), "{}", run.stdout);

    let mut sitting = Sitting::at(&stage, &connect(""));
    for answer in [
        &announced.base_url,
        &announced.service_version,
        &announced.client_id,
    ] {
        sitting.until("):");
        sitting.press(&format!("{answer}\n"));
    }
    sitting.until(SECRET);
    sitting.press(&format!("{}\n", announced.client_secret));
    let shown = sitting.until("code_challenge_method=S256\r\n");
    let link = shown.lines().find(|line| line.starts_with("http")).unwrap();
    stage.allow(link);
    sitting.end().expect(0);

    let mut sitting = Sitting::at(&stage, &connect(""));
    sitting.until("connect it again? [y/N] ");
    sitting.press("n\n");
    let run = sitting.end().expect(4);
    assert!(
        run.stdout.contains("stopped: you answered no"),
        "{}",
        run.stdout
    );
}
