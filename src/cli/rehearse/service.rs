//! The options of the sandbox in a rehearsal, with and without faults.

use std::time::Duration;

use crate::cli::rehearse::Args;
use crate::export::REHEARSAL_TEAM;
use crate::sandbox::{Faults, Options};

/// How long the simulated contractor takes from opening a request to completing it.
const WORK: Duration = Duration::from_millis(400);

/// The faults of a rough rehearsal; about one call in four has one.
const FAULTS: &str = r#"{"rules": [
  {"do": "drop", "method": "POST", "path": "/measurements", "chance": 0.04},
  {"do": "drop", "method": "POST", "path": "/measurements", "chance": 0.05, "handled": true},
  {"do": "cut_body", "method": "POST", "path": "/measurements", "chance": 0.04, "handled": true},
  {"do": "status", "status": 500, "path": "/measurements*", "chance": 0.03},
  {"do": "status", "status": 503, "retry_after": "1", "path": "/measurements*", "chance": 0.02},
  {"do": "status", "status": 502, "method": "POST", "chance": 0.02, "path": "/measurements", "handled": true},
  {"do": "status", "status": 429, "retry_after": "1", "path": "/measurements*", "chance": 0.004},
  {"do": "html", "path": "/measurements", "chance": 0.02, "handled": true},
  {"do": "no_id", "path": "/measurements", "chance": 0.01, "handled": true},
  {"do": "delay", "for": "120ms", "path": "/measurements*", "chance": 0.05}
]}"#;

/// Added to each call of a rough rehearsal, so that kills meet requests in flight.
const LATENCY: Duration = Duration::from_millis(15);

/// The options that the flags describe.
pub(super) fn options(args: &Args) -> Options {
    let calm = Options {
        rate: args.rate,
        seed: args.seed,
        work: Some(WORK),
        // The workbook names the team, so that invented numbers are not mistaken for a contractor's.
        team_name: REHEARSAL_TEAM.to_owned(),
        ..Options::default()
    };
    if !args.rough {
        return calm;
    }
    let faults: Faults = FAULTS.parse().expect("the rules above are well-formed");
    Options {
        faults: Some(faults),
        latency: LATENCY,
        ..calm
    }
}
