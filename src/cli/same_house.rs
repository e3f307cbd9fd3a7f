//! What to do about rows that are held as the same house, for `check` and `import`.

use crate::cli::shell;
use crate::import::Rows;
use crate::model::counted;

/// The hint; none where no row is held.
pub(super) fn hint(
    rows: &Rows,
    earlier_prefix: Option<&str>,
    rejects: Option<&str>,
    command_line: &str,
) -> Option<String> {
    let held = rows.held().len() as u64;
    if held == 0 {
        return None;
    }
    if let Some(prefix) = earlier_prefix {
        let all = format!("all {} were requested before", counted(held, "row"));
        return Some(match prefix {
            "" => format!("{all} without a prefix: {command_line} --id-prefix ''"),
            prefix => format!(
                "{all} with the prefix {prefix}: {command_line} --id-prefix {}",
                shell::quoted(prefix)
            ),
        });
    }
    let (verb, noun) = if held == 1 {
        ("was", "its house")
    } else {
        ("were", "their houses")
    };
    let decide = match rejects {
        Some(path) => format!("type send or skip into the column same_house of {path} and import it"),
        None => "`gutterbatch import` writes them to the rejects with a column same_house, which takes send or skip".to_owned(),
    };
    Some(format!(
        "{} {verb} not sent because {noun} {verb} requested before: {decide}, or send all with --allow-same-house",
        counted(held, "row")
    ))
}
