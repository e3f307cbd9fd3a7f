//! The service itself, on this machine: a second reading of its description.
