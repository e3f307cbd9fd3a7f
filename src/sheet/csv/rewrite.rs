//! Rewrites a text file in its own encoding and dialect.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::iter::repeat_n;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use csv::{ByteRecord, Writer, WriterBuilder};

use crate::model::{RowNumber, pluralize};
use crate::sheet::SheetError;
use crate::sheet::csv::encoder::{EncodingWriter, TargetEncoding, UTF_8_MARK};
use crate::sheet::csv::encoding::decoded;
use crate::sheet::csv::quoting::QuotingStyle;
use crate::sheet::csv::read::{TextDialect, rows_of};
use crate::sheet::csv::write::csv_io_error;
use crate::sheet::regular_file::head_of;
use crate::sheet::rewrite::error::RewriteError;
use crate::sheet::rewrite::plan::{
    AppendedValue, RewriteNote, RewritePlan, Rewritten, RowAddition,
};
use crate::sheet::rewrite::source::TableRegion;

/// How much text is examined for line ends and quoting.
const SAMPLE_BYTES: usize = 64 << 10;

/// What stands behind the number of values that a rejected row lacks, behind its last header.
pub const MISSING_VALUES: &str = " missing; delete this cell when the row is right";

pub(in crate::sheet) fn rewrite(
    (mut source, layout): (File, TextDialect),
    region: &TableRegion,
    plan: &RewritePlan<'_>,
    mut each: impl FnMut(RowNumber) -> Option<RowAddition>,
    out: &mut File,
) -> Result<Rewritten, RewriteError> {
    let mut target = target(&mut source, layout)?;
    let mut copy = |target, out: &mut File| {
        let source = source.try_clone().map_err(SheetError::Read)?;
        write((source, layout), region, plan, target, (&mut each, out))
    };
    let (rewritten, is_ascii) = copy(target, out)?;
    if is_ascii || !plan.adds_mark || !target.lacks_mark() {
        return Ok(rewritten);
    }
    // The mark precedes everything else, and only now is it known to be needed.
    out.set_len(0)?;
    out.seek(SeekFrom::Start(0))?;
    target.mark = UTF_8_MARK;
    copy(target, out).map(|(rewritten, _)| rewritten)
}

/// Writes the whole copy; the second value tells whether it is all ASCII.
fn write(
    (mut source, layout): (File, TextDialect),
    region: &TableRegion,
    plan: &RewritePlan<'_>,
    target: TargetEncoding,
    (each, out): (&mut impl FnMut(RowNumber) -> Option<RowAddition>, &mut File),
) -> Result<(Rewritten, bool), RewriteError> {
    let fields = FieldLayout::new(region, plan);
    let mut writer = writer(&mut source, layout, target, out)?;
    let mut rows = rows_of(source, layout, Arc::new(AtomicU64::new(0)))?;
    let mut rewritten = Rewritten::default();
    while let Some(row) = rows.next()? {
        let number = RowNumber(row.placed.line);
        if region.header_row == Some(number) {
            let names = plan.appended.iter().map(|column| column.header.clone());
            let mut headers = row.record.clone();
            headers.extend(repeat_n("", fields.width.saturating_sub(headers.len())));
            fields.write(&headers, names.map(AppendedValue::Text), &mut writer)?;
            continue;
        }
        let is_above = region.header_row.is_some_and(|header| number < header);
        if is_above || row.record.iter().all(is_blank) {
            let is_kept = plan.keeps_surroundings || region.title_row == Some(number);
            if is_kept && !is_empty(row.record) {
                writer.write_byte_record(row.record).map_err(failed)?;
            }
            continue;
        }
        if let Some(addition) = each(number) {
            if addition.values.is_empty() || fields.has_earlier_only(row.record) {
                let width = fields.width - fields.dropped.len() + plan.appended.len();
                let missing = width.saturating_sub(row.record.len());
                let padded = row.record.iter().chain(repeat_n(&b""[..], missing));
                writer.write_record(padded).map_err(failed)?;
            } else {
                fields.write(row.record, addition.values.into_iter(), &mut writer)?;
            }
            rewritten.rows += 1;
        }
    }
    writer.flush()?;
    let is_ascii = writer.get_ref().is_ascii;
    let characters = writer.get_ref().replaced;
    if characters > 0 {
        rewritten.notes.push(RewriteNote::Replaced { characters });
    }
    Ok((rewritten, is_ascii))
}

type CsvOutput<'a> = Writer<EncodingWriter<BufWriter<&'a mut File>>>;

/// The encoding of the copy: the original's.
fn target(source: &mut File, layout: TextDialect) -> Result<TargetEncoding, RewriteError> {
    let head = head_of(source, 3)?;
    Ok(TargetEncoding::detect(&head, layout.charset.encoding()))
}

