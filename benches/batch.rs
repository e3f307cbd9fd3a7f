//! Measures the speed that the README states: the program beside the bare library that does the same work.
//!
//! `cargo bench` prints one line per measurement. Both sides run as processes of their own, in turn, three times each,
//! and the fastest run counts. The ratio of their times does not depend on the machine, so each line has a limit for
//! it. With `-- growth` it prints the cost of each command for 10,000, 100,000 and a million rows instead.

#![expect(
    clippy::print_stdout,
    reason = "a benchmark's output is the table that it prints"
)]

mod bare;
mod cost;
mod growth;
mod sheets;
mod stage;

use std::time::Duration;

use cost::{Cost, Program};
use stage::Stage;

/// Rows of the CSV file that is checked.
const CSV_ROWS: usize = 1_000_000;
/// Rows of the workbook that is checked.
const WORKBOOK_ROWS: usize = 200_000;
/// Rows of the import that is compared with a loop.
const IMPORTED_ROWS: usize = 4_000;
/// Measurements that are exported. Their workbook has eleven times as many rows.
const MEASUREMENTS: usize = 20_000;

/// A quota that never delays an import.
const UNLIMITED: &str = "1000000000/1s";
/// A quota that delays an import.
const QUOTA: &str = "60/3s";
/// With the request that proves the team, these rows take three windows of that quota. Two of them pass completely.
const QUOTA_ROWS: usize = 179;
const SHORTEST_TIME: Duration = Duration::from_secs(6);

fn main() {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("bare") => bare::run(&arguments.collect::<Vec<_>>()),
        Some("growth") => growth::print(),
        _ => print_ratios(),
    }
}

fn print_ratios() {
    println!(
        "{:<48} {:>9} {:>9} {:>6} {:>8} {:>10} {:>9}",
        "measured / compared with", "time", "compared", "ratio", "at most", "ratio CPU", "memory"
    );
    check_of_csv();
    check_of_workbook();
    import();
    import_of_known_rows_and_export();
    import_under_a_quota();
    start();
}

fn check_of_csv() {
    let stage = Stage::new(UNLIMITED);
    let path = stage.sheet("csv", CSV_ROWS);
    let (measured, compared) = cost::in_turn(
        || stage.program("home", &["check", &path]),
        || Program::bare(&["csv", &path]),
    );
    print(
        "check of a million-row CSV / csv crate",
        measured,
        compared,
        2.5,
    );
}

fn check_of_workbook() {
    let stage = Stage::new(UNLIMITED);
    let path = stage.sheet("xlsx", WORKBOOK_ROWS);
    let (measured, compared) = cost::in_turn(
        || stage.program("home", &["check", &path]),
        || Program::bare(&["xlsx", &path]),
    );
    print(
        "check of a 200,000-row XLSX / calamine",
        measured,
        compared,
        1.3,
    );
}

fn import() {
    let stage = Stage::new(UNLIMITED);
    let path = stage.sheet("csv", IMPORTED_ROWS);
    let mut run = 0;
    let (measured, compared) = cost::in_turn(
        || {
            run += 1;
            let prefix = format!("program{run}-");
            let words = ["import", &path, "--id-prefix", &prefix, "--rate", UNLIMITED];
            stage.program(&prefix, &words)
        },
        || stage.loop_of_requests(&path),
    );
    print(
        "import of 4,000 rows / reqwest loop",
        measured,
        compared,
        4.0,
    );
}

fn import_of_known_rows_and_export() {
    let stage = Stage::new(UNLIMITED);
    let path = stage.sheet("csv", MEASUREMENTS);
    stage.run("home", &["import", &path, "--rate", UNLIMITED]);
    let (measured, compared) = cost::in_turn(
        || stage.program("home", &["import", &path]),
        || stage.program("home", &["check", &path]),
    );
    print(
        "import of 20,000 known rows / their check",
        measured,
        compared,
        1.25,
    );
    let all = [
        "export",
        "first.xlsx",
        "--refresh",
        "all",
        "--rate",
        UNLIMITED,
    ];
    stage.run("home", &all);
    let bare = stage.path("bare.xlsx");
    let count = MEASUREMENTS.to_string();
    let (measured, compared) = cost::in_turn(
        || stage.program("home", &["export", "results.xlsx", "--offline"]),
        || Program::bare(&["workbook", &bare, &count]),
    );
    print(
        "export of 20,000 measurements / rust_xlsxwriter",
        measured,
        compared,
        1.3,
    );
}

fn import_under_a_quota() {
    let stage = Stage::new(QUOTA);
    let path = stage.sheet("csv", QUOTA_ROWS);
    let measured = stage.run("home", &["import", &path, "--rate", QUOTA]);
    let compared = Cost::of_time(SHORTEST_TIME);
    print(
        "import of 180 requests at 60/3s / shortest time",
        measured,
        compared,
        1.02,
    );
}

fn start() {
    let stage = Stage::new(UNLIMITED);
    let runs = (0..20).map(|_| stage.run("home", &["--version"]));
    let measured = runs.reduce(Cost::smaller).expect("it ran");
    let compared = Cost::of_time(Duration::from_millis(10));
    print("--version / 10 ms", measured, compared, 1.0);
}

/// Prints one line: times in seconds, the ratio of times with its limit, the ratio of CPU times, memory in megabytes.
fn print(what: &str, measured: Cost, compared: Cost, at_most: f64) {
    let ratio = measured.time.as_secs_f64() / compared.time.as_secs_f64();
    let cpu = measured.cpu.as_secs_f64() / compared.cpu.as_secs_f64();
    let cpu = if cpu.is_finite() {
        format!("{cpu:.2}")
    } else {
        String::new()
    };
    println!(
        "{what:<48} {:>8.3}s {:>8.3}s {ratio:>6.2} {at_most:>8.2} {cpu:>10} {:>6} MB",
        measured.time.as_secs_f64(),
        compared.time.as_secs_f64(),
        measured.memory / 1_000_000,
    );
}
