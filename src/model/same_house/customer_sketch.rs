//! Comparison of customers.

use crate::model::same_house::fnv::Fnv;
use crate::model::{Customer, Field, WordList, for_each_folded, letters_and_digits};

/// Names in place of one that is not known, as people and programs write them.
static NAMES_OF_NOBODY: WordList = WordList::new("names_of_nobody");

/// Whether name, email or phone agree.
pub fn customers_agree(one: &Customer, other: &Customer) -> bool {
    compared(one, other).contains(&Some(true))
}

/// Whether name, email or phone agree, and the names may be one person's: offices give all customers the same email or
/// phone where they know none, and the same name.
pub fn may_be_one_person(one: &Customer, other: &Customer) -> bool {
    customers_agree(one, other) && names_agree(&one.name, &other.name)
}

/// Whether all words of one name are in the other, or one contains a typing error. False for the name of nobody.
fn names_agree(one: &str, other: &str) -> bool {
    let words =
        |name: &str| -> Vec<String> { name.split_whitespace().map(letters_and_digits).collect() };
    let (one, other) = (words(one), words(other));
    let is_nobody = |words: &Vec<String>| NAMES_OF_NOBODY.has(words.join(" ").trim());
    if is_nobody(&one) || is_nobody(&other) {
        return false;
    }
    let contains = |all: &[String], some: &[String]| some.iter().all(|word| all.contains(word));
    contains(&one, &other)
        || contains(&other, &one)
        || strsim::osa_distance(&one.concat(), &other.concat()) <= 1
}

/// Whether name, email or phone agree, and none of them differ.
pub fn is_same_customer(one: &Customer, other: &Customer) -> bool {
    customers_agree(one, other) && !compared(one, other).contains(&Some(false))
}

/// Which of name, email and phone shows that two customers are one: an email or a phone that both have, or their name if
/// neither their emails nor their phones differ.
pub fn shared_contact(one: &Customer, other: &Customer) -> Option<Field> {
    match compared(one, other) {
        [_, Some(true), _] => Some(Field::Email),
        [_, _, Some(true)] => Some(Field::Phone),
        [Some(true), None, None] => Some(Field::Name),
        _ => None,
    }
}

/// Whether all of name, email and phone that both customers have are different. False if they have none in common.
pub fn customers_differ(one: &Customer, other: &Customer) -> bool {
    let compared = compared(one, other);
    compared.contains(&Some(false)) && !compared.contains(&Some(true))
}

/// Whether names, emails and phones are the same; `None` for what one of the customers lacks.
fn compared(one: &Customer, other: &Customer) -> [Option<bool>; 3] {
    let (one, other) = (customer_keys(one), customer_keys(other));
    std::array::from_fn(|at| Some(one[at].as_ref()? == other[at].as_ref()?))
}

/// The normalized name, email and phone; `None` for a missing one.
pub(in crate::model) fn customer_keys(customer: &Customer) -> [Option<String>; 3] {
    let (email, phone) = (customer.email.as_deref(), customer.phone.as_deref());
    let phone = phone.map(|phone| last_digits(phone).collect());
    let keys = [Some(folded(&customer.name)), email.map(folded), phone];
    keys.map(|key| key.filter(|key| !key.is_empty()))
}

fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for_each_folded(text, |c| folded.push(c));
    folded
}

/// The last ten digits in reverse order, which excludes the country code 1.
fn last_digits(text: &str) -> impl Iterator<Item = char> {
    text.chars().rev().filter(char::is_ascii_digit).take(10)
}

/// A digest of a customer, to exclude most different customers cheaply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CustomerSketch([u16; 3]);

impl From<&Customer> for CustomerSketch {
    fn from(customer: &Customer) -> Self {
        let (email, phone) = (customer.email.as_deref(), customer.phone.as_deref());
        Self::new(&customer.name, email, phone)
    }
}

impl CustomerSketch {
    /// Number of bits of a stored sketch.
    pub const BITS: u32 = 48;

    /// Computes the sketch of a customer.
    pub fn new(name: &str, email: Option<&str>, phone: Option<&str>) -> Self {
        let text_sketch = |text: &str| {
            let mut hash = Fnv::default();
            for_each_folded(text, |c| hash.add(c));
            short(hash)
        };
        let mut digits = Fnv::default();
        let phone = phone.into_iter().flat_map(last_digits);
        phone.for_each(|digit| digits.add(digit));
        Self([
            text_sketch(name),
            text_sketch(email.unwrap_or_default()),
            short(digits),
        ])
    }

    /// Returns the number that the journal stores, of [`CustomerSketch::BITS`] bits.
    pub fn to_bits(self) -> u64 {
        let parts = self.0.into_iter().rev();
        parts.fold(0, |bits, part| bits << 16 | u64::from(part))
    }

