//! `rehearse`: the whole job against a sandbox inside the process, through the code of the real commands.

mod arguments;
mod environment;
mod rough;
mod rough_report;
mod service;
mod text;

use std::path::PathBuf;

use serde_json::Value;

use crate::cli::context::Context;
use crate::cli::reading::{FileArgs, ReadingArgs};
use crate::cli::{CommandError, ExitStatus, export, import};
use crate::export::refuse_protected;
use crate::sandbox::Rate;

use environment::RehearsalEnvironment;
use rough_report::RoughReport;

/// Run the whole job against a stand-in: connect, import, contractor, export; nothing is sent to the service
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gutterbatch rehearse samples/leads.csv -o results.xlsx
  gutterbatch rehearse leads.xlsx -o results.xlsx --rough       with faults and kills
  gutterbatch rehearse leads.csv -o results.xlsx --keep ./seen  and keep the journal to look at")]
pub(super) struct Args {
    #[command(flatten)]
    file: FileArgs,

    /// The workbook, or the .csv, .json or .ndjson file, to write
    #[arg(short, long, value_name = "OUT.xlsx")]
    output: PathBuf,

    /// Keep journal, settings and rejects in this folder
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,

    /// Inject faults and kill the importing process repeatedly; then count the rows lost and doubled
    #[arg(long)]
    rough: bool,

    /// Seed for roofs, faults and kills
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Quota of the stand-in; with 600/6s an hour lasts six seconds
    #[arg(long, value_name = "COUNT/WINDOW", default_value = "600/6s")]
    rate: Rate,

    #[command(flatten)]
    reading: ReadingArgs,
}

/// What a rehearsal ends with.
struct RehearsalEnd {
    import: Value,
    export: Value,
    reckoning: Option<RoughReport>,
}

pub(super) fn run(mut args: Args, context: &Context) -> Result<ExitStatus, CommandError> {
    // The file is looked at before anything is started: a mistake there needs no sandbox to be told.
    let input = args.reading.with_remembered_reading(&args.file, context)?;
    refuse_protected(&args.output, None).map_err(|error| {
        CommandError::from(error).hinted("name another file with -o, or move that one away")
    })?;
    let checked = crate::import::check(&input, |_| {})?;
    let scene = RehearsalEnvironment::set(&args, &input, context)?;
    scene.connect()?;
    let (import, exit, reckoning) = if args.rough {
        let rough = rough::import(
            &args,
            &scene,
            rough::RehearsedSheet {
                input: &input,
                checked: &checked,
            },
        )?;
        (rough.import, rough.exit, Some(rough.reckoning))
    } else {
        let (import, exit) = submit(&args, &scene)?;
        (import, exit, None)
    };
    let export = results(&args, &scene)?;
    scene.end();
    let rehearsed = RehearsalEnd {
        import,
        export,
        reckoning,
    };
    context.console.json(&text::document(&args, &rehearsed))?;
    context.console.answer(&text::text(&args, &rehearsed))?;
    if let Some(advice) = text::advice(&args, &rehearsed) {
        context.console.hint(&advice);
    }
    Ok(rehearsed
        .reckoning
        .filter(|reckoning| !reckoning.is_sound())
        .map_or(exit, |_| ExitStatus::Bug))
}

/// The import, through the code of the command.
fn submit(args: &Args, scene: &RehearsalEnvironment) -> Result<(Value, ExitStatus), CommandError> {
    let line = arguments::import(args, scene);
    let (inner, gathered) = scene.context();
    let exit = import::run(arguments::parsed(&line)?, &inner)?;
    Ok((arguments::only(gathered.take()), exit))
}

/// The contractor works meanwhile; the export asks until all is final.
fn results(args: &Args, scene: &RehearsalEnvironment) -> Result<Value, CommandError> {
    let line = arguments::export(args);
    let (inner, gathered) = scene.context();
    export::run(arguments::parsed(&line)?, &inner)?;
    Ok(arguments::only(gathered.take()))
}
