//! Gaining permission once, and keeping it safe.
