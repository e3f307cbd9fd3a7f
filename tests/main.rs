//! The single test binary.

#![expect(
    clippy::unwrap_used,
    clippy::unchecked_time_subtraction,
    reason = "a test that cannot go on stops"
)]

mod address_splitting;
mod address_words;
mod adjustments;
mod answers;
mod architecture;
#[cfg(target_os = "linux")]
mod asked;
mod backup;
mod billed_days;
mod billed_elsewhere;
mod budget;
mod command_histories;
mod conflict_messages;
mod conflicts;
mod connect;
mod contact_of_address;
mod contract;
mod corrected;
mod corrected_houses;
mod corrected_streets;
mod country;
mod derived_ids;
mod documents;
mod echo;
mod edited;
mod export;
mod export_keys;
mod hazards;
mod held_houses;
#[cfg(unix)]
mod hints;
mod histories;
mod hostile;
mod house_comparison;
mod house_decisions;
mod house_ranges;
mod houses;
mod houses_in_check;
mod images;
mod import;
mod injected;
mod interrupted;
mod journal;
mod journal_copies;
mod kept_rejects;
mod library;
#[cfg(unix)]
mod locks;
#[cfg(unix)]
mod machine;
mod manual;
mod messages;
mod mixed_addresses;
mod normalized_addresses;
mod other_house;
mod other_postal_code;
mod other_sheet;
mod other_teams;
mod own_sheet;
mod own_sheet_again;
mod own_sheet_ranges;
mod owner_of_parts;
mod place_behind_street;
mod place_in_cell;
mod place_of_street;
mod places;
mod problems;
#[cfg(unix)]
mod progress;
mod protected;
mod proxy;
mod quiet;
mod readings;
mod readme;
#[cfg(unix)]
mod readme_examples;
#[cfg(target_os = "linux")]
mod readme_office;
#[cfg(unix)]
mod readme_schedules;
mod refresh;
mod rehearse;
mod rejects;
mod rejects_copies;
mod rejects_formats;
mod remembered;
mod remembered_columns;
mod remembered_files;
mod remembered_sheets;
mod renumbered;
mod request_log;
mod rerun;
mod restore;
mod restored_bills;
mod row_history;
mod same_house;
mod same_location;
mod samples;
mod sandbox;
mod schemas;
mod sealed;
mod sealed_killed;
mod secrets;
mod service_answers;
mod service_texts;
mod setting_values;
mod settings;
mod status;
mod status_of_files;
mod status_of_profiles;
mod status_of_sheets;
mod stopped;
#[cfg(unix)]
mod stopping;
mod street_of_another_place;
mod support;
mod template;
mod tls;
mod two_addresses;
mod unanswered;
mod unit_contents;
mod unit_of_another_street;
mod units;
mod usage;
mod usage_hints;
mod verdicts;
mod whole_address;
mod whole_address_cases;
mod wire;
mod workbook;
