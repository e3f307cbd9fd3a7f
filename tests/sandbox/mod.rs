//! The sandbox against the service's description, section by section, over plain HTTP.
//!
//! Nothing here uses the program's own client: both sides are compared with the description, not by each other.

mod authorize;
mod browser;
mod chromium;
mod command;
mod create;
mod faults;
mod gate;
mod pages;
mod persistence;
mod results;
mod revoke;
mod stage;
mod states;
mod token;
