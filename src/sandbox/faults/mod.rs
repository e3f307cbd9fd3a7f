//! What goes wrong on purpose.
/// Rules; to come.
#[derive(Clone, Debug, Default)]
pub struct Faults {}
