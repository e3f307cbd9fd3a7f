//! The program itself against the sandbox: importing beside a bare HTTP loop, writing beside the bare writer library.

use std::path::Path;
use std::process::{Command, Stdio};

use gutterbatch::sandbox::{Options, Running, start};
use rust_xlsxwriter::Workbook;
use tokio::runtime::Runtime;

use crate::reading::sheet;

/// Rows of one import.
const IMPORTED: usize = 3_000;

/// Measurements of the workbook.
const WRITTEN: usize = 20_000;

/// A quota that is in nobody's way.
const LIFTED: &str = "1000000000/1s";

/// A sandbox, and a folder for homes and files.
struct Scene {
    runtime: Runtime,
    sandbox: Running,
    folder: tempfile::TempDir,
}

impl Scene {
    fn set() -> Self {
        let runtime = Runtime::new().expect("threads can be had");
        let rate = LIFTED.parse().expect("the rate is well-formed");
        let work = Some(std::time::Duration::from_millis(1));
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
    let scene = Scene::set();
    let path = scene.folder.path().join("leads.csv");
    std::fs::write(&path, sheet(IMPORTED)).expect("the sheet can be written");
    let mut run = 0;
    let ours = || {
        run += 1;
        let prefix = format!("ours{run}-");
        scene.run(
            &prefix,
            &[
                "import",
                "leads.csv",
                "--id-prefix",
                &prefix,
                "--rate",
                LIFTED,
                "--concurrency",
                "16",
            ],
        );
    };
    let mut loop_run = 0;
    let bare = || {
        loop_run += 1;
        scene
            .runtime
            .block_on(post_all(&scene.sandbox, &path, &format!("bare{loop_run}-")));
    };
    let (ours, bare) = crate::in_turn(ours, bare);
    crate::show("import of 3,000 rows / bare reqwest loop", ours, bare, 2.0);
}

/// Reads the file and posts its rows, sixteen at a time; looks at the status and keeps nothing.
async fn post_all(sandbox: &Running, path: &Path, prefix: &str) {
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
        .buffer_unordered(16)
        .for_each(|_| async {})
        .await;
}

/// Prints the ratio of writing the workbook to the bare library writing as many cells.
pub(crate) fn workbook() {
    let scene = Scene::set();
    std::fs::write(scene.folder.path().join("leads.csv"), sheet(WRITTEN))
        .expect("the sheet can be written");
    scene.run(
        "home",
        &[
            "import",
            "leads.csv",
            "--rate",
            LIFTED,
            "--concurrency",
            "16",
        ],
    );
    scene.run(
        "home",
        &[
            "export",
            "first.xlsx",
            "--refresh",
            "all",
            "--rate",
            LIFTED,
            "--concurrency",
            "16",
        ],
    );
    let ours = || scene.run("home", &["export", "results.xlsx", "--offline"]);
    let bare_path = scene.folder.path().join("bare.xlsx");
    let (ours, bare) = crate::in_turn(ours, || write_bare(&bare_path));
    crate::show(
        "workbook of 20,000 measurements / bare writer",
        ours,
        bare,
        1.3,
    );
}

/// The cells of the workbook's three long sheets: measurements, downspouts, images.
fn write_bare(path: &Path) {
    let mut workbook = Workbook::new();
    for (per_measurement, texts, numbers) in [(1, 12, 6), (6, 3, 4), (5, 5, 0)] {
        let worksheet = workbook
            .add_worksheet_with_constant_memory()
            .expect("a sheet can be added");
        for row in 0..u32::try_from(WRITTEN * per_measurement).expect("rows fit") {
            for column in 0..texts {
                worksheet
                    .write_string(row, column, format!("text of row {row}"))
                    .expect("text fits");
            }
            for column in texts..texts + numbers {
                worksheet
                    .write_number(row, column, f64::from(row))
                    .expect("numbers fit");
            }
        }
    }
    workbook.save(path).expect("the workbook can be written");
}
