//! What a sandbox can be told before it starts.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::sandbox::faults::Faults;
use crate::sandbox::rate::Rate;

/// How a sandbox is to behave. `Options::default()` is a service that keeps nothing and never fails.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where to listen: a loopback address; port 0 takes any free port.
    pub listen: SocketAddr,
    /// Folder that keeps everything across restarts; `None` keeps nothing.
    pub data: Option<PathBuf>,
    /// The quota of each team.
    pub rate: Rate,
    /// Time that each API call takes longer than it must.
    pub latency: Duration,
    /// What goes wrong on purpose.
    pub faults: Option<Faults>,
    /// Chooses ids, roofs and faults; the same seed repeats them.
    pub seed: u64,
    /// The versions served, oldest first; the last is announced.
    pub versions: Vec<String>,
    /// Where the team works; the country of an address that names none.
    pub team_country: Country,
    /// The team that the ready-made connection speaks for.
    pub team_name: String,
    /// Further teams; the consent page then asks which one to connect.
    pub more_teams: Vec<String>,
    /// The app's name, as the consent page shows it.
    pub app_name: String,
    /// Registered redirect URIs; those on loopback match any port.
    pub redirect_uris: Vec<String>,
    /// How long a simulated contractor takes from opening a request to completing it; `None`: nobody works.
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
            team_name: "Evergreen Gutters".to_owned(),
            more_teams: Vec::new(),
            app_name: "Gutterbatch".to_owned(),
            redirect_uris: vec![
                "http://127.0.0.1/callback".to_owned(),
                "http://localhost/callback".to_owned(),
            ],
            work: None,
        }
    }
}

/// Where a property can be.
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
    /// The two letters that stand for it.
    pub fn code(self) -> &'static str {
        match self {
            Self::CA => "CA",
            Self::US => "US",
        }
    }

    /// Its name on an envelope.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::CA => "Canada",
            Self::US => "USA",
        }
    }
}

/// A text that is neither `CA` nor `US`; holds the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no country of the service; write CA or US")]
pub struct CountryError(pub String);

impl FromStr for Country {
    type Err = CountryError;

    fn from_str(text: &str) -> Result<Self, CountryError> {
        match text {
            "CA" => Ok(Self::CA),
            "US" => Ok(Self::US),
            _ => Err(CountryError(text.to_owned())),
        }
    }
}
