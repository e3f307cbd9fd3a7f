//! The form that takes the numbers of a measurement.

use maud::{Markup, html};

use crate::sandbox::parameters::Parameters;
use crate::sandbox::roof::Feet;
use crate::sandbox::store::{Downspout, MeasuredResult};

/// Rows for downspouts; blank ones are left out.
const ROWS: usize = 16;
/// Rows that are visible at once.
const OPEN_ROWS: usize = 6;

/// The result that a posted form describes.
///
/// # Errors
/// A sentence for each field that cannot be read.
pub(super) fn parse(form: &Parameters) -> Result<MeasuredResult, Vec<String>> {
    let text = |name: &str| form.get(name).unwrap_or_default().trim();
    let mut errors = Vec::new();
    let length = feet(text("length"));
    if length.is_none() {
        errors.push("Gutter length: write feet, such as 182.5.".to_owned());
    }
    let corners = text("corners").parse().ok();
    let corners = corners.filter(|corners| *corners <= 1_000);
    if corners.is_none() {
        errors.push("Corners: write a whole number.".to_owned());
    }
    let gutter_size_in = inches(text("size")).unwrap_or_else(|InchesError| {
        errors.push("Gutter size: write whole inches or leave it empty.".to_owned());
        None
    });
    let mut downspouts = Vec::new();
    for row in 1..=ROWS {
        match downspout(["length", "floors", "size"].map(|part| text(&format!("{part}_{row}")))) {
            Ok(downspout) => downspouts.extend(downspout),
            Err(why) => errors.push(format!("Downspout {row}: {why}")),
        }
    }
    match (length, corners) {
        (Some(length), Some(corners)) if errors.is_empty() => Ok(MeasuredResult {
            gutter_size_in,
            installer_message: Some(text("message"))
                .filter(|message| !message.is_empty())
                .map(str::to_owned),
            ..MeasuredResult::by_hand(length, corners, downspouts)
        }),
        _ => Err(errors),
    }
}

/// The fields of the form, filled in with a result.
pub(super) fn fields(result: Option<&MeasuredResult>) -> Markup {
    let field = |text: fn(&MeasuredResult) -> String| result.map_or_else(String::new, text);
    let downspouts = result.map_or(&[][..], |result| &result.downspouts);
    html! {
        div.grid {
            label { "Gutter length (ft)"
                input name="length" inputmode="decimal" required
                    value=(field(|result| result.gutter_length.decimal().to_string())) autocomplete="off"; }
            label { "Gutter size (in)"
                input name="size" inputmode="numeric"
                    value=(field(|result| shown(result.gutter_size_in))) autocomplete="off"; }
            label { "Corners"
                input name="corners" inputmode="numeric" required
                    value=(field(|result| result.corners.to_string())) autocomplete="off"; }
        }
        fieldset {
            legend { "Downspouts" }
            @for index in 0..OPEN_ROWS { (spout_row(index, downspouts.get(index))) }
            details open[downspouts.len() > OPEN_ROWS] {
                summary { "More downspouts" }
                @for index in OPEN_ROWS..ROWS { (spout_row(index, downspouts.get(index))) }
            }
        }
        label { "Message for the homeowner"
            textarea name="message" rows="2" { (field(|result| result.installer_message.clone().unwrap_or_default())) } }
    }
}

fn shown(number: Option<u8>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

fn spout_row(index: usize, spout: Option<&Downspout>) -> Markup {
    let number = index + 1;
    let length = spout.map_or_else(String::new, |spout| spout.length.decimal().to_string());
    html! {
        div.spout role="group" aria-label=(format!("Downspout {number}")) {
            span.number aria-hidden="true" { (number) }
            label { "Length (ft)"
                input name=(format!("length_{number}")) inputmode="decimal" value=(length) autocomplete="off"; }
            label { "Storeys"
                select name=(format!("floors_{number}")) {
                    @for storeys in 1..=3 {
                        option value=(storeys) selected[spout.is_some_and(|spout| spout.floors == storeys)] { (storeys) }
                    }
                } }
            label { "Size (in)"
                input name=(format!("size_{number}")) inputmode="numeric" value=(shown(spout.and_then(|spout| spout.size_in))) autocomplete="off"; }
        }
    }
}

/// A row of the form. One without length and size is blank, whatever its storeys are.
fn downspout([length, floors, size]: [&str; 3]) -> Result<Option<Downspout>, &'static str> {
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
