//! Where settings, journals and secrets are stored: in one folder that the user names, otherwise in the platform's usual
//! folders.

use std::env;
use std::path::{Path, PathBuf};

/// The folders of this user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HomeFolders {
    config: PathBuf,
    data: PathBuf,
    is_one_folder: bool,
}

impl HomeFolders {
    /// All files in one folder, which `GUTTERBATCH_HOME` names.
    pub fn in_folder(folder: &Path) -> Self {
        Self {
            config: folder.to_owned(),
            data: folder.to_owned(),
            is_one_folder: true,
        }
    }

    /// The platform's usual folders; `None` if the user has no home folder or its path is relative: a token would be left
    /// behind in every folder where a command is run.
    pub fn from_platform() -> Option<Self> {
        // On Windows, settings and data follow the user to other machines; elsewhere they are where the XDG Base
        // Directory Specification puts them, on macOS too.
        let (config, data) = if cfg!(windows) {
            let roaming = user_folder("APPDATA", "AppData/Roaming")?;
            (roaming.clone(), roaming)
        } else {
            let config = user_folder("XDG_CONFIG_HOME", ".config")?;
            (config, user_folder("XDG_DATA_HOME", ".local/share")?)
        };
        let home = Self {
            config: config.join("gutterbatch"),
            data: data.join("gutterbatch"),
            is_one_folder: false,
        };
        (home.config.is_absolute() && home.data.is_absolute()).then_some(home)
    }

    /// Whether all files are in one folder.
    pub fn is_one_folder(&self) -> bool {
        self.is_one_folder
    }

    /// The settings file, with one section per profile.
    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// The default path of a profile's journal.
    pub fn journal(&self, profile: &str) -> PathBuf {
        self.data.join("journals").join(format!("{profile}.db"))
    }

    /// The folder for secrets that are not in a keychain; only its owner can read it.
    pub fn secrets(&self) -> PathBuf {
        self.data.join("secrets")
    }

    /// The file with a profile's account, and with its secrets if they are not in a keychain.
    pub fn secret_file(&self, profile: &str) -> PathBuf {
        self.secrets().join(format!("{profile}.json"))
    }
}

/// The folder that a variable names, or else a folder below the home folder. A relative path in the variable is ignored.
fn user_folder(variable: &str, default: &str) -> Option<PathBuf> {
    let named = env::var_os(variable).map(PathBuf::from);
    let named = named.filter(|folder| folder.is_absolute());
    named.or_else(|| Some(env::home_dir()?.join(default)))
}

/// Whether a text is a valid name of a profile, which becomes part of file names.
pub fn is_profile_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    (1..=64).contains(&name.len()) && name.chars().all(plain) && !name.starts_with(['.', '-'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_name_cannot_leave_its_folder() {
        for good in ["default", "acme-prod", "a.b_c", "7"] {
            assert!(is_profile_name(good), "{good}");
        }
        for bad in ["", ".", "..", "a/b", "a\\b", "-x", "é", &"x".repeat(65)] {
            assert!(!is_profile_name(bad), "{bad}");
        }
    }
}
