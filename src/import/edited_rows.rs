//! Compares rows that were edited since they were submitted with what was submitted.

use crate::import::field_edit::{edits, has_other_unit_of_derived_id};
use crate::import::plan_input::PlanInput;
use crate::import::row_outcomes::{RowConflict, RowRejectionReason};
use crate::import::{Error, RowEdit, RowOutcomes};
use crate::model::{
    Address, AddressKey, AddressMatch, Field, Outcome, Request, StreetAddress, customers_agree,
    is_derived_id, shared_contact,
};

/// Marks rows for the same house as edited; those for another house are in conflict.
pub(super) fn compare_edited_rows(
    plan_input: PlanInput<'_>,
    edited: &[usize],
    rows: &mut RowOutcomes,
) -> Result<(), Error> {
    let (input, checked, submissions) = (plan_input.input, plan_input.checked, plan_input.index);
    if edited.is_empty() {
        return Ok(());
    }
    for found in checked.requests(input, |index| edited.binary_search(&index).is_ok())? {
        let (index, now) = found?;
        let entry = submissions.entry(&now.external_id)?;
        let entry = entry.expect("the journal has the row to compare");
        let address = StreetAddress::new(&now.address);
        let is_normalized = |normalized: &Request| {
            address.compare(&StreetAddress::new(&normalized.address)) == AddressMatch::SameHouse
        };
        let is_other_unit =
            is_derived_id(&now.external_id) && has_other_unit_of_derived_id(&entry.request, &now);
        let before = entry
            .normalized
            .filter(is_normalized)
            .unwrap_or(entry.request);
        let edits = edits(&before, &now).filter(|_| !is_other_unit);
        let Some(mut edits) = edits else {
            let reason = conflict_reason(plan_input, &before, &now)?;
            rows.reject(index, Outcome::Conflict, reason);
            continue;
        };
        rows.set_outcome(index, Outcome::Known);
        let has_last_names = !checked.columns.indexes_of(Field::LastName).is_empty();
        let names = [&before, &now].map(|request| request.customer.name.as_str());
        for field in &mut edits.fields {
            if *field == Field::Name && has_last_names && differ_in_last_name(names) {
                *field = Field::LastName;
            }
        }
        if edits != RowEdit::default() {
            rows.mark_edited(index, edits);
        }
    }
    Ok(())
}

/// Whether two names have the same first word and different last ones.
fn differ_in_last_name(names: [&str; 2]) -> bool {
    let [first, last] = [
        names.map(|name| name.split_whitespace().next()),
        names.map(|name| name.split_whitespace().next_back()),
    ];
    first[0] == first[1] && last[0] != last[1]
}

/// Why the row `now` is for another house than the one that was submitted under its id, and what to do.
fn conflict_reason(
    plan_input: PlanInput<'_>,
    before: &Request,
    now: &Request,
) -> Result<RowRejectionReason, Error> {
    if let Some(message) = slip_message(&before.address, &now.address) {
        return Ok(RowRejectionReason {
            messages: vec![message],
            is_other_reading: true,
            ..RowRejectionReason::default()
        });
    }
    let address = &before.address;
    let (mut submitted, mut edited) = (street_and_unit(address), street_and_unit(&now.address));
    let place = |address: &Address| {
        format!(
            "{}, {} {}",
            address.city, address.region, address.postal_code
        )
    };
    let submitted_for = format!("{submitted}, {}", place(address));
    if submitted == edited {
        edited = format!("{edited}, {}", place(&now.address));
        submitted.clone_from(&submitted_for);
    }
    let input = plan_input.input;
    let is_other_customer = shared_contact(&before.customer, &now.customer).is_none();
    let (why, earlier_id, conflict) = match id_of_house(plan_input, now)? {
        Some(own) if input.other_prefix(&now.external_id, &own).is_some() => {
            let why = format!("; {edited} was requested as `{own}`");
            let conflict = RowConflict {
                is_other_customer,
                advice: None,
            };
            (why, Some(own), Some(conflict))
        }
        Some(own) => {
            let own = input.bare_id(&own);
            let why = format!(
                "; {edited} was requested as `{own}`; if the rows were renumbered, put the ids back"
            );
            (why, None, None)
        }
        None => {
            let new_id = input.new_id(&now.external_id);
            let street = StreetAddress::new(address);
            let is_numbered_since = street.may_become(&StreetAddress::new(&now.address));
            let conflict = RowConflict {
                is_other_customer,
                advice: Some(if is_numbered_since && !is_other_customer {
                    format!(
                        "if that house has the address {edited} now, tell the contractor and put {submitted} back, because under a new id it would be requested again"
                    )
                } else {
                    format!(
                        "if {edited} is right, give the row a new id, for example {new_id}; if {submitted} is right, put it back"
                    )
                }),
            };
            (String::new(), None, Some(conflict))
        }
    };
    let message = format!("this id was submitted for another house: {submitted_for}{why}");
    Ok(RowRejectionReason {
        messages: vec![(Some(Field::Id), message)],
        conflict,
        earlier_id,
        is_other_reading: true,
    })
}

