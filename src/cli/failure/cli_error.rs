//! Failures that commands find themselves: in the command line and the environment, and while they run.

use std::io;
use std::path::PathBuf;

use crate::cli::common_args::TOKEN_VARIABLE;
use crate::cli::failure::{SuggestedFlag, io_reason};
use crate::cli::nearest::nearest;
use crate::cli::{CommandError, ConnectionSetting, ErrorKind, ExitStatus, shell};
use crate::import::{FlagChange, ImportStop};
use crate::model::{Field, Rate, first_of, joined_with_and, pluralize};

/// Why a command does not run, or ends early, for a reason of its own.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// `--map` names a column of whole addresses, and one for this part of them.
    #[error(
        "--map address takes the whole address from one column, and --map {0} takes a part of it from another"
    )]
    AddressAndPart(Field),
    /// It is unclear which rows of a file are meant.
    #[error("{0}")]
    ImportStopped(ImportStop),
    /// Columns of the file were named by their letters, which are those of others now.
    #[error("{0}: its headers have changed since its last import, which named columns by letters")]
    HeadersChanged(String),
    /// The flag whose day is out of range in its time zone.
    #[error("{0}: the day is out of range")]
    DayOutOfRange(&'static str),
    /// `--completed-to` is not after `--completed-from`.
    #[error(
        "the period ends before it starts; --completed-to is the first day that is not included"
    )]
    EmptyPeriod,
    /// What standard output cannot carry.
    #[error("standard output cannot carry {0}")]
    NotOnStdout(&'static str),
    /// An export to standard output without `--format`.
    #[error("standard output has no extension")]
    NoFormat,
    /// `--format` names another format than the extension of OUT.
    #[error("{out} and --format {format} contradict each other")]
    FormatContradicts {
        /// The path of the export.
        out: PathBuf,
        /// The format of the flag.
        format: &'static str,
    },
    /// `--offline` with images that must be downloaded.
    #[error("--offline sends nothing, and --images {images} downloads images")]
    OfflineImages {
        /// The value of `--images`.
        images: &'static str,
    },
    /// `--images embed` with an output that is not a workbook of results.
    #[error("--images embed puts pictures into a workbook of results alone")]
    ImagesNotEmbedded,
    /// The output of `--for` is its input.
    #[error("the results would replace your own sheet")]
    ReplacesOwnSheet {
        /// A command that writes another file.
        example: String,
    },
    /// The output of `--for` has another format than its input.
    #[error("your own sheet is {kind}; use a file name that ends in .{}", .extensions.join(" or ."))]
    OtherKindThanOwnSheet {
        /// What the input is.
        kind: &'static str,
        /// The extensions of such files.
        extensions: &'static [&'static str],
        /// A command that writes such a file.
        example: String,
    },
    /// A reserve of the whole quota.
    #[error("a reserve of {reserve} leaves no request of {rate}")]
    Reserve {
        /// The reserve.
        reserve: u32,
        /// The quota.
        rate: Rate,
    },
    /// The path of a template.
    #[error("{0} ends neither in .xlsx nor in .csv")]
    TemplateFormat(PathBuf),
    /// A profile without settings, connection and journal.
    #[error("there is no profile `{profile}`")]
    NoProfile {
        /// Its name.
        profile: String,
        /// The profiles that exist.
        known: Vec<String>,
    },
    /// The system names no folder for the user's files.
    #[error("the home folder is unknown")]
    NoHome,
    /// A setting that a command with network needs.
    #[error("profile `{profile}` does not set the {}", .setting.what)]
    Unset {
        /// The setting.
        setting: ConnectionSetting,
        /// The profile.
        profile: String,
    },
    /// Values that `connect` needs and cannot ask for.
    #[error("the {} not given", names_of(.0))]
    NotGiven(Vec<ConnectionSetting>),
    /// A file without a client secret.
    #[error("{0} contains no client secret")]
    NoSecret(PathBuf),
    /// A text that is not a token.
    #[error("{0} contains no valid token")]
    InvalidToken(&'static str),
    /// An id that the journal does not know.
    #[error("--id: the journal {journal} has no external id `{external_id}`")]
    NoExternalId {
        /// The journal.
        journal: PathBuf,
        /// The id.
        external_id: String,
        /// Ids that it has, one of which may be meant.
        near: Vec<String>,
    },
    /// A value in the settings file that its flag does not accept.
    #[error("{place}: {reason}")]
    InvalidSetting {
        /// The file, the section and the key.
        place: String,
        /// Why it is not accepted.
        reason: String,
    },
    /// A local file that cannot be read or written.
    #[error("cannot {doing} {path}: {}", io_reason(.source))]
    File {
        /// What could not be done: `write`.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The output of `template` exists.
    #[error("{0} already exists and may be filled in")]
    TemplateExists(PathBuf),
    /// The folder of `--keep` has files.
    #[error("--keep {0}: the folder is not empty")]
    FolderNotEmpty(PathBuf),
    /// An output is a file that the program needs.
    #[error("{flag} {path} is the path of {what}, so it is not written to")]
    NeededFile {
        /// The flag or the argument.
        flag: &'static str,
        /// Its path.
        path: PathBuf,
        /// What the file is.
        what: &'static str,
    },
    /// The answer of a command could not be printed.
    #[error("cannot write to standard output: {}", io_reason(.0))]
    Stdout(io::Error),
    /// The system refuses what the program needs.
    #[error("the operating system refused {what}: {}", io_reason(.source))]
    System {
        /// What it refused.
        what: &'static str,
        /// Its error.
        source: io::Error,
    },
    /// The terminal shows what is typed.
    #[error("the terminal cannot hide what is typed: {}", io_reason(.0))]
    NoHiddenInput(io::Error),
    /// A signal ended the command, which exits with this code.
    #[error("{}", if *.0 == ExitStatus::Terminated { "terminated" } else { "interrupted" })]
    Interrupted(ExitStatus),
    /// The user does not want to connect again.
    #[error("stopped: you answered no")]
    ConnectDeclined,
    /// A user at a terminal would not see the question before the first request.
    #[error("{} would be submitted, and the question cannot be shown because standard error is not a terminal", pluralize(*.rows, "row"))]
    QuestionNotShown {
        /// Number of rows.
        rows: u64,
        /// The command that submits them unasked.
        command: String,
    },
    /// A profile without a token.
    #[error("profile `{0}` is not connected")]
    NotConnected(String),
    /// The profile's token belongs to another service than the one that is set.
    #[error("profile `{profile}` is connected to {connected_to}, not to {base_url}")]
    OtherAddress {
        /// The profile.
        profile: String,
        /// The service of the token.
        connected_to: String,
        /// The service that is set.
        base_url: String,
    },
    /// The service names different accounts for one token.
    #[error("GET /me names another team or app than the response with the token")]
    AccountsDiffer,
    /// The service does not refuse a revoked token with 401.
    #[error("the token is not revoked: {found}{}", .refused.as_ref().map_or_else(String::new, |reason| format!("; the revocation was answered with {reason}")))]
    NotRevoked {
        /// What it answers.
        found: String,
        /// Why it refused the revocation, if it did.
        refused: Option<String>,
    },
    /// A bug, also in a library or in the sandbox.
    #[error("a bug in gutterbatch at {place}: {reason}")]
    Bug {
        /// The part of the program.
        place: String,
        /// What is wrong.
        reason: String,
    },
}

impl From<CliError> for CommandError {
    fn from(error: CliError) -> Self {
        let sentence = error.to_string();
        let of = |kind| Self::new(kind, sentence);
        match error {
            CliError::AddressAndPart(part) => of(ErrorKind::Usage).hinted(format!("leave --map {part} out")),
            CliError::ImportStopped(stop) => {
                let kind = match stop {
                    ImportStop::AddressFlags(_) => ErrorKind::Usage,
                    ImportStop::AddressColumn { .. }
                    | ImportStop::ExchangedAddresses { .. }
                    | ImportStop::UnknownRejects
                    | ImportStop::HiddenRows(_)
                    | ImportStop::OtherPrefix { .. }
                    | ImportStop::PrefixOfSheet { .. } | ImportStop::IdsOfOtherTeam(_) => ErrorKind::Input,
                };
                of(kind).hinted(stop_hint(&stop))
            }
            CliError::HeadersChanged(_) => of(ErrorKind::Input),
            CliError::DayOutOfRange(_) => of(ErrorKind::Usage).hinted("give a day before the year 9999"),
            CliError::EmptyPeriod => of(ErrorKind::Usage).hinted("for instance --completed-from 2026-10-01 --completed-to 2026-11-01"),
            CliError::NotOnStdout(_) => of(ErrorKind::Usage).hinted("name a file"),
            CliError::OfflineImages { .. } => of(ErrorKind::Usage).hinted(
                "for links, leave --images out; for the images and no other request, write --refresh never instead of --offline",
            ),
            CliError::ImagesNotEmbedded => of(ErrorKind::Usage).hinted(
                "name an .xlsx, without --for; for pictures as files in a folder beside it, write --images download",
            ),
            CliError::FormatContradicts { .. } => of(ErrorKind::Usage).hinted("leave --format out, or give the file the extension of that format"),
            CliError::NoFormat => of(ErrorKind::Usage).hinted("choose --format csv, json or ndjson"),
            CliError::ReplacesOwnSheet { example } => of(ErrorKind::File).hinted(format!("for instance: {example}")),
            CliError::OtherKindThanOwnSheet { example, .. } => of(ErrorKind::Usage).hinted(format!("for instance: {example}")),
            CliError::Reserve { rate, .. } => of(ErrorKind::Usage).hinted(format!("reserve less than {}", rate.count)),
            CliError::TemplateFormat(_) => of(ErrorKind::Usage).hinted("for instance: gutterbatch template leads.xlsx"),
            CliError::NoProfile { profile, known } if known.is_empty() => {
                let connect = shell::command(["connect", "--profile", &profile]);
                of(ErrorKind::Usage).hinted(format!("there is no profile besides `default` yet; `{connect}` creates it"))
            }
            CliError::NoProfile { profile, known } => {
                let near = nearest(&profile, known.iter().map(String::as_str));
                let connect = shell::command(["connect", "--profile", &profile]);
                of(ErrorKind::Usage).hinted(format!("{}the profiles are {}; `{connect}` makes another", did_you_mean(near), known.join(", ")))
            }
            CliError::NoHome => of(ErrorKind::Usage).hinted("set GUTTERBATCH_HOME to a folder for settings, journal and token"),
            CliError::Unset { setting: ConnectionSetting { flag, variable, .. }, .. } => of(ErrorKind::Settings).hinted(format!("connect once with `gutterbatch connect`, or give {flag} or {variable}")),
            CliError::NotGiven(settings) if settings.len() == 1 => {
                let ConnectionSetting { flag, variable, .. } = settings[0];
                of(ErrorKind::Usage).hinted(format!("give it with {flag} or {variable}"))
            }
            CliError::NotGiven(settings) => {
                let lines = settings.iter().map(|ConnectionSetting { what, flag, variable, .. }| format!("{what}: {flag} or {variable}"));
                of(ErrorKind::Usage).hinted(lines.collect::<Vec<_>>().join("\n"))
            }
            CliError::NoSecret(_) => of(ErrorKind::Usage).hinted("put the client secret of the app into that file, and nothing else"),
            CliError::InvalidToken(_) => of(ErrorKind::Usage).hinted("a token is one word of plain characters: gutterbatch connect --token-stdin < token.txt"),
            CliError::NoExternalId { near, .. } => {
                let flags = match &near[..] {
                    [near] => vec![vec![SuggestedFlag::new("--id", near)]],
                    _ => Vec::new(),
                };
                let similar = match near.len() {
                    0 | 1 => String::new(),
                    _ => format!("similar ids: {}; ", first_of(near.iter(), 3, ", ")),
                };
                let hint = format!("{similar}give the id with its --id-prefix; a row that was never submitted is shown by `gutterbatch check FILE` only");
                Self { flags, ..of(ErrorKind::Usage).hinted(hint) }
            }
            CliError::InvalidSetting { .. } => of(ErrorKind::Settings).hinted("correct the value in that file, or remove the line"),
            CliError::File { source, .. } | CliError::Stdout(source) => of(ErrorKind::File).hinted_by(&source),
            CliError::TemplateExists(_) => of(ErrorKind::File).hinted("give another name, or move the file away"),
            CliError::FolderNotEmpty(_) => of(ErrorKind::File).hinted("nothing was changed; keep the rehearsal in a new folder"),
            CliError::NeededFile { .. } => of(ErrorKind::File).hinted("name another path"),
            CliError::System { .. } => of(ErrorKind::File).hinted("close other programs or raise the limit of processes (ulimit -u), and run the same command again to resume"),
            CliError::NoHiddenInput(_) => of(ErrorKind::File).hinted("use a file, a pipe or the environment instead"),
            CliError::Interrupted(exit) => of(of_signal(exit)).hinted("nothing is lost; run the same command again to resume"),
            CliError::ConnectDeclined => of(ErrorKind::Declined).hinted("nothing was changed; another team needs a profile of its own: gutterbatch connect --profile NAME"),
            CliError::QuestionNotShown { command, .. } => of(ErrorKind::Usage).hinted(format!("look at them with --dry-run, then add --yes: {command}")),
            CliError::NotConnected(profile) => {
                let words = ["connect", "--profile", &profile];
                let words = if profile == "default" { &words[..1] } else { &words };
                of(ErrorKind::NotConnected).hinted(format!("`{}`, or set {TOKEN_VARIABLE}", shell::command(words)))
            }
            CliError::OtherAddress { .. } => of(ErrorKind::OtherAccount).hinted("remove the other address from the flags and the environment, or use a profile per service: --profile NAME"),
            CliError::AccountsDiffer => of(ErrorKind::UnexpectedResponse).hinted("check the service's address, and give the right one with --base-url URL"),
            CliError::NotRevoked { .. } => of(ErrorKind::UnexpectedResponse).hinted("disconnect the app in the team's settings in the service"),
            CliError::Bug { .. } => of(ErrorKind::Bug).hinted("the journal has a record of everything that was done; run the same command again to resume"),
        }
    }
}

/// The kind of a run that a signal with this exit code ended.
fn of_signal(exit: ExitStatus) -> ErrorKind {
    match exit {
        ExitStatus::Terminated => ErrorKind::Terminated,
        _ => ErrorKind::Interrupted,
    }
}

/// The names with their verb: `client id is`, or `client id and client secret are`.
fn names_of(settings: &[ConnectionSetting]) -> String {
    let names: Vec<&str> = settings.iter().map(|setting| setting.what).collect();
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", joined_with_and(&names))
}

pub(in crate::cli) fn did_you_mean(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!("did you mean `{near}`? "))
}

