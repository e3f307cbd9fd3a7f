//! Runs histories on all processors, and makes one that fails as short and simple as it can be while it still fails.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use super::plan::{DAMAGES, Plan, plan};
use super::steps::Step;
use super::world::{Held, World};

/// Failures that are looked into, unless `GUTTERBATCH_FAILURES` says how many; more would say the same.
const MOST_FAILURES: u64 = 5;

/// The number in an environment variable.
fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().expect("it is a number"))
}

/// The seeds to run: as many as a variable of the environment says, or the one of `GUTTERBATCH_SEED`.
pub(super) fn seeds(variable: &str, usual: u64) -> Range<u64> {
    if let Some(seed) = number("GUTTERBATCH_SEED") {
        return seed..seed + 1;
    }
    let from = number("GUTTERBATCH_FIRST_SEED").unwrap_or(0);
    from..from + number(variable).unwrap_or(usual)
}

/// Runs the histories of these seeds, and returns the failures as text.
pub(super) fn run_all(seeds: Range<u64>) -> Vec<String> {
    let most = number("GUTTERBATCH_FAILURES").unwrap_or(MOST_FAILURES);
    each_seed(seeds, most, |seed| {
        let plan = plan(seed);
        let (told, held) = run(&plan);
        if std::env::var_os("GUTTERBATCH_SEED").is_some() {
            show(&told.join("\n- "));
        }
        let text = failure(seed, plan, held.err()?);
        show(&text);
        Some(text)
    })
}

/// Runs a history that once failed.
pub(super) fn require_to_hold(plan: &Plan) {
    let (told, held) = run(plan);
    if let Err(fault) = held {
        panic!("{fault}, after\n- {}", told.join("\n- "));
    }
}

/// Runs each of the histories twice, and returns those that were different as text.
pub(super) fn run_twice(seeds: Range<u64>) -> Vec<String> {
    each_seed(seeds, MOST_FAILURES, |seed| {
        let (first, second) = (trace(seed), trace(seed));
        let text = || format!("seed {seed}: it is different the second time\n{first}\n\n{second}");
        (first != second).then(text)
    })
}

/// Runs `run` for each seed, on all processors, until it has found so much; returns what it finds.
fn each_seed<T: Send>(
    seeds: Range<u64>,
    most: u64,
    run: impl Fn(u64) -> Option<T> + Sync,
) -> Vec<T> {
    let next = Mutex::new(seeds);
    let found = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let has_enough = found.lock().unwrap().len() as u64 >= most;
                    let Some(seed) = next.lock().unwrap().next().filter(|_| !has_enough) else {
                        return;
                    };
                    let one = run(seed);
                    found.lock().unwrap().extend(one);
                }
            });
        }
    });
    found.into_inner().unwrap()
}

/// What a person would tell of the history of a seed.
fn trace(seed: u64) -> String {
    let (told, held) = run(&plan(seed));
    format!("{}\n{held:?}", told.join("\n- "))
}

/// Runs a history; returns what a person would tell of it.
fn run(plan: &Plan) -> (Vec<String>, Held) {
    let mut world = World::new(plan);
    let held = catch_unwind(AssertUnwindSafe(|| {
        for step in &plan.steps {
            world.take(step)?;
        }
        world.finish()
    }));
    let held = held.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!("panicked: {}", text.unwrap_or_default()))
    });
    (world.told, held)
}

/// The smallest history that is found and still fails, as text.
fn failure(seed: u64, plan: Plan, fault: String) -> String {
    let (plan, fault) = shrunk(plan, fault);
    let told = run(&plan).0.join("\n- ");
    let steps = plan.steps.len();
    let text = format!("seed {seed}: {fault}, after {steps} steps\n- {told}");
    format!("{text}\nas steps of {:?}: {:?}", plan.rows, plan.steps)
}

fn shrunk(mut plan: Plan, mut fault: String) -> (Plan, String) {
    while let Some((smaller, other)) = smaller(&plan) {
        (plan, fault) = (smaller, other);
    }
    (plan, fault)
}

