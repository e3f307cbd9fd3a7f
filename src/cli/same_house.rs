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
        return Some(format!(
            "all {} were requested before {}: {with_prefix}",
            counted(held, "row"),
            with_or_without(prefix)
        ));
    }
    let in_file = rows.held().values();
    let in_file = in_file.filter(|earlier| earlier.state.is_none()).count() as u64;
    let because = match in_file {
        0 => "requested before",
        in_file if in_file == held => "that of another row of this file",
        _ => "requested before, or that of another row of this file",
    };
    let decide = match rejects {
        Some((path, command)) => format!(
            "type send (the house is requested once more) or skip into the column same_house of {} and import it with `{command}`",
            shell::quoted(path)
        ),
        None => format!(
            "`{import}` writes such rows to the rejects with a column same_house, which takes send or skip"
        ),
    };
    Some(format!(
        "{} not sent because the house was {because}: {decide}",
        counted(held, "row")
    ))
}

/// `with the prefix acme-`, or `without a prefix`.
pub(super) fn with_or_without(prefix: &str) -> String {
    match prefix {
        "" => "without a prefix".to_owned(),
        prefix => format!("with the prefix {prefix}"),
    }
}
