//! Which listed header one with a typing error means.

use std::sync::LazyLock;

use crate::model::Field;
use crate::table::synonyms::{behind_set, fold_cell, names};

/// Minimum similarity, up to 1, of a header with a typing error and the name that is meant; of four letters, one may be
/// wrong.
const MIN_SIMILARITY: f64 = 0.8;
const MIN_SIMILARITY_OF_SHORT: f64 = 0.75;

/// With that similarity, one character of this number may be wrong.
const CHARACTERS_PER_ERROR: usize = 5;

/// All listed headers with their characters, in no order.
static SPELLINGS: LazyLock<Vec<(CharacterSet, &str, Field)>> = LazyLock::new(|| {
    let spellings = names().map(|(name, field)| (CharacterSet::new(name), name, field));
    spellings.collect()
});

/// Which ASCII letters and digits a folded header has: a sheet may have thousands of columns, and each is compared with
/// all names.
#[derive(Clone, Copy, Debug)]
struct CharacterSet(u64);

impl CharacterSet {
    /// The bits of the digits.
    const DIGITS: u64 = 0x3FF;

    fn new(folded: &str) -> Self {
        let bits = folded.bytes().map(|byte| match byte {
            b'0'..=b'9' => 1 << (byte - b'0'),
            b'a'..=b'z' => 1 << (byte - b'a' + 10),
            _ => 0,
        });
        Self(bits.fold(0, |set, bit: u64| set | bit))
    }

    /// Whether texts of at most `longest` characters may be similar enough: each typing error replaces one character.
    fn may_be_near(self, other: Self, longest: usize) -> bool {
        let differing = self.0 ^ other.0;
        differing & Self::DIGITS == 0
            && differing.count_ones() as usize <= 2 * longest.div_ceil(CHARACTERS_PER_ERROR)
    }
}

/// The field of the name that a header misspells, with or without the words of a set in front.
pub(super) fn misspelled_field(header: &str) -> Option<Field> {
    let folded = fold_cell(header);
    let digits = |text: &str| text.chars().filter(|c| c.is_numeric()).collect::<String>();
    let own_digits = digits(&folded);
    let written = [Some(folded.as_str()), behind_set(&folded)];
    let written = written.into_iter().flatten();
    let written = written.map(|written| (CharacterSet::new(written), written));
    let near = written.flat_map(|(own, written)| {
        let names = SPELLINGS.iter();
        let names = names.filter(move |(characters, name, _)| {
            characters.may_be_near(own, name.len().max(written.len()))
        });
        let names = names.filter(|(_, name, _)| digits(name) == own_digits);
        names.filter_map(move |(_, name, field)| {
            let near = strsim::normalized_damerau_levenshtein(name, written);
            let minimum = match name.len().max(written.len()) {
                4 => MIN_SIMILARITY_OF_SHORT,
                _ => MIN_SIMILARITY,
            };
            (near >= minimum).then_some((near, *field))
        })
    });
    // The map has no order of its own.
    let best = near.max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)));
    best.map(|(_, field)| field)
}

/// Whether a header is a name of a field but for one letter.
pub(super) fn has_one_error(header: &str, field: Field) -> bool {
    let written = fold_cell(header);
    let own = CharacterSet::new(&written);
    let names = SPELLINGS.iter().filter(|(characters, name, of)| {
        *of == field && characters.may_be_near(own, name.len().max(written.len()))
    });
    names
        .map(|(_, name, _)| strsim::damerau_levenshtein(name, &written))
        .any(|errors| errors == 1)
}
