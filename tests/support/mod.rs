//! `Stage`: a temporary folder, the sandbox where a test wants it, and the program itself. `Canned`: a service that
//! misbehaves. `Scripted`: one whose measurements a test rewrites. `parts`: workbooks written part by part. `strace`:
//! system calls that fail. `browser`: the contractor on the consent page. `contractor`: on the other pages.

pub(crate) mod browser;
pub(crate) mod canned;
mod contractor;
pub(crate) mod exports;
pub(crate) mod imports;
pub(crate) mod parts;
mod scripted;
mod stage;
pub(crate) mod strace;

use std::sync::Once;

pub(crate) use canned::Canned;
pub(crate) use contractor::Contractor;
pub(crate) use scripted::Scripted;
pub(crate) use stage::{Run, Stage};

/// The beginning of an HTTP client that is not the program's own. The library asks for its cryptography even where none
/// is spoken.
pub(crate) fn http() -> reqwest::ClientBuilder {
    static PROVIDED: Once = Once::new();
    PROVIDED.call_once(|| {
        // The program's own client may have provided it in this process.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    reqwest::Client::builder().no_proxy()
}

/// The words of a command, as a shell reads them.
pub(crate) fn shell_words(command: &str) -> Vec<String> {
    let shell = std::process::Command::new("sh")
        .args(["-c", &format!("printf '%s\\n' {command}")])
        .output()
        .unwrap();
    let words = String::from_utf8(shell.stdout).unwrap();
    words.lines().map(str::to_owned).collect()
}
