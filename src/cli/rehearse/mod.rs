//! `rehearse`: the whole job against a sandbox inside the process, through the code of the real commands.

mod page;
mod reckoning;
mod rough;
mod scene;
mod service;
mod words;

use std::path::PathBuf;

use serde_json::Value;

use crate::cli::context::Context;
use crate::cli::reading::{File, Reading};
use crate::cli::{Exit, Failure, export, import};
use crate::export::refuse_protected;
use crate::sandbox::Rate;

use reckoning::Reckoning;
use scene::Scene;

/// Run the whole job against a stand-in: connect, import, contractor, export; nothing is sent to the service
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  gutterbatch rehearse samples/leads.csv -o results.xlsx
  gutterbatch rehearse leads.xlsx -o results.xlsx --rough       with faults and kills
  gutterbatch rehearse leads.csv -o results.xlsx --keep ./seen  and keep the journal to look at")]
pub(super) struct Args {
    #[command(flatten)]
    file: File,

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
    reading: Reading,
}

/// What a rehearsal ends with.
struct Rehearsed {
    import: Value,
    export: Value,
    reckoning: Option<Reckoning>,
}

pub(super) fn run(mut args: Args, context: &Context) -> Result<Exit, Failure> {
    // The file is looked at before anything is started: a mistake there needs no sandbox to be told.
    let input = args.reading.as_before(&args.file, context)?;
    refuse_protected(&args.output, None).map_err(|error| {
        Failure::from(error).hinted("name another file with -o, or move that one away")
    })?;
    let checked = crate::import::check(&input, |_| {})?;
    let scene = Scene::set(&args, &input, context)?;
    scene.connect()?;
    let (import, exit, reckoning) = if args.rough {
        let rough = rough::import(
            &args,
            &scene,
            rough::Sheet {
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
    let rehearsed = Rehearsed {
        import,
        export,
        reckoning,
    };
    context.console.json(&page::document(&args, &rehearsed))?;
    context.console.answer(&page::text(&args, &rehearsed))?;
    if let Some(advice) = page::advice(&args, &rehearsed) {
        context.console.hint(&advice);
    }
    Ok(rehearsed
        .reckoning
        .filter(|reckoning| !reckoning.is_sound())
        .map_or(exit, |_| Exit::Bug))
}

/// The import, through the code of the command.
fn submit(args: &Args, scene: &Scene) -> Result<(Value, Exit), Failure> {
    let line = words::import(args, scene);
    let (inner, gathered) = scene.context();
    let exit = import::run(words::parsed(&line)?, &inner)?;
    Ok((words::only(gathered.take()), exit))
}

/// The contractor works meanwhile; the export asks until all is final.
fn results(args: &Args, scene: &Scene) -> Result<Value, Failure> {
    let line = words::export(args);
    let (inner, gathered) = scene.context();
    export::run(words::parsed(&line)?, &inner)?;
    Ok(words::only(gathered.take()))
}
