//! The texts in the sources of which warnings, notes, questions, progress, reports and problems of cells are composed,
//! in one file to review, `texts.snap`; and the help of the commands in another, `help.snap`. The sentences of errors are
//! in `sentences.snap`.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use clap::Arg;
use clap::builder::PossibleValue;
use gutterbatch::cli::command;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Minimum number of words of a text that a person reads as a sentence or a part of one.
const MIN_WORDS: usize = 2;

/// Calls whose texts nobody sees unless the program itself is wrong.
const ASSERTIONS: [&str; 4] = ["expect", "assert", "debug_assert", "unreachable"];

/// Adds the texts of a file, without those of attributes, assertions and inline tests.
fn collect(tokens: TokenStream, texts: &mut Vec<String>) {
    let mut is_test = false;
    let mut before = String::new();
    for token in tokens {
        match &token {
            // `#[cfg(test)]` stands before a module in braces.
            TokenTree::Group(attribute) if matches!(before.as_str(), "#" | "#!") => {
                let attribute = attribute.stream().to_string();
                is_test |= attribute.starts_with("cfg") && attribute.contains("test");
            }
            TokenTree::Group(group) => {
                let is_block = group.delimiter() == Delimiter::Brace;
                let is_assertion = ASSERTIONS.contains(&before.trim_end_matches('!'));
                if !(is_assertion || is_test && is_block) {
                    collect(group.stream(), texts);
                }
                is_test &= !is_block;
            }
            TokenTree::Literal(literal) => {
                let source = literal.to_string();
                // A backslash at the end of a line joins it with the next one.
                let lines = source.split("\\\n").map(str::trim_start);
                let text = lines.collect::<String>();
                if text.starts_with(['"', 'r']) && is_sentence(&text) {
                    texts.push(text);
                }
            }
            TokenTree::Punct(_) | TokenTree::Ident(_) => {}
        }
        let is_macro = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '!');
        before = if is_macro {
            before + "!"
        } else {
            token.to_string()
        };
    }
}

fn is_sentence(text: &str) -> bool {
    const SQL: [&str; 8] = [
        "SELECT ", " FROM ", "INSERT ", "UPDATE ", "DELETE ", " WHERE ", "ORDER BY", "CREATE ",
    ];
    let is_word = |word: &&str| word.chars().any(char::is_lowercase);
    text.split_whitespace().filter(is_word).count() >= MIN_WORDS
        && !SQL.iter().any(|word| text.contains(word))
}

/// The source files below a folder, in order.
fn sources(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    let files = entries.into_iter().flat_map(|path| {
        if path.is_dir() {
            sources(&path)
        } else {
            vec![path]
        }
    });
    // Files of cases have inputs of tests, and the list of street types has words of addresses.
    let is_source = |path: &std::path::PathBuf| {
        let name = path.to_string_lossy();
        name.ends_with(".rs") && !name.ends_with("cases.rs") && !name.ends_with("street_types.rs")
    };
    files.filter(is_source).collect()
}

/// The help of a flag or an argument, and of its values.
fn help_of(argument: &Arg) -> Option<String> {
    let help = argument.get_long_help().or_else(|| argument.get_help())?;
    let values = argument.get_possible_values();
    let help_of_value =
        |value: &PossibleValue| Some(format!("\n  {}: {}", value.get_name(), value.get_help()?));
    let values: String = values.iter().filter_map(help_of_value).collect();
    Some(format!("{}: {help}{values}", argument.get_id()))
}

#[test]
fn every_help_text_is_reviewed() {
    let program = command();
    let mut table = String::new();
    // The flags of several commands are listed with the first of them.
    let mut listed = HashSet::new();
    for command in std::iter::once(&program).chain(program.get_subcommands()) {
        let about = command.get_long_about().or_else(|| command.get_about());
        let after = command.get_after_long_help().map(ToString::to_string);
        let after = after.unwrap_or_default();
        let examples = after.split("\n\nExit codes:").next().unwrap();
        writeln!(table, "\n# {}\n{}", command.get_name(), about.unwrap()).unwrap();
        for help in command.get_arguments().filter_map(help_of) {
            if listed.insert(help.clone()) {
                writeln!(table, "{help}").unwrap();
            }
        }
        writeln!(table, "{examples}").unwrap();
    }
    insta::with_settings!({snapshot_path => ".", prepend_module_to_snapshot => false, omit_expression => true}, {
        insta::assert_snapshot!("help", table);
    });
}

#[test]
fn every_text_in_the_sources_is_reviewed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut table = String::new();
    for path in sources(&root) {
        let source = fs::read_to_string(&path).unwrap();
        let mut texts = Vec::new();
        collect(source.parse().unwrap(), &mut texts);
        if texts.is_empty() {
            continue;
        }
        let name = path.strip_prefix(&root).unwrap().to_string_lossy();
        writeln!(table, "\n# {}", name.replace('\\', "/")).unwrap();
        for text in texts {
            writeln!(table, "{text}").unwrap();
        }
    }
    insta::with_settings!({snapshot_path => ".", prepend_module_to_snapshot => false, omit_expression => true}, {
        insta::assert_snapshot!("texts", table);
    });
}
