//! One row to one draft: its cells read, mended and judged, each finding with its cell.

use std::borrow::Cow;

use crate::import::check::address::judge_address;
use crate::import::check::cells::{became_a_date, characters, thousands};
use crate::import::check::contact::{judge_email, judge_phone};
use crate::import::check::draft::Draft;
use crate::import::check::findings::Finding;
use crate::import::check::identity::derived_id;
use crate::import::check::numbers::{Digits, digits_of, is_excel_date};
use crate::import::{Ids, LongNotes, Rules};
use crate::model::{Field, Severity};
use crate::table::{Cell, Columns, Form, Row};

/// The documented limits, in characters: Unicode scalar values.
///
/// # Source
/// S4.5, S8.
const LINE1_LIMIT: usize = 200;
const NAME_LIMIT: usize = 120;
const NOTES_LIMIT: usize = 2000;
const ID_LIMIT: usize = 128;
/// `external.label`; `--external-label` is held to it too.
pub const LABEL_LIMIT: usize = 80;

/// One row under judgement.
pub(super) struct RowCheck<'a> {
    pub(super) row: Row<'a>,
    pub(super) columns: &'a Columns,
    pub(super) rules: &'a Rules,
    pub(super) form: Form,
    pub(super) findings: Vec<Finding>,
}

/// A value with the column that it came from.
#[derive(Clone, Debug)]
pub(super) struct Value<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) column: usize,
    /// A number cell, whose leading zeros are gone.
    pub(super) is_number: bool,
}

