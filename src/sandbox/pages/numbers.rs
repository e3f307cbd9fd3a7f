//! The form that takes the numbers of a measurement.

use std::fmt::Display;
use std::str::FromStr;

use maud::{Markup, html};
use url::form_urlencoded::Serializer;

use crate::sandbox::parameters::Parameters;
use crate::sandbox::roof::Feet;
use crate::sandbox::store::{Downspout, Figures, MeasuredResult};

/// Rows for downspouts; blank ones are left out.
const ROWS: usize = 16;
/// Rows that are visible at once.
const OPEN_ROWS: usize = 6;
/// The form as it was typed or filled in, and what is wrong with its fields.
#[derive(Debug, Default)]
pub(super) struct NumbersForm {
    values: Parameters,
    errors: Vec<(String, String)>,
}

/// The result that a posted form describes.
///
/// # Errors
/// The form, with a sentence for each field that cannot be read.
pub(super) fn parse(values: Parameters) -> Result<MeasuredResult, NumbersForm> {
    let errors = Vec::new();
    let mut form = NumbersForm { values, errors };
    let length = form.read("length", feet);
    let corners = form.read("corners", |text| number(text, 0, 1_000));
    let size = form.read("size", inches);
    let mut downspouts = Vec::new();
    for row in 1..=ROWS {
        if !form.has_downspout(row) {
            continue;
        }
        let length = form.read(&format!("length_{row}"), feet);
        let floors = form.read(&format!("floors_{row}"), |text| number(text, 1, 3));
        let size = form.read(&format!("size_{row}"), inches);
        if let (Some(length_ft), Some(floors), Some(size_in)) = (length, floors, size) {
            downspouts.push(Downspout {
                length_ft,
                floors,
                size_in,
            });
        }
    }
    let (Some(gutter_length_ft), Some(corner_count), Some(gutter_size_in), true) =
        (length, corners, size, !form.has_errors())
    else {
        return Err(form);
    };
    let message = Some(form.text("message").to_owned());
    Ok(MeasuredResult::from(Figures {
        gutter_length_ft,
        gutter_size_in,
        corner_count,
        downspouts,
        installer_message: message.filter(|message| !message.is_empty()),
    }))
}

impl From<&Figures> for NumbersForm {
    fn from(figures: &Figures) -> Self {
        let Figures {
            gutter_length_ft,
            gutter_size_in,
            corner_count,
            downspouts,
            installer_message,
        } = figures;
        let inches = |size: Option<u8>| size.map_or_else(String::new, |size| size.to_string());
        let mut form = Serializer::new(String::new());
        let mut fill = |name: &str, value: String| {
            form.append_pair(name, &value);
        };
        fill("length", gutter_length_ft.decimal().to_string());
        fill("size", inches(*gutter_size_in));
        fill("corners", corner_count.to_string());
        fill("message", installer_message.clone().unwrap_or_default());
        for (spout, row) in downspouts.iter().zip(1..) {
            fill(
                &format!("length_{row}"),
                spout.length_ft.decimal().to_string(),
            );
            fill(&format!("floors_{row}"), spout.floors.to_string());
            fill(&format!("size_{row}"), inches(spout.size_in));
        }
        Self {
            values: Parameters::read(form.finish().as_bytes()),
            errors: Vec::new(),
        }
    }
}

impl NumbersForm {
    /// Whether a field cannot be read.
    pub(super) fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    fn text(&self, name: &str) -> &str {
        self.values.get(name).unwrap_or_default().trim()
    }

    /// Whether a row is not blank. Its floors are always chosen.
    fn has_downspout(&self, row: usize) -> bool {
        let is_typed = |part| !self.text(&format!("{part}_{row}")).is_empty();
        is_typed("length") || is_typed("size")
    }

    /// Reads a field; one that cannot be read is marked.
    fn read<T>(&mut self, name: &str, parse: fn(&str) -> Result<T, String>) -> Option<T> {
        let read = parse(self.text(name));
        read.map_err(|why| self.errors.push((name.to_owned(), why)))
            .ok()
    }

    /// The fields of the form.
    pub(super) fn fields(&self) -> Markup {
        html! {
            div.grid {
                label { "Gutter length (ft)" (self.input("length", "decimal")) }
                label { "Gutter size (in)" (self.input("size", "numeric")) }
                label { "Corners" (self.input("corners", "numeric")) }
            }
            fieldset {
                legend { "Downspouts" }
                @for row in 1..=OPEN_ROWS { (self.spout_row(row)) }
                details open[(OPEN_ROWS + 1..=ROWS).any(|row| self.has_downspout(row))] {
                    summary { "More downspouts" }
                    @for row in OPEN_ROWS + 1..=ROWS { (self.spout_row(row)) }
                }
            }
            label { "Installer message"
                textarea name="message" rows="2" { (self.text("message")) } }
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
                            option value=(number) selected[self.text(&floors) == number] { (number) }
                        }
                    }
                    @if let Some(why) = self.error(&floors) { span.error { (why) } } }
                label { "Size (in)" (self.input(&format!("size_{row}"), "numeric")) }
            }
        }
    }

    fn error(&self, name: &str) -> Option<&str> {
        let mut errors = self.errors.iter();
        errors
            .find(|(field, _)| field == name)
            .map(|(_, why)| why.as_str())
    }

    fn input(&self, name: &str, mode: &str) -> Markup {
        let error = self.error(name);
        html! {
            input name=(name) inputmode=(mode) required[matches!(name, "length" | "corners")] value=(self.text(name))
                aria-invalid=[error.map(|_| "true")] aria-describedby=[error.map(|_| format!("{name}-error"))]
                autocomplete="off";
            @if let Some(why) = error { span.error id=(format!("{name}-error")) { (why) } }
        }
    }
}

fn feet(text: &str) -> Result<Feet, String> {
    let feet = text.replace(',', ".").parse().ok();
    feet.and_then(|feet: f64| Feet::try_from(feet).ok())
        .ok_or_else(|| "write feet, such as 182.5".to_owned())
}

/// Whole inches; `None` for an empty text.
fn inches(text: &str) -> Result<Option<u8>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    number(text, 1, 24).map(Some)
}

fn number<T: FromStr + PartialOrd + Display>(text: &str, least: T, most: T) -> Result<T, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (&least..=&most).contains(&number));
    number.ok_or_else(|| format!("write a whole number from {least} to {most}"))
}
