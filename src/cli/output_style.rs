//! How a command speaks: how much, in which colours, as text or as JSON. Decided once, from flags and surroundings.

/// When colour is used.
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

/// How much is said besides the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum OutputLevel {
    /// Errors and warnings alone.
    Quiet,
    /// What a person wants to know.
    Normal,
    /// Details.
    Verbose,
}

/// What standard output carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputFormat {
    /// Text for people.
    Text,
    /// One JSON document and nothing else.
    Json,
}

/// Whether a bar may be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProgressDrawing {
    /// On a terminal.
    Bars,
    /// Never.
    Off,
}

/// How the console behaves, decided once from flags and surroundings.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutputStyle {
    /// How much is said.
    pub level: OutputLevel,
    /// When colour is used.
    pub color: ColorMode,
    /// What standard output carries.
    pub format: OutputFormat,
    /// Whether bars may be drawn.
    pub drawing: ProgressDrawing,
}
