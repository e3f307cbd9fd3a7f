//! The program itself against the sandbox: importing beside a bare HTTP loop, again beside its check, under a quota
//! beside the arithmetic, and writing beside the bare writer library.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use gutterbatch::sandbox::{Options, SandboxHandle, start};
use rust_xlsxwriter::Workbook;
use tokio::runtime::Runtime;

use crate::reading::sheet;

/// Rows of an import beside the bare loop.
const IMPORTED: usize = 4_000;

/// Measurements of the workbook, and rows of the import that is run again.
const WRITTEN: usize = 20_000;

/// A quota that is in nobody's way.
const LIFTED: &str = "1000000000/1s";

/// A quota that is, and the rows that take three of its windows with the request that proves the team: at best two
/// whole windows pass.
const QUOTA: &str = "60/3s";
const QUOTA_ROWS: usize = 179;
const QUOTA_BEST: Duration = Duration::from_secs(6);

/// A sandbox, and a folder for homes and files.
struct Scene {
    runtime: Runtime,
    sandbox: SandboxHandle,
    folder: tempfile::TempDir,
}

impl Scene {
    fn set(rate: &str) -> Self {
        let runtime = Runtime::new().expect("threads can be had");
        let rate = rate.parse().expect("the rate is well-formed");
        let work = Some(Duration::from_millis(1));
        let options = Options {
            rate,
            work,
            ..Options::default()
        };
        let sandbox = runtime
            .block_on(start(options))
            .expect("loopback can be listened on");
        Self {
            runtime,
            sandbox,
            folder: tempfile::tempdir().expect("a temporary folder can be made"),
        }
    }

    /// Writes a sheet of so many rows into the folder.
    fn lay_sheet(&self, rows: usize) -> PathBuf {
        let path = self.folder.path().join("leads.csv");
        std::fs::write(&path, sheet(rows)).expect("the sheet can be written");
        path
    }

    /// Runs the program with a home of that name.
    fn run(&self, home: &str, words: &[&str]) {
        let announced = self.sandbox.announcement();
        let status = Command::new(env!("CARGO_BIN_EXE_gutterbatch"))
            .args(words)
            .current_dir(self.folder.path())
            .env("GUTTERBATCH_HOME", self.folder.path().join(home))
            .env("GUTTERBATCH_BASE_URL", &announced.base_url)
            .env("GUTTERBATCH_SERVICE_VERSION", &announced.service_version)
            .env("GUTTERBATCH_TOKEN", &announced.token)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("the program can be run");
        assert!(status.success(), "{words:?}: {status}");
    }
}

/// Prints the ratio of an import, every row journaled, to a loop that keeps nothing.
pub(crate) fn import() {
    let scene = Scene::set(LIFTED);
    let path = scene.lay_sheet(IMPORTED);
    let mut run = 0;
    let ours = || {
        run += 1;
        let prefix = format!("ours{run}-");
        let words = [
            "import",
            "leads.csv",
            "--id-prefix",
            &prefix,
            "--rate",
            LIFTED,
        ];
        scene.run(&prefix, &words);
    };
    let mut loop_run = 0;
    let bare = || {
        loop_run += 1;
        let prefix = format!("bare{loop_run}-");
        scene
            .runtime
            .block_on(post_all(&scene.sandbox, &path, &prefix));
    };
    let (ours, bare) = crate::in_turn(ours, bare);
    crate::show("import of 4,000 rows / bare reqwest loop", ours, bare, 2.0);
}

/// Reads the file and posts its rows, eight at a time; looks at the status and keeps nothing.
async fn post_all(sandbox: &SandboxHandle, path: &Path, prefix: &str) {
    use futures::StreamExt as _;
    // Fails only where another part of the process was first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::new();
    let announced = sandbox.announcement();
    let mut reader = csv::Reader::from_path(path).expect("the sheet is there");
    let calls = reader.records().map(|row| {
        let row = row.expect("the sheet is sound");
        let body = serde_json::json!({
            "address": {"line1": row[4], "city": row[5], "region": row[6], "postal_code": row[7], "country": row[8]},
            "customer": {"name": row[1], "email": row[2], "phone": row[3]},
            "notes": row[9],
            "external": {"id": format!("{prefix}{}", &row[0])},
        });
        let url = format!("{}/measurements", announced.base_url);
        let request = client.post(url).bearer_auth(&announced.token);
        let request = request.header("Service-Version", &announced.service_version).json(&body);
        async move {
            let answer = request.send().await.expect("the sandbox answers");
            assert_eq!(answer.status(), 201);
            answer.bytes().await.expect("the sandbox answers whole")
        }
    });
    futures::stream::iter(calls)
        .buffer_unordered(8)
        .for_each(|_| async {})
        .await;
}

