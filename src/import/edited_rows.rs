//! Compares rows that were edited since they were submitted with what was submitted.

use std::collections::HashSet;

use crate::import::conflict_cause::Conflicting;
use crate::import::field_edit::{Difference, difference};
use crate::import::plan::{PlanInput, bare_id};
use crate::import::{CheckedRow, Error, RowOutcomes};
use crate::model::{Address, AddressMatch, Field, Outcome, Request, StreetAddress};

/// Marks rows for the same house as edited; those for another house are in conflict and returned.
pub(super) fn compare(
    plan: PlanInput<'_>,
    edited: &[usize],
    rows: &mut RowOutcomes,
) -> Result<Vec<Conflicting>, Error> {
    let (input, checked, index) = (plan.input, plan.checked, plan.index);
    let mut conflicts = Vec::new();
    if edited.is_empty() {
        return Ok(conflicts);
    }
    let ids = checked.rows.iter().filter_map(CheckedRow::external_id);
    let ids: HashSet<&str> = ids.collect();
    for found in checked.requests(input, |number| edited.binary_search(&number).is_ok())? {
        let (number, now) = found?;
        let entry = index.entry(&now.external_id)?;
        let Some(before) = entry.and_then(|entry| entry.request) else {
            rows.set_outcome(number, Outcome::Known);
            rows.change(number, Vec::new());
            continue;
        };
        match difference(&before, &now) {
            Difference::Fields(edits) => {
                rows.set_outcome(number, Outcome::Known);
                if !edits.is_empty() {
                    rows.change(number, edits);
                }
            }
            Difference::OtherHouse => {
                let message = if differ_in_postal_code_alone(&before.address, &now.address) {
                    postal_code_message(&before, &now)
                } else {
                    other_house_message(&before, &now, &unused_id(plan, &ids, &now.external_id)?)
                };
                rows.reject(number, Outcome::Conflict, vec![message]);
                conflicts.push(Conflicting {
                    row: number,
                    external_id: now.external_id,
                    before: before.address,
                    now: now.address,
                });
            }
        }
    }
    Ok(conflicts)
}

/// Whether the addresses differ only in their postal codes.
fn differ_in_postal_code_alone(before: &Address, now: &Address) -> bool {
    let street = StreetAddress::new(before).compare_in_any_town(&StreetAddress::new(now));
    street == AddressMatch::SameHouse && before.city.to_lowercase() == now.city.to_lowercase()
}

fn postal_code_message(before: &Request, now: &Request) -> (Option<Field>, String) {
    let message = format!(
        "only the postal code differs from what was submitted ({}, now {}); put it back: the service keeps what it has, and a new id would request the house a second time",
        before.address.postal_code, now.address.postal_code
    );
    (Some(Field::PostalCode), message)
}

fn other_house_message(before: &Request, now: &Request, new_id: &str) -> (Option<Field>, String) {
    let address = &before.address;
    let message = format!(
        "this id was submitted for another house: {}, {}, {} {}; if {} is right, give the row a new id, for example {new_id}; if {} is right, put it back",
        address.line1,
        address.city,
        address.region,
        address.postal_code,
        now.address.line1,
        address.line1
    );
    (Some(Field::Id), message)
}

/// An id that neither the journal nor the file has: `411-2` if `411` is taken.
fn unused_id(plan: PlanInput<'_>, ids: &HashSet<&str>, external_id: &str) -> Result<String, Error> {
    let bare = bare_id(plan.input, external_id);
    let mut number = 2;
    loop {
        let taken = format!("{external_id}-{number}");
        if !ids.contains(taken.as_str()) && plan.index.entry(&taken)?.is_none() {
            return Ok(format!("{bare}-{number}"));
        }
        number += 1;
    }
}