impl<'a> RowCheck<'a> {
    /// Reads the row; the draft may be sent only if no finding is an error.
    pub(super) fn draft(&mut self) -> Draft<'a> {
        if self.is_ragged() || self.repeats_the_headers() {
            return Draft::default();
        }
        let mut draft = Draft {
            name: self.name(),
            notes: self.notes(),
            url: self.optional(Field::Url).map(|value| value.text),
            label: self.optional(Field::Label).map(|value| value.text),
            ..Draft::default()
        };
        self.read_address(&mut draft);
        self.read_contact(&mut draft);
        self.read_id(&mut draft);
        self.read_link(&mut draft);
        if self.is_invalid() {
            self.recognise_total();
        }
        draft
    }

    pub(super) fn is_invalid(&self) -> bool {
        self.findings
            .iter()
            .any(|finding| finding.severity == Severity::Error)
    }

    fn is_ragged(&mut self) -> bool {
        let columns = self.columns.headers().len();
        let width = self.row.width();
        if self.form != Form::Text || width == columns {
            return false;
        }
        let cause = if width > columns {
            "a comma without quotes in the address?"
        } else {
            "a line break without quotes?"
        };
        let message = format!("{width} values for {columns} columns; {cause}");
        self.add(Severity::Error, None, None, message);
        true
    }

    fn repeats_the_headers(&mut self) -> bool {
        let repeats = |field: Field| {
            self.columns.of(field).first().is_some_and(|&column| {
                let header = self.columns.headers()[column].trim();
                !header.is_empty() && self.row.cell(column).text.trim() == header
            })
        };
        if !(repeats(Field::Line1) && repeats(Field::City)) || self.columns.headers()[0] == "A" {
            return false;
        }
        self.add(
            Severity::Error,
            None,
            None,
            "the row repeats the headers; delete it".to_owned(),
        );
        true
    }

    /// A line of sums under the table fails anyway; it is told as what it is.
    fn recognise_total(&mut self) {
        let is_total = |text: &str| {
            let text = text.trim();
            [
                "total",
                "grand total",
                "subtotal",
                "totals",
                "totaux",
                "sum",
                "count",
            ]
            .iter()
            .any(|word| {
                text.get(..word.len())
                    .is_some_and(|start| start.eq_ignore_ascii_case(word))
            }) && text.len() < 24
        };
        let filled: Vec<Cell<'_>> = self.row.cells().filter(|cell| !cell.is_blank()).collect();
        if filled.len() <= 4 && filled.iter().any(|cell| is_total(cell.text)) {
            self.findings.clear();
            self.add(
                Severity::Error,
                None,
                None,
                "the row looks like a total; delete it".to_owned(),
            );
        }
    }

    fn name(&mut self) -> Cow<'a, str> {
        let whole = self.optional(Field::Name);
        let value = match whole {
            Some(value) => Some(value),
            None => self.joined_name(),
        };
        let Some(value) = value else {
            let fields = [Field::Name, Field::LastName, Field::FirstName];
            if !self.has_error_in(&fields) {
                let column = self.first_column(&fields);
                self.error(Field::Name, column, "no name".to_owned());
            }
            return Cow::default();
        };
        self.limit(Field::Name, &value, NAME_LIMIT);
        value.text
    }

    fn joined_name(&mut self) -> Option<Value<'a>> {
        let first = self.optional(Field::FirstName);
        let last = self.optional(Field::LastName);
        match (first, last) {
            (Some(first), Some(last)) => Some(Value {
                text: Cow::Owned(format!("{} {}", first.text, last.text)),
                ..first
            }),
            (one, other) => one.or(other),
        }
    }

    fn notes(&mut self) -> Option<Cow<'a, str>> {
        let mut value = self.optional(Field::Notes)?;
        let length = characters(&value.text);
        if length > NOTES_LIMIT && self.rules.long_notes == LongNotes::Truncate {
            let cut: String = value.text.chars().take(NOTES_LIMIT).collect();
            let message = format!(
                "cut from {} to {} characters",
                thousands(length),
                thousands(NOTES_LIMIT)
            );
            self.add(
                Severity::Warning,
                Some(Field::Notes),
                Some(value.column),
                message,
            );
            value.text = Cow::Owned(cut);
        }
        self.limit(Field::Notes, &value, NOTES_LIMIT);
        Some(value.text)
    }

    fn read_address(&mut self, draft: &mut Draft<'a>) {
        let line1 = self.required(Field::Line1);
        let city = self.required(Field::City);
        let region = self.required(Field::Region);
        let postal_code = self.required(Field::PostalCode);
        let country = self.optional(Field::Country);
        let line2 = self.optional(Field::Line2);
        for value in [&line1, &line2].into_iter().flatten() {
            if is_excel_date(&value.text) {
                let field = if line2.as_ref().is_some_and(|two| two.column == value.column) {
                    Field::Line2
                } else {
                    Field::Line1
                };
                let message = became_a_date(&value.text);
                self.error(field, Some(value.column), message);
            }
        }
        if let Some(value) = &line1 {
            self.limit(Field::Line1, value, LINE1_LIMIT);
        }
        for (field, value) in [(Field::Line2, &line2), (Field::City, &city)] {
            if let Some(value) = value {
                self.warn_if_long(field, value);
            }
        }
        let placed = judge_address(self, region, postal_code, country, line1.as_ref());
        draft.line1 = line1.map(|value| value.text).unwrap_or_default();
        draft.line2 = line2.map(|value| value.text);
        draft.city = city.map(|value| value.text).unwrap_or_default();
        draft.region = placed.region;
        draft.postal_code = placed.postal_code;
        draft.country = placed.country;
    }

    fn read_contact(&mut self, draft: &mut Draft<'a>) {
        let email = self.optional(Field::Email);
        let phone = self.optional(Field::Phone);
        if email.is_none() && phone.is_none() && !self.has_error_in(&[Field::Email, Field::Phone]) {
            let column = self.first_column(&[Field::Email, Field::Phone]);
            let field = if self.columns.of(Field::Email).is_empty() {
                Field::Phone
            } else {
                Field::Email
            };
            self.error(
                field,
                column,
                "no email and no phone; one of them is required".to_owned(),
            );
        }
        if let Some(value) = &email {
            judge_email(self, value);
            self.warn_if_long(Field::Email, value);
        }
        if let Some(value) = &phone {
            judge_phone(self, value);
            self.warn_if_long(Field::Phone, value);
        }
        draft.email = email.map(|value| value.text);
        draft.phone = phone.map(|value| value.text);
    }

    fn read_id(&mut self, draft: &mut Draft<'a>) {
        let value = self.optional(Field::Id);
        let column = self.first_column(&[Field::Id]);
        let id = match value {
            Some(value) => {
                self.judge_id(&value);
                value.text
            }
            None if self.rules.ids == Ids::Derived => Cow::Owned(derived_id(draft)),
            None => {
                if !self.has_error_in(&[Field::Id]) {
                    self.error(Field::Id, column, "no id".to_owned());
                }
                return;
            }
        };
        draft.external_id = match &self.rules.id_prefix {
            Some(prefix) => Cow::Owned(format!("{prefix}{id}")),
            None => id,
        };
        let whole = Value {
            text: Cow::Borrowed(draft.external_id.as_ref()),
            column: column.unwrap_or(0),
            is_number: false,
        };
        let length = characters(&whole.text);
        if length > ID_LIMIT {
            let with = if self.rules.id_prefix.is_some() {
                " with its prefix"
            } else {
                ""
            };
            let message = format!("{length} characters{with}; the limit is {ID_LIMIT}");
            self.error(Field::Id, column, message);
        }
    }

    fn judge_id(&mut self, value: &Value<'a>) {
        let digits = value.text.bytes().filter(u8::is_ascii_digit).count();
        if value.is_number && (digits > 15 || value.text.contains(['e', 'E'])) {
            let message = "Excel keeps 15 digits, so the id may be false; format the column as text and export again";
            self.error(Field::Id, Some(value.column), message.to_owned());
        } else if digits_of(&value.text) == Digits::Lost {
            let message = format!(
                "`{}` is a number that a spreadsheet shortened, so the id may be false; format the column as text and export again",
                value.text
            );
            self.error(Field::Id, Some(value.column), message);
        } else if is_excel_date(&value.text) {
            self.error(Field::Id, Some(value.column), became_a_date(&value.text));
        } else if looks_cut(&value.text) {
            let message = "every digit after the fifteenth is 0, as after Excel; is the id whole?";
            self.add(
                Severity::Warning,
                Some(Field::Id),
                Some(value.column),
                message.to_owned(),
            );
        }
    }

    fn read_link(&mut self, draft: &mut Draft<'a>) {
        let column = |field| self.columns.of(field).first().copied();
        let (url_column, label_column) = (column(Field::Url), column(Field::Label));
        if draft.url.is_none()
            && let Some(template) = &self.rules.external_url
            && !draft.external_id.is_empty()
        {
            draft.url = Some(Cow::Owned(template.replace("{id}", &draft.external_id)));
        }
        if draft.label.is_none() {
            draft.label = self
                .rules
                .external_label
                .as_deref()
                .map(|label| Cow::Owned(label.to_owned()));
        }
        if let Some(url) = &draft.url {
            let is_https = url
                .get(..8)
                .is_some_and(|start| start.eq_ignore_ascii_case("https://"));
            if !is_https || url.len() == 8 {
                self.error(Field::Url, url_column, "not an https link".to_owned());
            }
        }
        if let Some(label) = &draft.label {
            let length = characters(label);
            if length > LABEL_LIMIT {
                let message = format!("{length} characters; the limit is {LABEL_LIMIT}");
                self.error(Field::Label, label_column, message);
            }
        }
    }

    pub(super) fn tidied(
        &mut self,
        field: Field,
        column: usize,
        before: &str,
        after: &str,
        why: &str,
    ) {
        let message = format!("`{before}` → `{after}`{why}");
        self.add(Severity::Tidied, Some(field), Some(column), message);
    }

    pub(super) fn error(&mut self, field: Field, column: Option<usize>, message: String) {
        self.add(Severity::Error, Some(field), column, message);
    }

    pub(super) fn warn(&mut self, field: Field, column: usize, message: String) {
        self.add(Severity::Warning, Some(field), Some(column), message);
    }

    pub(super) fn add(
        &mut self,
        severity: Severity,
        field: Option<Field>,
        column: Option<usize>,
        message: String,
    ) {
        self.findings.push(Finding {
            severity,
            field,
            column,
            message,
        });
    }

    pub(super) fn has_error_in(&self, fields: &[Field]) -> bool {
        self.findings.iter().any(|finding| {
            finding.severity == Severity::Error
                && finding.field.is_some_and(|field| fields.contains(&field))
        })
    }

    pub(super) fn first_column(&self, fields: &[Field]) -> Option<usize> {
        fields
            .iter()
            .find_map(|field| self.columns.of(*field).first().copied())
    }
}

fn looks_cut(id: &str) -> bool {
    id.len() > 15
        && id.bytes().all(|byte| byte.is_ascii_digit())
        && id.as_bytes()[15..].iter().all(|byte| *byte == b'0')
}
