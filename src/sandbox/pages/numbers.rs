//! The form that takes the numbers of a measurement.

use maud::{Markup, html};

use crate::sandbox::parameters::Parameters;
use crate::sandbox::roof::Feet;
use crate::sandbox::store::{Downspout, MeasuredResult};

/// Rows for downspouts; blank ones are left out.
const ROWS: usize = 16;
/// Rows that are visible at once.
const OPEN_ROWS: usize = 6;
/// What is wrong with a size.
const INCHES: &str = "write whole inches, or nothing";

/// The form as it was typed or filled in, and what is wrong with its fields.
#[derive(Debug, Default)]
pub(super) struct NumbersForm {
    values: Parameters,
    errors: Vec<(String, &'static str)>,
}

/// The result that a posted form describes.
///
/// # Errors
/// The form, with a sentence for each field that cannot be read.
pub(super) fn parse(values: Parameters) -> Result<MeasuredResult, NumbersForm> {
    let text = |name: &str| values.get(name).unwrap_or_default().trim();
    let mut errors = Vec::new();
    let mut wrong = |field: &str, why| errors.push((field.to_owned(), why));
    let length = feet(text("length"));
    if length.is_none() {
        wrong("length", "write feet, such as 182.5");
    }
    let corners = text("corners").parse().ok();
    let corners = corners.filter(|corners| *corners <= 1_000);
    if corners.is_none() {
        wrong("corners", "write a whole number");
    }
    let size = inches(text("size")).map_err(|InchesError| wrong("size", INCHES));
    let mut downspouts = Vec::new();
    for row in 1..=ROWS {
        let [length, floors, size] =
            ["length", "floors", "size"].map(|part| format!("{part}_{row}"));
        // The floors are always chosen.
        if text(&length).is_empty() && text(&size).is_empty() {
            continue;
        }
        let feet = feet(text(&length));
        if feet.is_none() {
            wrong(&length, "write feet, such as 10.5");
        }
        let stories = text(&floors).parse().ok();
        let stories = stories.filter(|floors| (1..=3).contains(floors));
        if stories.is_none() {
            wrong(&floors, "choose 1 to 3");
        }
        let inches = inches(text(&size)).map_err(|InchesError| wrong(&size, INCHES));
        if let (Some(length), Some(floors), Ok(size_in)) = (feet, stories, inches) {
            downspouts.push(Downspout {
                length,
                floors,
                size_in,
            });
        }
    }
    match (length, corners, size) {
        (Some(length), Some(corners), Ok(gutter_size_in)) if errors.is_empty() => {
            Ok(MeasuredResult {
                gutter_size_in,
                installer_message: Some(text("message"))
                    .filter(|message| !message.is_empty())
                    .map(str::to_owned),
                ..MeasuredResult::by_hand(length, corners, downspouts)
            })
        }
        _ => Err(NumbersForm { values, errors }),
    }
}

impl From<&MeasuredResult> for NumbersForm {
    fn from(result: &MeasuredResult) -> Self {
        let inches = |size: Option<u8>| size.map_or_else(String::new, |size| size.to_string());
        let mut values = vec![
            (
                "length".to_owned(),
                result.gutter_length.decimal().to_string(),
            ),
            ("size".to_owned(), inches(result.gutter_size_in)),
            ("corners".to_owned(), result.corners.to_string()),
            (
                "message".to_owned(),
                result.installer_message.clone().unwrap_or_default(),
            ),
        ];
        for (spout, row) in result.downspouts.iter().zip(1..) {
            values.push((format!("length_{row}"), spout.length.decimal().to_string()));
            values.push((format!("floors_{row}"), spout.floors.to_string()));
            values.push((format!("size_{row}"), inches(spout.size_in)));
        }
        Self {
            values: values.into_iter().collect(),
            errors: Vec::new(),
        }
    }
}

impl NumbersForm {
    /// The fields of the form.
    pub(super) fn fields(&self) -> Markup {
        let is_used = |row| {
            let is_typed = |part: &str| self.values.get(&format!("{part}_{row}")).is_some();
            is_typed("length") || is_typed("size")
        };
        html! {
            div.grid {
                label { "Gutter length (ft)" (self.input("length", "decimal")) }
                label { "Gutter size (in)" (self.input("size", "numeric")) }
                label { "Corners" (self.input("corners", "numeric")) }
            }
            fieldset {
                legend { "Downspouts" }
                @for row in 1..=OPEN_ROWS { (self.spout_row(row)) }
                details open[(OPEN_ROWS + 1..=ROWS).any(is_used)] {
                    summary { "More downspouts" }
                    @for row in OPEN_ROWS + 1..=ROWS { (self.spout_row(row)) }
                }
            }
            label { "Installer message"
                textarea name="message" rows="2" { (self.values.get("message").unwrap_or_default()) } }
        }
    }

    fn spout_row(&self, row: usize) -> Markup {
        let floors = format!("floors_{row}");
        html! {
            div.spout role="group" aria-label=(format!("Downspout {row}")) {
                span.number aria-hidden="true" { (row) }
                label { "Length (ft)" (self.input(&format!("length_{row}"), "decimal")) }
                label { "Floors"
                    select name=(floors) {
                        @for number in ["1", "2", "3"] {
                            option value=(number) selected[self.values.get(&floors) == Some(number)] { (number) }
                        }
                    }
                    @if let Some(why) = self.error(&floors) { span.error { (why) } } }
                label { "Size (in)" (self.input(&format!("size_{row}"), "numeric")) }
            }
        }
    }

    fn error(&self, name: &str) -> Option<&str> {
        let mut errors = self.errors.iter();
        errors.find(|(field, _)| field == name).map(|(_, why)| *why)
    }

    fn input(&self, name: &str, mode: &str) -> Markup {
        let error = self.error(name);
        html! {
            input name=(name) inputmode=(mode) required[matches!(name, "length" | "corners")] value=(self.values.get(name).unwrap_or_default())
                aria-invalid=[error.map(|_| "true")] autocomplete="off";
            @if let Some(why) = error { span.error { (why) } }
        }
    }
}

fn feet(text: &str) -> Option<Feet> {
    Feet::from_decimal(text.replace(',', ".").parse().ok()?)
}

/// The text is not a number of whole inches from 1 to 24.
struct InchesError;

/// Whole inches; `None` for an empty text.
fn inches(text: &str) -> Result<Option<u8>, InchesError> {
    if text.is_empty() {
        return Ok(None);
    }
    let inches = text.parse().ok().filter(|inches| (1..=24).contains(inches));
    inches.map(Some).ok_or(InchesError)
}
