//! The street, from one column or from those of house number, direction, name and type.

use std::borrow::Cow;

use crate::import::check::cells::became_a_date;
use crate::import::check::numbers::is_date_or_time;
use crate::import::check::row_check::{CellValue, RowCheck};
use crate::model::{
    Field, Severity, StreetAddress, StreetCell, StreetPart, WordList, excerpt, has_house_number,
    is_house_number_only, is_unit_text, may_be_street_type,
};
use crate::table::{STREET_ADDITIONS, known_field};

impl<'a> RowCheck<'a> {
    /// The street with its house number in front; direction and type are joined in the order of their columns.
    pub(super) fn street(&mut self) -> Option<CellValue<'a>> {
        let street = self.required(Field::Line1)?;
        let columns = self.columns;
        // Most tables have the whole street in one column.
        let is_absent = |field: Field| columns.of(field).is_empty();
        if STREET_ADDITIONS.into_iter().all(is_absent) {
            return Some(street);
        }
        let earlier = self.findings.len();
        let cell = self.house_number();
        let has_own = has_own_number(&street.text);
        if has_own {
            // The cell is not needed.
            let findings = self.findings[earlier..].iter_mut();
            let errors = findings.filter(|finding| finding.severity == Severity::Error);
            errors.for_each(|error| error.severity = Severity::Warning);
        }
        let (number, name) = self.split_number(&street, cell.as_ref());
        let mut text = self.with_direction_and_type(&street, name);
        if let Some(number) = number {
            text = format!("{number} {text}");
        }
        if let Some(cell) = cell.filter(|cell| !is_house_number_only(&cell.text)) {
            let parse = |line: &str| StreetAddress::parse(line, None, self.postal_code(), None);
            if parse(&cell.text) == parse(&text) {
                text = cell.text.into_owned();
            } else {
                let message = format!(
                    "`{}` is not a house number; the street is `{}` in `{}`",
                    excerpt(&cell.text),
                    excerpt(&street.text),
                    columns.name_of(street.column)
                );
                let severity = if has_own {
                    Severity::Warning
                } else {
                    Severity::Error
                };
                self.add(
                    severity,
                    Some(Field::HouseNumber),
                    Some(cell.column),
                    message,
                );
            }
        }
        Some(CellValue {
            text: Cow::Owned(text),
            ..street
        })
    }

    /// The house number of the first filled column; another one in a further column is an error.
    fn house_number(&mut self) -> Option<CellValue<'a>> {
        let columns = self.columns;
        let mut number: Option<CellValue<'a>> = None;
        for &column in columns.of(Field::HouseNumber) {
            let Some(value) = self.value(Field::HouseNumber, column) else {
                continue;
            };
            if is_date_or_time(&value.text) {
                let message = became_a_date(&value.text);
                self.error(Field::HouseNumber, Some(column), message);
            }
            match &number {
                Some(first)
                    if !without_zeros(&first.text)
                        .eq_ignore_ascii_case(without_zeros(&value.text)) =>
                {
                    let message = format!(
                        "two house numbers: `{}`, and `{}` in `{}`",
                        excerpt(&value.text),
                        excerpt(&first.text),
                        columns.name_of(first.column)
                    );
                    self.error(Field::HouseNumber, Some(column), message);
                }
                Some(_) => {}
                None => number = Some(value),
            }
        }
        // Land without a house has the number 0.
        number.filter(|number| !without_zeros(&number.text).is_empty())
    }

    /// The house number, from its cell or from the street, and the street without it.
    fn split_number<'s>(
        &mut self,
        street: &'s CellValue<'a>,
        cell: Option<&'s CellValue<'a>>,
    ) -> (Option<&'s str>, &'s str) {
        let text = street.text.as_ref();
        let own = text.split_once(' ').filter(|_| has_house_number(text));
        let Some(cell) = cell else {
            return own.map_or((None, text), |(own, name)| (Some(own), name));
        };
        let first_word = cell.text.split(' ').next();
        let number = if is_house_number_only(&cell.text) {
            cell.text.as_ref()
        } else {
            first_word.unwrap_or_default()
        };
        if number == text {
            return (None, text);
        }
        let begins = text.strip_prefix(without_zeros(number));
        let Some((own, name)) = own else {
            // `96-Oak Ave`
            let name = begins.and_then(|rest| rest.strip_prefix('-'));
            if begins.is_some_and(|rest| rest.starts_with(' ')) {
                let message = format!(
                    "is it the number in `{}`, or in front of it?",
                    excerpt(text)
                );
                self.error(Field::HouseNumber, Some(cell.column), message);
            }
            return (Some(number), name.unwrap_or(text));
        };
        if begins.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit())) {
            return (Some(own), name);
        }
        if !is_house_number_only(&cell.text) {
            return (Some(own), name);
        }
        let message = format!("the street has a number of its own: `{}`", excerpt(text));
        if leading_digits(own) == leading_digits(number) {
            self.error(Field::HouseNumber, Some(cell.column), message);
        } else if has_own_number(text) {
            let message = format!("{message}; which of them is the house's?");
            // What is wrong with a number that is not needed is told already.
            let severity = if is_date_or_time(number) {
                Severity::Warning
            } else {
                Severity::Error
            };
            let (field, column) = (Some(Field::HouseNumber), Some(cell.column));
            self.add(severity, field, column, message);
            return (Some(own), name);
        } else {
            self.warn(Field::HouseNumber, cell.column, message);
        }
        (Some(number), text)
    }

    /// Whether a cell in a column of types is sent: any below a header that says so, unless the street has a number of its
    /// own; else only a type.
    fn is_sent_as_type(&mut self, part: &CellValue<'a>, street: &str) -> bool {
        let header = &self.columns.headers()[part.column];
        let is_certain = known_field(header).is_some() && !has_own_number(street);
        if is_certain || may_be_street_type(&part.text) {
            return true;
        }
        let message = format!("`{}` is not a street type; not sent", excerpt(&part.text));
        self.warn(Field::StreetType, part.column, message);
        false
    }

    /// The street with the directions and types that it does not have yet, in the order of their columns.
    fn with_direction_and_type(&mut self, street: &CellValue<'a>, name: &str) -> String {
        let columns = self.columns;
        let cell = StreetCell::parse(name, self.postal_code());
        let (mut front, mut back) = (Vec::new(), Vec::new());
        for field in [Field::StreetDirection, Field::StreetType] {
            let is_type = field == Field::StreetType;
            for &column in columns.of(field) {
                let Some(part) = self.value(field, column) else {
                    continue;
                };
                if is_type && !self.is_sent_as_type(&part, &street.text) {
                    continue;
                }
                let relation = if is_type {
                    cell.with_type(&part.text)
                } else {
                    cell.with_direction(&part.text)
                };
                self.warn_of_other_part(field, &part, street, relation);
                let is_in_front =
                    column < street.column || is_type && cell.follows_type(&part.text);
                match relation {
                    StreetPart::Present | StreetPart::Contradicted => {}
                    _ if is_in_front => front.push(part),
                    _ => back.push(part),
                }
            }
        }
        if front.is_empty() && back.is_empty() {
            return name.to_owned();
        }
        front.sort_by_key(|part| part.column);
        back.sort_by_key(|part| part.column);
        let words = front.iter().map(|part| part.text.as_ref());
        let words = words.chain([cell.street.as_str()]);
        let words: Vec<&str> = words
            .chain(back.iter().map(|part| part.text.as_ref()))
            .collect();
        words.join(" ") + &cell.unit
    }

    fn warn_of_other_part(
        &mut self,
        field: Field,
        part: &CellValue<'a>,
        street: &CellValue<'a>,
        relation: StreetPart,
    ) {
        let kind = match field {
            Field::StreetType => "type",
            _ => "direction",
        };
        let (own, column) = (excerpt(&street.text), self.columns.name_of(street.column));
        let part_text = excerpt(&part.text);
        let message = match relation {
            StreetPart::Absent | StreetPart::Present => return,
            StreetPart::Second => {
                format!("`{part_text}` and `{own}` in `{column}` both have a {kind}; both are sent")
            }
            StreetPart::Contradicted => format!(
                "`{part_text}` is another {kind} than that of `{own}` in `{column}`; only the street is sent"
            ),
        };
        self.warn(field, part.column, message);
    }

    /// The row's postal code as written.
    pub(super) fn postal_code(&self) -> &'a str {
        let column = self.columns.supplying(Field::PostalCode);
        column.map_or("", |column| self.row.cell(column).text)
    }
}

