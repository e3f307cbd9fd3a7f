//! A sheet as a person edits it.

use std::fmt::Write as _;

use super::sheet_edit::{Edit, swapped_case, toggled, toggled_end};

/// The postal code and city of each house, and those of a correction, which the program cannot know to be the same.
const TOWNS: [(&str, &str); 2] = [("14604", "Rochester"), ("14617", "Irondequoit")];

/// Headers and rows.
pub(crate) struct Sheet {
    headers: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

const HEADERS: &str = "id,name,email,phone,line1,line2,city,region,postal_code,url,notes";

/// What a row needs.
pub(super) const FILLED: [&str; 5] = ["id", "email", "city", "region", "postal_code"];

const STREETS: [(&str, &str); 4] = [
    ("Roosevelt", "Avenue"),
    ("Garden", "Street"),
    ("Whispering", "Lane"),
    ("Mill", "Road"),
];

const SHORT: [(&str, &str); 4] = [
    (" Avenue", " Ave"),
    (" Street", " St"),
    (" Lane", " Ln"),
    (" Road", " Rd"),
];

const SLIPS: [(&str, &str); 3] = [
    ("Roosevelt", "Rosevelt"),
    ("Garden", "Gardn"),
    ("Whispering", "Wispering"),
];

/// Number and street of a house, and its unit: each fourth one is the other unit of the one before.
fn address(house: usize) -> (String, &'static str) {
    let building = if house % 4 == 3 { house - 1 } else { house };
    let (name, kind) = STREETS[building % STREETS.len()];
    let unit = match house % 4 {
        2 => "Apt 1",
        3 => "Apt 2",
        _ => "",
    };
    // Numbers of different houses have a part in common; of thousands, each would be compared with all others.
    let part = match house % 4 {
        1 => format!("{}-", 4 + house / 40),
        _ => String::new(),
    };
    (format!("{part}{} {name} {kind}", 100 + 3 * building), unit)
}

/// The house that notes name: `house 3, ring twice` is of `house 3`.
pub(crate) fn house_of(notes: &str) -> &str {
    notes.split_once(',').map_or(notes, |(house, _)| house)
}

impl Sheet {
    pub(crate) fn empty() -> Self {
        Self {
            headers: HEADERS.split(',').map(str::to_owned).collect(),
            rows: Vec::new(),
        }
    }

    pub(crate) fn parse(content: &[u8]) -> Self {
        let mut reader = csv::Reader::from_reader(content);
        let cells = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect();
        Self {
            headers: cells(reader.headers().unwrap()),
            rows: reader
                .records()
                .map(|record| cells(&record.unwrap()))
                .collect(),
        }
    }

    pub(crate) fn text(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in std::iter::once(&self.headers).chain(&self.rows) {
            writer.write_record(row).unwrap();
        }
        String::from_utf8(writer.into_inner().unwrap()).unwrap()
    }

    /// The text, in which the last row lacks its last cell.
    pub(crate) fn text_with_short_row(&self) -> String {
        let mut writer = csv::WriterBuilder::new();
        let mut writer = writer.flexible(true).from_writer(Vec::new());
        let short = self.rows.len().saturating_sub(1);
        for (index, row) in std::iter::once(&self.headers).chain(&self.rows).enumerate() {
            let width = row.len() - usize::from(index == short + 1);
            writer.write_record(&row[..width]).unwrap();
        }
        String::from_utf8(writer.into_inner().unwrap()).unwrap()
    }

    fn column(&self, header: &str) -> Option<usize> {
        self.headers.iter().position(|other| other == header)
    }

    /// A cell; empty where there is no such column.
    pub(crate) fn cell(&self, row: usize, header: &str) -> &str {
        self.column(header)
            .map_or("", |column| &self.rows[row][column])
    }

    fn set(&mut self, row: usize, header: &str, text: impl Into<String>) {
        let column = self.column(header).unwrap();
        self.rows[row][column] = text.into();
    }

    /// The cells that a person has typed, without what the program has added.
    pub(crate) fn typed(&self, row: usize) -> Vec<String> {
        let headers = HEADERS.split(',');
        headers
            .map(|header| self.cell(row, header).to_owned())
            .collect()
    }

    /// The house of a row, which is what the model counts.
    pub(crate) fn house(&self, row: usize) -> String {
        house_of(self.cell(row, "notes")).to_owned()
    }

    pub(crate) fn houses(&self) -> Vec<String> {
        (0..self.rows.len()).map(|row| self.house(row)).collect()
    }

    pub(crate) fn is_rejects(&self) -> bool {
        self.column("source_row").is_some()
    }

    /// Whether a word stands in a column of decisions: a sheet may have one of its own besides that of rejects.
    pub(crate) fn has_decision(&self, row: usize, word: &str) -> bool {
        let mut cells = self.headers.iter().zip(&self.rows[row]);
        cells.any(|(header, cell)| header == "same_house" && cell == word)
    }

