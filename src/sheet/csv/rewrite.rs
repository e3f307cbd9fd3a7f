//! Rewrites a text file in its own encoding and dialect.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::iter::repeat_n;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use csv::{ByteRecord, Writer, WriterBuilder};

use crate::model::RowNumber;
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
    let fields = FieldLayout::new(&region.headers, plan);
    let mut writer = writer(&mut source, layout, target, out)?;
    let mut rows = rows_of(source, layout, Arc::new(AtomicU64::new(0)))?;
    let mut rewritten = Rewritten::default();
    while let Ok(row) = rows.next()? {
        let number = RowNumber(row.placed.line);
        if region.header_row == Some(number) {
            let names = plan.appended.iter().map(|column| column.header.clone());
            fields.write(row.record, names.map(AppendedValue::Text), &mut writer)?;
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
    /// Whether the dropped columns are the last ones, also in a row with more or fewer fields.
    dropped_at_end: bool,
    /// Whether the appended fields replace those of an earlier copy in their place, and not behind all others.
    is_overwriting: bool,
    fills_short_rows: bool,
}

impl FieldLayout {
    fn new(headers: &[String], plan: &RewritePlan<'_>) -> Self {
        let dropped = plan.dropped_of(headers);
        let kept = headers.len() - dropped.len();
        let dropped_at_end = dropped.first().is_none_or(|first| *first == kept);
        Self {
            width: headers.len(),
            dropped_at_end,
            is_overwriting: plan.overwritten(headers).is_some(),
            dropped,
            fills_short_rows: plan.fills_short_rows,
        }
    }

    /// Writes a row's own fields and what is appended.
    ///
    /// A row with more values than headers keeps them all, so that it comes right when the missing quotes are typed;
    /// values past the last header that are only blanks are ignored.
    fn write<W: Write>(
        &self,
        record: &ByteRecord,
        appended: impl Iterator<Item = AppendedValue>,
        writer: &mut Writer<W>,
    ) -> Result<(), RewriteError> {
        let mut kept: Vec<&[u8]> = self.kept(record).collect();
        if self.fills_short_rows {
            let width = self.width - self.dropped.len();
            kept.resize(kept.len().max(width), b"");
        }
        let first = match self.dropped.first() {
            Some(first) if self.is_overwriting && !self.dropped_at_end => *first.min(&kept.len()),
            _ => kept.len(),
        };
        let (left, right) = kept.split_at(first);
        for field in left {
            writer.write_field(field).map_err(failed)?;
        }
        for value in appended {
            writer.write_field(shown(value)).map_err(failed)?;
        }
        for field in right {
            writer.write_field(field).map_err(failed)?;
        }
        writer.write_record(None::<&[u8]>).map_err(failed)
    }

    /// Whether a row has values in columns of an earlier copy only.
    fn has_earlier_only(&self, record: &ByteRecord) -> bool {
        self.is_overwriting && self.kept(record).all(is_blank)
    }

    fn kept<'a>(&'a self, record: &'a ByteRecord) -> impl Iterator<Item = &'a [u8]> {
        let has_more = !record.iter().skip(self.width).all(is_blank);
        let width = if has_more {
            record.len()
        } else {
            record.len().min(self.width)
        };
        let from_end = width != self.width && self.dropped_at_end;
        let end = if from_end {
            width.saturating_sub(self.dropped.len())
        } else {
            width
        };
        let kept = move |column: &usize| from_end || !self.dropped.contains(column);
        (0..end).filter(kept).map(|column| &record[column])
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
