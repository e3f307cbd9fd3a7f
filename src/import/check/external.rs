//! The fields of `external`: id, link and label.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::import::check::cells::{became_a_date, characters};
use crate::import::check::draft::RowDraft;
use crate::import::check::identity::derived_id;
use crate::import::check::numbers::{NumericText, is_date, parse_numeric_text};
use crate::import::check::row_check::{CellValue, RowCheck};
use crate::import::check::text_normalization::is_placeholder;
use crate::import::row_cells::fields_of_row;
use crate::model::{DATED_ID, Field, excerpt, has_only_digits, is_excel_date};
use crate::table::rejects;

/// The documented limits, in characters: Unicode scalar values.
///
/// # Source
/// S4.5, S8.
pub const ID_LIMIT: usize = 128;
/// The limit of `external.label`, which applies to `--external-label` too.
pub const LABEL_LIMIT: usize = 80;

impl<'a> RowCheck<'a> {
    pub(super) fn read_id(&mut self, draft: &mut RowDraft<'a>) {
        let value = self.optional(Field::Id);
        let column = self.first_column(&[Field::Id]);
        let id = match value {
            Some(value) => {
                let value = self.id_with_zeros(value);
                self.validate_id(&value);
                value.text
            }
            // Without its address a row would have the id of every such row of the customer.
            None if self.rules.derive_ids && self.is_invalid() => return,
            None if self.rules.derive_ids => Cow::Owned(derived_id(draft)),
            None => {
                if !self.has_error_in(&[Field::Id]) {
                    let message = message!("no id; type one, or use --derive-id");
                    self.error(Field::Id, column, message);
                }
                return;
            }
        };
        draft.external_id = match &self.rules.id_prefix {
            Some(prefix) => Cow::Owned(format!("{prefix}{id}")),
            None => id,
        };
        let length = characters(&draft.external_id);
        if length > ID_LIMIT {
            let with = if self.rules.id_prefix.is_some() {
                " with its prefix"
            } else {
                ""
            };
            let message = message!("{length} characters{with}; the limit is {ID_LIMIT}");
            self.error(Field::Id, column, message);
        }
    }

    /// The id of rejects as it was in the original, if a spreadsheet removed its zeros.
    fn id_with_zeros(&mut self, value: CellValue<'a>) -> CellValue<'a> {
        let rules = self.rules;
        if rules.rows_with_zeros.is_empty() {
            return value;
        }
        let number = rejects::source_row(&self.row, self.columns);
        let fields = fields_of_row(&self.row, self.columns);
        let Some(id) = rules.id_with_zeros(number, &fields) else {
            return value;
        };
        let why = " (as in the original; a spreadsheet removed the zeros)";
        self.tidied(Field::Id, value.column, &value.text, id, why);
        CellValue {
            text: Cow::Borrowed(id),
            ..value
        }
    }

    fn validate_id(&mut self, value: &CellValue<'a>) {
        let digits = || value.text.bytes().filter(u8::is_ascii_digit).count();
        if value.is_number && (digits() > 15 || value.text.contains(['e', 'E'])) {
            let message = message!(
                "Excel keeps 15 digits, so the id may be wrong; format the column as text and export again"
            );
            self.error(Field::Id, Some(value.column), message);
        } else if parse_numeric_text(&value.text) == NumericText::LostDigits {
            let message = message!(
                "`{}` is a number that a spreadsheet rounded, so the id may be wrong; format the column as text and export again",
                excerpt(&value.text)
            );
            self.error(Field::Id, Some(value.column), message);
        } else if is_excel_date(&value.text) {
            if !self.rules.as_is {
                let mut message = became_a_date(&value.text);
                message.text += ", or add --as-is if it is the id";
                message.kind = DATED_ID.into();
                self.error(Field::Id, Some(value.column), message);
            }
        } else if is_date(&value.text) {
            let message = message!("the id is a date; is this the column of ids?");
            self.warn(Field::Id, value.column, message);
        } else if looks_cut(&value.text) {
            let message = message!(
                "every digit after the fifteenth is 0, as if Excel had rounded the id; compare it with the original"
            );
            self.warn(Field::Id, value.column, message);
        }
    }

    /// Whether the row has a text that is not sent as its link, as a column that only its header tells may have other
    /// texts.
    pub(super) fn has_other_link(&self) -> bool {
        let columns = self.columns.indexes_of(Field::Url).iter();
        let mut links = columns.map(|&column| self.row.cell(column).text.trim());
        !self.columns.is_url_asked
            && links.any(|link| !link.is_empty() && !is_placeholder(link) && !is_url(link))
    }

    pub(super) fn read_link(&mut self, draft: &mut RowDraft<'a>) {
        let column = |field| self.columns.indexes_of(field).first().copied();
        let (url_column, label_column) = (column(Field::Url), column(Field::Label));
        if !self.columns.is_url_asked {
            draft.url.take_if(|url| !is_url(url));
        }
        if draft.url.is_none()
            && let Some(template) = &self.rules.external_url
            && !draft.external_id.is_empty()
        {
            draft.url = Some(Cow::Owned(
                template.replace("{id}", &path_segment(&draft.external_id)),
            ));
        }
        if draft.label.is_none() {
            draft.label = self
                .rules
                .external_label
                .as_deref()
                .map(|label| Cow::Owned(label.to_owned()));
        }
        if draft.url.as_deref().is_some_and(|url| !is_https(url)) {
            let message = if self.columns.is_url_asked {
                message!("not an https link")
            } else {
                message!(
                    "not an https link; clear the cell, or rename the header to leave the column out"
                )
            };
            self.error(Field::Url, url_column, message);
        }
        if let Some(label) = &draft.label {
            let length = characters(label);
            if length > LABEL_LIMIT {
                let message = message!("{length} characters; the limit is {LABEL_LIMIT}");
                self.error(Field::Label, label_column, message);
            }
        }
    }
}

/// Whether a text is a link, though perhaps none that the service takes: it has a scheme.
fn is_url(text: &str) -> bool {
    let scheme = text.split_once("://").map(|(scheme, _)| scheme);
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    scheme.is_some_and(|scheme| !scheme.is_empty() && scheme.chars().all(is_letter))
}

/// Whether a text is a link that the service takes.
fn is_https(url: &str) -> bool {
    let start = url.get(..8);
    start.is_some_and(|start| start.eq_ignore_ascii_case("https://")) && url.len() > 8
}

/// An id as one segment of a URL's path: everything but letters, digits and `-._~` percent-encoded (RFC 3986, 2.3).
fn path_segment(id: &str) -> String {
    // A segment of dots would be resolved as a relative path.
    if id == "." || id == ".." {
        return id.replace('.', "%2E");
    }
    let mut segment = String::new();
    for byte in id.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            segment.push(char::from(byte));
        } else {
            let _ = write!(segment, "%{byte:02X}");
        }
    }
    segment
}

fn looks_cut(id: &str) -> bool {
    id.len() > 15 && has_only_digits(id) && id.as_bytes()[15..].iter().all(|byte| *byte == b'0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_one_segment_of_the_path() {
        for (id, segment) in [
            ("L-1_a.b~c", "L-1_a.b~c"),
            ("a b/c?d#e", "a%20b%2Fc%3Fd%23e"),
            ("50%", "50%25"),
            ("é", "%C3%A9"),
            ("..", "%2E%2E"),
        ] {
            assert_eq!(path_segment(id), segment);
        }
    }
}