/// How to tell an import which rows are meant.
pub(in crate::cli) fn stop_hint(stop: &ImportStop) -> String {
    match stop {
        ImportStop::AddressFlags(FlagChange { now, .. }) => format!(
            "leave {now} out to read the file as before; if the other houses are really meant, add --forget-reading"
        ),
        ImportStop::AddressColumn { .. } => {
            "export the file with the earlier column; if the other houses are really meant, add --forget-reading".to_owned()
        }
        ImportStop::ExchangedAddresses { .. } => {
            "if this sheet is wrong, export it again; if it is right, add --forget-reading and the other reading flags, such as --derive-id, and ask the contractor to cancel the earlier requests".to_owned()
        }
        ImportStop::UnknownRejects => {
            "import the rejects of each sheet in a file of their own, with the journal or profile that wrote them, or give the flags of that import, such as --id-prefix; to send its rows as those of a new file, add --forget-reading".to_owned()
        }
        ImportStop::OtherPrefix { before, now, .. } => {
            format!("if the prefix is wrong, add {}; to send the other rows all the same, add {}", prefix_flag(before), prefix_flag(now))
        }
        ImportStop::PrefixOfSheet { is_taken: true, .. } => format!(
            "its ids are taken with that prefix: add --id-prefix TEXT, with a text for this sheet; to send it without a prefix, add {}", prefix_flag("")
        ),
        ImportStop::PrefixOfSheet { prefix, .. } => format!(
            "if this sheet has ids of the same kind, add {}; to send it without a prefix, add {}", prefix_flag(prefix), prefix_flag("")
        ),
        ImportStop::IdsOfOtherTeam(_) => {
            "ids are unique in an app: add --id-prefix TEXT, with a text for this team, for instance --id-prefix main-".to_owned()
        }
        ImportStop::HiddenRows(_) => {
            "add --visible-only, or to include them --forget-reading and the other reading flags again".to_owned()
        }
    }
}

fn prefix_flag(prefix: &str) -> String {
    shell::quoted(&format!("--id-prefix={prefix}")).into_owned()
}