/// The message for an address that differs from the submitted one only in its postal code or only in its country, which
/// is a slip.
fn slip_message(before: &Address, now: &Address) -> Option<(Option<Field>, String)> {
    let without_country = |address: &Address| Address {
        country: None,
        ..address.clone()
    };
    let (one, other) = (without_country(before), without_country(now));
    let street = StreetAddress::new(&one).compare_in_any_town(&StreetAddress::new(&other));
    if street != AddressMatch::SameHouse || before.city.to_lowercase() != now.city.to_lowercase() {
        return None;
    }
    let same_code = AddressKey::from_address(&one).matches(&AddressKey::from_address(&other));
    let (field, name, was, is) = match (before.country, now.country) {
        (Some(was), Some(is)) if was != is => {
            let country = (Field::Country, "country", was.code(), is.code());
            same_code.then_some(country)?
        }
        _ if before.postal_code == now.postal_code => return None,
        _ => (
            Field::PostalCode,
            "postal code",
            before.postal_code.as_str(),
            now.postal_code.as_str(),
        ),
    };
    let message = format!(
        "only the {name} differs from what was submitted ({was}, now {is}); put it back, and if {is} is right, tell the contractor: the service keeps what it has, and a new id would request the house a second time"
    );
    Some((Some(field), message))
}

/// The other id under which the house and customer of a row were requested, from the same file or with another prefix: a
/// new id would request it a second time.
fn id_of_house(plan_input: PlanInput<'_>, now: &Request) -> Result<Option<String>, Error> {
    let (input, path) = (plan_input.input, &plan_input.checked.source.path);
    let address = StreetAddress::new(&now.address);
    let requests = plan_input.index.earlier_requests(address.house_hash())?;
    let own = requests.into_iter().find(|earlier| {
        let id = &earlier.request.external_id;
        let is_of_file = earlier
            .row
            .as_ref()
            .is_some_and(|row| row.table.path == *path);
        (is_of_file || input.other_prefix(&now.external_id, id).is_some())
            && *id != now.external_id
            && address.compare(&StreetAddress::new(&earlier.request.address))
                == AddressMatch::SameHouse
            && customers_agree(&earlier.request.customer, &now.customer)
    });
    Ok(own.map(|own| own.request.external_id))
}

/// `142 Elm St, Apt 9`.
pub(super) fn street_and_unit(address: &Address) -> String {
    match &address.line2 {
        Some(unit) => format!("{}, {unit}", address.line1),
        None => address.line1.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Country;

    #[test]
    fn a_slip_is_named_only_where_nothing_else_differs() {
        let before = Request::example().address;
        let edited = |edit: &dyn Fn(&mut Address)| {
            let mut now = before.clone();
            now.country = Some(Country::Canada);
            edit(&mut now);
            let was = Address {
                country: Some(Country::UnitedStates),
                ..before.clone()
            };
            slip_message(&was, &now)
        };
        let (field, message) = edited(&|_| {}).unwrap();
        assert_eq!(field, Some(Field::Country));
        assert!(message.starts_with("only the country differs"), "{message}");
        assert!(message.contains("(US, now CA); put it back"), "{message}");
        assert_eq!(edited(&|now| now.postal_code = "K1A 0B2".to_owned()), None);
        assert_eq!(edited(&|now| now.line1 = "14 Elm Street".to_owned()), None);
        assert_eq!(edited(&|now| now.city = "Elsewhere".to_owned()), None);
    }
}
