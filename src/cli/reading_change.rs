//! How the flags of the command line differ from those of an earlier import, where they choose houses or ids.

use crate::cli::context::Context;
use crate::cli::failure::{keep_address, other_address};
use crate::cli::reading::ReadingArgs;
use crate::cli::remembered::{ID_PREFIX, origin_of, quoted_words};
use crate::cli::remembered_columns::address_flags;
use crate::import::{AddressChange, ImportInput, ReadingChange, SubmissionPlan};
use crate::journal::{FlagsByName, RememberedFlags};

/// The flags that choose an address.
const ADDRESS: [&str; 2] = ["address", "map"];

/// The flags that choose which house a row is, and its id.
const OF_HOUSES: [&str; 4] = [ADDRESS[0], ADDRESS[1], "id-column", ID_PREFIX];

/// Warns if an import would stop because the flags choose another address than before; returns whether it would.
pub(super) fn warn_of_address_change(
    input: &ImportInput,
    plan: &SubmissionPlan,
    context: &Context,
) -> bool {
    let change = input.address_change.as_ref();
    let Some(change) = change.filter(|_| !plan.send.is_empty()) else {
        return false;
    };
    context.console.warn(&other_address(change));
    context.console.hint(&keep_address(change));
    true
}

/// Stores in `input` how `reading` differs from that of an earlier import; `given` are the flags of the command line.
pub(super) fn set_changes(
    reading: &ReadingArgs,
    earlier: &RememberedFlags,
    given: FlagsByName,
    input: &mut ImportInput,
) {
    input.reading_change = reading_change(earlier, given);
    let now = address_flags(&reading.flags());
    let address = address_flags(&earlier.flags);
    let is_compared = reading.derive_id && !is_of_headers(earlier);
    if is_compared && !address.is_empty() && !now.is_empty() {
        let (before, now) = (quoted_words(&address), quoted_words(&now));
        let is_other = |now: &str| before.to_lowercase() != now.to_lowercase();
        input.address_change = is_other(&now).then_some(AddressChange { before, now });
    }
}

fn reading_change(earlier: &RememberedFlags, given: FlagsByName) -> Option<ReadingChange> {
    let text = |flags: &FlagsByName, name: &str| {
        let value = flags.get(name).map(ToString::to_string);
        value.map(|value| value.to_lowercase())
    };
    let is_changed = |flags: &FlagsByName, name: &str| {
        // The prefix of another file says nothing about this one.
        let may_change = name != ID_PREFIX || !is_of_headers(earlier);
        may_change && OF_HOUSES.contains(&name) && text(flags, name) != text(&earlier.flags, name)
    };
    let (mut now, mut others) = (given.clone(), given);
    now.retain(|name, _| is_changed(&others, name));
    if now.is_empty() {
        return None;
    }
    others.retain(|name, _| !now.contains_key(name));
    // An address may have been chosen by either of two flags.
    let has_address = ADDRESS.iter().any(|name| now.contains_key(*name));
    let is_address = |name: &String| has_address && ADDRESS.contains(&name.as_str());
    let mut before = earlier.flags.clone();
    before.retain(|name, _| now.contains_key(name) || is_address(name));
    (!now.is_empty()).then(|| ReadingChange {
        before: quoted_words(&before),
        now: quoted_words(&now),
        origin: origin_of(earlier),
        others,
    })
}

/// Whether a reading is that of a set of headers, not of a file.
pub(super) fn is_of_headers(remembered: &RememberedFlags) -> bool {
    remembered.headers.is_some()
}
