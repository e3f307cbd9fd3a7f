//! Compares a row with the version that was submitted under its id.

use std::borrow::Cow;

use crate::model::{
    Address, Field, Request, StreetAddress, customers_differ, letters_and_digits, shared_contact,
};
use crate::table::first_last;

/// How a row differs from the version that was submitted under its id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowEdit {
    /// The edited fields.
    pub fields: Vec<Field>,
    /// The submitted and the current address, if street or unit differ by more than their spelling.
    pub addresses: Option<[String; 2]>,
    /// Whether the row now has another house, which is not what was requested.
    pub is_other_house: bool,
}

/// Compares the row `now` with the version `before` that was submitted under its id; `None` if the row is for another
/// house.
pub(super) fn edits(before: &Request, now: &Request) -> Option<RowEdit> {
    let [street_before, street_now] = [before, now].map(|one| StreetAddress::new(&one.address));
    let has_number_since = street_before.may_become(&street_now)
        && street_before.is_in_street_of(&street_now)
        && shared_contact(&before.customer, &now.customer).is_some();
    if !has_number_since && !before.matches_house(&now.address, &now.customer) {
        return None;
    }
    // A flat of another customer in the building that was submitted, or a guest house in place of the main house.
    let units = [&street_before, &street_now].map(|street| street.units().is_some());
    let texts = [before, now].map(|one| one.address.line2.as_deref().map(letters_and_digits));
    let is_other_text = texts.iter().all(Option::is_some) && texts[0] != texts[1];
    let is_flat = (units[0] != units[1] || !units[0] && is_other_text)
        && customers_differ(&before.customer, &now.customer);
    let is_other_house =
        !has_number_since && (street_before.compare(&street_now).is_other_house() || is_flat);
    // Every submitted request has an email or a phone. One without either was restored from a workbook, which contains
    // neither, and has the address as the service spells it.
    let is_restored = before.customer.email.is_none() && before.customer.phone.is_none();
    let is_edit = |field: Field, old: Option<&str>| match field {
        Field::Line1 | Field::Line2 if is_restored => is_other_house,
        Field::Name if is_restored => customers_differ(&before.customer, &now.customer),
        _ if is_restored => false,
        // `12 ELM ST.` and `#1B` for `12 Elm St` and `1B`.
        Field::Line1 | Field::Line2 => !street_before.has_words_of(street_now.words()),
        Field::Name => in_order(&before.customer.name) != in_order(&now.customer.name),
        // A country that was derived from region and postal code since is not an edit.
        Field::Country => old.is_some(),
        _ => true,
    };
    let edits = before.values().into_iter().zip(now.values());
    let edits = edits.filter(|((field, old), (_, new))| old != new && is_edit(*field, *old));
    let fields: Vec<Field> = edits.map(|((field, _), _)| field).collect();
    let is_of_street = |field: &Field| matches!(field, Field::Line1 | Field::Line2);
    let is_readdressed =
        is_other_house || fields.iter().any(is_of_street) && street_before != street_now;
    Some(RowEdit {
        fields,
        addresses: is_readdressed.then(|| [before, now].map(|one| one.address.one_line())),
        is_other_house,
    })
}

/// Whether two rows with one derived id, which is made from letters and digits only, have different units: `1-1` and `11`.
pub(super) fn has_other_unit_of_derived_id(before: &Request, now: &Request) -> bool {
    let [before, now] = [before, now].map(|request| {
        let Address { line1, line2, .. } = &request.address;
        [line1.as_str(), line2.as_deref().unwrap_or_default()]
    });
    before.map(letters_and_digits) == now.map(letters_and_digits)
        && before.map(numbers) != now.map(numbers)
}

fn numbers(line: &str) -> Vec<&str> {
    let runs = line.split(|c: char| !c.is_ascii_digit());
    runs.filter(|run| !run.is_empty()).collect()
}

