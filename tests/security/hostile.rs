//! Files made to crash, to hang or to fill the memory; and ordinary ones with a few bytes changed.

use std::path::PathBuf;

use gutterbatch::import::{self, CheckRules, ImportInput};
use gutterbatch::model::Severity;
use gutterbatch::table::{TableError, TableOptions};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::hazards::{HEADERS, row, stopped};
use crate::support::parts::{Cell, archive, xlsb};

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(
        PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("samples")
            .join(name),
    )
    .unwrap()
}

const TYPES: (&str, &[u8]) = ("[Content_Types].xml", b"<Types/>");

#[test]
fn a_bomb_of_strings_is_refused() {
    let strings = b"<si/>".repeat(5 << 20);
    let stderr = stopped(
        "leads.xlsx",
        archive(&[TYPES, ("xl/sharedStrings.xml", &strings)]),
        &[],
    );
    assert!(
        stderr.starts_with("error: leads.xlsx: refused: it unpacks to more than"),
        "{stderr}"
    );
}

#[test]
fn a_claim_of_more_strings_than_there_are_is_refused() {
    for claimed in [1 << 20, u64::from(u32::MAX), 99_999_999_999] {
        let strings = format!(
            "<?xml version=\"1.0\"?><!-- --><sst uniqueCount=\"{claimed}\"><si><t>ID</t></si></sst>"
        );
        let parts = [TYPES, ("xl/sharedStrings.xml", strings.as_bytes())];
        let stderr = stopped("leads.xlsx", archive(&parts), &[]);
        assert!(
            stderr.starts_with(&format!(
                "error: leads.xlsx: the workbook is damaged: it claims {claimed} shared texts and has fewer\n"
            )),
            "{stderr}"
        );
    }
}

#[test]
fn a_doctype_is_refused() {
    let book = b"<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a \"aaaa\">]><workbook/>";
    let stderr = stopped(
        "leads.xlsx",
        archive(&[TYPES, ("xl/workbook.xml", book)]),
        &[],
    );
    assert!(stderr.contains("DOCTYPE"), "{stderr}");
}

#[test]
fn truncated_and_broken_workbooks_say_so() {
    let whole = sample("leads.xlsx");
    for length in [4, 100, whole.len() / 2, whole.len() - 10] {
        let stderr = stopped("leads.xlsx", &whole[..length], &[]);
        assert!(
            stderr.starts_with(
                "error: leads.xlsx: the workbook is damaged: its parts do not fit together\n"
            ),
            "{length}: {stderr}"
        );
    }
    // The library panics.
    let rejects = [("xl/workbook.bin", b"\x9C\x01\x02\0\0".as_slice())];
    let stderr = stopped("leads.xlsb", archive(&rejects), &[]);
    let named = "error: leads.xlsb: the workbook is damaged";
    assert!(stderr.starts_with(named), "{stderr}");
    let stderr = stopped("leads.xlsx", archive(&[("readme.txt", b"hello")]), &[]);
    assert!(stderr.contains("a ZIP archive, not a table"), "{stderr}");
}

#[test]
fn a_hundred_thousand_columns_stop() {
    let stderr = stopped("leads.csv", ",".repeat(100_000), &[]);
    assert!(
        stderr.starts_with("error: leads.csv: row 1 has more than 16,384 columns\n"),
        "{stderr}"
    );
}

#[test]
fn a_formula_error_in_a_column_that_no_sheet_has_stops() {
    let cells = |text: &str| -> Vec<Option<Cell>> {
        let cells = text
            .split(',')
            .map(|cell| Some(Cell::Text(cell.to_owned())));
        cells.collect()
    };
    let mut wide = cells(&row(&[]));
    wide.push(Some(Cell::FormulaErrorOutside));
    let stderr = stopped("leads.xlsb", xlsb(&[cells(HEADERS), wide], None, &[]), &[]);
    assert!(
        stderr.starts_with("error: leads.xlsb: row 2 has more than 16,384 columns\n"),
        "{stderr}"
    );
}

