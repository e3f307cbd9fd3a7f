//! Writes settings into the profile's section of `config.toml`, and keeps everything else in the file unchanged.

use std::io;
use std::path::Path;

use toml_edit::{DocumentMut, Item, Table, value};

use crate::connect::{Error, private};
use crate::sheet;

/// Sets keys in `[profile.NAME]`; other keys, sections, comments and their order stay.
///
/// # Errors
/// [`Error::Config`] if the file is not TOML, or `profile` or `profile.NAME` is not a section; [`Error::File`].
pub fn save_settings(file: &Path, profile: &str, settings: &[(&str, &str)]) -> Result<(), Error> {
    let text = read_edited(file, profile, settings)?;
    at_target(file, |target| sheet::replace_file(target, text.as_bytes()))
}

/// Verifies that settings of the profile can be saved, and creates only the folder.
///
/// # Errors
/// As [`save_settings`].
pub fn check_settings_writable(file: &Path, profile: &str) -> Result<(), Error> {
    read_edited(file, profile, &[])?;
    at_target(file, private::check_writable)
}

/// Reads the settings file; `None` if there is no file. A file that is not regular is refused, since reading a pipe could
/// block.
///
/// # Errors
/// What the system said, or [`io::ErrorKind::IsADirectory`] or [`io::ErrorKind::InvalidInput`] if it is not a regular
/// file.
pub fn read_config(file: &Path) -> io::Result<Option<String>> {
    let file = match sheet::open_regular(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    match io::read_to_string(file) {
        // PowerShell writes UTF-16.
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(io::Error::new(
            error.kind(),
            "its encoding is not UTF-8; save it in that encoding",
        )),
        read => read.map(Some),
    }
}

/// The edited text of the file.
fn read_edited(file: &Path, profile: &str, settings: &[(&str, &str)]) -> Result<String, Error> {
    let text = read_config(file)
        .map_err(|source| failed("read", file, source))?
        .unwrap_or_default();
    edited(&text, profile, settings).map_err(|reason| Error::Config {
        path: file.to_owned(),
        reason,
    })
}

/// Writes to the target of `file`, so that a symbolic link stays one.
fn at_target<T>(file: &Path, write: impl FnOnce(&Path) -> io::Result<T>) -> Result<T, Error> {
    let target = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let folder = target.parent().unwrap_or(Path::new("."));
    private::make_folder(folder)
        .and_then(|()| write(&target))
        .map_err(|source| failed("write", file, source))
}

fn failed(doing: &'static str, file: &Path, source: io::Error) -> Error {
    Error::File {
        doing,
        path: file.to_owned(),
        source,
    }
}

fn edited(text: &str, profile: &str, settings: &[(&str, &str)]) -> Result<String, String> {
    let mut document: DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| error.message().to_owned())?;
    let profiles = document
        .entry("profile")
        .or_insert_with(|| {
            let mut table = Table::new();
            // `[profile]` itself has no keys, so its header is not written.
            table.set_implicit(true);
            Item::Table(table)
        })
        .as_table_like_mut()
        .ok_or("`profile` is not a section")?;
    let section = profiles
        .entry(profile)
        .or_insert_with(|| Item::Table(Table::new()))
        .as_table_like_mut()
        .ok_or_else(|| format!("`profile.{profile}` is not a section"))?;
    for (key, setting) in settings {
        match section.get_mut(key).and_then(Item::as_value_mut) {
            Some(old) => {
                // Keeps the comment behind the value.
                let decor = old.decor().clone();
                *old = (*setting).into();
                *old.decor_mut() = decor;
            }
            None => {
                section.insert(key, value(*setting));
            }
        }
    }
    Ok(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_gets_the_section_alone() {
        let settings = [("base-url", "https://s.example"), ("client-id", "app")];
        insta::assert_snapshot!(edited("", "default", &settings).unwrap(), @r#"
        [profile.default]
        base-url = "https://s.example"
        client-id = "app"
        "#);
    }

    #[test]
    fn everything_else_stays_as_its_owner_wrote_it() {
        let text = "# ours\n[profile.\"a.b\"]\nrate = '600/1h' # team\nbase-url = \"https://old\" # prod\n\n[profile.other]\nx = 1\n";
        let settings = [("base-url", "https://new"), ("client-id", "app")];
        insta::assert_snapshot!(edited(text, "a.b", &settings).unwrap(), @r#"
        # ours
        [profile."a.b"]
        rate = '600/1h' # team
        base-url = "https://new" # prod
        client-id = "app"

        [profile.other]
        x = 1
        "#);
    }

    #[test]
    fn a_file_of_another_shape_is_left_alone() {
        for text in ["profile = 1", "[profile]\ndefault = 2", "not toml"] {
            assert!(
                edited(text, "default", &[("base-url", "x")]).is_err(),
                "{text}"
            );
        }
    }
}
