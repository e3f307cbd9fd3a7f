//! The sandbox.

use std::io::ErrorKind;
use std::path::PathBuf;

use gutterbatch::sandbox::Error;

use crate::messages::refused;

pub(super) fn rows() -> Vec<String> {
    let faults = || PathBuf::from("faults.json");
    sentences! {Error, |error| error;
        Error::NotLoopback(_) => [Error::NotLoopback("0.0.0.0:8787".parse().unwrap())],
        Error::Listen { .. } => [Error::Listen {
            address: "127.0.0.1:8787".parse().unwrap(),
            source: refused(ErrorKind::AddrInUse),
        }],
        Error::NoVersion => [Error::NoVersion],
        Error::BadVersion(_) => [Error::BadVersion("v2".to_owned())],
        Error::BadRedirectUri(_) => [Error::BadRedirectUri("ftp://example.com".to_owned())],
        Error::Data { .. } => [Error::Data {
            path: PathBuf::from("data"),
            source: refused(ErrorKind::PermissionDenied),
        }],
        Error::DataInUse(_) => [Error::DataInUse(PathBuf::from("data"))],
        Error::Damaged { .. } => [
            Error::Damaged { path: PathBuf::from("data/log.ndjson"), line: 3 }
        ],
        Error::FaultsFile { .. } => [
            Error::FaultsFile { path: faults(), source: refused(ErrorKind::NotFound) }
        ],
        Error::FaultsRules { .. } => [
            Error::FaultsRules { path: faults(), reason: "line 1: a list was expected".to_owned() }
        ],
        Error::NotCompleted(_) => [Error::NotCompleted("msr_1".to_owned())],
        Error::NotWritten => [Error::NotWritten],
    }
}
