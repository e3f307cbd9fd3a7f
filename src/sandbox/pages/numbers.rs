//! The form that takes the numbers of a measurement.

use maud::{Markup, html};

use crate::sandbox::parameters::Parameters;
use crate::sandbox::roof::Feet;
use crate::sandbox::store::{Downspout, MeasuredResult};

/// Rows for downspouts; blank ones are left out.
const ROWS: usize = 16;
/// Rows that are visible at once.
const OPEN_ROWS: usize = 6;

/// The texts in the form's fields.
#[derive(Debug, Default)]
pub(super) struct NumbersForm {
    length: String,
    size: String,
    corners: String,
    message: String,
    downspouts: Vec<[String; 3]>,
}

impl NumbersForm {
    /// The form filled in with a result.
    pub(super) fn from_result(result: &MeasuredResult) -> Self {
        let size = |size: Option<u8>| size.map_or_else(String::new, |size| size.to_string());
        let downspouts = result.downspouts.iter().map(|spout| {
            [
                spout.length.decimal().to_string(),
                spout.floors.to_string(),
                size(spout.size_in),
            ]
        });
        Self {
            length: result.gutter_length.decimal().to_string(),
            size: size(result.gutter_size_in),
            corners: result.corners.to_string(),
            message: result.installer_message.clone().unwrap_or_default(),
            downspouts: downspouts.collect(),
        }
    }

    /// The form as it was posted.
    pub(super) fn from_parameters(form: &Parameters) -> Self {
        let text = |name: &str| form.get(name).unwrap_or_default().trim().to_owned();
        let row =
            |row: usize| ["length", "floors", "size"].map(|part| text(&format!("{part}_{row}")));
        Self {
            length: text("length"),
            size: text("size"),
            corners: text("corners"),
            message: text("message"),
            downspouts: (1..=ROWS).map(row).collect(),
        }
    }

    /// The result that the texts describe.
    ///
    /// # Errors
    /// A sentence for each field that cannot be read.
    pub(super) fn parse(&self) -> Result<MeasuredResult, Vec<String>> {
        let mut errors = Vec::new();
        let length = feet(&self.length);
        if length.is_none() {
            errors.push("Gutter length: write feet, such as 182.5.".to_owned());
        }
        let corners = self
            .corners
            .parse()
            .ok()
            .filter(|corners| *corners <= 1_000);
        if corners.is_none() {
            errors.push("Corners: write a whole number.".to_owned());
        }
        let gutter_size_in = inches(&self.size).unwrap_or_else(|InchesError| {
            errors.push("Gutter size: write whole inches or leave it empty.".to_owned());
            None
        });
        let mut downspouts = Vec::new();
        for (index, row) in self.downspouts.iter().enumerate() {
            match downspout(row) {
                Ok(Some(downspout)) => downspouts.push(downspout),
                Ok(None) => {}
                Err(why) => errors.push(format!("Downspout {}: {why}", index + 1)),
            }
        }
        match (length, corners) {
            (Some(length), Some(corners)) if errors.is_empty() => {
                let message = Some(&self.message).filter(|message| !message.is_empty());
                Ok(MeasuredResult {
                    gutter_size_in,
                    installer_message: message.cloned(),
                    ..MeasuredResult::by_hand(length, corners, downspouts)
                })
            }
            _ => Err(errors),
        }
    }

    /// The fields of the form.
    pub(super) fn fields(&self) -> Markup {
        let blank = [const { String::new() }; 3];
        let row = |index: usize| self.downspouts.get(index).unwrap_or(&blank);
        let more_filled = (OPEN_ROWS..ROWS).any(|index| row(index) != &blank);
        html! {
            div.grid {
                label { "Gutter length (ft)"
                    input name="length" inputmode="decimal" required value=(self.length) autocomplete="off"; }
                label { "Gutter size (in)"
                    input name="size" inputmode="numeric" value=(self.size) autocomplete="off"; }
                label { "Corners"
                    input name="corners" inputmode="numeric" required value=(self.corners) autocomplete="off"; }
            }
            fieldset {
                legend { "Downspouts" }
                @for index in 0..OPEN_ROWS { (spout_row(index, row(index))) }
                details open[more_filled] {
                    summary { "More downspouts" }
                    @for index in OPEN_ROWS..ROWS { (spout_row(index, row(index))) }
                }
            }
            label { "Message for the homeowner"
                textarea name="message" rows="2" { (self.message) } }
        }
    }
}

fn spout_row(index: usize, [length, floors, size]: &[String; 3]) -> Markup {
    let number = index + 1;
    html! {
        div.spout role="group" aria-label=(format!("Downspout {number}")) {
            span.number aria-hidden="true" { (number) }
            label { "Length (ft)"
                input name=(format!("length_{number}")) inputmode="decimal" value=(length) autocomplete="off"; }
            label { "Storeys"
                select name=(format!("floors_{number}")) {
                    @for storeys in ["1", "2", "3"] {
                        option value=(storeys) selected[storeys == floors] { (storeys) }
                    }
                } }
            label { "Size (in)"
                input name=(format!("size_{number}")) inputmode="numeric" value=(size) autocomplete="off"; }
        }
    }
}

/// A row of the form. One without length and size is blank, whatever its storeys are.
fn downspout([length, floors, size]: &[String; 3]) -> Result<Option<Downspout>, &'static str> {
    if length.is_empty() && size.is_empty() {
        return Ok(None);
    }
    let length = feet(length).ok_or("write its length in feet, such as 10.5.")?;
    let floors = floors
        .parse()
        .ok()
        .filter(|floors| (1..=3).contains(floors))
        .ok_or("choose 1 to 3 storeys.")?;
    let size_in =
        inches(size).map_err(|InchesError| "write its size in whole inches or leave it empty.")?;
    Ok(Some(Downspout {
        length,
        floors,
        size_in,
    }))
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