static REMARKS: WordList = WordList::new("remarks");

/// What is wrong with a street that begins with a digit: no name, the number 0, or a remark behind it.
pub(super) fn odd_street(street: &str) -> Option<String> {
    if street.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some("a house number without a street".to_owned());
    }
    if street.starts_with("0 ") {
        return Some("the house number is 0; is the house built?".to_owned());
    }
    let behind = |start: usize| street[start..].trim_end_matches(')').trim();
    let in_parentheses = street.find('(').map(|at| behind(at + 1));
    let behind_dash = street.find(" - ").map(|at| behind(at + 3));
    let behind_dash = behind_dash.filter(|text| text.starts_with(char::is_lowercase));
    let lower = street.to_ascii_lowercase();
    let mut phrases = REMARKS.iter().filter_map(|phrase| lower.find(phrase));
    let phrase = phrases.next().map(behind);
    let remark = in_parentheses.or(behind_dash).or(phrase)?;
    (!is_unit_text(remark)).then(|| {
        format!(
            "`{}` looks like a remark; move it to the notes",
            excerpt(remark)
        )
    })
}

/// Whether a street begins with its house number, unlike the names `200 S` and `7 Mile Rd`, which a number may precede.
fn has_own_number(street: &str) -> bool {
    const DIRECTIONS: [&str; 8] = ["n", "s", "e", "w", "north", "south", "east", "west"];
    let mut words = street.split_whitespace().skip(1).map(|word| {
        let word = word.trim_end_matches(['.', ',']);
        word.to_lowercase()
    });
    let first = words.next().unwrap_or_default();
    let is_name = first == "mile" || DIRECTIONS.contains(&first.as_str()) && words.next().is_none();
    has_house_number(street) && !is_name
}

fn without_zeros(number: &str) -> &str {
    number.trim_start_matches('0')
}

/// The digits in front of a house number, without leading zeros.
fn leading_digits(number: &str) -> &str {
    let number = without_zeros(number);
    let end = number.find(|c: char| !c.is_ascii_digit());
    &number[..end.unwrap_or(number.len())]
}
