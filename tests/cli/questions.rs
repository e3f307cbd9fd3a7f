//! What `import` shows before its question at a terminal, and what a no leaves behind.

use crate::connect::hidden::Sitting;
use crate::support::Stage;

const HEADERS: &str = "Key,Name,Street,City,State,Zip,Email";
const KEY: &str = "--id-column Key";

fn row(id: u32) -> String {
    format!("{id},Ada,{id} Elm Street,Boston,MA,02134,a@example.com\n")
}

/// Answers the question of an import with no; returns what the terminal showed.
fn decline(stage: &Stage, command: &str) -> String {
    let token = &stage.sandbox().connection_info().token;
    let command = format!("GUTTERBATCH_TOKEN='{token}' {command}; echo code $?");
    let mut sitting = Sitting::at(stage, &command);
    sitting.until("[y/N] ");
    sitting.press("n\n");
    sitting.end().stdout
}

#[test]
fn an_import_that_was_declined_is_not_the_last_run_of_its_file() {
    let stage = Stage::open();
    stage.file("leads.csv", format!("{HEADERS}\n{}", row(1)));
    stage
        .run(&["import", "leads.csv", "--id-column", "Key"])
        .expect(0);
    let status = || stage.run(&["status"]).expect(0).stdout;
    let before = last_run(&status());

    stage.file("leads.csv", format!("{HEADERS}\n{}{}", row(1), row(2)));
    let shown = decline(&stage, "gutterbatch import leads.csv --id-prefix no-");
    assert!(shown.contains("stopped: you answered no"), "{shown}");
    assert!(shown.contains("code 4"), "{shown}");
    assert_eq!(last_run(&status()), before);
    let again = stage.run(&["check", "leads.csv"]).expect(0).stderr;
    assert!(!again.contains("no-"), "{again}");

    // The first import of a file is no run either.
    stage.file("other.csv", format!("{HEADERS}\n{}", row(7)));
    decline(&stage, &format!("gutterbatch import other.csv {KEY}"));
    assert!(!status().contains("other.csv"), "{}", status());
}

#[test]
fn a_decision_to_send_a_house_again_is_kept_only_if_the_import_was_not_declined() {
    let stage = Stage::open();
    stage.file("october.csv", format!("{HEADERS}\n{}", row(1)));
    let words = ["import", "october.csv", "--id-column", "Key"];
    stage.run(&words).expect(0);
    let twin = row(1).replace("1,Ada", "B,Bob");
    stage.file("november.csv", format!("{HEADERS}\n{twin}"));
    let words = ["import", "november.csv", "--id-column", "Key"];
    stage.run(&words).expect(3);
    crate::same_house::houses::decide(&stage, "november.rejects.csv", "send");
    let shown = decline(
        &stage,
        &format!("gutterbatch import november.rejects.csv {KEY}"),
    );
    assert!(shown.contains("code 4"), "{shown}");
    stage.run(&words).expect(3);
    assert_eq!(stage.sandbox().measurements().len(), 1);
    let words = ["import", "november.rejects.csv", "--id-column", "Key"];
    stage.run(&words).expect(0);
    assert_eq!(stage.sandbox().measurements().len(), 2);
}

/// The lines of `status` about the file.
fn last_run(status: &str) -> Vec<String> {
    let lines = status.lines().filter(|line| line.contains("leads.csv"));
    lines.map(str::to_owned).collect()
}

#[test]
fn what_is_typed_before_the_question_is_no_answer() {
    let stage = Stage::open();
    stage.file("leads.csv", format!("{HEADERS}\n{}", row(1)));
    let token = &stage.sandbox().connection_info().token;
    let import =
        format!("GUTTERBATCH_TOKEN='{token}' gutterbatch import leads.csv {KEY}; echo code $?");
    let mut sitting = Sitting::at(&stage, &format!("read start; {import}"));
    sitting.press("start\ny\n");
    sitting.until("[y/N] ");
    sitting.press("n\n");
    let shown = sitting.end().stdout;
    assert!(shown.contains("code 4"), "{shown}");
    assert!(stage.sandbox().measurements().is_empty());
}

#[test]
fn whoever_is_asked_by_a_quiet_import_sees_what_would_be_sent() {
    let stage = Stage::open();
    stage.file("leads.csv", format!("{HEADERS}\n{}{}", row(1), row(2)));
    let shown = decline(&stage, &format!("gutterbatch import -q leads.csv {KEY}"));
    let words: Vec<&str> = shown.split_whitespace().collect();
    let flat = words.join(" ");
    for text in ["2 rows to submit", " team ", "first: 1 Elm Street, Boston"] {
        assert!(flat.contains(text), "{text}: {shown}");
    }
}

