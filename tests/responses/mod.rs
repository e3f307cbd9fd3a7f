//! Responses of the service, and what commands make of them.

mod house_of_row;
mod import_answers;
mod other_house;
mod other_teams;
mod readings;
mod same_location;
mod service_answers;
mod service_texts;
mod verdicts;
pub(crate) mod wire;
