//! A spreadsheet of homeowners becomes gutter measurement requests; the finished measurements become a workbook.
//!
//! The rooms and the arrows between them, which `tests/architecture.rs` enforces:
//!
//! ```text
//! cli → connect | import | export → dispatch → table | api | journal → sheet → model
//! cli → sandbox
//! ```
//!
//! A room may use the rooms to its right, but not its neighbours across `|`. `sandbox` uses no other room: it is a
//! second implementation of the service's description, so that a misreading on either side fails a test.
//!
//! | room | owns |
//! |---|---|
//! | `model` | domain types, the quota's arithmetic, address comparison; no I/O, no clock |
//! | `sheet` | files as cells: formats, limits, readers, rewriting, atomic replacement |
//! | `table` | cells as rows with meaning: headers, columns, layout, rejects |
//! | `api` | HTTP calls and what their answers mean |
//! | `journal` | the SQLite file |
//! | `dispatch` | one request through budget, journal, network and retries |
//! | `connect`, `import`, `export` | the use cases |
//! | `sandbox` | the service's stand-in |
//! | `cli` | arguments, questions, progress, sentences, exit codes |
//!
//! # Files of `sheet`
//!
//! | file | owns |
//! |---|---|
//! | `address.rs` | column letters and cell addresses: `F`, `F22` |
//! | `batch.rs` | rows and cells in batches, without an allocation per row |
//! | `compound.rs` | the compound file that holds an XLS workbook |
//! | `csv_writer.rs` | writing comma-separated values |
//! | `delimiter.rs` | the delimiter of a text file |
//! | `document.rs` | the input file, or standard input in a temporary file, and its fingerprint |
//! | `document_properties.rs` | author, subject and times in a workbook |
//! | `encoding.rs` | detection and decoding of a text file's encoding |
//! | `error.rs` | why a file cannot be read or written |
//! | `feed.rs` | sending the rows of a worksheet to the reader, hidden rows included or not |
//! | `file_digest.rs` | the SHA-256 digest of a file |
//! | `foreign.rs` | lock files, shortcuts and exported workbooks, which are refused |
//! | `format.rs` | file formats and their detection by content |
//! | `limits/` | what is refused before a library allocates for it: `claims.rs` dimensions claimed by XLS, `memory.rs` parts loaded whole, `runs.rs` overlong text |
//! | `lines.rs` | line numbers beneath the CSV parser |
//! | `merge.rs` | merged ranges |
//! | `number.rs` | numbers as displayed: leading zeros, 15 digits |
//! | `ods/` | the ODS reader: `content.rs` unpacking, `index.rs` list of sheets, `rows.rs` rows, `cell.rs` cells, `markup.rs` XML events |
//! | `output.rs` | atomic replacement of a file |
//! | `parts.rs` | the parts of an XLSX archive and their relations |
//! | `plain.rs` | one sheet, by name, as bare cells |
//! | `refusal.rs` | panics of `rust_xlsxwriter` on a full disk, as errors |
//! | `repair.rs` | sheet lists that calamine rejects, rewritten |
//! | `rewrite/` | the user's file with columns appended, rows dropped and cells highlighted: `plan.rs` what changes, `source.rs` where the table is, `text.rs` text files, `dialect.rs` their quoting, `encoder.rs` their encoding, `workbook.rs` a copy as XLSX, `cells.rs` cells with styles, `styles.rs` styles, `widths.rs` column widths, `sheet_writer.rs` the copied sheet, `file.rs` the temporary file, `error.rs` errors |
//! | `rewrite/append/` | columns appended to an XLSX in place: `analysis.rs` first pass, `package.rs` the archive, `sheet_xml.rs` the sheet's XML, `cell.rs` a cell, `styles.rs` the styles part, `widths.rs` column widths, `tag.rs` XML tags, `error.rs` errors |
//! | `scan/` | what calamine omits (hidden rows, uncalculated formulas, unknown errors, displayed zeros, merged ranges): `xlsx.rs`, `xlsb.rs`, `xls.rs`, `number_formats.rs` |
//! | `stream.rs` | the reading thread and its channel |
//! | `text.rs` | rows of text files |
//! | `workbook.rs` | rows of workbooks, by calamine |
//!
//! # Files of `table`
//!
//! | file | owns |
//! |---|---|
//! | `added.rs` | headers of the columns that a rejects file adds |
//! | `address_blocks.rs` | several addresses side by side, and their titles |
//! | `address_choice.rs` | which columns hold the address |
//! | `annotate.rs` | locating the table for `sheet::rewrite` |
//! | `columns.rs` | which column feeds which field |
//! | `decision_column.rs` | the column `same_house` of rejects |
//! | `headers.rs` | finding the header row and the delimiter |
//! | `layout.rs` | the digest of the headers |
//! | `names.rs` | names written `Patel, Chloé` |
//! | `options.rs` | the options that override detection |
//! | `reader.rs` | the open table and its rows |
//! | `reading.rs` | what was detected, for messages |
//! | `rejects/` | rejected rows in a file of their own: `place.rs` its path, `ours.rs` recognising such a file |
//! | `sheet_choice.rs` | which sheet of a workbook is read |
//! | `synonyms.rs`, `synonyms.txt` | what a header means |
//! | `unique.rs` | which columns could hold ids |
//!
//! # Files of `dispatch`
//!
//! | file | owns |
//! |---|---|
//! | `dispatcher.rs` | sending one request through quota, journal, network and retries |
//! | `config.rs` | what a dispatcher is made of, and its limits |
//! | `outbound_request.rs` | one request, and the intent that is recorded before it is sent |
//! | `in_flight.rs` | how many requests are in flight at once |
//! | `permit.rs` | the permit to send a recorded request, and its withdrawal |
//! | `response_effect.rs` | what a verdict changes in the journal |
//! | `account_check.rs` | GET /me, compared with the account that the journal is bound to |
//! | `rate_limit_pauses.rs` | which pauses of the service every command waits for |
//! | `shutdown.rs` | how far a run is ending because of one of its requests |
//! | `stop.rs` | how the user stops a run |
//! | `clock.rs` | the process's time |
//! | `request_counts.rs` | how many requests were sent |
//! | `event.rs` | progress for display |
//! | `error.rs` | why nothing more is sent |
//!
//! # Files of `connect`
//!
//! | file | owns |
//! |---|---|
//! | `run.rs` | the authorization-code flow, from the consent page to the stored token |
//! | `callback.rs` | the loopback server that receives the answer of the consent page |
//! | `page.rs` | the page that the browser shows at the end |
//! | `connection.rs` | a connection: account, secrets, and where the secrets are stored |
//! | `secret_store.rs` | storing a connection in a file or the keychain |
//! | `keychain.rs` | the operating system's keychain, with a timeout |
//! | `private.rs` | files that only their owner can read |
//! | `config.rs` | writing settings into `config.toml` |
//! | `home.rs` | where settings, journals and secrets are stored |
//! | `error.rs` | why there is no connection |
//!
//! # Files of `cli`
//!
//! Each command is a file or a folder of its name; `failure/` has one file per module whose errors it turns into messages.
//!
//! | file | owns |
//! |---|---|
//! | `start.rs` | parsing the command line, running the command, returning the exit code |
//! | `usage.rs` | the short help of each command, and the text without a command |
//! | `exit.rs` | the exit codes |
//! | `context.rs` | what every command receives |
//! | `common.rs`, `network.rs`, `reading.rs` | the flags of all commands, of those with network, of those that read a sheet |
//! | `settings.rs` | flags from a profile, and the origin of each setting |
//! | `profiles.rs` | the profiles of this user |
//! | `remembered.rs` | reading flags that the journal remembers |
//! | `connection.rs`, `credentials.rs` | the profile's client and token; the app's id and secret |
//! | `token_proof.rs` | the account of a token, from GET /me |
//! | `dispatcher.rs`, `lock_wait.rs` | creating a dispatcher; opening the journal for a run |
//! | `console.rs`, `output_style.rs`, `wrap.rs` | all output; how much and in which form; wrapping at the terminal's width |
//! | `progress.rs`, `waiting.rs` | the progress of a run; waits for the quota |
//! | `prompt.rs`, `hidden_input.rs` | asking for values and for secrets |
//! | `signals.rs`, `panics.rs`, `runtime.rs` | Ctrl-C; panics; starting a runtime |
//! | `shell.rs`, `nearest.rs` | commands quoted for a shell; suggestions for mistyped words |
//! | `conflicts.rs`, `same_house.rs` | messages that `check` and `import` share |
//! | `clock.rs` | reading the clocks |

pub mod model;

pub mod sheet;

pub mod table;

pub mod api;

pub mod journal;

pub mod dispatch;

pub mod connect;

pub mod import;

pub mod export;

#[cfg(feature = "sandbox")]
pub mod sandbox;

pub mod cli;
