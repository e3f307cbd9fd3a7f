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

/// The command with a name of several words in quotes, if a command that writes a file has one: `export my bill.xlsx`.
pub(super) fn with_quoted_output(words: &[String]) -> Option<String> {
    let is_writer = |word: &String| ["export", "template"].contains(&word.as_str());
    let start = words.iter().position(is_writer)? + 1;
    let name = words[start..]
        .iter()
        .take_while(|word| !word.starts_with('-'));
    let name: Vec<&str> = name.map(String::as_str).collect();
    let (last, front) = name.split_last()?;
    let has_extension = |word: &&str| Path::new(word).extension().is_some();
    if front.is_empty() || front.iter().any(has_extension) || !has_extension(last) {
        return None;
    }
    let end = start + name.len();
    let words = [&words[..start], &[name.join(" ")], &words[end..]];
    Some(shell::command(words.concat()))
}

/// The only file in the same folder with the same name apart from case and extension, or with nearly the same name; of
/// several the nearest one.
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
    let similar = std::fs::read_dir(folder.unwrap_or(Path::new(".")))
        .ok()?
        .filter_map(|file| Some(file.ok()?.file_name()))
        .map(|name| folder.unwrap_or(Path::new("")).join(name))
        .filter(is_similar)
        .filter(|file| file.is_file());
    let mut similar: Vec<PathBuf> = similar.collect();
    if similar.len() > 1 {
        // Beside a list are its rejects and results.
        let typed = name.to_string_lossy();
        let slips = |file: &PathBuf| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            strsim::osa_distance(&name, &typed)
        };
        similar.retain(|file| file.extension() == path.extension());
        let least = similar.iter().map(slips).min()?;
        similar.retain(|file| slips(file) == least);
    }
    let first = similar.pop()?;
    similar.is_empty().then_some(first)
}
