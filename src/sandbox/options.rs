//! The options of a sandbox.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::sandbox::faults::Faults;
use crate::sandbox::rate::Rate;

/// The options of a sandbox. The default keeps nothing on disk and injects no faults.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address to listen on, on loopback; port 0 means any free port.
    pub listen: SocketAddr,
    /// The folder for the log; `None` keeps nothing.
    pub data: Option<PathBuf>,
    /// The quota of each team.
    pub rate: Rate,
    /// A delay added to each call.
    pub latency: Duration,
    /// The faults to inject.
    pub faults: Option<Faults>,
    /// Seeds ids, roofs and faults.
    pub seed: u64,
    /// The versions served, oldest first; the last is announced.
    pub versions: Vec<String>,
    /// The country of an address without one.
    pub team_country: Country,
    /// The names of the teams, at least one, to choose from on the consent page; the first is connected at the start.
    pub team_names: Vec<String>,
    /// The app's name.
    pub app_name: String,
    /// Registered redirect URIs; those on loopback match any port.
    pub redirect_uris: Vec<String>,
    /// How long the simulated contractor takes from opening a request to completing it; `None` means that nobody does.
    pub work: Option<Duration>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
            data: None,
            rate: Rate::default(),
            latency: Duration::ZERO,
            faults: None,
            seed: 1,
            versions: vec!["2026-01-15".to_owned()],
            team_country: Country::CA,
            team_names: vec!["Evergreen Gutters".to_owned()],
            app_name: "Gutterbatch".to_owned(),
            redirect_uris: vec![
                "http://127.0.0.1/callback".to_owned(),
                "http://localhost/callback".to_owned(),
            ],
            work: None,
        }
    }
}

/// The country of a property.
///
/// # Source
/// S2.4, address; S4.5, address.country.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Country {
    /// Canada.
    CA,
    /// The United States.
    US,
}

impl Country {
    /// The country with a code; `None` for any other text.
    pub fn from_code(code: &str) -> Option<Self> {
        [Self::CA, Self::US]
            .into_iter()
            .find(|country| country.code() == code)
    }

    /// Its ISO 3166-1 code.
    pub fn code(self) -> &'static str {
        match self {
            Self::CA => "CA",
            Self::US => "US",
        }
    }

    /// Its name in a formatted address.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::CA => "Canada",
            Self::US => "USA",
        }
    }
}