fn writer<'a>(
    source: &mut File,
    layout: TextDialect,
    target: TargetEncoding,
    out: &'a mut File,
) -> Result<CsvOutput<'a>, RewriteError> {
    source.seek(SeekFrom::Start(0)).map_err(SheetError::Read)?;
    let mut sample = Vec::new();
    decoded(&mut *source, layout.charset)
        .take(SAMPLE_BYTES as u64)
        .read_to_end(&mut sample)
        .map_err(SheetError::Read)?;
    let quoting = QuotingStyle::detect(&sample);
    let encoded = EncodingWriter::new(BufWriter::new(out), target)?;
    Ok(WriterBuilder::new()
        .flexible(true)
        .delimiter(layout.delimiter.0)
        .terminator(quoting.line_end)
        .quote_style(quoting.quotes)
        .from_writer(encoded))
}

/// An empty line would come out as a pair of quotes.
fn is_empty(record: &ByteRecord) -> bool {
    record.len() <= 1 && record.iter().all(<[u8]>::is_empty)
}

fn is_blank(field: &[u8]) -> bool {
    String::from_utf8_lossy(field).trim().is_empty()
}

/// Which of a row's fields stay, and where the appended ones are.
struct FieldLayout {
    width: usize,
    dropped: Vec<usize>,
    has_headers: bool,
    /// The column in front of which the appended fields replace those of an earlier copy; otherwise they follow all
    /// columns.
    overwritten: Option<usize>,
    fills_short_rows: bool,
}

impl FieldLayout {
    fn new(region: &TableRegion, plan: &RewritePlan<'_>) -> Self {
        let dropped = plan.dropped_of(&region.headers);
        let overwritten = plan.overwritten(&region.headers);
        Self {
            width: region.headers.len(),
            has_headers: region.header_row.is_some(),
            overwritten: overwritten.and(dropped.first().copied()),
            dropped,
            fills_short_rows: plan.fills_short_rows,
        }
    }

    /// Writes a row's own fields and what is appended, below its headers.
    ///
    /// What a row has more than headers is behind them all, unless these are only blanks; so is a note in a row with
    /// fewer. Then neither is read as a row of values that are below their headers.
    fn write<W: Write>(
        &self,
        record: &ByteRecord,
        appended: impl Iterator<Item = AppendedValue>,
        writer: &mut Writer<W>,
    ) -> Result<(), RewriteError> {
        let columns = self.width - self.dropped.len();
        let mut own: Vec<&[u8]> = self.kept(record).collect();
        let mut surplus = own.split_off(columns.min(own.len()));
        if surplus.iter().all(|field| is_blank(field)) {
            surplus.clear();
        }
        let missing = columns - own.len();
        if self.has_headers || self.fills_short_rows {
            own.resize(columns, b"");
        }
        if !self.has_headers {
            own.append(&mut surplus);
        }
        let (left, right) = own.split_at(self.overwritten.unwrap_or(own.len()).min(own.len()));
        for field in left {
            writer.write_field(field).map_err(failed)?;
        }
        for value in appended {
            writer.write_field(shown(value)).map_err(failed)?;
        }
        for field in right.iter().chain(&surplus) {
            writer.write_field(field).map_err(failed)?;
        }
        if self.has_headers && !self.fills_short_rows && missing > 0 {
            let missing = pluralize(missing as u64, "value");
            writer
                .write_field(missing + MISSING_VALUES)
                .map_err(failed)?;
        }
        writer.write_record(None::<&[u8]>).map_err(failed)
    }

    /// Whether a row has values in columns of an earlier copy only.
    fn has_earlier_only(&self, record: &ByteRecord) -> bool {
        self.overwritten.is_some() && self.kept(record).all(is_blank)
    }

    fn kept<'a>(&'a self, record: &'a ByteRecord) -> impl Iterator<Item = &'a [u8]> {
        let kept = |(column, _): &(usize, &[u8])| !self.dropped.contains(column);
        record
            .iter()
            .enumerate()
            .filter(kept)
            .map(|(_, field)| field)
    }
}

fn shown(value: AppendedValue) -> String {
    match value {
        AppendedValue::Empty => String::new(),
        AppendedValue::Text(text) => text,
        AppendedValue::Number(number) => number.to_string(),
        AppendedValue::Moment(moment) => moment.strftime("%Y-%m-%d %H:%M:%S").to_string(),
    }
}

fn failed(error: csv::Error) -> RewriteError {
    RewriteError::Write(csv_io_error(error))
}
