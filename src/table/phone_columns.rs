//! The columns of phones whose headers are phones only beside others: `Home` and `Work`.

use crate::model::Field;
use crate::table::analyzed_headers::Headers;
use crate::table::synonyms::{Meaning, fold, meaning};

const PLACES: [&str; 2] = ["home", "work"];

/// Whether a text is a phone number with its area code.
pub fn is_phone_number(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_mark = |c: char| c.is_ascii_digit() || " -.()+/\u{a0}".contains(c);
    (10..=11).contains(&digits) && text.chars().all(is_mark)
}

/// Lets `Home` and `Work` feed the phone below a title of phones or beside another phone, if their cells are phone numbers.
pub(super) fn take_phones_of_places(around: &Headers, meanings: &mut [Option<Meaning>]) {
    let mut known = meanings.iter().flatten();
    let is_beside_phone = known.any(|meaning| meaning.field == Field::Phone);
    for (column, header) in around.names.iter().enumerate() {
        if meanings[column].is_none()
            && PLACES.contains(&fold(header).as_str())
            && (is_beside_phone || fold(around.title_of(column)).contains("phone"))
            && around.are_mostly(column, 9, is_phone_number)
        {
            meanings[column] = meaning(&format!("{header} phone"));
        }
    }
}
