//! How a command writes its output: verbosity, color, text or JSON.

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum OutputLevel {
    /// Nothing, unless the run does not end with 0.
    Quiet,
    /// Progress, notes and advice.
    Normal,
    /// Also details.
    Verbose,
}

impl Default for OutputStyle {
    fn default() -> Self {
        Self {
            level: OutputLevel::Normal,
            color: ColorMode::Auto,
            prints_json: false,
            draws_bars: true,
        }
    }
}

/// How the console behaves, set once from the flags.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutputStyle {
    /// How much is written.
    pub level: OutputLevel,
    /// When color is used.
    pub color: ColorMode,
    /// Whether standard output carries one JSON document instead of text for people.
    pub prints_json: bool,
    /// Whether bars may be drawn on a terminal.
    pub draws_bars: bool,
}