#[test]
fn the_question_names_the_cells_of_odd_addresses() {
    let stage = Stage::open();
    let odd = row(2).replace("02134", "0213").replace(",MA,", ",QQ,");
    stage.file("leads.csv", format!("{HEADERS}\n{}{odd}", row(1)));
    let shown = decline(&stage, &format!("gutterbatch import leads.csv {KEY}"));
    let flat = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    for text in [
        "warning: E3: State: `QQ` is not a known province or state",
        "warning: F3: Zip: ",
    ] {
        assert!(flat.contains(text), "{text}: {shown}");
    }

    // A row that is known is not submitted, so nothing is said of its address.
    let import = ["import", "leads.csv", "--yes", "--id-column", "Key"];
    stage.run(&import).expect(0);
    stage.file("leads.csv", format!("{HEADERS}\n{odd}{}", row(3)));
    let shown = decline(&stage, &format!("gutterbatch import leads.csv {KEY}"));
    assert!(!shown.contains("State:"), "{shown}");
}

#[test]
fn the_question_says_first_that_hidden_and_closed_rows_are_sent() {
    let stage = Stage::open();
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    let rows = [row(1), row(2), row(3)].map(|row| row.trim_end().to_owned());
    for (number, cells) in (0..).zip([HEADERS.to_owned()].iter().chain(&rows)) {
        sheet.write_row(number, 0, cells.split(',')).unwrap();
    }
    sheet.write_row(0, 7, ["Status", "Notes"]).unwrap();
    sheet.write_row(2, 7, ["Lost", ""]).unwrap();
    sheet.set_row_hidden(1).unwrap();
    sheet.set_row_hidden(3).unwrap();
    book.save(stage.path("leads.xlsx")).unwrap();
    let shown = decline(&stage, &format!("gutterbatch import leads.xlsx {KEY}"));
    let flat = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = "warning: row 2: 2 hidden rows (2, 4) are included; --visible-only leaves them out";
    assert!(flat.contains(said), "{shown}");
    assert!(flat.contains("3 rows to submit"), "{shown}");
    let said = "warning: H3: Status: 1 row is marked as closed here (`lost`): sent like all others";
    assert!(flat.contains(said), "{shown}");

    // Without a terminal it is said before anything is sent, and not again.
    let import = ["import", "leads.xlsx", "--id-column", "Key"];
    let short = [&import[..], &["--no-wait", "--rate", "2/1h"]].concat();
    let stderr = stage.run(&short).expect(4).stderr;
    assert_eq!(stderr.matches(said).count(), 1, "{stderr}");
    assert!(
        stderr.find(said) < stderr.find("the journal is empty"),
        "{stderr}"
    );
    let stderr = stage.run(&import).expect(0).stderr;
    assert_eq!(stderr.matches(said).count(), 1, "{stderr}");
    let again = stage.run(&import).expect(0).stderr;
    assert!(!again.contains("marked as closed"), "{again}");
}

#[test]
fn a_dry_run_shows_the_first_addresses() {
    let stage = Stage::open();
    stage.file("leads.csv", format!("{HEADERS}\n{}{}", row(1), row(2)));
    let dry = ["import", "leads.csv", "--id-column", "Key", "--dry-run"];
    let run = stage.run(&dry).expect(0);
    let all = "3 requests; the quota allows all of them at once; first: 1 Elm";
    assert!(run.stderr.contains(all), "{}", run.stderr);
    let flat = run.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = "first: 1 Elm Street, Boston, MA 02134 (1) · 2 Elm Street, Boston, MA 02134 (2)";
    assert!(flat.contains(said), "{}", run.stderr);
}

#[test]
fn the_commands_that_the_question_names_are_of_the_same_profile() {
    let stage = Stage::open();
    stage.file(
        "leads.csv",
        format!("{HEADERS}\n{}", row(2).replace("02134", "0213")),
    );
    let given = "--profile slow --journal slow.db";
    let command = format!("gutterbatch import leads.csv {KEY} {given}");
    let shown = decline(&stage, &command);
    let flat = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let check = format!("listed by `gutterbatch check {given} leads.csv {KEY}`");
    assert!(flat.contains(&check), "{shown}");
}

#[test]
fn ctrl_c_at_the_question_leaves_no_interrupted_import() {
    let stage = Stage::open();
    stage.file("leads.csv", format!("{HEADERS}\n{}", row(1)));
    let token = &stage.sandbox().connection_info().token;
    let command =
        format!("GUTTERBATCH_TOKEN='{token}' gutterbatch import leads.csv {KEY}; echo code $?");
    let mut sitting = Sitting::at(&stage, &command);
    sitting.until("[y/N] ");
    sitting.press("\x03");
    let shown = sitting.end().stdout;
    assert!(shown.contains("code 130"), "{shown}");
    let status = stage.run(&["status"]).expect(0).stdout;
    assert!(status.contains("nothing was imported yet"), "{status}");
    assert!(!status.contains("leads.csv"), "{status}");
}

