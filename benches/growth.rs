//! What the commands cost for 10,000, 100,000 and a million rows, without a quota.

use std::fs;
use std::path::Path;

use crate::UNLIMITED;
use crate::cost::Cost;
use crate::stage::Stage;

/// The id of the first row of the sheets.
const FIRST_ID: &str = "00Q5e0000000000000";

/// Prints a table of times, CPU times and memory, with the size of the journal, each with its limit if it has one.
pub(crate) fn print() {
    println!(
        "{:<16} {:>8} {:>9} {:>9} {:>9}",
        "command", "rows", "time", "CPU", "memory"
    );
    let imports = [10_000, 100_000, 1_000_000].map(|rows| {
        let stage = Stage::new(UNLIMITED);
        let path = stage.sheet("csv", rows);
        line("check", rows, stage.run("home", &["check", &path]));
        let import = ["import", &path, "--rate", UNLIMITED];
        let first_import = stage.run("home", &import);
        line("import", rows, first_import);
        line("import again", rows, stage.run("home", &import));
        // The import filled the quota's hour with more requests than the service allows; in that window, none counts.
        let status = ["status", "--rate", UNLIMITED];
        line("status (<= 0.1)", rows, stage.run("home", &status));
        // Little more than opening the journal.
        let one = ["status", "--id", FIRST_ID, "--rate", UNLIMITED];
        line("status --id", rows, stage.run("home", &one));
        let export = [
            "export",
            "all.xlsx",
            "--refresh",
            "all",
            "--rate",
            UNLIMITED,
        ];
        line("export", rows, stage.run("home", &export));
        let export = ["export", "all.csv", "--offline"];
        line("export --offline", rows, stage.run("home", &export));
        let journals = Path::new(&stage.home("home")).join("journals");
        let files = fs::read_dir(journals).expect("the folder can be read");
        let files = files.filter_map(|file| Some(file.ok()?.path()));
        let journal =
            files.filter(|path| path.extension().is_some_and(|extension| extension == "db"));
        journal.for_each(|path| print_size(&path, rows));
        first_import
    });
    for pair in imports.windows(2) {
        println!(
            "import of ten times the rows: {:.1} times the time, at most 10.5",
            pair[1].time.as_secs_f64() / pair[0].time.as_secs_f64()
        );
    }
}

/// The size of a journal, and its ratio to that of the responses in it.
fn print_size(path: &Path, rows: usize) {
    let bytes = fs::metadata(path).expect("it is there").len();
    let journal = rusqlite::Connection::open(path).expect("it is a database");
    let sql = "SELECT sum(length(CAST(body AS BLOB)))
        FROM (SELECT body FROM measurements UNION ALL SELECT body FROM attempts)";
    let responses: u64 = journal
        .query_row(sql, [], |row| row.get(0))
        .expect("it has responses");
    let (each, percent) = (bytes / rows as u64, bytes * 100 / responses);
    println!(
        "{:<16} {rows:>8} {each:>6} bytes a row, {percent} % of the responses, at most 150 %",
        "journal"
    );
}

fn line(command: &str, rows: usize, cost: Cost) {
    println!(
        "{command:<16} {rows:>8} {:>8.2}s {:>8.2}s {:>6} MB",
        cost.time.as_secs_f64(),
        cost.cpu.as_secs_f64(),
        cost.memory / 1_000_000,
    );
}
