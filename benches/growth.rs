//! What the commands cost for 10,000 and for 100,000 rows, without a quota.

use std::fs;
use std::path::Path;

use crate::UNLIMITED;
use crate::cost::Cost;
use crate::stage::Stage;

/// Prints a table of times, CPU times and memory, and the size of the journal.
pub(crate) fn print() {
    println!(
        "{:<16} {:>8} {:>9} {:>9} {:>9}",
        "command", "rows", "time", "CPU", "memory"
    );
    let imports = [10_000, 100_000].map(|rows| {
        let stage = Stage::new(UNLIMITED);
        let path = stage.sheet("csv", rows);
        line("check", rows, stage.run("home", &["check", &path]));
        let import = ["import", &path, "--rate", UNLIMITED];
        let first_import = stage.run("home", &import);
        line("import", rows, first_import);
        line("import again", rows, stage.run("home", &import));
        // The import filled the quota's hour with more requests than the service allows; in that window, none counts.
        let status = ["status", "--rate", UNLIMITED];
        line("status", rows, stage.run("home", &status));
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
        let sizes = fs::read_dir(journals)
            .expect("the folder can be read")
            .filter_map(|file| file.ok()?.metadata().ok())
            .map(|file| file.len());
        let bytes = sizes.sum::<u64>();
        println!(
            "{:<16} {rows:>8} {:>6} bytes a row",
            "journal",
            bytes / rows as u64
        );
        first_import
    });
    println!(
        "import of ten times the rows: {:.1} times the time",
        imports[1].time.as_secs_f64() / imports[0].time.as_secs_f64()
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
