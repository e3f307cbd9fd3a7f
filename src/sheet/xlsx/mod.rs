//! XLSX workbooks: reading them, what calamine omits of them, and rewriting them.

mod archive_file;
mod details;
pub(in crate::sheet) mod document_properties;
mod new_cells;
mod new_workbook;
pub(in crate::sheet) mod parts;
mod plain_rows;
pub(in crate::sheet) mod read;
mod rewrite;
pub(in crate::sheet) mod save;
mod tags;
mod values;

pub(in crate::sheet) use rewrite::rewrite;

use crate::sheet::limits;
use crate::sheet::workbook::WorkbookFormat;

/// How these workbooks are read.
pub(in crate::sheet) const WORKBOOK_FORMAT: WorkbookFormat = WorkbookFormat {
    name: "XLSX",
    extensions: &["xlsx", "xlsm", "xltx", "xltm"],
    part: Some("[Content_Types].xml"),
    check_limits: limits::refuse_bomb,
    open: read::open,
    scan: Some(details::scan),
};