    /// Makes a sketch from a number that the journal stored; higher bits are ignored.
    pub fn from_bits(bits: u64) -> Self {
        let bytes = bits.to_le_bytes();
        Self([0, 2, 4].map(|at| u16::from_le_bytes([bytes[at], bytes[at + 1]])))
    }

    /// Returns false only if [`customers_agree`] returns false.
    pub fn may_agree(self, other: Self) -> bool {
        let mut pairs = self.0.into_iter().zip(other.0);
        pairs.any(|(one, other)| one != 0 && one == other)
    }

    /// Returns the sketches of the name with the email alone and with the phone alone, of those that the customer has.
    pub fn with_each_contact(self) -> impl Iterator<Item = Self> {
        let [name, email, phone] = self.0;
        let sketches = [[name, email, 0], [name, 0, phone]].map(Self);
        sketches
            .into_iter()
            .filter(move |one| one.0 != [name, 0, 0])
    }

    /// Returns keys for an index: two sketches may agree if and only if they have a key in common.
    pub fn keys(self) -> impl Iterator<Item = (usize, u16)> {
        let parts = self.0.into_iter().enumerate();
        parts.filter(|(_, part)| *part != 0)
    }
}

/// 16 bits of a hash; 0 if nothing was added to it.
fn short(hash: Fnv) -> u16 {
    if hash == Fnv::default() {
        return 0;
    }
    let hash = hash.finish().to_le_bytes();
    u16::from_le_bytes([hash[0], hash[1]]).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn customer(name: &str, email: Option<&str>, phone: Option<&str>) -> Customer {
        Customer {
            name: name.to_owned(),
            email: email.map(str::to_owned),
            phone: phone.map(str::to_owned),
        }
    }

    #[test]
    fn the_sketch_that_journals_keep_stays_the_same() {
        let ann = customer("Ann Ash", Some("ann@example.com"), Some("614 555 0100"));
        let sketch = CustomerSketch::from(&ann);
        assert_eq!(sketch.to_bits(), 276_225_504_072_588);
        assert_eq!(
            CustomerSketch::from_bits(sketch.to_bits() | 1 << 48),
            sketch
        );
    }

    #[test]
    fn a_name_alone_shows_one_customer_only_where_nothing_else_differs() {
        let ann = customer("Ann Ash", Some("ann@example.com"), Some("614 555 0100"));
        for (name, email, phone, shared) in [
            ("Ann Ash", None, None, Some(Field::Name)),
            ("Ann Ash", None, Some("614 555 0199"), None),
            ("Ann Ash", Some("a@example.com"), None, None),
            ("Zoe", None, Some("(614) 555-0100"), Some(Field::Phone)),
            (
                "Zoe",
                Some("ANN@example.com"),
                Some("1"),
                Some(Field::Email),
            ),
            ("Zoe", None, None, None),
        ] {
            let other = customer(name, email, phone);
            assert_eq!(shared_contact(&ann, &other), shared, "{other:?}");
        }
    }

    #[test]
    fn an_email_that_people_of_other_names_have_shows_no_one_person() {
        for (one, other, expected) in [
            ("Ann Miller", "Miller, Ann", true),
            ("Ann Miller", "Miller", true),
            ("Jo Doe", "Joe Doe", true),
            ("Customer 0", "Custommer 0", true),
            ("Ann Miller", "Ann & Bob Miller", true),
            ("Ann Miller", "Dee Young", false),
            ("Ann Miller", "Ann Young", false),
            ("Current Resident", "Current Resident", false),
            ("N/A", "N/A", false),
        ] {
            let [one, other] = [one, other].map(|name| customer(name, Some("a@example.com"), None));
            assert_eq!(
                may_be_one_person(&one, &other),
                expected,
                "{one:?} {other:?}"
            );
        }
        let [ann, other] = ["a", "b"].map(|email| customer("Ann", Some(email), None));
        assert!(may_be_one_person(&ann, &other));
        let other = customer("Ann Ash", Some("b"), None);
        assert!(!may_be_one_person(&ann, &other));
    }

    #[test]
    fn one_value_is_enough_to_agree_and_silence_is_no_difference() {
        let ann = customer("Ann Ash", Some("ann@example.com"), None);
        for (other, agree, differ) in [
            (customer("ann  ash", None, Some("1")), true, false),
            (customer("Zoe", Some("Ann@Example.com"), None), true, false),
            (
                customer("Zoe", Some("zoe@example.com"), Some("1")),
                false,
                true,
            ),
            (customer("", None, Some("614 555 0100")), false, false),
        ] {
            assert_eq!(customers_agree(&ann, &other), agree, "{other:?}");
            assert_eq!(customers_differ(&ann, &other), differ, "{other:?}");
            let sketch = |of: &Customer| CustomerSketch::from(of);
            assert_eq!(sketch(&ann).may_agree(sketch(&other)), agree, "{other:?}");
        }
    }
}
