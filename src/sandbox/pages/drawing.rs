//! A drawn roof: corners and downspouts on a plain grid, and the edges that carry no gutter. The script only draws; what
//! counts are the points and numbers it leaves in the form, which can be typed as well, and from which lengths and
//! corners are computed here.

use maud::{Markup, html};

use crate::sandbox::form::Parameters;
use crate::sandbox::pages::numbers::{NoInches, inches};
use crate::sandbox::roof::{Feet, Kind, Point, Roof};
use crate::sandbox::world::{Downspout, Pictures, Survey};

/// The grid, in feet.
const WIDTH: u32 = 120;
const DEPTH: u32 = 80;
/// More than any house has.
const MOST_POINTS: usize = 100;

/// What stands in the form, as text, with what is wrong with it.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    corners: String,
    spouts: String,
    /// Numbers of the edges without a gutter; edge 1 runs from the first corner to the second.
    bare: String,
    floors: String,
    size: String,
    fault: Option<&'static str>,
}

impl Drawing {
    /// The form for a survey that is to be corrected.
    pub(super) fn of(survey: &Survey) -> Self {
        Self {
            corners: lines(&survey.roof.outline),
            spouts: lines(&survey.roof.spouts),
            bare: numbers(&survey.roof.gutters),
            floors: survey.roof.floors.to_string(),
            size: survey
                .gutter_size_in
                .map_or_else(String::new, |size| size.to_string()),
            fault: None,
        }
    }

    /// What was drawn or typed.
    pub(super) fn typed(form: &Parameters) -> Self {
        let text = |name: &str| form.get(name).unwrap_or_default().trim().to_owned();
        Self {
            corners: text("corners"),
            spouts: text("spouts"),
            bare: text("bare"),
            floors: text("floors"),
            size: text("size"),
            fault: None,
        }
    }

    /// The survey that was meant: gutters on all edges but the bare ones, downspouts from the eaves to the ground.
    ///
    /// # Errors
    /// The first fault, in words for the person who drew.
    pub(super) fn survey(&self) -> Result<Survey, &'static str> {
        let outline = points(&self.corners).ok_or(
            "Corners: write one corner a line, as feet from the left and feet from the top.",
        )?;
        if !(3..=MOST_POINTS).contains(&outline.len()) {
            return Err("Corners: an outline has at least three and at most a hundred.");
        }
        let spouts = points(&self.spouts)
            .filter(|spouts| spouts.len() <= MOST_POINTS)
            .ok_or("Downspouts: write one a line, as feet from the left and feet from the top.")?;
        let gutters = gutters(&self.bare, outline.len()).ok_or(
            "Edges without a gutter: write their numbers, 1 for the one from the first corner to the second.",
        )?;
        if !gutters.contains(&true) {
            return Err("Edges without a gutter: leave one that has a gutter.");
        }
        let floors = self
            .floors
            .parse()
            .ok()
            .filter(|floors| (1..=3).contains(floors));
        let floors = floors.ok_or("Storeys: choose 1 to 3.")?;
        let size = inches(&self.size)
            .map_err(|NoInches| "Gutter size: write whole inches or leave it empty.")?;
        let roof = Roof {
            outline,
            gutters,
            spouts,
            floors,
        };
        Ok(survey(roof, size))
    }

    /// The same form with what is wrong with it.
    pub(super) fn with_fault(self, fault: &'static str) -> Self {
        Self {
            fault: Some(fault),
            ..self
        }
    }

    /// The grid and the fields of the form.
    pub(super) fn fields(&self) -> Markup {
        html! {
            @if let Some(fault) = self.fault { p.faults role="alert" { (fault) } }
            div.tools hidden {
                div.actions role="group" aria-label="What a click sets" {
                    button type="button" data-tool="corners" aria-pressed="true" { "Corners" }
                    button type="button" data-tool="edges" aria-pressed="false" { "Gutters" }
                    button type="button" data-tool="spouts" aria-pressed="false" { "Downspouts" }
                    button type="button" data-tool="undo" { "Undo" }
                    button type="button" data-tool="clear" { "Clear" }
                }
                p.quiet { "One square is 10 feet. Click the corners in order. Under Gutters, click an edge that carries none, such as a gable; under Downspouts, click along the gutters." }
            }
            (grid())
            p.readout aria-live="polite" {}
            fieldset.edges hidden { legend { "Gutters on" } div.checks {} }
            details.typing open {
                summary { "Type the points" }
                p.quiet { "One a line: feet from the left, feet from the top." }
                div.grid.two {
                    label { "Corners" textarea name="corners" rows="6" required { (self.corners) } }
                    label { "Downspouts" textarea name="spouts" rows="6" { (self.spouts) } }
                }
                label { "Edges without a gutter (1 runs from the first corner to the second)"
                    input name="bare" value=(self.bare) autocomplete="off"; }
            }
            div.grid.two {
                label { "Storeys"
                    select name="floors" {
                        @for storeys in ["1", "2", "3"] {
                            option value=(storeys) selected[storeys == self.floors] { (storeys) }
                        }
                    } }
                label { "Gutter size (in)"
                    input name="size" inputmode="numeric" value=(self.size) autocomplete="off"; }
            }
        }
    }
}

