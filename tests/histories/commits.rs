//! A process that dies between two commits of its journal, wherever it reads no clock between them.
//!
//! Triggers of SQLite count the changed rows, and refuse the ones after them. The transaction is undone then, as if the
//! process had died before its commit, and the journal takes no other.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use gutterbatch::journal::Journal;
use rusqlite::Connection;

use super::computer::Computer;
use super::steps::Fate;
use super::virtual_time::{self, process};
use super::world::World;

impl Computer {
    /// Runs what a process does with the journal; `None` if it died.
    pub(super) fn process<T>(
        &self,
        run: impl FnOnce(&Arc<Journal>) -> Result<T, String>,
    ) -> Option<Result<T, String>> {
        let ended = process(|| {
            let journal = self.open_journal()?;
            let Some(rows) = self.refuses_after else {
                return run(&journal);
            };
            refuse_after(&self.journal, rows);
            let ended = run(&journal);
            // It changes nothing.
            if journal.remove_written(Vec::new()).is_err() {
                virtual_time::end_process();
            }
            ended
        });
        if self.refuses_after.is_some() {
            allow(&self.journal);
        }
        ended
    }
}

impl World {
    /// Undoes the rename of the only file that a process has written, if it is to die before that. An import commits
    /// nothing afterwards, and an export that has died at its next commit may have died before the rename as well. A
    /// person who sorts the file that stays may give it the very bytes that were prepared, which are the program's.
    pub(super) fn undo_rename(&mut self, fate: Fate, before: &BTreeMap<String, Vec<u8>>) -> bool {
        let is_wanted = fate.dies_committing.is_some_and(|rows| rows % 2 == 1);
        let after = self.files();
        let is_changed = |(name, content): &(&String, &Vec<u8>)| before.get(*name) != Some(content);
        let changed: Vec<&String> = after
            .iter()
            .filter(is_changed)
            .map(|(name, _)| name)
            .collect();
        let is_there = |name: &String| after.contains_key(name);
        let [name] = changed[..] else {
            return false;
        };
        if !is_wanted || !before.keys().all(is_there) {
            return false;
        }
        match before.get(name) {
            Some(content) => fs::write(self.path(name), content).unwrap(),
            None => fs::remove_file(self.path(name)).unwrap(),
        }
        let prepared = (name.clone(), after[name].clone());
        self.office_mut().written.insert(prepared);
        true
    }
}

/// Lets a journal refuse all changes after those of so many rows.
fn refuse_after(journal: &Path, rows: u32) {
    let connection = Connection::open(journal).unwrap();
    let tables = names(&connection, "table");
    let count = format!("CREATE TABLE changes_left AS SELECT {rows} AS rows;");
    let triggers = tables.iter().flat_map(|table| {
        ["INSERT", "UPDATE", "DELETE"].map(|change| {
            format!(
                "CREATE TRIGGER dies_{table}_{change} BEFORE {change} ON {table} BEGIN
                     UPDATE changes_left SET rows = rows - 1;
                     SELECT RAISE(ABORT, 'the process dies') FROM changes_left WHERE rows < 0;
                 END;"
            )
        })
    });
    let sql: String = std::iter::once(count).chain(triggers).collect();
    connection.execute_batch(&sql).unwrap();
}

/// Lets a journal take all changes again.
fn allow(journal: &Path) {
    let connection = Connection::open(journal).unwrap();
    let triggers = names(&connection, "trigger");
    let mut sql = String::new();
    for name in triggers {
        sql.extend(["DROP TRIGGER ", &name, ";"]);
    }
    sql.push_str("DROP TABLE changes_left;");
    connection.execute_batch(&sql).unwrap();
}

/// The names of the objects of a kind.
fn names(connection: &Connection, kind: &str) -> Vec<String> {
    let sql = "SELECT name FROM sqlite_schema WHERE type = ?1 AND name NOT LIKE 'sqlite_%'";
    let mut statement = connection.prepare(sql).unwrap();
    let names = statement.query_map([kind], |row| row.get(0)).unwrap();
    names.map(Result::unwrap).collect()
}
