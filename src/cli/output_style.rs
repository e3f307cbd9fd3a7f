//! How a command writes its output: verbosity, color, text or JSON.

use std::io::IsTerminal as _;

/// When color is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum ColorMode {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How much is written besides the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum OutputLevel {
    /// Nothing, unless the run does not end with 0.
    Quiet,
    /// Progress, notes and advice.
    #[default]
    Normal,
    /// Also details.
    Verbose,
}

/// How the console behaves, set once from the flags.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OutputStyle {
    /// How much is written.
    pub level: OutputLevel,
    /// When color is used.
    pub color: ColorMode,
    /// Whether standard output carries one JSON document instead of text for people.
    pub prints_json: bool,
    /// Whether no bars are drawn on a terminal either.
    pub without_bars: bool,
}

impl OutputStyle {
    /// A text in the color of a code, if colors are wanted.
    pub(super) fn painted(self, text: &str, code: &str) -> String {
        let wanted = match self.color {
            ColorMode::Always => true,
            ColorMode::Never => false,
            ColorMode::Auto => {
                stderr_has_cursor()
                    && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        };
        if wanted {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}

/// Whether standard error is a terminal with colors and a cursor that can be moved; on Unix, `TERM` says so.
pub(super) fn stderr_has_cursor() -> bool {
    let is_dumb = |term: std::ffi::OsString| term.is_empty() || term == "dumb";
    let has_cursor = cfg!(not(unix)) || std::env::var_os("TERM").is_some_and(|term| !is_dumb(term));
    has_cursor && std::io::stderr().is_terminal()
}

/// Whether the user can be asked: standard input and standard error are a terminal.
pub(super) fn can_ask() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Whether a user at a terminal would not see a question.
pub(super) fn hides_questions() -> bool {
    std::io::stdin().is_terminal() && !std::io::stderr().is_terminal()
}
