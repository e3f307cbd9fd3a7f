//! What a person reads when a command fails: every sentence with its hint and exit code, in one file to review,
//! `sentences.snap`.
//!
//! A file a room. A variant without a row does not compile.

/// The rows of an error type: a pattern for each variant, with errors that show all that it says.
macro_rules! sentences {
    ($kind:ty, $into:expr; $($pattern:pat => [$($error:expr),+ $(,)?],)+) => {{
        fn variant(error: &$kind) -> &'static str {
            match error {
                $($pattern => stringify!($pattern),)+
            }
        }
        let mut rows = vec![format!("\n# {}\n", stringify!($kind))];
        $($({
            let error: $kind = $error;
            let name = variant(&error);
            assert_eq!(name, stringify!($pattern));
            rows.push(crate::messages::row(name, $into(error)));
        })+)+
        rows
    }};
}

mod command;
mod connection;
mod dispatch;
mod journal;
mod results;
mod sandbox;
mod table;
mod texts;

use gutterbatch::cli::CommandError;

/// The name of a variant, the exit code, and the lines as they are printed.
fn row(pattern: &str, error: impl Into<CommandError>) -> String {
    let variant = pattern.rsplit("::").next().unwrap();
    let variant = variant.split([' ', '(']).next().unwrap();
    let failure: CommandError = error.into();
    let failure = failure.for_command(&["check".to_owned(), "leads.xlsx".to_owned()]);
    let lines = failure.lines().replace('\n', "\n  ");
    format!("{variant}, exit {}\n  {lines}\n", failure.exit().code())
}

/// The system's own word for what it refused.
fn refused(kind: std::io::ErrorKind) -> std::io::Error {
    std::io::Error::from(kind)
}

#[test]
fn every_error_has_a_reviewed_sentence() {
    let rows = [
        command::rows(),
        connection::rows(),
        dispatch::rows(),
        journal::rows(),
        results::rows(),
        sandbox::rows(),
        table::rows(),
        table::of_tables(),
    ];
    insta::with_settings!({snapshot_path => ".", prepend_module_to_snapshot => false, omit_expression => true}, {
        insta::assert_snapshot!("sentences", rows.concat().concat());
    });
}
