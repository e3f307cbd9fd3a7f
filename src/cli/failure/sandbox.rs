//! Messages for a sandbox that does not start.

use crate::cli::failure::io_reason;
use crate::cli::{CommandError, ErrorKind};
use crate::sandbox::Error;

impl From<Error> for CommandError {
    fn from(error: Error) -> Self {
        let sentence = error.to_string();
        match error {
            Error::NotLoopback(_) => Self::new(ErrorKind::Usage, sentence)
                .hinted("the sandbox has no passwords and must not be reachable from other machines: --listen 127.0.0.1:8787"),
            Error::Listen { source, .. } => {
                Self::new(ErrorKind::Usage, format!("{sentence}: {}", io_reason(&source)))
                    .hinted("for any free port: --listen 127.0.0.1:0")
            }
            Error::NoVersion | Error::BadVersion(_) => {
                Self::new(ErrorKind::Usage, format!("--versions: {sentence}")).hinted("for instance: --versions 2025-06-01,2026-01-15")
            }
            Error::BadRedirectUri(_) => Self::new(ErrorKind::Usage, sentence)
                .hinted("for instance: --redirect-uri https://crm.example.com/callback"),
            Error::Data { source, .. } => {
                Self::new(ErrorKind::File, format!("{sentence}: {}", io_reason(&source))).hinted_by(&source)
            }
            Error::DataInUse(_) => Self::new(ErrorKind::InUse, sentence)
                .hinted("stop that sandbox, or choose another folder with --data"),
            Error::Damaged { .. } => Self::new(ErrorKind::File, sentence)
                .hinted("the log was not changed; choose another folder with --data"),
            Error::FaultsFile { source, .. } => {
                Self::new(ErrorKind::Usage, format!("--faults: {sentence}: {}", io_reason(&source))).hinted_by(&source)
            }
            Error::FaultsRules { .. } => Self::new(ErrorKind::Usage, format!("--faults: {sentence}"))
                .hinted("see the format in: gutterbatch sandbox --help"),
            Error::NotCompleted(_) => {
                Self::new(ErrorKind::UnexpectedResponse, format!("the sandbox failed: {sentence}"))
                    .hinted("run the same command again; nothing was sent to the service")
            }
            Error::NotWritten => Self::new(ErrorKind::File, sentence).hinted("free space on the disk and start the sandbox again"),
        }
    }
}