#[test]
fn a_canary_is_asked_about_as_a_part_of_what_the_limit_sends() {
    let stage = Stage::open();
    let rows: String = (1..=9).map(row).collect();
    stage.file("leads.csv", format!("{HEADERS}\n{rows}"));
    let token = &stage.sandbox().connection_info().token;
    for (flags, question) in [
        ("--canary 2 --limit 4", "submit the first 2 of 4? [y/N] "),
        ("--canary 5 --limit 4", "submit the first 4 of 9? [y/N] "),
    ] {
        let command =
            format!("GUTTERBATCH_TOKEN='{token}' gutterbatch import leads.csv {KEY} {flags}");
        let mut sitting = Sitting::at(&stage, &command);
        sitting.until(question);
        sitting.press("n\n");
        sitting.end();
    }
}

#[test]
fn a_no_after_the_canary_says_that_it_was_submitted() {
    let stage = Stage::open();
    stage.file(
        "leads.csv",
        format!("{HEADERS}\n{}{}{}", row(1), row(2), row(3)),
    );
    let token = &stage.sandbox().connection_info().token;
    let command = format!(
        "GUTTERBATCH_TOKEN='{token}' gutterbatch import leads.csv {KEY} --canary 2; echo code $?"
    );
    let mut sitting = Sitting::at(&stage, &command);
    sitting.until("submit the first 2 of 3? [y/N] ");
    sitting.press("y\n");
    sitting.until("submit the rest? [y/N] ");
    sitting.press("n\n");
    let shown = sitting.end().stdout.replace("\r\n", " ");
    assert!(shown.contains("stopped: you answered no"), "{shown}");
    assert!(
        shown.contains("the canary of 2 rows was submitted"),
        "{shown}"
    );
    assert!(!shown.contains("nothing was sent"), "{shown}");
    assert!(shown.contains("code 4"), "{shown}");
    assert_eq!(stage.sandbox().measurements().len(), 2);
    let status = stage.run(&["status"]).expect(0).stdout;
    assert!(
        status.contains("leads.csv: 2 created, 1 pending"),
        "{status}"
    );
}

#[test]
fn what_may_be_one_house_is_named_before_the_question() {
    let stage = Stage::open();
    let houses = (1..=7).flat_map(|id| [row(id), row(id).replace("Elm Street", "Elm Avenue")]);
    let houses = houses.enumerate();
    let rows = houses.map(|(id, row)| format!("B-{id},{}", row.split_once(',').unwrap().1));
    let content = format!("{HEADERS}\n{}", rows.collect::<String>());
    stage.file("leads.csv", content);
    for quiet in ["", " -q"] {
        let shown = decline(
            &stage,
            &format!("gutterbatch import{quiet} leads.csv {KEY}"),
        );
        let (before, _) = shown.split_once("submit them?").unwrap();
        let before = before.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(
            before.matches("check whether it is the same house").count(),
            5,
            "{shown}"
        );
        assert!(before.contains("warning: C3: Street: nearly"), "{shown}");
        assert!(before.contains("warning: and 2 more"), "{shown}");
    }
}

#[test]
fn a_possible_correction_is_named_before_odd_addresses() {
    let stage = Stage::open();
    let header = "Name,Street,City,State,Zip,Email";
    let rows: Vec<String> = (2..=8)
        .map(|id| {
            row(id)
                .split_once(',')
                .unwrap()
                .1
                .replace(",MA,", &format!(",?{id},"))
        })
        .collect();
    let corrected = "Zoe,1248 Broadway,Boston,MA,02134,z@example.com\n";
    stage.file("leads.csv", format!("{header}\n{corrected}"));
    let import = ["import", "leads.csv", "--yes", "--derive-id"];
    stage.run(&import).expect(0);
    let corrected = corrected.replace("1248", "1284");
    stage.file(
        "leads.csv",
        format!("{header}\n{}{corrected}", rows.concat()),
    );
    let shown = decline(&stage, "gutterbatch import leads.csv --derive-id");
    let flat = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let advice = "ask the contractor to cancel the request for 1248 Broadway";
    let (before, after) = flat.split_once("submit them?").unwrap();
    assert!(before.contains(advice), "{shown}");
    assert!(!after.contains(advice), "{shown}");
}

