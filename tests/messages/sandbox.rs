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
    hint: the sandbox asks nobody for a password, so it is for this machine alone: --listen 127.0.0.1:8787
    2: error: cannot listen on 127.0.0.1:8787: address in use
    hint: --listen 127.0.0.1:0 takes any free port
    2: error: no version to serve
    hint: for instance: --versions 2025-06-01,2026-01-15
    2: error: `v2` is no version; versions are dates such as 2026-01-15
    hint: for instance: --versions 2025-06-01,2026-01-15
    2: error: `ftp://example.com` cannot be a redirect URI; it must be https, or http on localhost or 127.0.0.1
    hint: for instance: --redirect-uri https://crm.example.com/callback
    8: error: cannot use data: permission denied
    7: error: data is in use by another sandbox
    hint: stop it, or give another folder with --data
    8: error: data/log.ndjson is damaged at line 3
    hint: nothing was changed; give another folder with --data
    2: error: cannot read faults.json: there is no such file or folder
    2: error: faults.json holds no rules: line 1: a list was expected
    hint: `gutterbatch sandbox --help` shows what can stand in it
    8: error: the log cannot be written
    hint: make room on the disk
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
    9: error: the sandbox did not play its part: no measurement `msr_1`
    9: error: the sandbox did not play its part: msr_1 is complete
    9: error: the sandbox did not play its part: msr_1 was withdrawn
    9: error: the sandbox did not play its part: -3 feet is no length of a gutter
    ");
}
