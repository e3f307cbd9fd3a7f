//! The changes of the store. One event is one line of the log.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::sandbox::store::measurement::{Customer, MeasuredResult, Measurement};
use crate::sandbox::store::tokens::{Connection, Grant};

/// One change; teams are identified by their index.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::sandbox) enum Event {
    /// The app got its credentials.
    AppCreated {
        client_id: String,
        client_secret: String,
    },
    /// A team joined the service.
    TeamAdded { id: String },
    /// A contractor allowed the app, which gets a code.
    Granted(Grant),
    /// A token was issued and replaced any earlier one of the team. `code` is the one it was exchanged for.
    Connected {
        connection: Connection,
        token: String,
        code: Option<String>,
    },
    /// The team's token was revoked.
    Disconnected { team: usize, at: Timestamp },
    /// A measurement was requested.
    Created(Box<Measurement>),
    /// A contractor opened the request.
    Opened { id: String, at: Timestamp },
    /// A contractor completed the measurement, or corrected a complete one.
    Measured {
        id: String,
        at: Timestamp,
        result: Box<MeasuredResult>,
    },
    /// The images of a complete measurement were produced.
    ImagesReady { id: String, at: Timestamp },
    /// A contractor withdrew the request.
    Withdrawn { id: String, at: Timestamp },
    /// A contractor corrected the customer.
    Corrected {
        id: String,
        at: Timestamp,
        customer: Customer,
    },
}
