//! Every result column, defined once: its key, its header, its number format, its width and its value.
//!
//! CSV, JSON, NDJSON, the workbook's sheets `Measurements` and `Open`, and `--for` each list the columns that they
//! contain, in their public order; [`restore`](crate::export::restore) finds the columns of a workbook by the headers
//! that are defined here. A new field of the service's result is one constant and its place in those lists.

use crate::export::ResultLine;
use crate::export::column_value::ColumnValue;
use crate::export::result_column::{ColumnKind, ResultColumn};
use crate::model::Status;

pub(super) const EXTERNAL_ID: ResultColumn =
    ResultColumn::from_line("external_id", |line| ColumnValue::text(&line.external_id)).in_sheets(
        "External id",
        ColumnKind::Prose,
        40,
    );

pub(super) const SOURCE_FILE: ResultColumn = ResultColumn::from_line("source_file", |line| {
    ColumnValue::text(line.source.file_name())
})
.in_sheets("Source file", ColumnKind::Text, 32);

pub(super) const SOURCE_ROW: ResultColumn =
    ResultColumn::from_line("source_row", |line| ColumnValue::Count(line.row.0.into())).in_sheets(
        "Source row",
        ColumnKind::Count,
        10,
    );

const OUTCOME: ResultColumn =
    ResultColumn::from_line("outcome", |line| ColumnValue::text(line.outcome.name()));

pub(super) const MEASUREMENT: ResultColumn = ResultColumn::from_line("measurement_id", |line| {
    ColumnValue::text(&line.measurement.id)
})
.in_sheets("Measurement", ColumnKind::Text, 44);

pub(super) const REQUEST: ResultColumn = ResultColumn::from_line("request_id", |line| {
    let request = &line.measurement.request;
    ColumnValue::Link {
        text: &request.id,
        url: request.url.as_deref(),
    }
})
.in_sheets("Request", ColumnKind::Link, 60);

pub(super) const STATUS: ResultColumn =
    ResultColumn::from_line("status", |line| ColumnValue::text(line.status())).in_sheets(
        "Status",
        ColumnKind::Text,
        14,
    );

pub(super) const CREATED_AT: ResultColumn = ResultColumn::from_line("created_at", |line| {
    ColumnValue::Moment(line.measurement.created_at)
})
.in_sheets("Requested", ColumnKind::Moment, 22);

pub(super) const UPDATED_AT: ResultColumn = ResultColumn::from_line("updated_at", |line| {
    ColumnValue::Moment(line.measurement.updated_at)
})
.in_sheets("Updated", ColumnKind::Moment, 22);

/// The service's own value, which CSV and JSON write unchanged; [`COMPLETED`] is the time that billing uses.
const COMPLETED_AT: ResultColumn = ResultColumn::from_line("completed_at", |line| {
    ColumnValue::optional_moment(line.measurement.completed_at)
});

/// The time of completion of a measurement whose result is valid, as periods of exports compare it.
pub(super) const COMPLETED: ResultColumn = ResultColumn::from_line("completed", |line| {
    ColumnValue::optional_moment(line.completed().map(|(_, completed_at)| completed_at))
})
.in_sheets("Completed", ColumnKind::Moment, 22);

pub(super) const CUSTOMER: ResultColumn =
    ResultColumn::from_line("name", |line| ColumnValue::text(line.customer())).in_sheets(
        "Customer",
        ColumnKind::Prose,
        28,
    );

const EMAIL: ResultColumn = ResultColumn::from_line("email", |line| {
    ColumnValue::optional_text(line.measurement.request.email.as_deref())
});

const PHONE: ResultColumn = ResultColumn::from_line("phone", |line| {
    ColumnValue::optional_text(line.measurement.request.phone.as_deref())
});

const NOTES: ResultColumn = ResultColumn::from_line("notes", |line| {
    ColumnValue::optional_text(line.measurement.request.notes.as_deref())
});

/// Both lines of the address; CSV and JSON write [`LINE1`] and [`LINE2`].
pub(super) const ADDRESS: ResultColumn =
    ResultColumn::from_line("address", |line| ColumnValue::text(line.street())).in_sheets(
        "Address",
        ColumnKind::Prose,
        34,
    );

const LINE1: ResultColumn = ResultColumn::from_line("line1", |line| {
    ColumnValue::text(&line.measurement.address.line1)
});

const LINE2: ResultColumn = ResultColumn::from_line("line2", |line| {
    ColumnValue::optional_text(line.measurement.address.line2.as_deref())
});

pub(super) const CITY: ResultColumn = ResultColumn::from_line("city", |line| {
    ColumnValue::text(&line.measurement.address.city)
})
.in_sheets("City", ColumnKind::Prose, 20);

