//! The sentences of a sandbox that does not start.

use std::io::ErrorKind;
use std::path::PathBuf;

use gutterbatch::sandbox::Error;
use insta::assert_snapshot;

use crate::messages::{refused, shown};

#[test]
fn a_sandbox_that_does_not_start_says_which_flag_to_change() {
    let errors = [
        Error::NotLoopback("0.0.0.0:8787".parse().unwrap()),
        Error::Listen {
            address: "127.0.0.1:8787".parse().unwrap(),
            source: refused(ErrorKind::AddrInUse),
        },
        Error::NoVersion,
        Error::BadVersion("v2".to_owned()),
        Error::BadRedirectUri("ftp://example.com".to_owned()),
        Error::Data {
            path: PathBuf::from("data"),
            source: refused(ErrorKind::PermissionDenied),
        },
        Error::DataInUse(PathBuf::from("data")),
        Error::Damaged {
            path: PathBuf::from("data/log.ndjson"),
            line: 3,
        },
        Error::FaultsFile {
            path: PathBuf::from("faults.json"),
            source: refused(ErrorKind::NotFound),
        },
        Error::FaultsRules {
            path: PathBuf::from("faults.json"),
            reason: "line 1: a list was expected".to_owned(),
        },
        Error::NotWritten,
    ];
    assert_snapshot!(shown(errors), @"
    2: error: 0.0.0.0:8787 is not a loopback address
    hint: the sandbox has no passwords and must not be reachable from other machines: --listen 127.0.0.1:8787
    2: error: cannot listen on 127.0.0.1:8787: address in use
    hint: for any free port: --listen 127.0.0.1:0
    2: error: no version to serve
    hint: for instance: --versions 2025-06-01,2026-01-15
    2: error: invalid version `v2`: versions are dates such as 2026-01-15
    hint: for instance: --versions 2025-06-01,2026-01-15
    2: error: invalid redirect URI `ftp://example.com`: it must be https, or http on localhost or 127.0.0.1
    hint: for instance: --redirect-uri https://crm.example.com/callback
    8: error: cannot use data: permission denied
    7: error: data is in use by another sandbox
    hint: stop that sandbox, or choose another folder with --data
    8: error: data/log.ndjson is damaged at line 3
    hint: the log was not changed; choose another folder with --data
    2: error: cannot read faults.json: there is no such file or folder
    2: error: invalid faults file faults.json: line 1: a list was expected
    hint: see the format in: gutterbatch sandbox --help
    8: error: the log cannot be written
    hint: free space on the disk
    ");
}

#[test]
fn a_rehearsal_whose_sandbox_fails_says_that_it_was_the_sandbox() {
    let errors = [
        Error::UnknownMeasurement("msr_1".to_owned()),
        Error::AlreadyComplete("msr_1".to_owned()),
        Error::Withdrawn("msr_1".to_owned()),
        Error::OutOfRange(-3.0),
    ];
    assert_snapshot!(shown(errors), @"
    9: error: the sandbox failed: no measurement `msr_1`
    9: error: the sandbox failed: msr_1 is complete
    9: error: the sandbox failed: msr_1 was withdrawn
    9: error: the sandbox failed: invalid length in feet: -3
    ");
}
