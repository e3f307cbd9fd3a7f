//! The hint about rows whose house was requested before, for `check` and `import`.

use crate::cli::shell;
use crate::import::RowOutcomes;
use crate::model::counted;

/// The hint; none without such rows. `rejects` are the path of the rejects and the command that imports them, `import` is the
/// command that imports the file, `with_prefix` the present one with the earlier prefix.
pub(super) fn hint(
    rows: &RowOutcomes,
    earlier_prefix: Option<&str>,
    rejects: Option<(&str, &str)>,
    (with_prefix, import): (&str, &str),
) -> Option<String> {
    let held = rows.held().len() as u64;
    if held == 0 {
        return None;
    }
    if let Some(prefix) = earlier_prefix {
        let all = format!("all {} were requested before", counted(held, "row"));
        return Some(match prefix {
            "" => format!("{all} without a prefix: {with_prefix}"),
            prefix => format!("{all} with the prefix {prefix}: {with_prefix}"),
        });
    }
    let (verb, them) = if held == 1 {
        ("is", "it")
    } else {
        ("are", "them")
    };
    let in_file = rows
        .held()
        .values()
        .filter(|earlier| earlier.state.is_none());
    let because = match (in_file.count() as u64, held) {
        (0, 1) => "its house was requested before",
        (0, _) => "their houses were requested before",
        (1, 1) => "it is the same house as another row of this file",
        (in_file, _) if in_file == held => "they are the same houses as other rows of this file",
        _ => "their houses were requested before or are those of other rows of this file",
    };
    let decide = match rejects {
        Some((path, command)) => format!(
            "type send (the house is requested once more) or skip into the column same_house of {} and import it with `{command}`",
            shell::quoted(path)
        ),
        None => format!(
            "`{import}` writes {them} to the rejects with a column same_house, which takes send or skip"
        ),
    };
    Some(format!(
        "{} {verb} not sent because {because}: {decide}",
        counted(held, "row")
    ))
}