pub(super) const REGION: ResultColumn = ResultColumn::from_line("region", |line| {
    ColumnValue::text(&line.measurement.address.region)
})
.in_sheets("Region", ColumnKind::Text, 8);

pub(super) const POSTAL_CODE: ResultColumn = ResultColumn::from_line("postal_code", |line| {
    ColumnValue::text(&line.measurement.address.postal_code)
})
.in_sheets("Postal code", ColumnKind::Text, 10);

pub(super) const COUNTRY: ResultColumn = ResultColumn::from_line("country", |line| {
    ColumnValue::text(&line.measurement.address.country)
})
.in_sheets("Country", ColumnKind::Text, 8);

const FORMATTED: ResultColumn = ResultColumn::from_line("formatted", |line| {
    ColumnValue::optional_text(line.measurement.address.formatted.as_deref())
});

const LAT: ResultColumn = ResultColumn::from_line("lat", |line| {
    ColumnValue::optional_number(line.measurement.address.lat)
});

const LNG: ResultColumn = ResultColumn::from_line("lng", |line| {
    ColumnValue::optional_number(line.measurement.address.lng)
});

pub(super) const GUTTER_LENGTH: ResultColumn =
    ResultColumn::from_result("gutter_length_ft", |result| {
        ColumnValue::Number(result.gutter_length_ft)
    })
    .in_sheets("Gutter length (ft)", ColumnKind::Feet, 12);

pub(super) const GUTTER_SIZE: ResultColumn =
    ResultColumn::from_result("gutter_size_in", |result| {
        ColumnValue::optional_number(result.gutter_size_in)
    })
    .in_sheets("Gutter size (in)", ColumnKind::Inches, 8);

pub(super) const CORNERS: ResultColumn = ResultColumn::from_result("corner_count", |result| {
    ColumnValue::Count(result.corner_count.into())
})
.in_sheets("Corners", ColumnKind::Count, 8);

pub(super) const DOWNSPOUTS: ResultColumn =
    ResultColumn::from_result("downspout_count", |result| {
        ColumnValue::Count(result.downspout_count.into())
    })
    .in_sheets("Downspouts", ColumnKind::Count, 8);

pub(super) const DOWNSPOUT_LENGTH: ResultColumn =
    ResultColumn::from_result("downspout_length_ft", |result| {
        ColumnValue::Number(result.downspout_length_ft)
    })
    .in_sheets("Downspout length (ft)", ColumnKind::Feet, 12);

const INSTALLER_MESSAGE: ResultColumn = ResultColumn::from_result("installer_message", |result| {
    ColumnValue::optional_text(result.installer_message.as_deref())
})
.in_sheets("Installer message", ColumnKind::Prose, 44);

/// How many images there are; JSON lists them under `asset_pack`.
pub(super) const IMAGES: ResultColumn = ResultColumn::from_line("image_count", |line| {
    let result = line.completed().map(|(result, _)| result);
    ColumnValue::optional_count(result.map(|result| result.asset_pack.len() as u64))
})
.in_sheets("Images", ColumnKind::Count, 8);

const REQUEST_URL: ResultColumn = ResultColumn::from_line("request_url", |line| {
    ColumnValue::optional_text(line.measurement.request.url.as_deref())
});

const EXTERNAL_URL: ResultColumn = ResultColumn::from_line("external_url", |line| {
    ColumnValue::optional_text(line.measurement.request.external_url.as_deref())
});

const EXTERNAL_LABEL: ResultColumn = ResultColumn::from_line("external_label", |line| {
    ColumnValue::optional_text(line.measurement.request.external_label.as_deref())
});

pub(super) const SEALED: ResultColumn =
    ResultColumn::from_line("sealed", |line| ColumnValue::optional_count(line.sealed())).in_sheets(
        "Sealed",
        ColumnKind::Count,
        8,
    );

/// [`STATUS`] for people, under a header that a customer's own sheet is unlikely to have.
const MEASUREMENT_STATUS: ResultColumn = ResultColumn::from_line("measurement_status", |line| {
    ColumnValue::text(line.status().replace('_', " "))
})
.in_sheets("Measurement status", ColumnKind::Text, 20);

/// Why a row of a customer's own sheet has no result.
pub(super) const WHY_NO_RESULT: ResultColumn = ResultColumn::from_line(
    "why_no_result",
    why_no_result,
)
.in_sheets("Why no result", ColumnKind::Text, 40);

/// Why a measurement is in the sheet `Open`.
const WHY_OPEN: ResultColumn =
    ResultColumn::from_line("why_open", why_open).in_sheets("Why", ColumnKind::Prose, 40);