#[test]
fn conflicts_under_other_flags_are_named_before_the_question_and_not_again() {
    let stage = Stage::open();
    let headers = "id,name,email,line1,city,region,postal_code,Mailing";
    let row = |id: u32| {
        let mailing = format!("7{id} Elm St, Boston, MA 02134");
        format!("{id},Ada,a@example.com,{id} Elm St,Boston,MA,02134,\"{mailing}\"\n")
    };
    stage.file("leads.csv", format!("{headers}\n{}", row(1)));
    stage.run(&["import", "leads.csv"]).expect(0);
    stage.file("leads.csv", format!("{headers}\n{}{}", row(1), row(2)));
    let map = "--map address=Mailing";
    let shown = decline(&stage, &format!("gutterbatch import leads.csv {map}"));
    let flat = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let (before, after) = flat.split_once("submit them?").unwrap();
    let cause = format!("flags given now: {map}");
    assert!(
        before.contains("warning: 1 row in conflict: another house was requested"),
        "{shown}"
    );
    assert!(before.contains(&cause), "{shown}");
    assert!(!after.contains(&cause), "{shown}");
}

#[test]
fn an_import_at_a_terminal_whose_question_would_not_show_sends_nothing() {
    let stage = Stage::open();
    stage.file("leads.csv", format!("{HEADERS}\n{}{}", row(1), row(2)));
    let token = &stage.sandbox().connection_info().token;
    let import = |flags: &str| {
        let command = format!(
            "GUTTERBATCH_TOKEN='{token}' gutterbatch import leads.csv {KEY}{flags} 2>log; echo code $?"
        );
        let shown = Sitting::at(&stage, &command).end().stdout;
        (shown, std::fs::read_to_string(stage.path("log")).unwrap())
    };
    let (shown, log) = import("");
    assert!(shown.contains("code 2"), "{shown}{log}");
    let said = "error: 2 rows would be submitted, and the question cannot be shown because standard error is not a terminal\n\
        hint: look at them with --dry-run, then add --yes: gutterbatch import leads.csv --id-column Key --yes\n";
    assert!(log.ends_with(said), "{log}");
    assert!(stage.sandbox().calls().is_empty(), "{log}");

    let (shown, log) = import(" --yes");
    assert!(shown.contains("code 0"), "{shown}{log}");
    assert_eq!(stage.sandbox().measurements().len(), 2);
    // All rows are known, so that there is nothing to ask.
    let (shown, log) = import("");
    assert!(shown.contains("code 0"), "{shown}{log}");
}

#[test]
fn an_answer_that_is_neither_yes_nor_no_is_asked_for_again() {
    let stage = Stage::open();
    stage.file("leads.csv", format!("{HEADERS}\n{}", row(1)));
    let token = &stage.sandbox().connection_info().token;
    let command =
        format!("GUTTERBATCH_TOKEN='{token}' gutterbatch import leads.csv {KEY}; echo code $?");
    let mut sitting = Sitting::at(&stage, &command);
    sitting.until("[y/N] ");
    sitting.press("what\n");
    sitting.until("[y/N] ");
    sitting.press("Yes\n");
    assert!(sitting.end().stdout.contains("code 0"));
    assert_eq!(stage.sandbox().measurements().len(), 1);
}

#[test]
fn a_signal_at_the_question_says_that_it_was_not_answered() {
    let stage = Stage::open();
    stage.file("leads.csv", format!("{HEADERS}\n{}", row(1)));
    let token = &stage.sandbox().connection_info().token;
    let command = format!("export GUTTERBATCH_TOKEN='{token}'; gutterbatch import leads.csv {KEY}");
    let mut sitting = Sitting::at(&stage, &command);
    sitting.until("[y/N] ");
    sitting.press("\u{3}");
    let shown = sitting.end().stdout;
    let hint = "hint: the question was not answered; run the same command again\r\n";
    assert!(shown.contains(hint), "{shown}");
}

#[test]
fn a_plan_that_is_not_asked_about_has_one_matter_a_line_at_a_terminal() {
    let stage = Stage::open();
    stage.file("leads.csv", format!("{HEADERS}\n{}", row(1)));
    let token = &stage.sandbox().connection_info().token;
    let command = format!(
        "export TERM=xterm GUTTERBATCH_TOKEN='{token}'; gutterbatch import leads.csv --yes {KEY}"
    );
    let shown = Sitting::at(&stage, &command).end().stdout;
    for line in [
        "\u{1b}[Kteam Evergreen Gutters (",
        "\u{1b}[Kfirst: 1 Elm Street, ",
        "\u{1b}[Krequests cannot be taken back\r\n",
    ] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
}

#[test]
fn a_dry_run_without_a_connection_names_connect_first() {
    let stage = Stage::offline();
    stage.file("leads.csv", format!("{HEADERS}\n{}", row(1)));
    let words = ["import", "leads.csv", "--dry-run", "--id-column", "Key"];
    let run = stage.bare_command(&words).output().unwrap();
    let run = crate::support::Run::of(run).expect(0);
    let next = "next: connect with `gutterbatch connect`, then submit 1 row: gutterbatch import leads.csv --id-column Key\n";
    assert!(run.stderr.ends_with(next), "{}", run.stderr);
}
