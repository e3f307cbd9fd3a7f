//! The figures of the measurements, which tell the house and how often the contractor changed them.

use serde_json::{Value, json};

/// The headers of the figures that are billed and may change, in the order of [`Figures`].
pub(super) const FIGURES: [&str; 4] = [
    "Gutter length (ft)",
    "Corners",
    "Downspouts",
    "Downspout length (ft)",
];

/// The figures of a measurement.
pub(super) type Figures = [f64; 4];

/// The figures of a house after so many changes, each of which changes one of them.
pub(super) fn figures(house: &str, version: u32) -> Figures {
    let number: u32 = house.trim_start_matches("house ").parse().unwrap();
    let first = [number * 100 + 50, 4, 1, number * 10 + 11];
    let mut after = [4, 3, 2, 1].into_iter();
    first.map(|figure| {
        let changes = (version + 4 - after.next().unwrap_or_default()) / 4;
        f64::from(figure + changes)
    })
}

/// Whether figures are the same; they differ by whole numbers otherwise.
pub(super) fn is_same(ones: &[f64], others: &[f64]) -> bool {
    let mut both = ones.iter().zip(others);
    both.all(|(one, other)| (one - other).abs() < 0.1)
}

/// Whether those of the figures that are given are, or were, those of a house after so many changes.
pub(super) fn were_figures(house: &str, version: u32, given: &[Option<f64>; 4]) -> bool {
    (0..=version).any(|version| {
        let then = figures(house, version);
        let mut both = given.iter().zip(then);
        both.all(|(given, then)| given.is_none_or(|given| is_same(&[given], &[then])))
    })
}

/// The result of section 2.4 with these figures.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts are small"
)]
pub(super) fn result_of(figures: &Figures, images: &Value) -> Value {
    let [gutters, corners, downspouts, length] = *figures;
    json!({
        "gutter_length_ft": gutters, "gutter_size_in": 5, "corner_count": corners as u32,
        "downspout_count": downspouts as u32, "downspout_length_ft": length,
        "downspouts": [{"length_ft": length, "floors": 1, "size_in": null}],
        "installer_message": null,
        "asset_pack": images,
    })
}
