//! `rehearse`: the whole job against a sandbox inside the process, by the real commands in processes of their own.
//!
//! Without a file it uses a built-in sample.

mod commands;
mod environment;
mod report;
mod rough;
mod rough_report;

use std::path::{Path, PathBuf};

use crate::cli::context::Context;
use crate::cli::reading::ReadingArgs;
use crate::cli::{CliError, CommandError, ExitStatus};
use crate::export::refuse_protected;
use crate::sandbox::Rate;

use environment::{RehearsalEnvironment, RehearsedSheet};
use report::RehearsalReport;

/// Run the whole job against a stand-in: connect, import, contractor, export; nothing is sent to the service
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gutterbatch rehearse
  gutterbatch rehearse leads.xlsx
  gutterbatch rehearse leads.csv -o results.xlsx --rough")]
pub(super) struct Args {
    /// The spreadsheet; `-` reads CSV from standard input; without it, a built-in sample is used
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// The .xlsx, .csv, .json or .ndjson file to write [default: FILE with .rehearsal.xlsx]
    #[arg(short, long, value_name = "OUT")]
    pub(super) output: Option<PathBuf>,

    /// Keep journal, settings and rejects in this folder, which must be new or empty
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,

    /// Inject faults, kill the import repeatedly, and count rows lost and doubled
    #[arg(long)]
    rough: bool,

    /// Seed for roofs, faults and kills
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Quota of the stand-in; 600/6s allows 600 requests in six seconds
    #[arg(long, value_name = "COUNT/WINDOW", default_value = "600/6s")]
    rate: Rate,

    #[command(flatten)]
    reading: ReadingArgs,
}

pub(super) fn run(args: Args, context: &Context) -> Result<ExitStatus, CommandError> {
    rehearse(args, context).map_err(|failure| match failure.exit() {
        ExitStatus::Interrupted | ExitStatus::Terminated => failure
            .hinted("nothing was sent to the service; the same command starts from the beginning"),
        _ => failure,
    })
}

fn rehearse(mut args: Args, context: &Context) -> Result<ExitStatus, CommandError> {
    let folder_of_sample;
    let file = if let Some(file) = &args.file {
        file.clone()
    } else {
        folder_of_sample = write_sample()?;
        folder_of_sample.path().join(SAMPLE_NAME)
    };
    // The file is read before the sandbox starts, so that an error in it is reported at once.
    let input = args.reading.with_remembered_reading(&file, context)?;
    let output = args.output.clone().unwrap_or_else(|| match &args.file {
        Some(file) => default_output(file),
        None => PathBuf::from("sample.rehearsal.xlsx"),
    });
    if output == Path::new("-") {
        return Err(CliError::NotOnStdout("a rehearsal").into());
    }
    refuse_protected(&output, None).map_err(|error| {
        CommandError::from(error).hinted("name another file with -o, or move that one away")
    })?;
    let checked = crate::import::check(&input, |_| {})?;
    let sheet = RehearsedSheet {
        input: &input,
        checked: &checked,
    };
    let environment = RehearsalEnvironment::start(&args, sheet, context)?;
    environment.connect()?;
    let (import, exit, rough) = if args.rough {
        let rough = rough::import(&args, &environment, sheet)?;
        (rough.import, rough.exit, Some(rough.report))
    } else {
        let (import, exit) = environment.run(&commands::import(&args, &environment))?;
        (import, exit, None)
    };
    let (export, _) = environment.run(&commands::export(&args, &output))?;
    environment.stop();
    let exit = match &rough {
        Some(rough) if !rough.is_sound() => ExitStatus::Bug,
        _ => exit,
    };
    let report = RehearsalReport {
        import,
        export,
        rough,
    };
    context.console.json(&report.document(exit))?;
    context
        .console
        .print_result(&report.text(args.file.as_deref(), &output))?;
    if let Some(folder) = &args.keep {
        let folder = folder.display();
        let kept = format!("journal, settings and rejects are kept in {folder}");
        context.console.info(&kept);
    }
    match (&args.file, report.advice(&args)) {
        (_, Some(advice)) => context.console.hint(&advice),
        (None, None) => context
            .console
            .next("use a spreadsheet of your own: gutterbatch rehearse leads.xlsx"),
        (Some(file), None) if file != Path::new("-") => {
            let check = args.reading.command("check", file);
            let next = format!("compare the sheet with what was requested before: {check}");
            context.console.next(&next);
        }
        (Some(_), None) => {}
    }
    Ok(exit)
}

/// The built-in sample: the same sheet as `samples/leads.csv`.
const SAMPLE_SHEET: &str = include_str!("../../../samples/leads.csv");
const SAMPLE_NAME: &str = "sample.csv";

/// Writes the sample into a folder that is removed when the value is dropped.
fn write_sample() -> Result<tempfile::TempDir, CommandError> {
    let temporary = std::env::temp_dir();
    let failed = |error| CommandError::file("write the sample in", &temporary, error);
    let folder = tempfile::tempdir().map_err(failed)?;
    std::fs::write(folder.path().join(SAMPLE_NAME), SAMPLE_SHEET).map_err(failed)?;
    Ok(folder)
}

/// `leads.rehearsal.xlsx` beside `leads.csv`; in the current folder for standard input.
fn default_output(file: &Path) -> PathBuf {
    if file == Path::new("-") {
        return PathBuf::from("standard-input.rehearsal.xlsx");
    }
    file.with_extension("rehearsal.xlsx")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_output_is_named_for_the_input() {
        let output = |file: &str| default_output(Path::new(file)).display().to_string();
        assert_eq!(output("in/leads.xlsx"), "in/leads.rehearsal.xlsx");
        assert_eq!(output("leads"), "leads.rehearsal.xlsx");
        assert_eq!(output("-"), "standard-input.rehearsal.xlsx");
    }
}
