//! Messages for a file that cannot be used as a table.

use crate::cli::failure::table_flags::{flags, is_no_header};
use crate::cli::shell::quoted;
use crate::cli::wrap::in_one_line;
use crate::cli::{CommandError, ErrorKind};
use crate::model::{Country, Field, excerpt, first_of};
use crate::sheet;
use crate::table::{Error, MissingField, SuggestedHeader, TableError, known_field};

/// The maximum number of headers in a hint.
const LISTED: usize = 30;

impl From<Error> for CommandError {
    fn from(error: Error) -> Self {
        let Error { file, cause } = match error {
            Error {
                file,
                cause: TableError::Sheet(cause),
            } => return sheet::Error { file, cause }.into(),
            error => error,
        };
        let kind = match cause {
            TableError::TwoParts { .. } => ErrorKind::Usage,
            TableError::Sheet(_)
            | TableError::NoHeaders { .. }
            | TableError::SeveralTables { .. }
            | TableError::CustomerAboveHeaders { .. }
            | TableError::NoHeaderRow { .. }
            | TableError::MissingFields { .. }
            | TableError::Ambiguous { .. }
            | TableError::TwoAddresses { .. }
            | TableError::SeveralAddresses { .. }
            | TableError::NoSuchAddress { .. }
            | TableError::NoSuchHeader { .. }
            | TableError::SeveralSheets(_)
            | TableError::HiddenSheets(_) => ErrorKind::Input,
        };
        let failure = Self::new(kind, format!("{file}: {cause}"));
        let mut failure = failure.hinted(hint(&cause));
        failure.flags = flags(&cause);
        failure
    }
}

fn hint(cause: &TableError) -> String {
    match cause {
        TableError::Sheet(cause) => cause.to_string(),
        TableError::NoHeaders { .. } => {
            "replace each LETTER with a column letter of your sheet; or put headers above the rows".to_owned()
        }
        TableError::SeveralTables { rows: (_, second) } => {
            format!("move row {second} and the rows below it into a file of their own")
        }
        TableError::CustomerAboveHeaders { .. } => {
            "this leaves out the rows above the headers; if they are customers, put the headers above them".to_owned()
        }
        TableError::NoHeaderRow { .. } => "use the row number that Excel or your editor shows".to_owned(),
        TableError::MissingFields { headers, header_row, .. } if is_no_header(cause) => format!(
            "row {header_row} was read as the headers: {}\nif they are in another row, add --header-row N; gutterbatch template leads.xlsx writes a sheet with headers",
            listed(headers)
        ),
        TableError::MissingFields { missing, headers, whole_addresses, street, country, .. } => {
            let is_choice = whole_addresses.len() + usize::from(street.is_some()) > 1;
            let mut lines: Vec<String> = is_choice.then(|| ADDRESS_CHOICE.to_owned()).into_iter().collect();
            lines.extend(missing.iter().map(|one| reason(one, *country)));
            lines.extend(other_numbers(missing, headers));
            lines.push(format!("the headers found are {}", listed(headers)));
            lines.join("\n")
        }
        TableError::SeveralAddresses { missing, .. } => {
            let mut lines = vec![ADDRESS_CHOICE.to_owned()];
            lines.extend(missing.iter().map(|one| reason(one, Country::UnitedStates)));
            lines.join("\n")
        }
        TableError::NoSuchAddress { blocks, .. } if blocks.len() < 2 => {
            "remove --address; if the sheet has several addresses, name the columns of the house's with --map".to_owned()
        }
        TableError::NoSuchAddress { .. } => ADDRESS_CHOICE.to_owned(),
        TableError::Ambiguous { .. } | TableError::SeveralSheets(_) => "choose one".to_owned(),
        TableError::HiddenSheets(_) => "hidden sheets are read if you name them".to_owned(),
        TableError::TwoParts { .. } => "give each part of the address a column of its own".to_owned(),
        TableError::TwoAddresses { addresses, .. } => {
            if addresses.is_empty() {
                return ONE_ADDRESS.to_owned();
            }
            let is_choice = addresses.len() > 1;
            let is_open = addresses.iter().flatten().any(|(_, column)| column == "HEADER");
            let lines = [is_choice.then_some(ADDRESS_CHOICE), is_open.then_some(HEADERS_OF_HOUSE)];
            lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
        }
        TableError::NoSuchHeader { headers, .. } => format!("the headers are {}", listed(headers)),
    }
}

const ADDRESS_CHOICE: &str = "choose the address of the house";
const ONE_ADDRESS: &str = "--address and --map name two addresses, and one is used for all rows: remove the wrong flag. Where the house's address is empty in some rows, type it there";
const HEADERS_OF_HOUSE: &str = "replace each HEADER with a header of the house's address";

