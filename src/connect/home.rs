//! Where settings, journals and secrets live: one folder of the user's choice, else the platform's usual places.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

/// The folders of this user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HomeFolders {
    config: PathBuf,
    data: PathBuf,
    layout: FolderLayout,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FolderLayout {
    OneFolder,
    Platform,
}

impl HomeFolders {
    /// Everything in one folder, as `GUTTERBATCH_HOME` asks.
    pub fn in_folder(folder: &Path) -> Self {
        Self {
            config: folder.to_owned(),
            data: folder.to_owned(),
            layout: FolderLayout::OneFolder,
        }
    }

    /// The platform's usual places; none where the user has no home folder, or one that depends on where a command is
    /// run: a token would be left behind in every such place.
    pub fn of_platform() -> Option<Self> {
        let places = etcetera::choose_base_strategy().ok()?;
        let home = Self {
            config: places.config_dir().join("gutterbatch"),
            data: places.data_dir().join("gutterbatch"),
            layout: FolderLayout::Platform,
        };
        (home.config.is_absolute() && home.data.is_absolute()).then_some(home)
    }

    /// Whether the user asked for one folder with everything in it.
    pub fn is_one_folder(&self) -> bool {
        self.layout == FolderLayout::OneFolder
    }

    /// The settings file, with a section a profile.
    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// A profile's journal, where no flag or setting names another.
    pub fn journal(&self, profile: &str) -> PathBuf {
        self.data.join("journals").join(format!("{profile}.db"))
    }

    /// The folder of the secrets that no keychain holds; private to the user.
    pub fn secrets(&self) -> PathBuf {
        self.data.join("secrets")
    }
}

/// Whether a text can name a profile: it becomes part of file names and of the settings file.
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
