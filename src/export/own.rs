//! The user's own sheet with the results appended: their rows, their order, their columns and styles, and ours behind.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::export::run::{Exported, Order, exported};
use crate::export::{Error, Place, ResultLine, Results, Selection, Survey, Zone};
use crate::journal::Snapshot;
use crate::model::{Outcome, RowNumber};
use crate::table::echo::{self, Addition, Appended, Plan, ShortRows, Value};
use crate::table::{Columns, Document, Options};

/// The columns that are appended.
pub const HEADERS: [&str; 12] = [
    "Measurement status",
    "Why no result",
    "Completed",
    "Gutter length (ft)",
    "Gutter size (in)",
    "Corners",
    "Downspouts",
    "Downspout length (ft)",
    "Installer message",
    "Images",
    "Measurement",
    "Request",
];

/// The user's table, and whose row is whose.
#[derive(Debug)]
pub struct OwnSheet<'a> {
    /// The table.
    pub document: &'a Document,
    /// How it is read.
    pub options: &'a Options,
    /// What each row is, as its check found.
    pub rows: &'a HashMap<RowNumber, OwnRow>,
}

/// What a row of the user's is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnRow {
    /// The row of an external id; a duplicate has that of the row it doubles.
    Of(Box<str>),
    /// Never sent, for these reasons.
    Invalid(String),
}

/// Writes the table again, with the results of its rows.
///
/// # Errors
/// [`Error::Own`] where the table cannot be read or written, with the old file intact, and those of the journal.
pub fn to_own_sheet(
    snapshot: &Snapshot,
    order: &Order,
    sheet: &OwnSheet<'_>,
    place: &Place,
) -> Result<Exported, Error> {
    let ids: HashSet<Box<str>> = sheet.rows.values().filter_map(OwnRow::id).collect();
    let selection = Selection {
        ids: Some(Arc::new(ids)),
        ..order.selection.clone()
    };
    let results = Results::of_snapshot(snapshot, order.about(snapshot)?, selection);
    let mut known: HashMap<Box<str>, Vec<Value>> = HashMap::new();
    results.each_selected(&mut |line| {
        known.insert(
            Box::from(line.external_id.as_str()),
            extras(line, &order.zone),
        );
        Ok(())
    })?;
    let refused = refused(&results)?;
    let each = |_: &Columns, row: RowNumber| {
        let values = match sheet.rows.get(&row) {
            None => reason("never imported"),
            Some(OwnRow::Invalid(message)) => reason(&format!("invalid: {message}")),
            Some(OwnRow::Of(id)) => match (known.get(id), refused.get(id)) {
                (Some(extras), _) => extras.clone(),
                (None, Some(message)) => reason(message),
                (None, None) => reason("never imported"),
            },
        };
        Some(Addition {
            values,
            marks: Vec::new(),
        })
    };
    let appended = HEADERS.map(appended);
    let plan = Plan {
        appended: &appended,
        dropped: &HEADERS,
        short_rows: ShortRows::Filled,
        fingerprint: None,
    };
    echo::write(sheet.document, sheet.options, &plan, each, place.path())
        .map_err(|error| Error::Own(Box::new(error)))?;
    Ok(Exported {
        written: Some(place.path().to_owned()),
        ..exported(&Survey::of(&results)?)
    })
}

/// The widest that a column of words becomes, in characters.
const WIDEST: u16 = 60;

fn appended(header: &str) -> Appended {
    Appended {
        header: header.to_owned(),
        number_format: header.contains("length").then(|| "#,##0.0".to_owned()),
        widest: WIDEST,
    }
}

impl OwnRow {
    fn id(&self) -> Option<Box<str>> {
        match self {
            Self::Of(id) => Some(id.clone()),
            Self::Invalid(_) => None,
        }
    }
}

/// Why rows that were sent have no measurement.
fn refused(results: &Results<'_>) -> Result<HashMap<Box<str>, String>, Error> {
    let mut refused = HashMap::new();
    results.each_rejected(&mut |row| {
        let speaks = matches!(row.outcome, Outcome::Refused | Outcome::Conflict);
        if let Some(id) = row.external_id.as_deref().filter(|_| speaks) {
            refused.insert(
                Box::from(id),
                format!("{}: {}", row.outcome.name(), row.error),
            );
        }
        Ok(())
    })?;
    Ok(refused)
}

/// The cells of a row that has no measurement.
fn reason(reason: &str) -> Vec<Value> {
    let mut extras = vec![Value::Empty; HEADERS.len()];
    extras[1] = Value::Text(reason.to_owned());
    extras
}

fn extras(line: &ResultLine, zone: &Zone) -> Vec<Value> {
    let completed = line.completed();
    let number = |value: Option<f64>| value.map_or(Value::Empty, Value::Number);
    let figure = |get: fn(&crate::model::MeasurementResult) -> Option<f64>| {
        number(completed.and_then(|(result, _)| get(result)))
    };
    let text = |text: Option<&str>| text.map_or(Value::Empty, |text| Value::Text(text.to_owned()));
    let status = line.status().replace('_', " ");
    let why = match completed {
        Some(_) => Value::Empty,
        None => Value::Text(status.clone()),
    };
    vec![
        Value::Text(status),
        why,
        completed.map_or(Value::Empty, |(_, at)| Value::Moment(zone.wall(at))),
        figure(|result| Some(result.gutter_length_ft)),
        figure(|result| result.gutter_size_in),
        figure(|result| Some(result.corner_count.into())),
        figure(|result| Some(result.downspout_count.into())),
        figure(|result| Some(result.downspout_length_ft)),
        text(completed.and_then(|(result, _)| result.installer_message.as_deref())),
        figure(|result| u32::try_from(result.asset_pack.len()).ok().map(f64::from)),
        text(Some(&line.measurement.id)),
        text(line.measurement.request.url.as_deref()),
    ]
}
