//! What a workbook claims, looked at before a library opens it.

use std::io::{Read, Seek, SeekFrom};

use zip::ZipArchive;

use crate::table::Fault;
use crate::table::kind::Form;

const MIB: u64 = 1 << 20;

/// One sheet; Excel's largest come near, and they are streamed.
const SHEET_LIMIT: u64 = 2048 * MIB;
/// Everything that is held in memory: strings, styles, the list of sheets.
const HELD_LIMIT: u64 = 192 * MIB;

/// Refuses a workbook that would exhaust the machine, and leaves the file at its start.
pub(super) fn look(file: &mut (impl Read + Seek), form: Form) -> Result<(), Fault> {
    if matches!(form, Form::Xlsx | Form::Xlsb | Form::Ods) {
        let archive =
            ZipArchive::new(&mut *file).map_err(|error| Fault::Damaged(error.to_string()))?;
        refuse_bomb(archive)?;
    }
    file.seek(SeekFrom::Start(0)).map_err(Fault::Read)?;
    Ok(())
}

fn refuse_bomb<R: Read + Seek>(mut archive: ZipArchive<R>) -> Result<(), Fault> {
    let mut held = 0_u64;
    for index in 0..archive.len() {
        let entry = archive
            .by_index_raw(index)
            .map_err(|error| Fault::Damaged(error.to_string()))?;
        let name = entry.name().unwrap_or_default().to_ascii_lowercase();
        if !name.ends_with(".xml") && !name.ends_with(".rels") && !name.ends_with(".bin") {
            continue;
        }
        if name.contains("worksheets/") {
            if entry.size() > SHEET_LIMIT {
                return Err(Fault::Bomb {
                    limit_mib: SHEET_LIMIT / MIB,
                });
            }
        } else {
            held = held.saturating_add(entry.size());
        }
    }
    if held > HELD_LIMIT {
        return Err(Fault::Bomb {
            limit_mib: HELD_LIMIT / MIB,
        });
    }
    Ok(())
}
