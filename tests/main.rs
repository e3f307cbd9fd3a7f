//! The single test binary.

#![expect(
    clippy::unwrap_used,
    clippy::unchecked_time_subtraction,
    reason = "a test that cannot go on stops"
)]

#[cfg(feature = "sandbox")]
mod adjustments;
#[cfg(feature = "sandbox")]
mod answers;
mod architecture;
#[cfg(feature = "sandbox")]
#[cfg(target_os = "linux")]
mod asked;
mod backup;
#[cfg(feature = "sandbox")]
mod billed_elsewhere;
mod budget;
#[cfg(feature = "sandbox")]
mod command_histories;
#[cfg(feature = "sandbox")]
mod conflicts;
#[cfg(feature = "sandbox")]
mod connect;
#[cfg(feature = "sandbox")]
mod contract;
#[cfg(feature = "sandbox")]
mod corrected;
#[cfg(feature = "sandbox")]
mod country;
#[cfg(feature = "sandbox")]
mod derived_ids;
mod documents;
#[cfg(feature = "sandbox")]
mod echo;
#[cfg(feature = "sandbox")]
mod edited;
mod export;
#[cfg(feature = "sandbox")]
mod hazards;
#[cfg(feature = "sandbox")]
mod held_houses;
#[cfg(feature = "sandbox")]
mod hints;
mod histories;
#[cfg(feature = "sandbox")]
mod hostile;
#[cfg(feature = "sandbox")]
mod house_decisions;
#[cfg(feature = "sandbox")]
mod houses;
#[cfg(feature = "sandbox")]
mod images;
#[cfg(feature = "sandbox")]
mod import;
#[cfg(feature = "sandbox")]
mod injected;
#[cfg(feature = "sandbox")]
mod interrupted;
#[cfg(feature = "sandbox")]
mod journal;
#[cfg(feature = "sandbox")]
mod journal_copies;
#[cfg(feature = "sandbox")]
mod library;
#[cfg(all(feature = "sandbox", unix))]
mod locks;
#[cfg(all(feature = "sandbox", unix))]
mod machine;
#[cfg(feature = "sandbox")]
mod messages;
#[cfg(feature = "sandbox")]
mod other_house;
mod other_postal_code;
mod other_sheet;
mod own_sheet;
mod own_sheet_again;
mod own_sheet_ranges;
#[cfg(feature = "sandbox")]
mod places;
#[cfg(feature = "sandbox")]
mod problems;
#[cfg(all(feature = "sandbox", unix))]
mod progress;
#[cfg(feature = "sandbox")]
mod protected;
#[cfg(feature = "sandbox")]
mod proxy;
#[cfg(feature = "sandbox")]
mod quiet;
#[cfg(feature = "sandbox")]
mod readings;
mod readme;
#[cfg(all(feature = "sandbox", unix))]
mod readme_examples;
#[cfg(feature = "sandbox")]
mod refresh;
#[cfg(feature = "sandbox")]
mod rehearse;
#[cfg(feature = "sandbox")]
mod rejects;
#[cfg(feature = "sandbox")]
mod remembered;
#[cfg(feature = "sandbox")]
mod request_log;
#[cfg(feature = "sandbox")]
mod rerun;
#[cfg(feature = "sandbox")]
mod restore;
#[cfg(feature = "sandbox")]
mod same_house;
#[cfg(feature = "sandbox")]
mod same_location;
#[cfg(feature = "sandbox")]
mod samples;
#[cfg(feature = "sandbox")]
mod sandbox;
#[cfg(feature = "sandbox")]
mod schemas;
#[cfg(feature = "sandbox")]
mod sealed;
#[cfg(feature = "sandbox")]
mod secrets;
#[cfg(feature = "sandbox")]
mod service_texts;
mod settings;
#[cfg(feature = "sandbox")]
mod status;
#[cfg(feature = "sandbox")]
mod stopped;
mod stopping;
#[cfg(feature = "sandbox")]
mod support;
#[cfg(feature = "sandbox")]
mod template;
#[cfg(feature = "sandbox")]
mod tls;
#[cfg(feature = "sandbox")]
mod two_addresses;
#[cfg(feature = "sandbox")]
mod unanswered;
mod usage;
#[cfg(feature = "sandbox")]
mod whole_address;
mod wire;
mod workbook;
