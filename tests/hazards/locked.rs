//! Workbooks that only their password opens, made by other programs.

use std::path::PathBuf;

use crate::hazards::stopped;

fn sheet(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/sheets");
    std::fs::read(folder.join(name)).unwrap()
}

#[test]
fn a_password_stops_in_every_form() {
    for name in ["locked.xlsx", "locked.xls", "locked.ods"] {
        assert_eq!(
            stopped(name, sheet(name), &[]),
            format!(
                "error: {name}: the workbook is protected by a password\n\
                 hint: open it in Excel, remove the password (File, Info, Protect Workbook), save it and try again\n"
            )
        );
    }
}

#[test]
fn the_same_leads_in_the_old_and_the_open_form_are_read_alike() {
    for name in ["leads.xls", "leads.ods"] {
        let read = crate::hazards::check(name, sheet(name), &[])
            .expect(3)
            .json();
        assert_eq!(read["rows"], 4, "{name}");
        assert_eq!(
            crate::hazards::problems(&read),
            ["error F4: no value (#N/A); open the file in Excel, correct the formula and save"],
            "{name}"
        );
    }
}