fn grid() -> Markup {
    let line = |at: u32| if at.is_multiple_of(10) { "ten" } else { "five" };
    html! {
        svg.roof viewBox=(format!("-2 -2 {} {}", WIDTH + 4, DEPTH + 4)) role="img"
            aria-label="The roof from above" data-width=(WIDTH) data-depth=(DEPTH) {
            @for x in (0..=WIDTH).step_by(5) {
                line class=(line(x)) x1=(x) y1="0" x2=(x) y2=(DEPTH) {}
            }
            @for y in (0..=DEPTH).step_by(5) {
                line class=(line(y)) x1="0" y1=(y) x2=(WIDTH) y2=(y) {}
            }
            polygon.outline points="" {}
            g.gutters {}
            g.dots {}
        }
    }
}

fn survey(roof: Roof, gutter_size_in: Option<u8>) -> Survey {
    // Nine feet and eight tenths a storey, and a foot and a half for the elbows.
    let drop = Feet::from_tenths(i64::from(roof.floors) * 98 + 15);
    let downspout = Downspout {
        length: drop,
        floors: roof.floors,
        size_in: None,
    };
    Survey {
        gutter_length: roof.gutter_length(),
        gutter_size_in,
        corners: roof.corner_count(),
        downspouts: vec![downspout; roof.spouts.len()],
        installer_message: None,
        kinds: vec![Kind::Aerial, Kind::AerialAnnotated, Kind::Measurements],
        roof,
        pictures: Pictures::Ready,
    }
}

fn lines(points: &[Point]) -> String {
    let feet = |tenths| Feet::from_tenths(tenths).decimal();
    let lines = points
        .iter()
        .map(|point| format!("{}, {}", feet(point.x), feet(point.y)));
    lines.collect::<Vec<_>>().join("\n")
}

fn points(text: &str) -> Option<Vec<Point>> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty()).map(point).collect()
}

/// Which edges carry a gutter, from the numbers of those that do not.
fn gutters(bare: &str, edges: usize) -> Option<Vec<bool>> {
    let mut gutters = vec![true; edges];
    for number in split(bare) {
        let edge = number.parse::<usize>().ok()?.checked_sub(1)?;
        *gutters.get_mut(edge)? = false;
    }
    Some(gutters)
}

/// The numbers of the edges without a gutter.
fn numbers(gutters: &[bool]) -> String {
    let bare = gutters.iter().zip(1..).filter(|(gutter, _)| !**gutter);
    bare.map(|(_, number): (_, usize)| number.to_string())
        .collect::<Vec<_>>()
        .join(", ")
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ';', ' ']).filter(|part| !part.is_empty())
}

fn point(line: &str) -> Option<Point> {
    let mut parts = split(line);
    let mut tenths = || -> Option<i64> {
        let feet = Feet::from_decimal(parts.next()?.parse().ok()?)?;
        Some(feet.tenths()).filter(|tenths| *tenths <= 10_000)
    };
    let point = Point {
        x: tenths()?,
        y: tenths()?,
    };
    parts.next().is_none().then_some(point)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(corners: &str, spouts: &str) -> Result<Survey, &'static str> {
        hung(corners, spouts, "")
    }

    fn hung(corners: &str, spouts: &str, bare: &str) -> Result<Survey, &'static str> {
        let drawing = Drawing {
            corners: corners.to_owned(),
            spouts: spouts.to_owned(),
            bare: bare.to_owned(),
            floors: "2".to_owned(),
            ..Drawing::default()
        };
        drawing.survey()
    }

    #[test]
    fn lengths_and_corners_follow_from_the_points() {
        let survey = drawn("0, 0\n40 0\n40;30\n\n0, 30", "40, 30\n0 30").unwrap();
        assert_eq!(survey.gutter_length.decimal().to_string(), "140");
        assert_eq!(survey.corners, 4);
        assert_eq!(survey.downspout_length().decimal().to_string(), "42.2");
    }

    #[test]
    fn an_edge_without_a_gutter_counts_for_nothing() {
        let house = "0 0\n40 0\n40 30\n0 30";
        let gable = hung(house, "", "2, 4").unwrap();
        assert_eq!(gable.gutter_length.decimal().to_string(), "80");
        assert_eq!(gable.corners, 0);
        assert_eq!(Drawing::of(&gable).bare, "2, 4");
        let open = hung(house, "", "3").unwrap();
        assert_eq!(open.gutter_length.decimal().to_string(), "100");
        assert_eq!(open.corners, 2);
        for bare in ["0", "5", "x", "-1", "1 2 3 4"] {
            assert!(hung(house, "", bare).is_err(), "{bare}");
        }
    }

    #[test]
    fn what_is_no_outline_is_told() {
        for corners in [
            "",
            "0 0\n1 1",
            "a b\n1 1\n2 2",
            "0 0 0\n1 1\n2 2",
            "-1 0\n1 1\n2 2",
            "0 0\n1001 1\n2 2",
        ] {
            assert!(drawn(corners, "").is_err(), "{corners}");
        }
        assert!(drawn("0 0\n9 0\n9 9", "x").is_err());
    }
}
