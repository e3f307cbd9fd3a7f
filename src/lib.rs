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
//! | `api` | HTTP calls and what the responses mean |
//! | `journal` | the SQLite file |
//! | `dispatch` | one request through budget, journal, network and retries |
//! | `connect`, `import`, `export` | the use cases |
//! | `sandbox` | an implementation of the service for tests and rehearsals |
//! | `cli` | arguments, questions, progress, sentences, exit codes |
//!
//! A heading *Source* names the section of the service's description that an item rests on: S2 resources (S2.1 app
//! credentials, S2.2 connection and token, S2.3 account, S2.4 measurement), S4 endpoints (S4.1 to S4.3 OAuth, S4.4
//! `GET /me`, S4.5 `POST /measurements`, S4.6 `GET /measurements/{id}`), S5 authentication, S7 errors, S8 limits.
//!
//! # Files of `model`
//!
//! | file | owns |
//! |---|---|
//! | `request.rs`, `address.rs`, `customer.rs` | a validated request and its parts |
//! | `measurement.rs` | the service's measurement object |
//! | `outcome.rs`, `problem.rs`, `response_warning.rs` | what became of a row, and what a person should check |
//! | `derived_id.rs` | the form of ids that are derived for rows without one |
//! | `excel_date.rs` | the dates that Excel makes of texts such as `1-2` |
//! | `field.rs`, `field_names.rs` | the fields of a request, and the user's names for them |
//! | `house_number.rs` | whether a street begins with a house number |
//! | `table_source.rs`, `account.rs`, `country.rs` | origin of a row, identity of a connection, countries |
//! | `text.rs`, `content_hash.rs` | display and comparison of text, digests of requests |
//! | `rate.rs`, `quota.rs`, `quota_share.rs`, `slot_openings.rs` | the quota: rate, rolling log of slots, this program's part, when slots become available |
//! | `adaptive_limit/` | the limit learned from 429 responses |
//! | `timeline.rs` | monotonic time from two clocks |
//! | `address_key.rs` | comparison of addresses under one external id |
//! | `same_house/` | comparison across external ids: `street_address.rs` compares, `address_match.rs` is the result, `address_text.rs` the texts of an address, without its city behind the street, `street_parts.rs` parsing, `postal_rules.rs` the country whose rules apply, `street_words.rs` words, `units.rs` units, `street_cells.rs` streets with parts in other cells, `numbers.rs` numbers, `number_in_front.rs` numbers behind a unit or an addressee, ranges, and their one spelling, `number_ranges.rs` ranges and the numbers in them, `fnv.rs` hashes, `customer_sketch.rs` customers, `street_name.rs` names written out and their typing errors, `single_letters.rs` letters of numbers and initials, `house_decision.rs` a person's decision |
//! | `whole_address/` | splitting an address in one text: `address_tail.rs` country to region, `street_and_city.rs` the rest, `units.rs` units, `address_words.rs` words |
//! | `street_types.rs`, `region.rs` | street types; provinces and states with their postal codes |
//! | `word_lists.rs`, `word_lists.txt` | lists of words by which headers, cells and addresses are recognized |
//! | `placement.rs`, `submitted_version.rs` | differences between a request and the service's response |
//! | `response_meaning.rs`, `creation_status.rs` | what a response means; whether a creation made a new measurement |
//! | `json_time.rs` | times in JSON documents |
//! | `named_enum.rs` | enums whose variants have public names |
//! | `field_error.rs` | the service's message about a field |
//!
//! # Files of `sheet`
//!
//! | file | owns |
//! |---|---|
//! | `file_format.rs` | file formats, how each is read, and their detection by content |
//! | `workbook.rs` | what each workbook format and its reader provide; rows assembled from cells |
//! | `csv/` | text files: `read.rs` rows, `write.rs` writing comma-separated values, `rewrite.rs` the rewriter, `encoding.rs` detecting the encoding, `decoding_reader.rs` decoding, `encoder.rs` encoding, `delimiter.rs` the delimiter, `quoting.rs` line ends and quotes, `lines.rs` line numbers |
//! | `xlsx/` | XLSX: `read.rs` rows, `details.rs` what calamine omits, `plain_rows.rs` the rows from which it omits nothing, `tags.rs` names and attributes of XML tags, `parts.rs` the parts of the archive and their relations, `archive_file.rs` the file that an archive is written to, `new_workbook.rs` rows in a new workbook, `new_cells.rs` their cells, `values.rs` texts and dates of cells, `document_properties.rs` author, subject and times, `save.rs` saving a workbook |
//! | `xlsx/rewrite/` | the XLSX rewriter: `accepted.rs` a copy without what calamine refuses, `analysis.rs` first pass, `column_map.rs` the appended columns, `package.rs` the archive, `ranges.rs` filters and tables, `sheet_xml.rs` the sheet, `row_xml.rs` a row, `cell.rs` an appended cell, `styles.rs` the styles, `widths.rs` column widths, `error.rs` errors |
//! | `xlsb.rs` | XLSB: rows, and what calamine omits |
//! | `xls/` | XLS: rows, `details.rs` what calamine omits, `compound.rs` the compound file |
//! | `ods/` | ODS: `content.rs` unpacking, `index.rs` list of sheets, `rows.rs` rows, `cell.rs` cells, `markup.rs` XML events |
//! | `row_details.rs` | what calamine omits of a row: hidden rows, uncalculated formulas, unknown errors, displayed zeros |
//! | `number_formats.rs`, `number_code.rs`, `number.rs` | number formats of a binary workbook; format codes; numbers as displayed |
//! | `limits/` | what is refused before a library allocates for it: `sheet_dimensions.rs` the dimensions that XLS declares, `memory.rs` parts loaded whole, `runs.rs` overlong text |
//! | `foreign.rs` | lock files, shortcuts and exported workbooks, which are refused |
//! | `input_file.rs`, `file_digest.rs` | the input file or standard input, and its fingerprint; the SHA-256 digest of a file |
//! | `batch.rs`, `stream.rs`, `feed.rs` | rows and cells in batches; the reading thread; sending a sheet's rows to it |
//! | `plain.rs` | one sheet, by name, as bare cells |
//! | `cell_address.rs`, `cell_range.rs` | column letters and cell addresses; rectangles of cells |
//! | `xml.rs` | XML tags and their attributes |
//! | `rewrite/` | rewriting the user's file: `plan.rs` what changes, `source.rs` where the table is, `error.rs` errors |
//! | `output.rs`, `temporary_file.rs` | atomic replacement of a file; the temporary file before that |
//! | `error.rs` | why a file cannot be read or written |
//! | `regular_file.rs` | opening a file that must be a regular one; its first bytes; comparing files; the path by which the journal knows a file; numbered paths |
//!
//! # Files of `table`
//!
//! | file | owns |
//! |---|---|
//! | `address_choice.rs` | which columns hold the address, and the questions where the headers do not tell |
//! | `address_groups.rs`, `address_additions.rs`, `address_names.rs` | the columns of each address; those of units, numbers and countries; its name in a question |
//! | `qualifiers.rs` | the words of an address header besides the name of its field |
//! | `whole_addresses.rs` | columns of whole addresses, and the questions about them |
//! | `table_head.rs` | the headers that were found, and what they mean with the rows around them |
//! | `annotate.rs` | columns appended to the user's table |
//! | `column_search.rs`, `field_columns.rs` | finding the columns of a table; those of one field, by `--map` and synonyms |
//! | `columns.rs` | the columns of a table, by field |
//! | `contact_columns.rs` | whose contacts the columns of emails and phones have |
//! | `decision_column.rs` | the column `same_house` of rejects |
//! | `error.rs`, `missing_field.rs` | why a table cannot be found or read; what it lacks |
//! | `header_guess.rs`, `contact_guess.rs` | suggesting headers for required fields; for emails and phones |
//! | `headers.rs` | finding the header row and the delimiter |
//! | `known_table.rs` | a table whose layout and columns are known to later passes |
//! | `header_digest.rs` | the digests of the headers |
//! | `located.rs` | locating the table in a file |
//! | `names.rs` | names written `Patel, Chloé` |
//! | `near_columns.rs` | whether a header is near a field, and its cells right for it |
//! | `numbered_streets.rs` | the columns of streets whose house numbers are in another column |
//! | `options.rs` | the options that override detection |
//! | `reader.rs` | the open table and its rows |
//! | `detected_layout.rs` | what was detected, for messages |
//! | `rejects/` | rejected rows in a separate file: `rejects_path.rs` its path, `recognition.rs` recognizing such a file |
//! | `rejects_columns.rs` | headers of the columns that a rejects file adds; the first with results |
//! | `single_address.rs` | parts of two addresses are not used together |
//! | `sheet_choice.rs` | which sheet of a workbook is read |
//! | `street_cells.rs` | streets recognized by their cells |
//! | `street_columns.rs` | the columns that complete a street |
//! | `synonyms.rs`, `synonyms.txt`, `misspelled_headers.rs` | what a header means; one with a typing error |
//! | `totals.rs` | the labels of rows with totals |
//! | `unique.rs` | which columns could hold ids |
//! | `unit_columns.rs` | the columns of units, by kind |
//! | `unused_parts.rs` | columns that look like a field and feed none |
//!
//! # Files of `import`
//!
//! | file | owns |
//! |---|---|
//! | `check/` | the check of a file; its files are below |
//! | `checked.rs` | the result of a check, and the rules for rows |
//! | `connection.rs` | the connection and the questions to the user while rows are submitted |
//! | `corrections.rs` | rows that were corrected in a rejects file |
//! | `edited_rows.rs` | the comparison of edited rows with their submitted versions |
//! | `error.rs` | why an import fails or ends early |
//! | `field_edit.rs` | how a row differs from its submitted version |
//! | `input.rs` | the file, how it is read, and its rules |
//! | `options.rs` | how many rows are submitted, and when a run stops |
//! | `missing_rows.rs` | rows that left the file before they were requested |
//! | `original_rows.rs`, `compared_row.rs`, `row_cells.rs` | the row of the original for each row of a rejects file, how rows are compared, the cells of a row |
//! | `plan.rs`, `plan_input.rs` | what is done with each row, and from what that follows |
//! | `stop_reason.rs` | why an import does nothing |
//! | `record_run.rs` | what an import stores in the journal |
//! | `rejects.rs`, `rejects_target.rs`, `rejects_reading.rs` | the rejects file, where it is written, and how it is read |
//! | `replaced_rows.rs` | new rows that may be the house of an earlier request of the same customer |
//! | `known_customers.rs` | new rows of customers who were submitted before for other addresses |
//! | `row_id.rs` | the ids of rows in memory |
//! | `row_problems.rs` | all problems of the rows, and how the next run recognizes them |
//! | `row_outcomes.rs` | the outcome of every row |
//! | `run.rs` | a whole import of a checked file |
//! | `same_house/` | rows whose house was requested before under another id: `candidates.rs` found by hashes, `reviewer.rs` compared one by one and decided about, `row_decision.rs` by what a person typed, `nearest_house.rs` and `comparison.rs` which earlier request a row resembles most, `requested_house.rs` what is kept to be compared, `earlier_house.rs` the request that messages name, `earlier_prefix.rs` a forgotten prefix |
//! | `schedule.rs` | how many requests and how much time a run needs |
//! | `submit.rs`, `planned_request.rs` | the submission of the rows of a plan, their requests |
//! | `other_teams.rs` | rows whose ids another team of the app has |
//!
//! # Files of `import/check`
//!
//! | file | owns |
//! |---|---|
//! | `address.rs` | region, postal code and country, checked against each other |
//! | `cells.rs` | the value of a field |
//! | `closed_rows.rs` | rows that their own system marks as canceled or lost |
//! | `contact.rs` | email and phone |
//! | `check_threads.rs` | the threads that check batches of rows |
//! | `country.rs` | the country of a row |
//! | `customer.rs` | the customer's name |
//! | `draft.rs` | a request whose values are borrowed from the row |
//! | `external.rs` | id, link and label |
//! | `identity.rs` | derived ids, keys of similar ids |
//! | `ids.rs` | the ids of all rows |
//! | `numbers.rs` | ids and dates that a spreadsheet converted |
//! | `place_in_cell.rs` | a city, region or postal code in the cell of the street or the city |
//! | `postal_code.rs` | postal codes |
//! | `problem_collector.rs` | collecting all problems of a check |
//! | `problem_message.rs` | a problem of a row, what it says, and its kind |
//! | `problem_spool.rs` | problems in a temporary file |
//! | `problems.rs` | the stored problems, and reading them |
//! | `requests.rs` | reading the file again for requests |
//! | `rereader.rs` | reading the rows of a checked file again |
//! | `row.rs`, `row_check.rs` | the check of a single row, and its state |
//! | `row_collector.rs` | collecting the rows; duplicates, contradictions, footers |
//! | `samples.rs` | samples of columns and addresses |
//! | `shape.rs` | rows that are not customers |
//! | `street.rs` | the street and its house number |
//! | `street_remarks.rs` | a second house or a remark in a street |
//! | `table_problem.rs` | problems that depend on the whole table |
//! | `text_normalization.rs` | normalizing text |
//! | `trailing.rs` | totals and footers below the table |
//! | `unit.rs` | the unit, joined from the columns of its kinds |
//! | `whole_address.rs` | addresses in one cell |
//!
//! # Files of `api`
//!
//! | file | owns |
//! |---|---|
//! | `client.rs` | the measurement calls |
//! | `oauth.rs`, `call_observer.rs` | the OAuth endpoints, and their observation for a log |
//! | `http_client.rs` | what both share: HTTP with its limits |
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
//! | `journal_file.rs`, `lock_file.rs`, `schema.rs` with `schema.sql`, `metadata.rs`, `column_values.rs` | file, lock, tables, named values, rows of queries |
//! | `binding.rs`, `other_teams.rs`, `token_refusal.rs` | the account that the journal belongs to; journals of other teams; the token that the service refused |
//! | `slot_request.rs`, `slot_log.rs`, `quota_window.rs` | taking a slot, the slots of all processes, the window for display |
//! | `record_response.rs`, `response_record.rs`, `measurements.rs` | recording a response, the record, the measurements |
//! | `submission_index.rs` | the submitted rows, for planning |
//! | `pending_rows.rs` | the rows that the newest run of each table left pending |
//! | `reported_problems.rs` | the problems that the newest run of each table reported |
//! | `runs.rs`, `corrections.rs`, `rejects_copies.rs`, `remembered_flags.rs`, `sheet_prefix.rs`, `written_files.rs` | tables and runs, corrected rows, copies of rejects, reading flags, prefixes of other tables, files that the program wrote |
//! | `houses.rs`, `house_column.rs`, `house_decisions.rs`, `houses_without_row.rs` | houses that were requested, the columns that find them, decisions, requests that no row shows |
//! | `measurement_states.rs` | what a refresh has to know of each measurement |
//! | `snapshot.rs`, `overview.rs`, `last_runs.rs`, `run_limits.rs`, `row_history.rs` | what exports and `status` read |
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
//! | `slot_wait.rs` | waiting for a slot of the quota, as long as the run may |
//! | `outbound_request.rs` | one request, and the intent that is recorded before it is sent |
//! | `in_flight.rs` | how many requests are in flight at once, and the permit to send one |
//! | `attempt_record.rs` | recording the end of an attempt, or withdrawing its record |
//! | `account_check.rs` | GET /me, compared with the account that the journal is bound to |
//! | `rate_limit_pauses.rs` | which pauses of the service every command waits for |
//! | `shutdown.rs` | how far a run is ending because of one of its requests |
//! | `stop.rs` | how the user stops a run |
//! | `clock.rs` | the process's time |
//! | `request_counts.rs` | how many requests were sent |
//! | `event.rs`, `completed_request.rs` | progress for display, and a request for the log |
//! | `error.rs` | why nothing more is sent |
//!
//! # Files of `export`
//!
//! | file | owns |
//! |---|---|
//! | `adjustment.rs` | billed measurements whose figures changed |
//! | `column_value.rs` | one value of a column, in CSV and JSON |
//! | `columns.rs` | the list of result columns, and their order in each format |
//! | `csv.rs`, `json.rs` | CSV; JSON and NDJSON |
//! | `customer_sheet.rs` | the user's own sheet with results appended |
//! | `error.rs` | why an export fails |
//! | `feet.rs` | lengths with exact sums |
//! | `figure_totals.rs` | sums of the billed figures |
//! | `export_format.rs` | the formats and their extensions |
//! | `images.rs` | downloading images |
//! | `job.rs` | what is exported where to, and the steps without network |
//! | `options.rs`, `export_summary.rs` | options of an export, and what it did |
//! | `output_file.rs` | the temporary file and its final path |
//! | `period.rs` | time zones and periods |
//! | `protected_file.rs` | which existing files are not replaced |
//! | `read_ahead.rs` | reading and parsing measurements in threads |
//! | `record_parser.rs` | parsing stored measurements |
//! | `refresh/` | requesting measurements again: `order.rs` which ones, `wait.rs` until all are final |
//! | `render.rs` | choosing the format |
//! | `restore/` | restoring a journal from a workbook: `workbook_reader.rs` reading its sheets, `rows.rs` its measurements |
//! | `result_column.rs` | what a result column is made of |
//! | `result_record.rs` | a measurement as every format renders it |
//! | `results.rs` | the measurements of an export and their selection |
//! | `review.rs` | reasons for a person to review a measurement |
//! | `run.rs` | a whole export, step by step |
//! | `sealed.rs` | sealing, delivering and writing again |
//! | `statistics.rs` | the first pass: counts and totals |
//! | `undeclared_billing.rs` | what another journal may have billed |
//! | `unsealed_export.rs` | an unsealed export |
//! | `workbook/` | the workbook: `tables.rs` its tables, `table_definition.rs` what one is made of, `table_rows.rs` their columns and rows, `table_sheet.rs` and `sheet_setup.rs` one sheet, `cell.rs` and `style.rs` its cells, `embedded_images.rs` and `thumbnail.rs` pictures |
//! | `workbook/`, first sheet | `summary.rs` the sheet `Summary`, `figure_blocks.rs` its figures, `charts.rs` its charts, `provenance.rs` where the numbers come from |
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
//! # Files of `sandbox`
//!
//! | file | owns |
//! |---|---|
//! | `start.rs`, `options.rs`, `handle.rs` | starting it, its options, the running service |
//! | `server.rs`, `service.rs`, `error.rs` | the HTTP server, what all handlers share, errors |
//! | `api.rs`, `wire.rs`, `validation.rs`, `parameters.rs` | the measurement endpoints, their JSON, the checks of a body, forms and queries |
//! | `oauth/` | the OAuth endpoints: authorization, tokens, revocation, redirects |
//! | `store/` | the data of the service: events, measurements, tokens, quota, the simulated contractor |
//! | `faults/` | faults that a file asks for: rules, matching, injection |
//! | `pages/` | the pages for a browser |
//! | `roof/`, `assets.rs` | invented roofs, and the images of them |
//! | `geocode.rs`, `clock.rs`, `random.rs`, `rate.rs`, `log.rs`, `records.rs`, `received_call.rs` | places, time, chance, the quota, the log on disk, records for tests, the calls |
//!
//! # Files of `cli`
//!
//! Each command is a file or a folder of its name; `failure/` has one file per module whose errors it turns into
//! messages, and `suggested_flag.rs` and `table_flags.rs`, the flags of hints, and `file_names.rs`, the files that
//! hints name.
//!
//! | file | owns |
//! |---|---|
//! | `start.rs` | parsing the command line, running the command, returning the exit code |
//! | `usage.rs` | the short help of each command, and the text without a command |
//! | `exit.rs` | the exit codes |
//! | `context.rs` | what every command receives |
//! | `common_args.rs`, `network.rs`, `reading.rs` | the flags of all commands, of those with network, of those that read a sheet |
//! | `settings.rs`, `setting_values.rs` | flags from a profile, and the origin of each setting; checking their values |
//! | `problem_lines.rs` | problems as lines of text, equal ones in one line |
//! | `problem_list.rs` | the list `problems` of JSON documents |
//! | `profiles.rs` | the profiles of this user |
//! | `remembered.rs` | reading flags that the journal remembers |
//! | `connection.rs`, `credentials.rs` | the profile's client and token; the app's id and secret |
//! | `token_account.rs` | the account of a token, from GET /me |
//! | `request_log.rs` | the log of requests |
//! | `dispatcher.rs`, `lock_wait.rs` | creating a dispatcher; opening the journal for a run |
//! | `document.rs` | the JSON document of a run, with its error |
//! | `output_paths.rs` | the paths that a command line names for writing, and which are refused |
//! | `console.rs`, `output_style.rs`, `wrap.rs` | all output; how much and in which form; wrapping at the terminal's width |
//! | `stdout_data.rs` | data on standard output, safe for a terminal |
//! | `progress.rs`, `drawn_lines.rs`, `waiting.rs` | the progress of a run; its lines on a terminal; waits |
//! | `prompt.rs`, `hidden_input.rs` | asking for values and for secrets |
//! | `signals.rs`, `panics.rs` | Ctrl-C; panics |
//! | `shell.rs`, `nearest.rs` | commands quoted for a shell; suggestions for mistyped words |
//! | `row_hints.rs` | hints about ids and houses that `check` and `import` share |
//! | `reading_change.rs` | flags that choose other houses than those of an earlier import |
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
