//! The bare libraries that the program is compared with, each on one thread, and the sheets that both read.

use std::collections::HashSet;
use std::fs::File;
use std::io::BufReader;

use calamine::{Reader as _, Xlsx};
use rust_xlsxwriter::Workbook;

use crate::sheets;

/// Does the work that the first word names.
pub(crate) fn run(words: &[String]) {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["csv", path] => check_csv(path),
        ["xlsx", path] => read_workbook(path),
        ["requests", path, prefix, base_url, version, token] => {
            let service = Service {
                base_url,
                version,
                token,
            };
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("the event queue can be created");
            runtime.block_on(post_all(path, prefix, &service));
        }
        ["sheet csv", path, rows] => sheets::write_csv(path, rows.parse().expect("a count")),
        ["sheet xlsx", path, rows] => {
            sheets::write_workbook(path, rows.parse().expect("a count"));
        }
        ["workbook", path, measurements] => {
            write_workbook(path, measurements.parse().expect("a count"));
        }
        other => panic!("no such work: {other:?}"),
    }
}

/// The rules that no importer could leave out: lengths in characters, required fields, an email or a phone, and no id
/// twice.
fn check_csv(path: &str) {
    let mut reader = csv::Reader::from_path(path).expect("the file can be read");
    let mut ids = HashSet::new();
    for row in reader.records() {
        let row = row.expect("the rows are well-formed");
        let field = |index: usize| row.get(index).unwrap_or_default().trim();
        let within = |index: usize, most: usize| (1..=most).contains(&field(index).chars().count());
        let fits =
            within(0, 128) && within(1, 120) && within(4, 200) && field(9).chars().count() <= 2000;
        let filled = [5, 6, 7].iter().all(|index| !field(*index).is_empty());
        let reachable = !field(2).is_empty() || !field(3).is_empty();
        let known_country = matches!(field(8), "" | "CA" | "US");
        assert!(fits && filled && reachable && known_country);
        assert!(ids.insert(field(0).to_owned()));
    }
}

fn read_workbook(path: &str) {
    let file = BufReader::new(File::open(path).expect("the file can be read"));
    let mut workbook = Xlsx::new(file).expect("it is a workbook");
    let mut reader = workbook
        .worksheet_cells_reader("Sheet1")
        .expect("it has this sheet");
    let mut cells = 0;
    while reader.next_cell().expect("it is well-formed").is_some() {
        cells += 1;
    }
    assert!(cells > 0);
}

struct Service<'a> {
    base_url: &'a str,
    version: &'a str,
    token: &'a str,
}

/// Reads the file and posts its rows, eight at a time. Looks at the status of each answer and keeps nothing.
async fn post_all(path: &str, prefix: &str, service: &Service<'_>) {
    use futures::StreamExt as _;
    rustls::crypto::ring::default_provider()
        .install_default()
        .expect("no other provider is installed");
    let client = reqwest::Client::new();
    let url = format!("{}/measurements", service.base_url);
    let mut reader = csv::Reader::from_path(path).expect("the file can be read");
    let calls = reader.records().map(|row| {
        let row = row.expect("the rows are well-formed");
        let body = serde_json::json!({
            "address": {"line1": row[4], "city": row[5], "region": row[6], "postal_code": row[7], "country": row[8]},
            "customer": {"name": row[1], "email": row[2], "phone": row[3]},
            "notes": row[9],
            "external": {"id": format!("{prefix}{}", &row[0])},
        });
        let request = client.post(&url).bearer_auth(service.token);
        let request = request.header("Service-Version", service.version).json(&body);
        async move {
            let answer = request.send().await.expect("the sandbox answers");
            assert_eq!(answer.status(), 201);
            answer.bytes().await.expect("the answer is complete")
        }
    });
    futures::stream::iter(calls)
        .buffer_unordered(8)
        .for_each(|_| async {})
        .await;
}

/// The links that one sheet can have.
const LINKS: u32 = 65_530;

/// What a cell of the bare workbook contains; `#` stands for the number of the row.
enum Sample {
    Text(&'static str),
    Link(&'static str),
    Number(f64),
}

/// The three long sheets of the program's workbook: how many rows a measurement has there, and their cells.
fn long_sheets() -> [(u32, Vec<Sample>); 3] {
    use Sample::{Link, Number, Text};
    let id = || Text("00Q5e0000000#");
    let measurement = || Text("msr_m9s346q3d25vt4f#");
    let address = || Text("# Garden Street, Toronto");
    let measurements = vec![
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
        Text("leads.csv"),
        Number(2.0),
    ];
    let downspouts = vec![
        id(),
        address(),
        Number(1.0),
        Number(10.6),
        Number(1.0),
        Number(3.0),
        measurement(),
    ];
    let images = vec![
        id(),
        Text("measurements"),
        Link("http://127.0.0.1:8791/assets/msr_m9s346q3d25vt4f#/measurements.png"),
        Text("image/png"),
        measurement(),
    ];
    [(1, measurements), (6, downspouts), (4, images)]
}

/// As many cells as the program's workbook has, as long, and as many links, with the library's own compression level and
/// without formats, widths, notes and charts.
fn write_workbook(path: &str, measurements: u32) {
    let mut workbook = Workbook::new();
    let mut links_left = LINKS;
    for (rows, samples) in long_sheets() {
        let worksheet = workbook
            .add_worksheet_with_constant_memory()
            .expect("a sheet can be added");
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
                .expect("the cell fits");
            }
        }
    }
    workbook.save(path).expect("the workbook can be written");
}
