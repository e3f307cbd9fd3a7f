//! How addresses side by side are named in a question, and in what order.

use crate::model::WordList;
use crate::sheet::{AddressTitle, column_letters};
use crate::table::address_blocks::{AddressBlock, AddressBlocks};
use crate::table::synonyms::fold;
use crate::table::table_head::TableHead;

static OF_HOUSE: WordList = WordList::new("of_house");
static OF_CUSTOMER: WordList = WordList::new("of_customer");

/// Whether the address of this name is probably the house's, from the most likely: a service address before one of no
/// kind, and that before a billing address.
pub(crate) fn house_rank(name: &str) -> u8 {
    let name = fold(name);
    let is_of_house = OF_HOUSE.iter().any(|word| name.contains(word));
    match (is_of_house, is_of_customer(&name)) {
        (true, _) => 0,
        (false, false) => 1,
        (false, true) => 2,
    }
}

/// Whether a header names an address of the customer, such as `Bill To`.
pub(super) fn is_of_customer(header: &str) -> bool {
    let header = fold(header);
    OF_CUSTOMER.iter().any(|word| header.contains(word))
}

impl AddressBlocks {
    /// The addresses, the likeliest first.
    pub(super) fn titles(&self) -> Vec<AddressTitle> {
        let mut addresses: Vec<&AddressBlock> = self.addresses().collect();
        addresses.sort_by_key(|block| house_rank(&block.name));
        let names: Vec<&str> = addresses.iter().map(|block| block.name.as_str()).collect();
        let is_unique = |name: &str| {
            names
                .iter()
                .filter(|other| fold(other) == fold(name))
                .count()
                == 1
        };
        addresses
            .iter()
            .map(|block| AddressTitle {
                title: block.name.clone(),
                columns: ranges(block.indices()),
                answer: if is_unique(&block.name) {
                    block.name.clone()
                } else {
                    block
                        .indices()
                        .next()
                        .map(column_letters)
                        .unwrap_or_default()
                },
            })
            .collect()
    }

    /// Names each address by its title, by the words in front of its headers, or by its first header.
    pub(super) fn name(&mut self, headers: &TableHead) {
        let titles: Vec<String> = self
            .blocks
            .iter()
            .map(|block| block.title.clone())
            .collect();
        for block in &mut self.blocks {
            let names = block.columns.iter();
            let mut names = names.map(|(index, _)| headers.names[*index].trim());
            let is_only = titles.iter().filter(|title| **title == block.title).count() == 1;
            let name = match &block.set {
                _ if !block.title.is_empty() && is_only => &block.title,
                Some(set) => names.find_map(|header| front(header, set)).unwrap_or(set),
                None => names.next().unwrap_or_default(),
            };
            block.name = name.to_owned();
        }
    }
}

/// Returns the prefix of the header as written, if its folded form equals `set`.
fn front<'h>(header: &'h str, set: &str) -> Option<&'h str> {
    let ends = header.char_indices().map(|(at, c)| at + c.len_utf8());
    let mut fronts = ends.map(|end| &header[..end]);
    fronts.find(|front| fold(front) == set).map(str::trim)
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