#[test]
fn an_endless_cell_stops_early() {
    let quoted = format!("{HEADERS}\n{}\n\"{}", row(&[]), "x".repeat(6 << 20));
    let stderr = stopped("leads.csv", quoted, &[]);
    assert!(
        stderr
            .starts_with("error: leads.csv: a quote opened at line 3, column A, is never closed\n"),
        "{stderr}"
    );
    let plain = format!("{HEADERS}\n{}\n{}", row(&[]), "x".repeat(6 << 20));
    let stderr = stopped("leads.csv", plain, &[]);
    assert!(
        stderr.starts_with("error: leads.csv: row 3 is larger than 4 MiB\n"),
        "{stderr}"
    );
}

/// A sheet of one cell of so many megabytes.
fn one_cell(before: &str, megabytes: usize, after: &str) -> Vec<u8> {
    let text = "x".repeat(megabytes << 20);
    [before, &text, after].concat().into_bytes()
}

#[test]
fn a_workbook_that_packs_better_than_any_sheet_is_refused() {
    let sheet = one_cell(
        "<worksheet><sheetData><row><c><is><t>",
        40,
        "</t></is></c></row></sheetData></worksheet>",
    );
    let book = archive(&[TYPES, ("xl/worksheets/sheet1.xml", &sheet)]);
    let stderr = stopped("leads.xlsx", book, &[]);
    assert!(
        stderr.starts_with("error: leads.xlsx: refused: it unpacks to ")
            && stderr.lines().next().unwrap().ends_with(" times its size"),
        "{stderr}"
    );
}

#[test]
fn a_cell_of_the_open_form_is_not_held_whatever_its_size() {
    let content = one_cell(
        "<office:document-content><office:body><office:spreadsheet><table:table table:name=\"Leads\"><table:table-row><table:table-cell><text:p>",
        8,
        "</text:p>",
    );
    let stderr = stopped("leads.ods", archive(&[("content.xml", &content)]), &[]);
    assert!(
        stderr.starts_with("error: leads.ods: refused: a cell is larger than 4 MiB\n"),
        "{stderr}"
    );
}

#[test]
fn spaces_that_are_only_counted_are_not_written_out() {
    let spaces = "<text:s text:c=\"1000000\"/>".repeat(8192);
    let content = format!(
        "<office:document-content><office:body><office:spreadsheet><table:table table:name=\"Leads\"><table:table-row><table:table-cell><text:p>{spaces}</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"
    );
    let stderr = stopped(
        "leads.ods",
        archive(&[("content.xml", content.as_bytes())]),
        &[],
    );
    assert!(
        stderr.starts_with("error: leads.ods: refused: a cell is larger than 4 MiB\n"),
        "{stderr}"
    );
}

/// Checks bytes as a file; whatever it says, it must say it without a panic, and of every row that it reads.
fn survives(bytes: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("leads");
    std::fs::write(&path, bytes).unwrap();
    let input = ImportInput::new(&path, TableOptions::default(), CheckRules::default()).unwrap();
    if let Ok(checked) = import::check(&input, |_| {}) {
        let requests = checked.requests(&input, |_| true).unwrap();
        assert!(requests.count() <= checked.rows.len());
        let problems: Result<Vec<_>, _> = checked.problems().unwrap().collect();
        let errors = problems
            .unwrap()
            .into_iter()
            .filter(|problem| problem.severity == Severity::Error);
        assert_eq!(errors.count() as u64, checked.counts.errors);
    }
}

/// A workbook of the old form, or of the open one, as LibreOffice saves it.
fn of_libreoffice(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/sheets");
    std::fs::read(folder.join(name)).unwrap()
}

fn binary() -> Vec<u8> {
    let cells = |text: &str| -> Vec<Option<Cell>> {
        let mut cells: Vec<_> = text
            .split(',')
            .map(|cell| Some(Cell::Text(cell.to_owned())))
            .collect();
        cells.push(Some(Cell::FormulaError(0x2A)));
        cells
    };
    xlsb(
        &[cells(HEADERS), cells(&row(&[]))],
        Some(1),
        &[[1, 2, 6, 6]],
    )
}

