//! The earlier request for the house of a row, as messages name it.

use crate::import::{CheckedFile, row_index};
use crate::journal::SourceRow;
use crate::model::{AddressMatch, RowNumber, Status, TableSource, excerpt, row_name};

/// The earlier request for a house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierHouse {
    /// Its id.
    pub external_id: String,
    /// Where its row is; `None` if only the service has it.
    pub row: Option<EarlierRow>,
    /// What the service is known to have.
    pub state: EarlierState,
    /// Its street, if that differs from the row's.
    pub other_street: Option<String>,
    /// Whether its unit differs from the row's, or one has none.
    pub has_other_unit: bool,
    /// Its city, if that differs from the row's.
    pub other_city: Option<String>,
    /// Its postal code, if that differs from the row's.
    pub other_postal_code: Option<String>,
    /// Whether the addresses have a house number; without one, the street alone is the same.
    pub is_numbered: bool,
}

/// The state of the earlier request for a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EarlierState {
    /// It is a row of this file, which is about to be sent.
    ToBeSent,
    /// It was sent, and no response was received: the service may not have it.
    Unanswered,
    /// The service has a measurement with this status.
    Measured(Status),
}

/// Where the row of an earlier request is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierRow {
    /// Its table; `None` for a row of this file that is about to be sent, or an earlier version of it.
    pub table: Option<TableSource>,
    /// Its number.
    pub row: RowNumber,
    /// Whether its number alone could be that of a row in another sheet.
    pub needs_sheet: bool,
    /// Whether the table has another row at that number now.
    pub is_another_now: bool,
}

impl EarlierRow {
    pub(super) fn new(source_row: &SourceRow, this: &TableSource) -> Self {
        let table = &source_row.table;
        let is_other_sheet = table.path == this.path && table.sheet != this.sheet;
        Self {
            table: Some(table.clone()),
            needs_sheet: source_row.is_one_of_sheets || is_other_sheet,
            ..Self::in_this_file(source_row.row)
        }
    }

    pub(super) fn in_this_file(row: RowNumber) -> Self {
        Self {
            table: None,
            row,
            needs_sheet: false,
            is_another_now: false,
        }
    }
}

impl EarlierHouse {
    /// For instance `` `00123` (row 2 of october.csv, complete) ``, or `` row 2 of this file (`00123`) ``.
    pub fn sentence(&self) -> String {
        let place = self.row_sentence();
        match (&self.other_city, &self.other_postal_code) {
            (Some(city), Some(code)) => format!("{place}, in {city} with postal code `{code}`"),
            (_, Some(code)) => format!("{place}, with postal code `{code}`"),
            (_, None) => place,
        }
    }

    fn row_sentence(&self) -> String {
        let id = &self.external_id;
        let state = match self.state {
            EarlierState::Measured(Status::InProgress) => "in progress",
            EarlierState::Measured(status) => status.name(),
            EarlierState::Unanswered | EarlierState::ToBeSent => "no response yet",
        };
        match &self.row {
            Some(EarlierRow {
                table: Some(table),
                row,
                needs_sheet,
                is_another_now,
            }) => {
                let sheet = table.sheet.as_deref().filter(|_| *needs_sheet);
                let name = row_name(*row, sheet, &table.file_name());
                let then = if *is_another_now { " at that time" } else { "" };
                format!("`{id}` ({name}{then}, {state})")
            }
            Some(EarlierRow {
                table: None, row, ..
            }) if self.is_to_be_sent() => format!("row {row} of this file (`{id}`)"),
            Some(EarlierRow {
                table: None, row, ..
            }) => format!("an earlier version of row {row} of this file (`{id}`, {state})"),
            None => format!("`{id}` (known only from the service, {state})"),
        }
    }

    /// Notes whether another row than `index`, with another id, is at the number of the earlier row in this table now.
    pub(super) fn mark_moved(&mut self, checked: &CheckedFile, index: usize) {
        if let Some(place) = &mut self.row
            && place.table.as_ref() == Some(&checked.source)
        {
            let other = row_index(checked, place.row).filter(|now| *now != index);
            let id = other.and_then(|now| checked.rows[now].external_id());
            place.is_another_now = id.is_some_and(|id| id != self.external_id);
        }
    }

    /// Why a row of the house is not sent.
    pub(in crate::import) fn reason(&self) -> String {
        let verb = if self.is_to_be_sent() {
            "is the same house as"
        } else {
            "requested before as"
        };
        let doubt = match &self.other_street {
            Some(street) => format!(
                " for {}, which is not in this file any more; if this row corrects it, type skip and tell the contractor",
                excerpt(street)
            ),
            None if self.is_numbered => String::new(),
            None => "; neither address has a house number, so check whether it is the same house"
                .to_owned(),
        };
        format!("{verb} {}{doubt}", self.sentence())
    }

    /// What a row that is sent is told about the earlier request that it resembles.
    pub(super) fn warning(&self, found: AddressMatch) -> String {
        let earlier_is = self.sentence();
        match found {
            AddressMatch::SameHouse => {
                format!(
                    "the same house as {earlier_is}; sent because that measurement was canceled"
                )
            }
            AddressMatch::OtherUnit => format!("another unit of the building of {earlier_is}"),
            AddressMatch::OtherStreetType => format!(
                "nearly the address of {earlier_is}: the street type or direction differs; check whether it is the same house"
            ),
            AddressMatch::SameRange => format!(
                "nearly the address of {earlier_is}: the house numbers are not written alike; check whether it is the same house"
            ),
            AddressMatch::OtherPostalCode => {
                format!(
                    "it has the street and customer of {earlier_is}: check whether it is the same house"
                )
            }
            AddressMatch::NearStreet => {
                format!(
                    "nearly the address of {earlier_is}, and the same customer; check whether it is the same house"
                )
            }
            AddressMatch::SameNumber | AddressMatch::Different => {
                format!(
                    "it has the house number, postal code and customer of {earlier_is}: check whether it is the same house"
                )
            }
        }
    }

    /// Whether the service may not have the request, because no answer was received.
    pub fn is_unanswered(&self) -> bool {
        self.state == EarlierState::Unanswered
    }

    /// Whether it is a row of this file, which was not sent yet.
    pub(in crate::import) fn is_to_be_sent(&self) -> bool {
        self.state == EarlierState::ToBeSent
    }

    pub(in crate::import) fn is_canceled(&self) -> bool {
        self.state == EarlierState::Measured(Status::Canceled)
    }
}