    /// Whether rejects say that a row is the same house as another.
    pub(crate) fn is_held(&self, row: usize) -> bool {
        self.cell(row, "error").starts_with("same house")
    }

    /// Whether rejects say that the service has another house under the id of a row.
    pub(crate) fn is_in_conflict(&self, row: usize) -> bool {
        self.cell(row, "error").starts_with("conflict: ")
    }

    /// Whether rejects say that there is no request because of which a row could be skipped.
    pub(crate) fn is_refused_to_skip(&self, row: usize) -> bool {
        self.cell(row, "error").starts_with("`skip`, but")
    }

    /// Whether rejects say that the row itself is wrong.
    pub(crate) fn is_invalid(&self, row: usize) -> bool {
        let error = self.cell(row, "error");
        let is_answer = error.starts_with("conflict: ") || error.starts_with("refused by ");
        !is_answer && !self.is_held(row) && !self.is_refused_to_skip(row)
    }

    pub(crate) fn lacks_something(&self, row: usize) -> bool {
        let is_empty = |header| self.cell(row, header).is_empty();
        is_empty("city") || is_empty("email") && is_empty("phone")
    }

    /// Adds a valid row, and says so. Each second id is a number with zeros in front.
    pub(crate) fn add(&mut self, house: usize) -> String {
        self.rows.push(vec![String::new(); self.headers.len()]);
        let row = self.rows.len() - 1;
        let id = if house.is_multiple_of(2) {
            format!("{:05}", 700 + house)
        } else {
            format!("h-{house}")
        };
        self.set(row, "id", id);
        // The first building with two units has one customer, each later one has two.
        let customer = if house == 3 { 2 } else { house };
        self.set(row, "name", format!("Customer {customer}"));
        self.set(row, "phone", format!("585-555-{:04}", 100 + house));
        self.move_in(row, house);
        self.complete(row, house, &FILLED);
        format!("add {}", self.rows[row].join(","))
    }

    /// Adds the first house that no row has, under a new id.
    pub(crate) fn add_missing(&mut self, fresh: usize) -> String {
        let houses = self.houses();
        let is_missing = |house: &usize| !houses.contains(&format!("house {house}"));
        let missing = (0..=fresh).find(is_missing).unwrap_or(fresh);
        self.add(missing);
        let row = self.rows.len() - 1;
        self.set(row, "id", format!("n-{fresh}"));
        format!("add {}", self.rows[row].join(","))
    }

    fn move_in(&mut self, row: usize, house: usize) {
        let (line1, unit) = address(house);
        self.set(row, "line1", line1);
        self.set(row, "line2", unit);
        self.set(row, "notes", format!("house {house}"));
    }

    /// Fills in some of the cells that a row needs.
    fn complete(&mut self, row: usize, fresh: usize, headers: &[&str]) {
        for header in headers {
            let text = match *header {
                "id" => format!("n-{fresh}"),
                // A customer has one address, whichever copy of the row it is missing in.
                "email" => self.house(row).replace("house ", "c") + "@example.com",
                "city" => TOWNS[0].1.to_owned(),
                "region" => "NY".to_owned(),
                _ => TOWNS[0].0.to_owned(),
            };
            if self.cell(row, header).is_empty() {
                self.set(row, header, text);
            }
        }
    }

    /// Fills in those cells that the rows need, and says what they are then; `fresh` and those after it are new.
    pub(crate) fn correct(&mut self, fresh: usize, headers: &[&str]) -> String {
        let before = self.text();
        for row in 0..self.rows.len() {
            self.complete(row, fresh + row, headers);
        }
        let after = self.text();
        if before == after {
            String::new()
        } else {
            format!("fill in what is missing:\n{after}")
        }
    }

    /// Decides about a row that is held.
    pub(crate) fn decide(&mut self, row: usize, word: &str) -> String {
        let held = (0..self.rows.len()).filter(|row| self.is_held(*row));
        let held: Vec<usize> = held.collect();
        let Some(&row) = held.get(row % held.len().max(1)) else {
            return String::new();
        };
        self.set(row, "same_house", word);
        format!("row {}: type {word} into same_house", row + 2)
    }

    pub(crate) fn repeat(&mut self, row: usize, new_id: Option<usize>) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let row = row % self.rows.len();
        self.rows.push(self.rows[row].clone());
        let mut said = format!("row {} once more at the end", row + 2);
        if let Some(fresh) = new_id {
            self.set(self.rows.len() - 1, "id", format!("n-{fresh}"));
            let _ = write!(said, " as n-{fresh}");
        }
        said
    }

    /// Gives a row another id, and adds a column in which it is to be skipped.
    pub(crate) fn skip_as_new(&mut self, row: usize, fresh: usize) -> String {
        if self.rows.is_empty() || self.column("same_house").is_some() {
            return String::new();
        }
        self.headers.push("same_house".to_owned());
        self.rows.iter_mut().for_each(|row| row.push(String::new()));
        let row = row % self.rows.len();
        self.set(row, "id", format!("n-{fresh}"));
        self.set(row, "same_house", "skip");
        format!(
            "row {} as n-{fresh}, with skip in a new column same_house",
            row + 2
        )
    }

