//! The schedules of README for cron, systemd and CI, run in a shell.

use std::path::Path;

use crate::readme::tables::{blocks, sample, story};
use crate::support::{Run, Stage};

/// The commands of the schedules: those of the crontab, of the units of systemd, and of the workflow.
fn scheduled() -> [Vec<String>; 3] {
    let crontab = blocks("cron").concat();
    let entries = crontab.lines().filter(|line| !line.starts_with("PATH="));
    let of_cron = entries.map(|line| line.splitn(6, ' ').last().unwrap().replace("\\%", "%"));
    let units = blocks("ini").join("\n");
    let of_units = units.lines().filter_map(|line| {
        let command = line.strip_prefix("ExecStart=")?;
        let script = |text| str::strip_suffix(str::strip_prefix(text, "sh -c '")?, "'");
        let command = script(command).unwrap_or(command);
        Some(command.replace("$$", "$").replace("%%", "%"))
    });
    let workflow = blocks("yaml").concat();
    let steps = workflow
        .lines()
        .filter_map(|line| line.split("run: ").nth(1));
    [
        of_cron.collect(),
        of_units.collect(),
        steps.map(str::to_owned).collect(),
    ]
}

/// Runs the line of a schedule in a shell, at noon of a day, with these variables and no others.
fn run_on(stage: &Stage, day: &str, line: &str, environment: &[(String, String)]) -> Run {
    let folder = stage.folder().display().to_string();
    let script = line.replace("/srv/leads", &folder);
    let date = format!("date() {{ command date -d '{day} 12:00' \"$@\"; }}");
    let program = Path::new(env!("CARGO_BIN_EXE_gutterbatch")).parent();
    let path = format!(
        "{}:{}",
        program.unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let mut shell = std::process::Command::new("sh");
    shell
        .args(["-c", &format!("{date}\n{script}")])
        .env_clear()
        .env("PATH", path)
        .envs(environment.iter().cloned())
        .current_dir(stage.folder())
        .stdin(std::process::Stdio::null());
    Run::of(shell.output().unwrap())
}

/// The environment of a connected user.
fn environment(stage: &Stage) -> Vec<(String, String)> {
    let text = |value: &std::ffi::OsStr| value.to_str().unwrap().to_owned();
    let command = stage.command(&[]);
    let set = command.get_envs();
    set.filter_map(|(name, value)| Some((text(name), text(value?))))
        .collect()
}

#[cfg(target_os = "linux")]
#[test]
fn the_lines_of_cron_and_systemd_run_in_a_shell_and_print_nothing() {
    let stage = story();
    let [cron, units, _] = scheduled();
    assert_eq!((cron.len(), units.len()), (2, 2));
    for line in cron.iter().chain(&units) {
        let run = run_on(&stage, "2999-03-01", line, &environment(&stage)).expect(0);
        assert_eq!(run.stdout + &run.stderr, "", "{line}");
    }
    assert!(stage.path("requests.ndjson").is_file());
    // What was completed months before is billed too.
    assert!(stage.path("bill-2999-03-01.xlsx").is_file());
}

#[cfg(target_os = "linux")]
#[test]
fn no_schedule_turns_a_failure_into_a_success() {
    let lines = scheduled().concat();
    assert!(lines.iter().all(|line| !line.contains("||")), "{lines:?}");
    let units = units();
    assert!(units.iter().all(|(_, text)| !text.contains("ExitStatus")));
}

#[cfg(target_os = "linux")]
#[test]
fn a_bill_that_was_made_up_for_in_mid_month_does_not_stop_the_next_one() {
    let [cron, units, _] = scheduled();
    for (import, bill) in [(&cron[0], &cron[1]), (&units[0], &units[1])] {
        let stage = story();
        let run = |day: &str, line: &str| run_on(&stage, day, line, &environment(&stage));
        run("2999-03-14", import).expect(0);
        run("2999-03-15", bill).expect(0);
        let sheet = String::from_utf8(sample()).unwrap();
        let (headers, _) = sheet.split_once('\n').unwrap();
        let first = sheet.lines().nth(1).unwrap();
        let other = first.replace("48201735450", "7").replace("1859", "2001");
        stage.file("leads.csv", format!("{headers}\n{other}\n"));
        run("2999-03-16", import).expect(0);
        run("2999-04-01", bill).expect(0);
        run("2999-04-02", bill).expect(0);
        assert!(stage.path("bill-2999-03-15.xlsx").is_file());
        assert!(stage.path("bill-2999-04-01.xlsx").is_file());
        assert!(!stage.path("bill-2999-04-02.xlsx").exists());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_workflow_needs_nothing_but_the_variables_that_it_names() {
    let stage = story();
    let service = stage.sandbox().connection_info();
    let workflow = blocks("yaml").remove(0);
    let names = workflow.lines().filter_map(|line| {
        let (name, _) = line.trim_start().split_once(": ")?;
        name.starts_with("GUTTERBATCH_").then_some(name)
    });
    let value = |name: &str| match name {
        "GUTTERBATCH_HOME" => stage.path("kept").display().to_string(),
        "GUTTERBATCH_BASE_URL" => service.base_url.clone(),
        "GUTTERBATCH_SERVICE_VERSION" => service.service_version.clone(),
        "GUTTERBATCH_TOKEN" => service.token.clone(),
        other => panic!("{other}"),
    };
    let environment: Vec<(String, String)> =
        names.map(|name| (name.to_owned(), value(name))).collect();
    let [_, _, steps] = scheduled();
    assert_eq!(steps.len(), 2);
    for step in steps {
        run_on(&stage, "2999-03-01", &step, &environment).expect(0);
    }
    assert!(stage.path("results.xlsx").is_file());
    // A row that has to be corrected fails its step, and the next one runs nevertheless.
    assert!(workflow.contains("- if: ${{ !cancelled() }}\n        run: gutterbatch export"));
}

/// The files of systemd, by name.
#[cfg(target_os = "linux")]
fn units() -> Vec<(String, String)> {
    let named = blocks("ini").into_iter().map(|unit| {
        let (name, text) = unit.split_once('\n').unwrap();
        (name.trim_start_matches("# ").to_owned(), text.to_owned())
    });
    named.collect()
}

#[cfg(target_os = "linux")]
#[test]
fn each_service_of_systemd_has_a_user_and_a_timer_that_can_be_enabled() {
    let units = units();
    let names: Vec<&str> = units.iter().map(|(name, _)| name.as_str()).collect();
    let expected = ["leads.service", "leads.timer", "bill.service", "bill.timer"];
    assert_eq!(names, expected);
    for (name, text) in &units {
        let needed = if text.starts_with("[Timer]") {
            [
                "[Timer]",
                "OnCalendar=",
                "[Install]\nWantedBy=timers.target",
            ]
        } else {
            ["[Service]", "Type=oneshot", "User=leads"]
        };
        assert!(needed.iter().all(|part| text.contains(part)), "{name}");
    }
}

#[cfg(target_os = "linux")]
#[expect(clippy::print_stderr, reason = "a test that is left out says so")]
#[test]
fn systemd_accepts_the_units() {
    let mut verify = std::process::Command::new("systemd-analyze");
    if verify.arg("--version").output().is_err() {
        eprintln!("skipped: systemd-analyze is not installed");
        return;
    }
    let stage = Stage::offline();
    let program = env!("CARGO_BIN_EXE_gutterbatch");
    let mut verify = std::process::Command::new("systemd-analyze");
    verify.args(["verify", "--man=no"]);
    for (name, text) in units() {
        let text = text.replace("ExecStart=gutterbatch", &format!("ExecStart={program}"));
        verify.arg(stage.file(&name, text));
    }
    let run = Run::of(verify.output().unwrap()).expect(0);
    assert_eq!(run.stdout + &run.stderr, "");
}