/// The columns of CSV and the keys of JSON and NDJSON, in their order.
pub(super) const RECORD_COLUMNS: [ResultColumn; 33] = [
    EXTERNAL_ID,
    SOURCE_FILE,
    SOURCE_ROW,
    OUTCOME,
    MEASUREMENT,
    REQUEST,
    STATUS,
    CREATED_AT,
    UPDATED_AT,
    COMPLETED_AT,
    CUSTOMER,
    EMAIL,
    PHONE,
    NOTES,
    LINE1,
    LINE2,
    CITY,
    REGION,
    POSTAL_CODE,
    COUNTRY,
    FORMATTED,
    LAT,
    LNG,
    GUTTER_LENGTH,
    GUTTER_SIZE,
    CORNERS,
    DOWNSPOUTS,
    DOWNSPOUT_LENGTH,
    INSTALLER_MESSAGE,
    REQUEST_URL,
    EXTERNAL_URL,
    EXTERNAL_LABEL,
    SEALED,
];

/// The columns of the workbook's sheet `Measurements`, in their order.
pub(super) const MEASUREMENTS_COLUMNS: [ResultColumn; 20] = [
    EXTERNAL_ID,
    CUSTOMER,
    ADDRESS,
    CITY,
    REGION,
    POSTAL_CODE,
    COUNTRY,
    COMPLETED,
    GUTTER_LENGTH,
    GUTTER_SIZE,
    CORNERS,
    DOWNSPOUTS,
    DOWNSPOUT_LENGTH,
    INSTALLER_MESSAGE,
    IMAGES,
    MEASUREMENT,
    REQUEST,
    SOURCE_FILE,
    SOURCE_ROW,
    SEALED,
];

/// The columns of the workbook's sheet `Open`, in their order.
pub(super) const OPEN_COLUMNS: [ResultColumn; 15] = [
    EXTERNAL_ID,
    CUSTOMER,
    ADDRESS,
    CITY,
    REGION,
    POSTAL_CODE,
    COUNTRY,
    STATUS,
    CREATED_AT,
    UPDATED_AT,
    REQUEST,
    MEASUREMENT,
    SOURCE_FILE,
    SOURCE_ROW,
    WHY_OPEN,
];

/// The columns that `--for` appends to a customer's own sheet, in their order.
pub(super) const CUSTOMER_SHEET_COLUMNS: [ResultColumn; 12] = [
    MEASUREMENT_STATUS,
    WHY_NO_RESULT,
    COMPLETED,
    GUTTER_LENGTH,
    GUTTER_SIZE,
    CORNERS,
    DOWNSPOUTS,
    DOWNSPOUT_LENGTH,
    INSTALLER_MESSAGE,
    IMAGES,
    MEASUREMENT,
    REQUEST,
];

fn why_no_result(line: &ResultLine) -> ColumnValue<'_> {
    if line.completed().is_some() {
        return ColumnValue::Nothing;
    }
    if let Some(answered) = line.differing_address() {
        return ColumnValue::text(format!(
            "the service's last answer has another address: {}",
            answered.one_line()
        ));
    }
    if line.is_usable() && line.measurement.status == Status::Complete {
        return ColumnValue::text("complete, result still to come");
    }
    MEASUREMENT_STATUS.value(line)
}

fn why_open(line: &ResultLine) -> ColumnValue<'_> {
    if line.differing_address().is_some() {
        return why_no_result(line);
    }
    if !line.is_usable() {
        return ColumnValue::text("the service no longer finds it");
    }
    let measurement = &line.measurement;
    ColumnValue::text(match (measurement.status, &measurement.result) {
        (Status::Pending, _) => "the contractor has not started",
        (Status::InProgress, _) => "the contractor is measuring",
        (Status::Complete, None) => "complete, result still to come",
        (Status::Complete, Some(_)) => "complete, images still to come",
        (Status::Canceled, None) => "canceled, there will be no result",
        (Status::Canceled, Some(_)) => "canceled after it was complete",
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_table_has_two_columns_of_one_key_or_header() {
        let tables: [&[ResultColumn]; 4] = [
            &RECORD_COLUMNS,
            &MEASUREMENTS_COLUMNS,
            &OPEN_COLUMNS,
            &CUSTOMER_SHEET_COLUMNS,
        ];
        for table in tables {
            let keys: HashSet<&str> = table.iter().map(|column| column.key).collect();
            let headers: HashSet<&str> = table.iter().map(|column| column.header).collect();
            assert_eq!((keys.len(), headers.len()), (table.len(), table.len()));
        }
    }

    #[test]
    fn every_column_of_a_sheet_has_a_header_and_a_width() {
        let sheets = MEASUREMENTS_COLUMNS
            .iter()
            .chain(&OPEN_COLUMNS)
            .chain(&CUSTOMER_SHEET_COLUMNS);
        for column in sheets {
            assert_ne!(column.header, column.key);
            assert!(column.widest > 0, "{}", column.header);
        }
    }
}
