//! How addresses side by side are named in a question, and in what order.

use crate::model::{Field, WordList};
use crate::sheet::column_letters;
use crate::table::address_groups::{AddressGroup, AddressGroups};
use crate::table::missing_field::AddressTitle;
use crate::table::synonyms::fold_cell;
use crate::table::table_head::TableHead;

static OF_HOUSE: WordList = WordList::new("of_house");
static OF_CUSTOMER: WordList = WordList::new("of_customer");

/// Whether the address of this name is probably the house's, from the most likely: a service address before one of no
/// kind, and that before a billing address.
pub(crate) fn house_rank(name: &str) -> u8 {
    let name = fold_cell(name);
    let is_of_house = OF_HOUSE.iter().any(|word| name.contains(word));
    match (is_of_house, is_of_customer(&name)) {
        (true, _) => 0,
        (false, false) => 1,
        (false, true) => 2,
    }
}

/// Whether a header names an address of the customer, such as `Bill To`.
pub(super) fn is_of_customer(header: &str) -> bool {
    let header = fold_cell(header);
    OF_CUSTOMER.iter().any(|word| header.contains(word))
}

impl AddressGroups {
    /// The addresses, the likeliest first; those that are empty in most of the first rows are likely only if they name
    /// the house.
    pub(super) fn titles(&self, head: &TableHead) -> Vec<AddressTitle> {
        let mut addresses: Vec<&AddressGroup> = self.addresses().collect();
        let filled = |group: &AddressGroup| {
            let street = group.column_of(Field::Line1).or(group.place());
            street.map_or(0, |street| head.filled(street).count())
        };
        let fullest = addresses.iter().map(|group| filled(group)).max();
        let is_sparse = |group: &AddressGroup| filled(group) * 2 < fullest.unwrap_or_default();
        addresses.sort_by_key(|group| {
            let rank = house_rank(&group.name);
            (rank > 0 && is_sparse(group), rank)
        });
        let names: Vec<&str> = addresses.iter().map(|group| group.name.as_str()).collect();
        let is_unique = |name: &str| {
            names
                .iter()
                .filter(|other| fold_cell(other) == fold_cell(name))
                .count()
                == 1
        };
        addresses
            .iter()
            .map(|group| AddressTitle {
                title: group.name.clone(),
                columns: ranges(group.indices())
                    + if is_sparse(group) {
                        ", mostly empty"
                    } else {
                        ""
                    },
                flag_value: if is_unique(&group.name) {
                    group.name.clone()
                } else {
                    group
                        .indices()
                        .next()
                        .map(column_letters)
                        .unwrap_or_default()
                },
            })
            .collect()
    }

    /// Names each address by its title, by its qualifier as a header has it, or by its first header.
    pub(super) fn name(&mut self, head: &TableHead) {
        for group in &mut self.groups {
            let headers = group.columns.iter();
            let mut headers = headers.map(|(column, _)| head.names[*column].trim());
            group.name = if !group.title.is_empty() {
                group.title.clone()
            } else if group.qualifier.is_empty() {
                headers.next().unwrap_or_default().to_owned()
            } else {
                let written = headers.find_map(|header| written(header, &group.qualifier));
                written.unwrap_or_else(|| group.qualifier.clone())
            };
        }
    }
}

/// A qualifier as a header has it in front or behind; `None` if it has other words there.
fn written(header: &str, qualifier: &str) -> Option<String> {
    let cuts = header.char_indices().map(|(at, c)| at + c.len_utf8());
    let mut parts = cuts.map(|cut| header.split_at(cut));
    let is_word = |text: &&str| fold_cell(text) == qualifier;
    let part = parts.find_map(|(front, behind)| [front, behind].into_iter().find(is_word))?;
    let words = part.trim_matches(|c: char| !c.is_alphanumeric());
    Some(words.to_owned())
}

/// `F–I`, or `F–I, K`.
fn ranges(columns: impl Iterator<Item = usize>) -> String {
    let columns: Vec<usize> = columns.collect();
    let ranges = columns.chunk_by(|one, next| one + 1 == *next).map(|range| {
        let (first, last) = (range[0], range[range.len() - 1]);
        if first == last {
            column_letters(first)
        } else {
            format!("{}–{}", column_letters(first), column_letters(last))
        }
    });
    ranges.collect::<Vec<_>>().join(", ")
}