    pub(crate) fn remove(&mut self, row: usize) -> String {
        if self.rows.len() < 2 {
            return String::new();
        }
        let row = row % self.rows.len();
        self.rows.remove(row);
        format!("remove row {}", row + 2)
    }

    /// Puts as many new houses in the place of the rows; the first and then each row after so many lacks its city.
    /// Nobody does that to rejects.
    pub(crate) fn replace(&mut self, fresh: usize, holes: usize) -> String {
        if self.is_rejects() {
            return String::new();
        }
        let count = std::mem::take(&mut self.rows).len();
        for row in 0..count {
            self.add(fresh + row);
            if holes < usize::MAX && row.is_multiple_of(holes) {
                self.set(row, "city", "");
            }
        }
        format!("other rows:\n{}", self.text())
    }

    pub(crate) fn sort(&mut self, by: &str) -> String {
        let column = self.column(by).unwrap();
        self.rows
            .sort_by(|one, other| other[column].cmp(&one[column]));
        format!("sort by {by}, from the last to the first")
    }

    /// Corrects the postal code of a row together with its city, and says so.
    pub(crate) fn correct_town(&mut self, row: usize) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let row = row % self.rows.len();
        let code = self.cell(row, "postal_code");
        let (code, city) = if code.starts_with(TOWNS[0].0) {
            TOWNS[1]
        } else {
            TOWNS[0]
        };
        self.set(row, "postal_code", code);
        self.set(row, "city", city);
        format!("row {}: correct the town to {code} {city}", row + 2)
    }

    /// Edits a row and says how; `fresh` is the number of a new house or id.
    pub(crate) fn edit(&mut self, row: usize, edit: Edit, fresh: usize) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let row = row % self.rows.len();
        let before = self.rows[row].clone();
        let [id, name, line1, unit, notes] = ["id", "name", "line1", "line2", "notes"]
            .map(|header| self.cell(row, header).to_owned());
        match edit {
            Edit::Name => self.set(row, "name", toggled(&name, &[("Customer", "Custommer")])),
            Edit::Email => self.set(row, "email", format!("new{fresh}@example.com")),
            Edit::Phone => self.set(row, "phone", "585-555-0199"),
            Edit::Abbreviation => self.set(row, "line1", toggled(&line1, &SHORT)),
            Edit::Slip => self.set(row, "line1", toggled(&line1, &SLIPS)),
            Edit::Upper => self.set(row, "line1", swapped_case(&line1)),
            Edit::Unit => self.move_unit(row, &line1, &unit),
            Edit::ZipPlus4 => self.set(row, "postal_code", "14604-1234"),
            Edit::IdCase => self.set(row, "id", swapped_case(&id)),
            Edit::IdZeros => match id.trim_start_matches('0') {
                bare if bare.len() < id.len() => self.set(row, "id", bare),
                bare if !bare.is_empty() => self.set(row, "id", format!("00{id}")),
                _ => {}
            },
            Edit::NewId => self.set(row, "id", format!("n-{fresh}")),
            Edit::NoId => self.set(row, "id", ""),
            Edit::NoCity => self.set(row, "city", ""),
            Edit::NoContact => {
                self.set(row, "email", "");
                self.set(row, "phone", "");
            }
            Edit::Notes => self.set(row, "notes", toggled_end(&notes, ", ring twice")),
            Edit::NumberPart => {
                if let Some(bare) = line1.strip_prefix("4-") {
                    self.set(row, "line1", bare);
                } else if line1.contains("Garden") || line1.contains("Gardn") {
                    self.set(row, "line1", format!("4-{line1}"));
                }
            }
            Edit::OtherUnit if unit.is_empty() => {}
            Edit::OtherUnit => self.set(row, "line2", toggled_end(&unit, "7")),
            Edit::Url => self.set(row, "url", format!("https://crm.example.com/{fresh}")),
            // Within one id, the unit does not tell houses apart.
            Edit::OtherHouse if fresh % 4 == 3 => {}
            Edit::OtherHouse => self.move_in(row, fresh),
        }
        let mut said = String::new();
        for (column, header) in self.headers.iter().enumerate() {
            let (before, now) = (&before[column], &self.rows[row][column]);
            if before != now {
                let _ = write!(said, ", {header} was {before:?}, now {now:?}");
            }
        }
        if said.is_empty() {
            said
        } else {
            format!("row {}{said}", row + 2)
        }
    }

    fn move_unit(&mut self, row: usize, line1: &str, unit: &str) {
        let at = line1.to_lowercase().find(" apt ");
        if let Some(at) = at {
            self.set(row, "line1", &line1[..at]);
            self.set(row, "line2", &line1[at + 1..]);
        } else if !unit.is_empty() {
            self.set(row, "line1", format!("{line1} {unit}"));
            self.set(row, "line2", "");
        }
    }
}
