//! `man`: prints the manual page of the program, or writes one page per command.

use std::fmt::{Display, Write as _};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Command;
use clap_mangen::Man;

use crate::cli::context::Context;
use crate::cli::document::report;
use crate::cli::{CommandError, ExitStatus, command};
use crate::sheet;

/// Print the manual page, or write a page for each command
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gutterbatch man | man -l -
  gutterbatch man ~/.local/share/man/man1")]
pub(super) struct Args {
    /// The folder to write pages into
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// The environment variables, with what they set.
const ENVIRONMENT: &str = "GUTTERBATCH_HOME: one folder for settings, journals and tokens
GUTTERBATCH_PROFILE: the profile (--profile)
GUTTERBATCH_BASE_URL: the service's address (--base-url)
GUTTERBATCH_SERVICE_VERSION: the service's version (--service-version)
GUTTERBATCH_CLIENT_ID: the app's client id (--client-id)
GUTTERBATCH_CLIENT_SECRET: the app's client secret
GUTTERBATCH_TOKEN: a token that replaces the saved one
NO_COLOR: if it is set, no color is used
HTTPS_PROXY: the proxy for the service
NO_PROXY: hosts that are reached without the proxy
SSL_CERT_FILE: certificates that are trusted in addition";

/// The day of the version, which the foot of each page shows.
const VERSION_DATE: &str = "2026-11-26";

/// The files below the folder of `GUTTERBATCH_HOME`.
const FILES: &str = "config.toml: the settings, one section for each profile
journals/PROFILE.db: the journal: every row, request and measurement
journals/PROFILE.db.seals: the record of the sealed exports
secrets/PROFILE.json: the token, unless it is in the keychain";

/// Where the files are.
const FOLDER_OF_FILES: &str = ".PP
They are in the folder of \\fBGUTTERBATCH_HOME\\fR; without it, in this user's folders for settings and for data.
\\fBgutterbatch status\\fR prints their paths.
";

pub(super) fn run(args: Args, context: &Context) -> Result<ExitStatus, CommandError> {
    let program = program_with_help();
    let (page, written) = match args.folder {
        None => {
            let page = page(&program)
                .map_err(|error| CommandError::file("write", Path::new("-"), error))?;
            context.console.print(&page)?;
            (Some(page), None)
        }
        Some(folder) => {
            write_pages(&program, &folder)
                .map_err(|error| CommandError::file("write", &folder, error))?;
            context
                .console
                .info(&format!("wrote the manual pages to {}", folder.display()));
            (None, Some(folder.display().to_string()))
        }
    };
    let report = report! {"man", ExitStatus::Done; page: page, written: written};
    context.console.json(&report)?;
    Ok(ExitStatus::Done)
}

/// The command line with the help of every flag. `-h` leaves most of it out, and the pages would too.
fn program_with_help() -> Command {
    let with_help = |command: Command| command.mut_args(|argument| argument.hide_short_help(false));
    let program = with_help(command()).mut_subcommands(with_help);
    let mut program = program.disable_help_subcommand(true);
    program.build();
    program
}

fn write_pages(program: &Command, folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for command in std::iter::once(program).chain(program.get_subcommands()) {
        let path = folder.join(Man::new(command.clone()).get_filename());
        let is_page = |file: Vec<u8>| String::from_utf8_lossy(&file).contains(".TH gutterbatch");
        let is_file = path.symlink_metadata().is_ok_and(|entry| entry.is_file());
        if is_file && !std::fs::read(&path).is_ok_and(is_page) {
            let reason = format!("{} is not a page of this manual", path.display());
            return Err(io::Error::other(reason));
        }
        let mut file = sheet::shared_temporary_file(folder)?;
        file.write_all(page(command)?.as_bytes())?;
        sheet::sync_and_rename(file, &path)?;
    }
    Ok(())
}

/// The page of a command.
fn page(command: &Command) -> io::Result<String> {
    let man = Man::new(command.clone())
        .date(VERSION_DATE)
        .source(concat!("gutterbatch ", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    page.write_all(synopsis(command).as_bytes())?;
    man.render_description_section(&mut page)?;
    let mut options = Vec::new();
    man.render_options_section(&mut options)?;
    let options = String::from_utf8_lossy(&options);
    page.write_all(with_arguments_first(&options).as_bytes())?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    let codes = ExitStatus::MEANINGS.iter();
    let codes = codes.map(|(exit, meaning)| (exit.code(), *meaning));
    page.write_all(definitions("\"EXIT STATUS\"", codes).as_bytes())?;
    for (title, terms) in [("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES)] {
        let terms = terms.lines().filter_map(|line| line.split_once(": "));
        page.write_all(definitions(title, terms).as_bytes())?;
    }
    page.write_all(FOLDER_OF_FILES.as_bytes())?;
    page.write_all(examples(command).as_bytes())?;
    page.write_all(see_also(command).as_bytes())?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

/// The options with the arguments, such as `<FILE>`, in front of the flags.
fn with_arguments_first(options: &str) -> String {
    let title = ".SH OPTIONS\n";
    let (before, own) = options.split_once(title).unwrap_or((options, ""));
    let (own, groups) = own.split_at(own.find(".SH ").unwrap_or(own.len()));
    let paragraphs = own.split(".TP\n").filter(|text| !text.is_empty());
    let (flags, arguments): (Vec<&str>, Vec<&str>) =
        paragraphs.partition(|text| text.starts_with("\\fB\\-"));
    let sorted = [arguments, flags].concat().join(".TP\n");
    format!("{before}{title}.TP\n{sorted}{groups}")
}

/// The usage in one line; the options follow in their own section.
fn synopsis(command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").trim();
    format!(".SH SYNOPSIS\n{}\n", escaped(usage))
}

/// A section with a paragraph for each term.
fn definitions<T: Display>(
    title: &str,
    terms: impl IntoIterator<Item = (T, &'static str)>,
) -> String {
    let mut section = format!(".SH {title}\n");
    for (term, meaning) in terms {
        // Writing to a string cannot fail.
        let _ = writeln!(
            section,
            ".TP\n\\fB{}\\fR\n{}",
            escaped(&term.to_string()),
            escaped(meaning)
        );
    }
    section
}

/// The examples of the command's help.
fn examples(command: &Command) -> String {
    let long = command.get_after_long_help();
    let help = long.or(command.get_after_help()).map(ToString::to_string);
    let lines: Vec<String> = help
        .iter()
        .flat_map(|help| help.lines().skip(1))
        .take_while(|line| line.starts_with("  "))
        .map(|line| escaped(line.trim_start()))
        .collect();
    format!(".SH EXAMPLES\n.nf\n{}\n.fi\n", lines.join("\n"))
}

/// The other pages.
fn see_also(command: &Command) -> String {
    let pages: Vec<String> = if command.has_subcommands() {
        let names = command.get_subcommands().map(Command::get_name);
        names.map(|name| format!("gutterbatch-{name}")).collect()
    } else {
        vec!["gutterbatch".to_owned()]
    };
    let pages: Vec<String> = pages
        .iter()
        .map(|page| format!("\\fB{}\\fR(1)", escaped(page)))
        .collect();
    format!(".SH \"SEE ALSO\"\n{}\n", pages.join(", "))
}

/// Text as roff reads it back.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    // A line that starts with a dot or a quote would be a request.
    match text.chars().next() {
        Some('.' | '\'') => format!("\\&{text}"),
        _ => text,
    }
}