/// Prints the ratios of a finished job: its import run again, and its workbook.
pub(crate) fn finished() {
    let scene = Scene::set(LIFTED);
    scene.lay_sheet(WRITTEN);
    scene.run("home", &["import", "leads.csv", "--rate", LIFTED]);
    let (ours, bare) = crate::in_turn(
        || scene.run("home", &["import", "leads.csv"]),
        || scene.run("home", &["check", "leads.csv"]),
    );
    crate::show(
        "import of 20,000 known rows / their check",
        ours,
        bare,
        1.25,
    );
    scene.run(
        "home",
        &["export", "first.xlsx", "--refresh", "all", "--rate", LIFTED],
    );
    let bare_path = scene.folder.path().join("bare.xlsx");
    let (ours, bare) = crate::in_turn(
        || scene.run("home", &["export", "results.xlsx", "--offline"]),
        || write_bare(&bare_path),
    );
    crate::show(
        "workbook of 20,000 measurements / bare writer",
        ours,
        bare,
        1.3,
    );
}

/// Prints the ratio of an import under a quota to the best that the quota allows.
pub(crate) fn quota() {
    let scene = Scene::set(QUOTA);
    scene.lay_sheet(QUOTA_ROWS);
    let ours = crate::timed(&mut || {
        scene.run("home", &["import", "leads.csv", "--rate", QUOTA]);
    });
    crate::show(
        "import of 180 requests at 60/3s / the best",
        ours,
        QUOTA_BEST,
        1.02,
    );
}

/// Prints how long the program takes to say its version.
pub(crate) fn start_up() {
    let ours = (0..20)
        .map(|_| crate::timed(&mut version))
        .min()
        .expect("it was run");
    crate::show(
        "start of --version / 10 ms",
        ours,
        Duration::from_millis(10),
        1.0,
    );
}

fn version() {
    let status = Command::new(env!("CARGO_BIN_EXE_gutterbatch"))
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .expect("the program can be run");
    assert!(status.success());
}

/// Links that a sheet bears, and the whole workbook has.
const LINKS: u32 = 65_530;

/// What a cell of the bare workbook holds; `#` stands for the row's number.
enum Sample {
    Text(&'static str),
    Link(&'static str),
    Number(f64),
}

/// The workbook's four long sheets, each with its rows a measurement.
fn sheets() -> [(u32, Vec<Sample>); 4] {
    use Sample::{Link, Number, Text};
    let id = || Text("00Q5e0000000#");
    let measurement = || Text("msr_m9s346q3d25vt4f#");
    let address = || Text("# Garden Street, Toronto");
    let map = r##"{"measurement_id":"msr_m9s346q3d25vt4f#","request_id":"req_3s3e28jt97kb6cq#","request_url":"http://127.0.0.1:8791/requests/req_3s3e28jt97kb6cq#","created_at":"2026-11-21T09:35:13.675148Z","file":"leads.csv","row":#,"outcome":"created","request":{"external_id":"00Q5e0000000#","address":{"line1":"# Garden Street","city":"Toronto","region":"ON","postal_code":"M5V 0A0","country":"CA"},"customer":{"name":"Alex Sample #","email":"alex#@example.com","phone":"416-555-0100"},"notes":"Two storeys; the dog is friendly"}}"##;
    let house = vec![
        id(),
        Text("Alex Sample #"),
        address(),
        Text("Toronto"),
        Text("ON"),
        Text("M5V 0A0"),
        Text("CA"),
        Number(46_347.399),
        Number(125.5),
        Number(6.0),
        Number(2.0),
        Number(5.0),
        Number(55.4),
        Text("Downspout at the driveway should drain away from the garage door."),
        Number(4.0),
        measurement(),
        Link("http://127.0.0.1:8791/requests/req_3s3e28jt97kb6cq#"),
        Number(2.0),
    ];
    let downspout = vec![
        id(),
        address(),
        Number(1.0),
        Number(10.6),
        Number(1.0),
        Number(3.0),
        measurement(),
    ];
    let image = vec![
        id(),
        Text("measurements"),
        Link("http://127.0.0.1:8791/assets/msr_m9s346q3d25vt4f#/measurements.png"),
        Text("image/png"),
        measurement(),
    ];
    let known = vec![Text("measurement"), id(), Text(map)];
    [(1, house), (6, downspout), (4, image), (1, known)]
}

/// As many cells as the workbook has, as long, and as many links, by the library as it comes: at its own level of
/// compression, without formats, widths, notes and charts.
fn write_bare(path: &Path) {
    let mut workbook = Workbook::new();
    let mut links_left = LINKS;
    for (rows, samples) in sheets() {
        let worksheet = workbook
            .add_worksheet_with_constant_memory()
            .expect("a sheet can be added");
        let measurements = u32::try_from(WRITTEN).expect("rows fit");
        for row in 0..measurements * rows {
            for (column, sample) in (0..).zip(&samples) {
                let numbered = |text: &str| text.replace('#', &row.to_string());
                match sample {
                    Sample::Link(url) if links_left > 0 => {
                        links_left -= 1;
                        worksheet.write_url(row, column, numbered(url).as_str())
                    }
                    Sample::Text(text) | Sample::Link(text) => {
                        worksheet.write_string(row, column, numbered(text))
                    }
                    Sample::Number(number) => worksheet.write_number(row, column, *number),
                }
                .expect("cells fit");
            }
        }
    }
    workbook.save(path).expect("the workbook can be written");
}