/// A name with the first name in front: `Chloé Patel` for `Patel, Chloé`.
fn in_order(name: &str) -> Cow<'_, str> {
    first_last(name).map_or(Cow::Borrowed(name), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Country;

    fn edited(fields: &[Field]) -> RowEdit {
        RowEdit {
            fields: fields.to_vec(),
            addresses: None,
            is_other_house: false,
        }
    }

    #[test]
    fn an_edited_phone_is_named() {
        let mut now = Request::example();
        now.customer.phone = Some("613-555-0199".to_owned());
        now.notes = Some("blue door".to_owned());
        assert_eq!(
            edits(&Request::example(), &now),
            Some(edited(&[Field::Phone, Field::Notes]))
        );
    }

    #[test]
    fn a_country_that_was_left_out_before_is_no_edit() {
        let mut now = Request::example();
        now.address.country = Some(Country::Canada);
        let none = Some(RowEdit::default());
        assert_eq!(edits(&Request::example(), &now), none);
        let Some(found) = edits(&now, &Request::example()) else {
            panic!("the same house");
        };
        assert_eq!(found, edited(&[Field::Country]));
        let mut other = now.clone();
        other.address.country = Some(Country::UnitedStates);
        assert_eq!(edits(&now, &other), None);
    }

    #[test]
    fn another_number_is_another_house() {
        let mut now = Request::example();
        now.address.line1 = "14 Elm St".to_owned();
        assert_eq!(edits(&Request::example(), &now), None);
    }

    #[test]
    fn another_spelling_of_street_unit_or_name_is_no_edit() {
        let of = |line1: &str, line2: Option<&str>, name: &str| {
            let mut request = Request::example();
            request.address.line1 = line1.to_owned();
            request.address.line2 = line2.map(str::to_owned);
            request.customer.name = name.to_owned();
            request
        };
        let before = of("12 Elm St", Some("1B"), "Omar Marchetti");
        for now in [
            of("12 ELM ST.", Some("#1B"), "Marchetti, Omar"),
            of("12 elm st 1-B", None, "Omar Marchetti"),
        ] {
            assert_eq!(edits(&before, &now), Some(RowEdit::default()), "{now:?}");
        }
        let name = edits(&before, &of("12 Elm St", Some("1B"), "Omar Marchetti Jr"));
        assert_eq!(name, Some(edited(&[Field::Name])));
        let before = of("12 Elm St, Main House", None, "Zoë");
        let now = of("12 Elm St, Guest House", None, "Zoë");
        assert_eq!(edits(&before, &now), Some(edited(&[Field::Line1])));
        let now = of("12 Elm St, Main House", Some("c/o Mia"), "Zoë");
        assert!(edits(&before, &now).unwrap().fields.contains(&Field::Line2));
    }

    #[test]
    fn a_lot_of_the_same_customer_that_gets_its_number_is_no_other_house() {
        let edited = |before: &str, now: &str, name: &str| {
            let of = |line1: &str| {
                let mut request = Request::example();
                request.address.line1 = line1.to_owned();
                request
            };
            let mut now = of(now);
            now.customer.name = name.to_owned();
            if name != "Zoë" {
                now.customer.phone = Some("613-555-0199".to_owned());
            }
            edits(&of(before), &now)
        };
        for before in [
            "Lot 12 Sunset Dr",
            "LOT #12 SUNSET DRIVE",
            "TBD Sunset Dr",
            "Sunset Dr & Oak Ave",
            "Sunset Drive",
        ] {
            let found = edited(before, "1412 Sunset Dr", "Zoë").unwrap();
            assert!(
                found.addresses.is_some() && !found.is_other_house,
                "{before}"
            );
            assert_eq!(edited(before, "1412 Sunset Dr", "Mia"), None, "{before}");
        }
        for (before, now) in [
            ("Lot 12 Sunset Dr", "1412 Oak Ave"),
            ("RR 2 Box 45", "1412 Sunset Dr"),
            ("12 Sunset Dr", "1412 Sunset Dr"),
        ] {
            assert_eq!(edited(before, now, "Zoë"), None, "{before}");
        }
    }

    #[test]
    fn another_street_of_the_same_customer_is_an_edit_with_both_addresses() {
        let mut now = Request::example();
        now.address.line1 = "12 Oak Blvd".to_owned();
        let found = edits(&Request::example(), &now).unwrap();
        assert_eq!(found.fields, [Field::Line1]);
        let homes =
            ["12 Elm St", "12 Oak Blvd"].map(|line1| format!("{line1}, Ottawa, ON K1A 0B1"));
        assert_eq!(found.addresses, Some(homes));
        assert!(found.is_other_house);
    }

    #[test]
    fn another_street_of_another_customer_is_another_house() {
        let edited = |line1: &str, name: &str, phone: &str| {
            let mut now = Request::example();
            now.address.line1 = line1.to_owned();
            now.customer.name = name.to_owned();
            now.customer.phone = Some(phone.to_owned());
            edits(&Request::example(), &now)
        };
        let (ours, theirs) = ("(613) 555-0100", "613-555-0199");
        for line1 in ["12 Oak Blvd", "12 Elm Ave"] {
            assert_eq!(edited(line1, "Mia", theirs), None);
            assert_ne!(edited(line1, "zoë", theirs), None);
            assert_ne!(edited(line1, "Mia", ours), None);
        }
        assert_ne!(edited("12 Elm", "Mia", theirs), None);
    }

    #[test]
    fn another_unit_of_another_customer_is_another_house() {
        let of_unit = |unit: Option<&str>, name: &str, phone: &str| {
            let mut request = Request::example();
            request.address.line2 = unit.map(str::to_owned);
            request.customer.name = name.to_owned();
            request.customer.phone = Some(phone.to_owned());
            request
        };
        let before = of_unit(Some("Apt 1"), "Ann", "613-555-0101");
        let edited = |unit, name, phone| edits(&before, &of_unit(unit, name, phone));
        assert_eq!(edited(Some("Apt 9"), "Nash", "613-555-0109"), None);
        assert_ne!(edited(Some("# 1"), "Nash", "613-555-0109"), None);
        assert_ne!(edited(Some("Apt 9"), "Ann", "613-555-0109"), None);
        let is_of_house = |name, phone| edited(None, name, phone).unwrap().is_other_house;
        assert!(is_of_house("Nash", "613-555-0109"));
        assert!(!is_of_house("Ann", "613-555-0109"));
        let mut of_building = of_unit(None, "Nash", "613-555-0109");
        for (line1, is_other) in [("12 Elm Street", true), ("12 Elm Street Apt 1", false)] {
            of_building.address.line1 = line1.to_owned();
            let found = edits(&before, &of_building).unwrap();
            assert_eq!(found.is_other_house, is_other, "{line1}");
        }
    }

    #[test]
    fn another_text_in_place_of_the_unit_of_another_customer_is_another_house() {
        let is_other_house = |[before, now]: [Option<&str>; 2], phone: &str| {
            let mut of_text = [Request::example(), Request::example()];
            of_text[0].address.line2 = before.map(str::to_owned);
            of_text[1].address.line2 = now.map(str::to_owned);
            of_text[1].address.line1 = "12 Elm Street".to_owned();
            of_text[1].customer.name = "Mia".to_owned();
            of_text[1].customer.phone = Some(phone.to_owned());
            edits(&of_text[0], &of_text[1]).unwrap().is_other_house
        };
        let (ours, theirs) = ("(613) 555-0100", "613-555-0199");
        let houses = [Some("Main House"), Some("Guest House")];
        assert!(is_other_house(houses, theirs));
        assert!(!is_other_house(houses, ours));
        let spellings = [Some("Main House"), Some("MAIN HOUSE.")];
        assert!(!is_other_house(spellings, theirs));
        assert!(!is_other_house([None, Some("Gate code")], theirs));
    }

    #[test]
    fn of_a_restored_request_the_name_decides() {
        let mut restored = Request::example();
        restored.customer.phone = None;
        let mut now = Request::example();
        now.address.line1 = "12 Oak Blvd".to_owned();
        let other = edits(&restored, &now).unwrap();
        assert!(other.fields == [Field::Line1] && other.is_other_house);
        now.customer.name = "Mia".to_owned();
        assert_eq!(edits(&restored, &now), None);
        now.address.line1 = restored.address.line1.clone();
        assert_eq!(edits(&restored, &now), Some(edited(&[Field::Name])));
        now.address.line1 = "12 Elm Street".to_owned();
        assert_eq!(edits(&restored, &now), Some(edited(&[Field::Name])));
    }
}
