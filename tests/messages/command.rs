//! A command that does not run, or ends early, for a reason of its own.

use std::io::ErrorKind;
use std::path::PathBuf;

use gutterbatch::cli::{CliError, ConnectionSetting, ExitStatus};
use gutterbatch::import::{FlagChange, ImportStop};
use gutterbatch::journal::IdsOfOtherTeam;
use gutterbatch::model::{Field, Rate};

use crate::messages::refused;

const BASE_URL: ConnectionSetting = ConnectionSetting {
    what: "service's address",
    explanation: "a link",
    flag: "--base-url URL",
    variable: "GUTTERBATCH_BASE_URL",
};

const CLIENT_ID: ConnectionSetting = ConnectionSetting {
    what: "client id",
    explanation: "a text",
    flag: "--client-id ID",
    variable: "GUTTERBATCH_CLIENT_ID",
};

const CLIENT_SECRET: ConnectionSetting = ConnectionSetting {
    what: "client secret",
    explanation: "a text",
    flag: "--client-secret-file PATH",
    variable: "GUTTERBATCH_CLIENT_SECRET",
};

fn other_flags() -> CliError {
    CliError::ImportStopped(ImportStop::AddressFlags(FlagChange {
        before: "--address 'Service property'".to_owned(),
        now: "--address 'Billing address'".to_owned(),
    }))
}

fn other_column() -> CliError {
    CliError::ImportStopped(ImportStop::AddressColumn {
        before: "Property Street".to_owned(),
        now: "Mailing Street".to_owned(),
    })
}

fn unknown_rejects() -> CliError {
    CliError::ImportStopped(ImportStop::UnknownRejects)
}

fn hidden_rows() -> CliError {
    CliError::ImportStopped(ImportStop::HiddenRows(2))
}

fn ids_of_other_team() -> CliError {
    CliError::ImportStopped(ImportStop::IdsOfOtherTeam(IdsOfOtherTeam {
        ids: vec!["A-1".to_owned(); 40],
        team: "Trial".to_owned(),
    }))
}

pub(super) fn rows() -> Vec<String> {
    let text = str::to_owned;
    let path = || PathBuf::from("leads.csv");
    let full = || refused(ErrorKind::StorageFull);
    let example = || "gutterbatch export results.csv --for leads.csv".to_owned();
    let profile = |known: &[&str]| CliError::NoProfile {
        profile: "crn".to_owned(),
        known: known.iter().map(ToString::to_string).collect(),
    };
    let not_revoked = |refused: Option<&str>| CliError::NotRevoked {
        found: text("the service still accepts it"),
        refused: refused.map(text),
    };
    sentences! {CliError, |error| error;
        CliError::AddressAndPart(_) => [CliError::AddressAndPart(Field::City)],
        CliError::ImportStopped(_) => [other_flags(), other_column(), unknown_rejects(), hidden_rows(), ids_of_other_team()],
        CliError::HeadersChanged(_) => [CliError::HeadersChanged(text("leads.csv"))],
        CliError::DayOutOfRange(_) => [CliError::DayOutOfRange("--billed-until")],
        CliError::EmptyPeriod => [CliError::EmptyPeriod],
        CliError::ImagesNotEmbedded => [CliError::ImagesNotEmbedded],
        CliError::NotOnStdout(_) => [CliError::NotOnStdout("both the export and the JSON document")],
        CliError::OfflineImages { .. } => [CliError::OfflineImages { images: "embed" }],
        CliError::FormatContradicts { .. } => [CliError::FormatContradicts {
            out: PathBuf::from("results.xlsx"),
            format: "csv",
        }],
        CliError::NoFormat => [CliError::NoFormat],
        CliError::ReplacesOwnSheet { .. } => [CliError::ReplacesOwnSheet { example: example() }],
        CliError::OtherKindThanOwnSheet { .. } => [CliError::OtherKindThanOwnSheet {
            kind: "a text file",
            extensions: &["csv", "tsv", "txt"],
            example: example(),
        }],
        CliError::TemplateFormat(_) => [CliError::TemplateFormat(PathBuf::from("leads.pdf"))],
        CliError::NoProfile { .. } => [profile(&[]), profile(&["acme", "crm"])],
        CliError::NoHome => [CliError::NoHome],
        CliError::Unset { .. } => [CliError::Unset {
            setting: BASE_URL,
            profile: text("default"),
        }],
        CliError::Reserve { .. } => [CliError::Reserve {
            reserve: 700,
            rate: Rate::DOCUMENTED,
        }],
        CliError::NotGiven(_) => [CliError::NotGiven(vec![CLIENT_ID, CLIENT_SECRET])],
        CliError::NoSecret(_) => [CliError::NoSecret(PathBuf::from("secret.txt"))],
        CliError::InvalidToken(_) => [CliError::InvalidToken("GUTTERBATCH_TOKEN")],
        CliError::NoExternalId { .. } => [CliError::NoExternalId {
            journal: PathBuf::from("default.db"),
            external_id: text("A-1"),
            near: ["A-10", "A-11", "A-12", "A-13"].map(str::to_owned).to_vec(),
        }],
        CliError::InvalidSetting { .. } => [CliError::InvalidSetting {
            place: text("config.toml: [profile.default] rate"),
            reason: text("invalid rate `x`"),
        }],
        CliError::File { .. } => [
            CliError::File { doing: "write", path: path(), source: full() },
            CliError::File { doing: "write", path: path(), source: refused(ErrorKind::FileTooLarge) },
            CliError::File { doing: "read", path: path(), source: refused(ErrorKind::NotFound) },
        ],
        CliError::TemplateExists(_) => [CliError::TemplateExists(path())],
        CliError::FolderNotEmpty(_) => [CliError::FolderNotEmpty("kept".into())],
        CliError::NeededFile { .. } => [CliError::NeededFile {
            flag: "--log",
            path: PathBuf::from("default.db"),
            what: "the journal",
        }],
        CliError::Stdout(_) => [CliError::Stdout(full())],
        CliError::System { .. } => [CliError::System {
            what: "a handler for Ctrl-C",
            source: refused(ErrorKind::PermissionDenied),
        }],
        CliError::NoHiddenInput(_) => [CliError::NoHiddenInput(refused(ErrorKind::PermissionDenied))],
        CliError::Interrupted(_) => [
            CliError::Interrupted(ExitStatus::Interrupted),
            CliError::Interrupted(ExitStatus::Terminated),
        ],
        CliError::ConnectDeclined => [CliError::ConnectDeclined],
        CliError::QuestionNotShown { .. } => [CliError::QuestionNotShown {
            rows: 8,
            command: text("gutterbatch import leads.csv --yes"),
        }],
        CliError::NotConnected(_) => [
            CliError::NotConnected(text("default")),
            CliError::NotConnected(text("acme corp")),
        ],
        CliError::OtherAddress { .. } => [CliError::OtherAddress {
            profile: text("default"),
            connected_to: text("https://api.example.com"),
            base_url: text("https://api.example.org"),
        }],
        CliError::AccountsDiffer => [CliError::AccountsDiffer],
        CliError::NotRevoked { .. } => [not_revoked(None), not_revoked(Some("invalid_client"))],
        CliError::Bug { .. } => [CliError::Bug {
            place: text("src/cli/start.rs:7"),
            reason: text("index out of bounds"),
        }],
    }
}
