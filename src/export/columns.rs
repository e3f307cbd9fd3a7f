//! Every result column, defined once: its key, its header, its number format, its width and its value.
//!
//! CSV, JSON, NDJSON, the workbook's sheets `Measurements` and `Open`, and `--for` each list the columns that they
//! contain, in their public order; [`restore`](crate::export::restore) finds the columns of a workbook by the headers
//! that are defined here. A new field of the service's result needs one constant and its place in those lists, beside the
//! field in `model`.

use crate::export::ResultRecord;
use crate::export::column_value::ColumnValue;
use crate::export::feet_text;
use crate::export::result_column::{ColumnKind, ResultColumn};
use crate::model::{Outcome, Status};
use crate::table::{FIRST_RESULT, SECOND_RESULT};

macro_rules! columns {
    ($($(#[$doc:meta])* $visibility:vis $name:ident: $constructor:ident($key:literal, $value:expr) $(as $header:expr, $kind:ident, $width:literal)?;)*) => {
        $(
            $(#[$doc])*
            $visibility const $name: ResultColumn =
                ResultColumn::$constructor($key, $value)$(.in_sheets($header, ColumnKind::$kind, $width))?;
        )*
    };
}

columns! {
    pub(super) EXTERNAL_ID: new("external_id", |record| (&record.external_id).into()) as "External id", WrappedText, 40;
    pub(super) SOURCE_FILE: new("source_file", |record| (&record.source_name).into()) as "Source file", Text, 32;
    pub(super) SOURCE_ROW: new("source_row", |record| record.row.0.into()) as "Source row", Count, 10;
    OUTCOME: new("outcome", |record| record.outcome.name().into());
    pub(super) MEASUREMENT: new("measurement_id", |record| (&record.measurement.id).into()) as "Measurement", Text, 44;
    pub(super) REQUEST: new("request_id", request_link) as "Request", Link, 60;
    pub(super) STATUS: new("status", |record| record.status().into()) as "Status", Text, 14;
    pub(super) CREATED_AT: new("created_at", |record| record.measurement.created_at.into()) as "Requested", Moment, 22;
    pub(super) UPDATED_AT: new("updated_at", |record| record.measurement.updated_at.into()) as "Updated", Moment, 22;
    /// The service's own value, which CSV and JSON write unchanged; [`COMPLETED`] is the time that billing uses.
    COMPLETED_AT: new("completed_at", |record| record.measurement.completed_at.into());
    /// The time of completion of a measurement whose result is valid, as periods of exports compare it.
    pub(super) COMPLETED: new("completed", |record| record.valid_result().map(|(_, completed_at)| completed_at).into()) as "Completed", Moment, 22;
    pub(super) CUSTOMER: new("name", |record| record.customer().into()) as "Customer", WrappedText, 28;
    EMAIL: new("email", |record| record.measurement.request.customer.email.as_ref().into());
    PHONE: new("phone", |record| record.measurement.request.customer.phone.as_ref().into());
    NOTES: new("notes", |record| record.measurement.request.notes.as_ref().into());
    /// Both lines of the address; CSV and JSON write [`LINE1`] and [`LINE2`].
    pub(super) ADDRESS: new("address", |record| record.street().into()) as "Address", WrappedText, 34;
    LINE1: new("line1", |record| (&record.measurement.address.line1).into());
    LINE2: new("line2", |record| record.measurement.address.line2.as_ref().into());
    pub(super) CITY: new("city", |record| (&record.measurement.address.city).into()) as "City", WrappedText, 20;
    pub(super) REGION: new("region", |record| (&record.measurement.address.region).into()) as "Region", Text, 8;
    pub(super) POSTAL_CODE: new("postal_code", |record| (&record.measurement.address.postal_code).into()) as "Postal code", Text, 10;
    pub(super) COUNTRY: new("country", |record| (&record.measurement.address.country).into()) as "Country", Text, 8;
    FORMATTED: new("formatted", |record| record.measurement.address.formatted.as_ref().into());
    LAT: new("lat", |record| record.measurement.address.lat.into());
    LNG: new("lng", |record| record.measurement.address.lng.into());
    pub(super) GUTTER_LENGTH: from_result("gutter_length_ft", |result| result.gutter_length_ft.into()) as "Gutter length (ft)", Feet, 12;
    pub(super) GUTTER_SIZE: from_result("gutter_size_in", |result| result.gutter_size_in.into()) as "Gutter size (in)", Inches, 8;
    pub(super) CORNERS: from_result("corner_count", |result| result.corner_count.into()) as "Corners", Count, 8;
    pub(super) DOWNSPOUTS: from_result("downspout_count", |result| result.downspout_count.into()) as "Downspouts", Count, 8;
    pub(super) DOWNSPOUT_LENGTH: from_result("downspout_length_ft", |result| result.downspout_length_ft.into()) as "Downspout length (ft)", Feet, 12;
    INSTALLER_MESSAGE: from_result("installer_message", |result| result.installer_message.as_ref().into()) as "Installer message", WrappedText, 44;
    /// The number of images; JSON lists them under `asset_pack`.
    pub(super) IMAGES: new("image_count", |record| record.valid_result().map(|(result, _)| result.asset_pack.len() as u64).into()) as "Images", Count, 8;
    REQUEST_URL: new("request_url", |record| record.measurement.request.url.as_ref().into());
    EXTERNAL_URL: new("external_url", |record| record.measurement.request.external.url.as_ref().into());
    EXTERNAL_LABEL: new("external_label", |record| record.measurement.request.external.label.as_ref().into());
    pub(super) SEALED: new("sealed", |record| record.sealed_number().into()) as "Sealed", Count, 8;
    /// [`STATUS`] for people, under a header that a customer's own sheet is unlikely to have.
    MEASUREMENT_STATUS: new("measurement_status", |record| record.status().replace('_', " ").into()) as FIRST_RESULT, Text, 20;
    /// Why a row of a customer's own sheet has no result.
    pub(super) WHY_NO_RESULT: new("why_no_result", |record| record.valid_result().map_or_else(|| why_open(record), |_| ColumnValue::Empty)) as SECOND_RESULT, Text, 40;
    /// Why a measurement is in the sheet `Open`.
    WHY_OPEN: new("why_open", why_open) as "Why", WrappedText, 40;
}

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

/// The figures by which a measurement is billed, in the order of the sheet `Adjustments`.
pub(super) const BILLED_COLUMNS: [ResultColumn; 5] = [
    GUTTER_LENGTH,
    GUTTER_SIZE,
    CORNERS,
    DOWNSPOUTS,
    DOWNSPOUT_LENGTH,
];

fn request_link(record: &ResultRecord) -> ColumnValue<'_> {
    let request = &record.measurement.request;
    ColumnValue::Link {
        text: &request.id,
        url: request.url.as_deref(),
    }
}

fn why_open(record: &ResultRecord) -> ColumnValue<'_> {
    if let Some(answered) = record.other_house() {
        let address = answered.line_of_other_house();
        return format!("the service's last response has another address: {address}").into();
    }
    if !record.is_usable() {
        return match record.outcome {
            Outcome::Existing => "not found: perhaps another team of the app has this id",
            _ => "not found: the service no longer has it for this team",
        }
        .into();
    }
    let measurement = &record.measurement;
    match (measurement.status, &measurement.result) {
        (Status::Pending, _) => "the contractor has not started".into(),
        (Status::InProgress, _) => "the contractor is measuring".into(),
        (Status::Complete, None) => "complete, result not yet available".into(),
        (Status::Complete, Some(_)) => "complete, images still to come".into(),
        (Status::Canceled, None) => "canceled, there will be no result".into(),
        (Status::Canceled, Some(result)) => format!(
            "canceled after it was complete; the result was {} of gutter and {} of downspouts",
            feet_text(result.gutter_length_ft),
            feet_text(result.downspout_length_ft)
        )
        .into(),
    }
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
            assert!(column.max_width > 0, "{}", column.header);
        }
    }
}