/// The parts of an archive, unpacked, so that changes reach what is read and not the checksums alone.
fn repacked(bytes: &[u8], changes: &[(usize, u8)]) -> Vec<u8> {
    use std::io::Read as _;
    let mut archive_in = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let mut parts = Vec::new();
    for index in 0..archive_in.len() {
        let mut entry = archive_in.by_index(index).unwrap();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).unwrap();
        parts.push((entry.name().unwrap().into_owned(), content));
    }
    let size: usize = parts.iter().map(|(_, content)| content.len()).sum();
    for (at, byte) in changes {
        let mut at = at % size;
        for (_, content) in &mut parts {
            if at < content.len() {
                content[at] = *byte;
                break;
            }
            at -= content.len();
        }
    }
    let parts: Vec<(&str, &[u8])> = parts
        .iter()
        .map(|(name, content)| (name.as_str(), content.as_slice()))
        .collect();
    archive(&parts)
}

type Changes = Vec<(usize, u8)>;

fn changes() -> impl Strategy<Value = Changes> {
    prop::collection::vec((any::<usize>(), any::<u8>()), 0..12)
}

fn changed(mut bytes: Vec<u8>, changes: &[(usize, u8)], length: usize) -> Vec<u8> {
    let size = bytes.len();
    for (at, byte) in changes {
        bytes[at % size] = *byte;
    }
    bytes.truncate(size - length % (size / 2));
    bytes
}

/// The usual run changes the same bytes each time; with a number of files to try, others.
fn config() -> ProptestConfig {
    let asked = std::env::var("GUTTERBATCH_CHANGED_FILES").ok();
    let cases = asked.map(|cases| {
        cases
            .parse()
            .expect("GUTTERBATCH_CHANGED_FILES is a number")
    });
    ProptestConfig {
        cases: cases.unwrap_or(48),
        rng_seed: cases.map_or(RngSeed::Fixed(20_261_123), |_| RngSeed::Random),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn changed_text_never_panics(changes in changes(), length in any::<usize>()) {
        survives(&changed(sample("leads.csv"), &changes, length));
    }

    #[test]
    fn changed_workbooks_never_panic(changes in changes()) {
        survives(&changed(sample("messy.xlsx"), &changes, 0));
        survives(&repacked(&sample("messy.xlsx"), &changes));
    }

    #[test]
    fn changed_workbooks_of_the_old_form_never_panic(changes in changes()) {
        survives(&changed(of_libreoffice("leads.xls"), &changes, 0));
    }

    #[test]
    fn changed_workbooks_of_the_open_form_never_panic(changes in changes()) {
        survives(&changed(of_libreoffice("leads.ods"), &changes, 0));
        survives(&repacked(&of_libreoffice("leads.ods"), &changes));
    }

    #[test]
    fn changed_binary_workbooks_never_panic(changes in changes()) {
        survives(&changed(binary(), &changes, 0));
        survives(&repacked(&binary(), &changes));
    }

    #[test]
    fn any_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        survives(&bytes);
    }

    #[test]
    fn any_table_keeps_every_row(cells in prop::collection::vec("[ -~é\"\n,;]{0,12}", 11..120)) {
        let mut text = format!("{HEADERS}\n");
        let mut rows = 0_u64;
        for row in cells.chunks_exact(11) {
            let quoted: Vec<String> = row.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).collect();
            text.push_str(&quoted.join(","));
            text.push('\n');
            rows += 1;
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("leads.csv");
        std::fs::write(&path, text).unwrap();
        let input = ImportInput::new(&path, TableOptions::default(), CheckRules::default()).unwrap();
        let checked = match import::check(&input, |_| {}) {
            // A column of names that are all `Y` or `N` has no names; the file is refused as a whole.
            Err(error) if matches!(error.cause, TableError::MissingFields { .. }) => return Ok(()),
            checked => checked.unwrap(),
        };
        prop_assert_eq!(checked.rows.len() as u64 + checked.blank_skipped, rows);
    }
}
