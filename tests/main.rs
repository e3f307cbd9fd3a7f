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
mod budget;
#[cfg(feature = "sandbox")]
mod connect;
#[cfg(feature = "sandbox")]
mod contract;
#[cfg(feature = "sandbox")]
mod corrected;
#[cfg(feature = "sandbox")]
mod echo;
#[cfg(feature = "sandbox")]
mod export;
#[cfg(feature = "sandbox")]
mod hazards;
#[cfg(feature = "sandbox")]
mod hostile;
#[cfg(feature = "sandbox")]
mod import;
#[cfg(feature = "sandbox")]
mod interrupted;
#[cfg(feature = "sandbox")]
mod journal;
#[cfg(feature = "sandbox")]
mod messages;
#[cfg(feature = "sandbox")]
mod own_sheet;
#[cfg(feature = "sandbox")]
mod places;
#[cfg(feature = "sandbox")]
mod properties;
#[cfg(feature = "sandbox")]
mod protected;
#[cfg(feature = "sandbox")]
mod proxy;
#[cfg(feature = "sandbox")]
mod readme;
#[cfg(feature = "sandbox")]
mod refresh;
#[cfg(feature = "sandbox")]
mod rehearse;
#[cfg(feature = "sandbox")]
mod rejects;
#[cfg(feature = "sandbox")]
mod remembered;
#[cfg(feature = "sandbox")]
mod rerun;
#[cfg(feature = "sandbox")]
mod restore;
#[cfg(feature = "sandbox")]
mod same_house;
#[cfg(feature = "sandbox")]
mod samples;
#[cfg(feature = "sandbox")]
mod sandbox;
#[cfg(feature = "sandbox")]
mod sealed;
#[cfg(feature = "sandbox")]
mod secrets;
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
mod wire;
mod workbook;
