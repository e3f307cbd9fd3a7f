//! Numbers taken in by hand: the form, and what a person typed into it.

use maud::{Markup, html};

use crate::sandbox::form::Parameters;
use crate::sandbox::roof::Feet;
use crate::sandbox::world::{Downspout, Survey};

/// Rows for downspouts; blank ones are left out.
const ROWS: usize = 16;
/// Rows that show without asking for more.
const OPEN_ROWS: usize = 6;

/// What stands in the form, as text, with what is wrong with it.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    length: String,
    size: String,
    corners: String,
    message: String,
    spouts: Vec<[String; 3]>,
    faults: Vec<String>,
}

impl Numbers {
    /// The form for a survey that is to be corrected.
    pub(super) fn of(survey: &Survey) -> Self {
        let size = |size: Option<u8>| size.map_or_else(String::new, |size| size.to_string());
        let spouts = survey.downspouts.iter().map(|spout| {
            [
                spout.length.decimal().to_string(),
                spout.floors.to_string(),
                size(spout.size_in),
            ]
        });
        Self {
            length: survey.gutter_length.decimal().to_string(),
            size: size(survey.gutter_size_in),
            corners: survey.corners.to_string(),
            message: survey.installer_message.clone().unwrap_or_default(),
            spouts: spouts.collect(),
            faults: Vec::new(),
        }
    }

    /// What was typed.
    pub(super) fn typed(form: &Parameters) -> Self {
        let text = |name: &str| form.get(name).unwrap_or_default().trim().to_owned();
        let row =
            |row: usize| ["length", "floors", "size"].map(|part| text(&format!("{part}_{row}")));
        Self {
            length: text("length"),
            size: text("size"),
            corners: text("corners"),
            message: text("message"),
            spouts: (1..=ROWS).map(row).collect(),
            faults: Vec::new(),
        }
    }

    /// The survey that was meant.
    ///
    /// # Errors
    /// Every fault, in words for the person who typed.
    pub(super) fn survey(&self) -> Result<Survey, Vec<String>> {
        let mut faults = Vec::new();
        let length = feet(&self.length);
        if length.is_none() {
            faults.push("Gutter length: write feet, such as 182.5.".to_owned());
        }
        let corners = self
            .corners
            .parse()
            .ok()
            .filter(|corners| *corners <= 1_000);
        if corners.is_none() {
            faults.push("Corners: write a whole number.".to_owned());
        }
        let gutter_size_in = inches(&self.size).unwrap_or_else(|NoInches| {
            faults.push("Gutter size: write whole inches or leave it empty.".to_owned());
            None
        });
        let mut downspouts = Vec::new();
        for (index, row) in self.spouts.iter().enumerate() {
            match downspout(row) {
                Ok(Some(downspout)) => downspouts.push(downspout),
                Ok(None) => {}
                Err(why) => faults.push(format!("Downspout {}: {why}", index + 1)),
            }
        }
        match (length, corners) {
            (Some(length), Some(corners)) if faults.is_empty() => {
                let message = Some(&self.message).filter(|message| !message.is_empty());
                Ok(Survey {
                    gutter_size_in,
                    installer_message: message.cloned(),
                    ..Survey::by_hand(length, corners, downspouts)
                })
            }
            _ => Err(faults),
        }
    }

    /// The same form with what is wrong with it.
    pub(super) fn with_faults(self, faults: Vec<String>) -> Self {
        Self { faults, ..self }
    }

    /// The fields of the form.
    pub(super) fn fields(&self) -> Markup {
        let blank = [const { String::new() }; 3];
        let row = |index: usize| self.spouts.get(index).unwrap_or(&blank);
        let more_filled = (OPEN_ROWS..ROWS).any(|index| row(index) != &blank);
        html! {
            @if !self.faults.is_empty() {
                ul.faults role="alert" { @for fault in &self.faults { li { (fault) } } }
            }
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

/// A row of the form; one without a length and a size is blank, whatever its storeys say.
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
        inches(size).map_err(|NoInches| "write its size in whole inches or leave it empty.")?;
    Ok(Some(Downspout {
        length,
        floors,
        size_in,
    }))
}

fn feet(text: &str) -> Option<Feet> {
    Feet::from_decimal(text.replace(',', ".").parse().ok()?)
}

/// A text that is no number of inches.
pub(super) struct NoInches;

/// Whole inches, or none where nothing was typed.
pub(super) fn inches(text: &str) -> Result<Option<u8>, NoInches> {
    if text.is_empty() {
        return Ok(None);
    }
    let inches = text.parse().ok().filter(|inches| (1..=24).contains(inches));
    inches.map(Some).ok_or(NoInches)
}
