//! A row as it is now beside the version that was submitted.

use crate::model::{Country, Field, House, Request};

/// A field that was edited after its row was submitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldEdit {
    /// The field.
    pub field: Field,
    /// What was sent and what the row says now, for a field that one flag fills in every row.
    pub values: Option<(Option<String>, Option<String>)>,
}

/// How a row differs from what was submitted under its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Difference {
    /// It is of another house.
    OtherHouse,
    /// The same house; these fields were edited.
    Fields(Vec<FieldEdit>),
}

/// Compares `now` with the version `before` it.
pub(super) fn difference(before: &Request, now: &Request) -> Difference {
    if !House::of(&before.address).is_same(&House::of(&now.address)) {
        return Difference::OtherHouse;
    }
    let edits = values(before).into_iter().zip(values(now));
    let edits = edits.filter(|((_, old), (_, new))| old != new);
    let fields = edits
        .map(|((field, old), (_, new))| {
            let owned = |value: Option<&str>| value.map(str::to_owned);
            let is_flags = matches!(field, Field::Country | Field::Url | Field::Label);
            FieldEdit {
                field,
                values: is_flags.then(|| (owned(old), owned(new))),
            }
        })
        .collect();
    Difference::Fields(fields)
}

fn values(request: &Request) -> [(Field, Option<&str>); 12] {
    let (address, customer) = (&request.address, &request.customer);
    [
        (Field::Line1, Some(address.line1.as_str())),
        (Field::Line2, address.line2.as_deref()),
        (Field::City, Some(address.city.as_str())),
        (Field::Region, Some(address.region.as_str())),
        (Field::PostalCode, Some(address.postal_code.as_str())),
        (Field::Country, address.country.map(Country::code)),
        (Field::Name, Some(customer.name.as_str())),
        (Field::Email, customer.email.as_deref()),
        (Field::Phone, customer.phone.as_deref()),
        (Field::Notes, request.notes.as_deref()),
        (Field::Url, request.url.as_deref()),
        (Field::Label, request.label.as_deref()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(field: Field) -> FieldEdit {
        FieldEdit {
            field,
            values: None,
        }
    }

    #[test]
    fn an_edited_phone_is_named() {
        let mut now = Request::plain();
        now.customer.phone = Some("613-555-0199".to_owned());
        now.notes = Some("blue door".to_owned());
        assert_eq!(
            difference(&Request::plain(), &now),
            Difference::Fields(vec![edit(Field::Phone), edit(Field::Notes)])
        );
    }

    #[test]
    fn another_number_is_another_house_and_another_spelling_is_not() {
        let mut now = Request::plain();
        now.address.line1 = "14 Elm St".to_owned();
        assert_eq!(difference(&Request::plain(), &now), Difference::OtherHouse);
        now.address.line1 = "12 Elm Street".to_owned();
        assert_eq!(
            difference(&Request::plain(), &now),
            Difference::Fields(vec![edit(Field::Line1)])
        );
    }
}
