//! Files that the user may have meant by another name.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::cli::nearest::nearest;
use crate::cli::shell;

/// Maximum number of words of a command line that are searched for the name of a file.
const WORDS: usize = 20;

/// The command with a file name of several words in quotes, if there is such a file.
pub(super) fn with_quoted_file(words: &[String]) -> Option<String> {
    let words = &words[..words.len().min(WORDS)];
    let starts = 0..words.len();
    let mut ranges =
        starts.flat_map(|start| (start + 2..=words.len()).map(move |end| (start, end)));
    ranges.find_map(|(start, end)| {
        let name = words[start..end].join(" ");
        let is_file = Path::new(&name).is_file();
        let words = [&words[..start], &[name], &words[end..]];
        is_file.then(|| shell::command(words.concat()))
    })
}

/// The only file in the same folder with the same name apart from case and extension, or with nearly the same name.
pub(super) fn similar_file(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let [name, stem] = [path.file_name()?, path.file_stem()?];
    let is_similar = |file: &PathBuf| {
        let [other, other_stem] =
            [file.file_name(), file.file_stem()].map(Option::unwrap_or_default);
        let [near, to] = [stem, other_stem].map(OsStr::to_string_lossy);
        other.eq_ignore_ascii_case(name)
            || other_stem.eq_ignore_ascii_case(name)
            || other_stem.eq_ignore_ascii_case(stem)
            || file.extension() == path.extension() && nearest(&near, [&*to]).is_some()
    };
    let mut similar = std::fs::read_dir(folder.unwrap_or(Path::new(".")))
        .ok()?
        .filter_map(|file| Some(file.ok()?.file_name()))
        .map(|name| folder.unwrap_or(Path::new("")).join(name))
        .filter(is_similar)
        .filter(|file| file.is_file());
    let first = similar.next()?;
    similar.next().is_none().then_some(first)
}
