//! Whether an accepted creation made a new measurement.

/// Whether an accepted creation made a new measurement.
///
/// # Source
/// S4.5, responses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreationStatus {
    /// 201: the measurement is new.
    Created,
    /// 200: the id was known; everything else in the request was ignored.
    Existing,
}
