//! Gaining permission once, and keeping it safe.

mod home;

pub use home::{Home, is_profile_name};
