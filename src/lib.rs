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
//! # Files of `model`
//!
//! | file | owns |
//! |---|---|
//! | `request.rs`, `address.rs`, `customer.rs` | a validated request and its parts |
//! | `measurement.rs` | the service's measurement object |
//! | `outcome.rs`, `problem.rs`, `response_warning.rs` | what became of a row, and what a person should check |
//! | `field.rs`, `field_names.rs` | the fields of a request, and the user's names for them |
//! | `table_source.rs`, `team.rs`, `country.rs` | origin of a row, identity of a connection, countries |
//! | `text.rs`, `content_hash.rs` | display and comparison of text, digests of requests |
//! | `rate.rs`, `quota.rs`, `quota_share.rs`, `slot_openings.rs` | the quota: rate, rolling log of slots, this program's part, when slots become available |
//! | `adaptive_limit/` | the limit learned from 429 responses |
//! | `timeline.rs` | monotonic time from two clocks |
//! | `address_key.rs` | comparison of addresses under one external id |
//! | `same_house/` | comparison across external ids: `street_parts.rs` parsing, `street_words.rs` words, `numbers.rs` numbers, `customer_sketch.rs` customers, `house_decision.rs` a person's decision |
//! | `whole_address/` | splitting an address in one text: `address_tail.rs` country to region, `street_and_city.rs` the rest, `address_words.rs` words |
//! | `street_types.rs`, `region.rs` | street types; provinces and states with their postal codes |
//! | `placement.rs`, `submitted_version.rs` | differences between a request and the service's response |
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
//! # Files of `api`
//!
//! | file | owns |
//! |---|---|
//! | `client.rs` | the measurement calls |
//! | `oauth.rs` | the OAuth endpoints |
//! | `service_connection.rs`, `http_client.rs` | what both share: base address and version, HTTP with its limits |
//! | `http_response.rs`, `error.rs` | a response, and why there is none |
//! | `verdict.rs`, `decide.rs`, `retry.rs` | what a response means, the decision, retries |
//! | `settings.rs` | base address, version, timeouts, secrets |
//! | `images.rs` | downloading images |
//! | `wire/` | the service's JSON: `account_json.rs`, `error_json.rs`, `measurement_json.rs`, `request_json.rs`, `token_json.rs` |
//!
//! # Files of `journal`
//!
//! | file | owns |
//! |---|---|
//! | `store.rs`, `writer.rs` | the open journal, its writer thread |
//! | `journal_file.rs`, `lock_file.rs`, `schema.rs`, `facts.rs`, `column_values.rs` | file, lock, migrations, named values, conversions |
//! | `binding.rs` | the account that the journal belongs to |
//! | `slot_request.rs`, `slot_log.rs`, `quota_window.rs` | taking a slot, the slots of all processes, the window for display |
//! | `record_response.rs`, `response_record.rs`, `measurements.rs` | recording a response, the record, the measurements |
//! | `submission_index.rs` | the submitted rows, for planning |
//! | `runs.rs`, `corrections.rs`, `readings.rs`, `written_files.rs` | tables and runs, corrected rows, reading flags, files that the program wrote |
//! | `houses.rs`, `house_column.rs`, `house_decisions.rs`, `held_houses.rs` | houses that were requested, their look-up, decisions, requests that no row shows |
//! | `snapshot.rs`, `overview.rs`, `row_history.rs` | what exports and `status` read |
//! | `sealed_exports.rs`, `seal_record.rs`, `billed_elsewhere.rs` | sealed exports, their record beside the journal, declarations |
//! | `backup.rs`, `copy_mark.rs`, `restore.rs` | copies, their mark, restoring from a workbook |
//! | `error.rs` | errors |
//!
//! # Files of `dispatch`
//!
//! | file | owns |
//! |---|---|
//! | `dispatcher.rs` | sending one request through quota, journal, network and retries |
//! | `config.rs` | what a dispatcher is made of, and its limits |
//! | `outbound_request.rs` | one request, and the intent that is recorded before it is sent |
//! | `in_flight.rs` | how many requests are in flight at once |
//! | `permit.rs` | the permit to send a recorded request |
//! | `attempt_record.rs` | recording the end of an attempt, or withdrawing its record |
//! | `response_effect.rs` | what a verdict changes in the journal |
//! | `account_check.rs` | GET /me, compared with the account that the journal is bound to |
//! | `rate_limit_pauses.rs` | which pauses of the service every command waits for |
//! | `shutdown.rs` | how far a run is ending because of one of its requests |
//! | `stop.rs` | how the user stops a run |
//! | `clock.rs` | the process's time |
//! | `request_counts.rs` | how many requests were sent |
//! | `event.rs` | progress for display |
//! | `error.rs` | why nothing more is sent |

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