/// Why the command has the flag for a missing field, and what to write if it is not the right one.
fn reason(missing: &MissingField, country: Country) -> String {
    let field = missing.field;
    let refused = missing.refused.iter().map(|refused| format!("\n{refused}"));
    let refused: String = refused.collect();
    if let Some(SuggestedHeader { header, .. }) = missing.suggestions.first() {
        let header = in_one_line(header);
        let header = excerpt(&header);
        return match field {
            Field::Address => format!("address: {header} has a part of it"),
            Field::HouseNumber => {
                format!("house_number: {header} has numbers, and the streets have none")
            }
            Field::Id => format!(
                "id: did you mean {header}? Otherwise, --derive-id makes the ids from address and customer{refused}"
            ),
            field => format!("{field}: did you mean {header}?"),
        };
    }
    let advice = match field {
        Field::Id => "id: no column was found for the ids, and --derive-id makes them from address and customer; --id-column HEADER names one that has a value in each row, and none twice".to_owned(),
        field if missing.refused.is_empty() => add_a_column(field, country),
        Field::Email => "email: put its header in the place of HEADER, or write --map phone=HEADER; one of them is needed".to_owned(),
        field => format!("{field}: put its header in the place of HEADER"),
    };
    advice + &refused
}

/// What to do about a column whose numbers are not those of the houses: with these flags, it is sent behind the notes
/// that the table has.
fn other_numbers(missing: &[MissingField], headers: &[String]) -> Option<String> {
    let of = |field: Field| missing.iter().find(|one| one.field == field);
    let number = of(Field::HouseNumber).filter(|_| of(Field::Line1).is_none())?;
    let number = &number.suggestions.first()?.header;
    let notes = headers
        .iter()
        .filter(|header| known_field(header) == Some(Field::Notes));
    let flags = notes
        .chain([number])
        .map(|header| format!(" --map {}", quoted(&format!("notes={header}"))));
    Some(format!(
        "if they are other numbers, use{} instead",
        flags.collect::<String>()
    ))
}

/// What to do about a field that no column is like.
fn add_a_column(field: Field, country: Country) -> String {
    let is_canadian = country == Country::Canada;
    let (header, value) = match field {
        Field::Region if is_canadian => ("Province", "`QC`"),
        Field::City if is_canadian => ("City", "`Gatineau`"),
        Field::PostalCode if is_canadian => ("Postal Code", "`J8X 3S6`"),
        Field::Region => ("State", "`OH`"),
        Field::City => ("City", "`Columbus`"),
        Field::PostalCode => ("Zip", "`43215`"),
        Field::Name => ("Name", "the customer"),
        Field::Email => ("Email", "an email, or `Phone` with a number"),
        _ => ("Street", "the street and house number"),
    };
    let flags = match field {
        Field::Name => {
            "--map name=HEADER, or --map first_name=HEADER --map last_name=HEADER".to_owned()
        }
        Field::Email => "--map email=HEADER or --map phone=HEADER".to_owned(),
        field => format!("--map {field}=HEADER"),
    };
    format!(
        "{field}: if a column has it, write {flags} with its header; otherwise add a column such as `{header}` with {value}"
    )
}

pub(super) fn listed(names: &[String]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    let shown = names.iter().map(|name| match excerpt(&in_one_line(name)) {
        name if name.contains(',') => format!("`{name}`"),
        name => name.into_owned(),
    });
    first_of(shown, LISTED, ", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::AddressTitle;

    const HOSTILE: &str = "Cost $(touch x) `y` it's";
    const QUOTED: &str = r"'Cost $(touch x) `y` it'\''s'";

    fn missing(field: Field, near: Option<&str>) -> MissingField {
        let near = near.map(|header| SuggestedHeader {
            column: 27,
            header: header.to_owned(),
        });
        MissingField {
            field,
            suggestions: near.into_iter().collect(),
            refused: Vec::new(),
        }
    }

    fn title() -> AddressTitle {
        AddressTitle {
            title: String::new(),
            columns: String::new(),
            flag_value: HOSTILE.to_owned(),
        }
    }

    #[test]
    fn every_hint_quotes_what_it_takes_from_a_file() {
        let pair = |letters: &str| (HOSTILE.to_owned(), letters.to_owned());
        let errors = [
            TableError::MissingFields {
                missing: vec![missing(Field::Line1, Some(HOSTILE))],
                headers: Vec::new(),
                whole_addresses: [pair("A")].into(),
                street: Some(Box::new(pair("B"))),
                differing: (0, 0),
                header_row: crate::model::RowNumber(1),
                country: Country::UnitedStates,
            },
            TableError::Ambiguous {
                field: Field::Line1,
                columns: vec![pair("A")],
            },
            TableError::SeveralSheets(vec![HOSTILE.to_owned()]),
            TableError::SeveralAddresses {
                blocks: vec![title()],
                differing: (0, 0),
                missing: vec![missing(Field::City, Some(HOSTILE))],
            },
            TableError::NoSuchAddress {
                wanted: String::new(),
                blocks: vec![title(), title()],
            },
        ];
        for cause in errors {
            let failure = CommandError::from(Error {
                file: "leads.csv".to_owned(),
                cause,
            });
            let failure = failure.for_command(&["check".to_owned()]);
            let hint = failure.hint().unwrap();
            // The word in which it is begins with the quote.
            let quoted = &QUOTED[1..];
            assert!(hint.contains(quoted), "{hint}");
            let others = hint
                .replace(quoted, "")
                .replace(&format!("did you mean {HOSTILE}"), "");
            assert!(!others.contains("touch"), "{hint}");
        }
    }
}