/// A smaller history that fails too, and why.
fn smaller(plan: &Plan) -> Option<(Plan, String)> {
    let steps = 0..plan.steps.len();
    // A step may have written a file, which moves those after it.
    let shorter = steps.clone().rev().flat_map(|at| {
        let shorter = without(plan, &[at]);
        let moved = with_earlier_files(&shorter, at);
        [shorter, moved]
    });
    // What has to happen often happens in fewer steps with one house more, which gives later ones other numbers.
    let mut larger = plan.clone();
    larger.rows.push(0);
    let shorter_and_larger = steps.clone().rev().map(|at| without(&larger, &[at]));
    let simpler = steps.clone().flat_map(|at| {
        let simpler = plan.steps[at].simpler().into_iter();
        simpler.map(move |step| with(plan, at, step))
    });
    let pairs = || {
        let steps = steps.clone();
        steps.flat_map(|one| (0..one).map(move |other| [one, other]))
    };
    // Steps that undo each other go only together.
    let shorter_by_two = pairs().map(|pair| without(plan, &pair));
    // One step may do what two did.
    let merged = pairs().flat_map(|[one, other]| {
        let simplest = Step::simplest().into_iter();
        simplest.flat_map(move |step| {
            let later = with(plan, one, step.clone());
            [
                without(&later, &[other]),
                without(&with(plan, other, step), &[one]),
            ]
        })
    });
    let mut all = shorter
        .chain(with_simpler_rows(plan))
        .chain(shorter_and_larger)
        .chain(simpler)
        .chain(shorter_by_two)
        .chain(merged)
        .chain(with_damaged_rows(plan))
        .chain(with_damaged_rows(&larger));
    all.find_map(|smaller| {
        let fault = run(&smaller).1.err()?;
        Some((smaller, fault))
    })
}

/// Histories with one row less, or with one row that lacks nothing.
fn with_simpler_rows(plan: &Plan) -> impl Iterator<Item = Plan> {
    let with_rows = |rows: Vec<usize>| Plan {
        rows,
        ..plan.clone()
    };
    let fewer = plan
        .rows
        .split_last()
        .filter(|(_, others)| !others.is_empty());
    let fewer = fewer.map(|(_, others)| with_rows(others.to_vec()));
    let damaged = (0..plan.rows.len()).filter(|row| plan.rows[*row] > 0);
    let repaired = damaged.map(move |row| {
        let mut rows = plan.rows.clone();
        rows[row] = 0;
        with_rows(rows)
    });
    fewer.into_iter().chain(repaired)
}

/// Histories whose first sheet has the damage that one of their steps did to it.
fn with_damaged_rows(plan: &Plan) -> impl Iterator<Item = Plan> {
    let steps = (0..plan.steps.len()).rev();
    let whole = (0..plan.rows.len()).filter(|row| plan.rows[*row] == 0);
    let damaged = whole.flat_map(|row| DAMAGES.map(|damage| (row, damage)));
    steps.flat_map(move |at| {
        damaged.clone().map(move |(row, damage)| {
            let mut shorter = without(plan, &[at]);
            shorter.rows[row] = damage;
            shorter
        })
    })
}

/// A history whose steps from one on name the files before theirs.
fn with_earlier_files(plan: &Plan, from: usize) -> Plan {
    let mut moved = plan.clone();
    for step in &mut moved.steps[from..] {
        *step = step.with_earlier_file();
    }
    moved
}

/// A history with another step in the place of one.
fn with(plan: &Plan, at: usize, step: Step) -> Plan {
    let mut changed = plan.clone();
    changed.steps[at] = step;
    changed
}

/// A history without some steps, given from the last to the first.
fn without(plan: &Plan, steps: &[usize]) -> Plan {
    let mut shorter = plan.clone();
    for at in steps {
        shorter.steps.remove(*at);
    }
    shorter
}

/// Writes at once what would otherwise wait for the end of hours.
#[expect(clippy::print_stderr, reason = "the output of a test")]
fn show(text: &str) {
    eprintln!("{text}\n");
}
