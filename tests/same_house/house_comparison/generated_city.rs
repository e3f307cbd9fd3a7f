//! A generated city per country, for measuring the comparison of addresses.

use gutterbatch::model::{Country, StreetAddress};

/// The `SplitMix64` generator, so that the city is the same on every machine.
pub(super) struct Seed(pub(super) u64);

impl Seed {
    pub(super) fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % below as u64).unwrap()
    }

    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.next(from.len())]
    }
}

/// A house's address in parts, so that it can be written in other ways.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct TrueHouse {
    pub(super) number: String,
    pub(super) before: &'static str,
    pub(super) name: String,
    pub(super) street_type: &'static str,
    pub(super) after: &'static str,
    pub(super) unit: Option<usize>,
    pub(super) postal_code: String,
    pub(super) country: Country,
    pub(super) is_french: bool,
}

impl TrueHouse {
    pub(super) fn line1(&self) -> String {
        let parts = if self.is_french {
            [
                self.number.as_str(),
                self.before,
                self.street_type,
                &self.name,
                self.after,
            ]
        } else {
            [
                self.number.as_str(),
                self.before,
                &self.name,
                self.street_type,
                self.after,
            ]
        };
        let filled: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        filled.join(" ")
    }

    pub(super) fn address(&self) -> StreetAddress {
        let line2 = self.unit.map(|unit| format!("Apt {unit}"));
        StreetAddress::parse(
            &self.line1(),
            line2.as_deref(),
            &self.postal_code,
            Some(self.country),
        )
    }
}

const NAMES: &str = "Main Oak Maple Elm Elmwood Elmhurst Cedar Pine Walnut Chestnut Cherry Spruce Birch Willow \
    Washington Lincoln Jefferson Madison Jackson Monroe Adams Franklin Grant Harrison Cleveland Wilson Roosevelt \
    Kennedy Park Parkview Parkside Highland Hillside Hillcrest Lakeview Lakeside Riverside River Lake Hill Church \
    School Mill Spring Center Union Market Water Front Broad High Pleasant Prospect Summit Forest Meadow Garden \
    Orchard Grove Valley Ridge Sunset Sunrise Sycamore Dogwood Magnolia Laurel Holly Hickory Poplar Beech Ash Locust \
    Juniper Aspen Linden Mulberry Hawthorne Hazel Ivy Rose Lilac Virginia Georgia Carolina Delaware Pennsylvania \
    Michigan Ohio Indiana Illinois Wisconsin Texas California Oregon Montana Dakota Nevada Marion Marian Clinton \
    Hamilton Clark Lewis Morgan Warren Taylor Tyler Pierce Fillmore Hudson Fulton Liberty Court Academy College \
    University Railroad Canal Bridge Ferry Bay Beach Shore Ocean Cottage Railway Wellington Victoria Queen King \
    Dundas Bloor Yonge Bathurst Spadina Ossington Dufferin Keele Jane Finch Steeles Sheppard Eglinton Lawrence \
    Woodland Woodlawn Woodside Oakwood Oakland Oakdale Oakmont Maplewood Maplecrest Pinewood Pinehurst Cedarwood \
    Glenwood Glendale Glenview Brookside Brookfield Brook Fairview Fairfield Fairmount Edgewood Edgewater Greenwood \
    Greenfield Springfield Westwood Northwood Southgate Kingston Queensway Avalon Belmont Bellevue Crescent Dover";

const TWO_WORDS: &str = "St Clair, Mount Vernon, Fort Hill, Martin Luther King, Park Place, Forest Hill, Maple Grove, Spring \
    Garden, Oak Hill, Saint Paul, Cedar Lake, Valley View, Mill Creek, High Point";

const FRENCH_NAMES: &str = "Saint-Denis, Saint-Laurent, Sainte-Catherine, Sherbrooke, René-Lévesque, Papineau, du Parc, de la \
    Montagne, Principale, Notre-Dame, Saint-Jacques, Christophe-Colomb, Jean-Talon, Beaubien, Rachel, Mont-Royal, \
    Laurier, de Lorimier, d'Iberville, des Érables, de l'Église, Masson, Rosemont, Saint-Joseph, \
    Saint-Michel, Crémazie";

const FRENCH_TYPES: [&str; 5] = ["rue", "avenue", "boulevard", "chemin", "place"];

/// Full and short forms of types and directions.
pub(super) const FORMS: [(&str, &[&str]); 20] = [
    ("Street", &["St", "St.", "Str", "ST"]),
    ("Avenue", &["Ave", "Ave.", "Av", "AVE"]),
    ("Road", &["Rd", "Rd."]),
    ("Drive", &["Dr", "Dr.", "Drv"]),
    ("Lane", &["Ln", "LN"]),
    ("Court", &["Ct", "Crt"]),
    ("Place", &["Pl", "Pl."]),
    ("Circle", &["Cir", "Circ"]),
    ("Crescent", &["Cres", "Cr", "Cres."]),
    ("Boulevard", &["Blvd", "Blvd.", "Boul"]),
    ("boulevard", &["boul.", "boul", "bd"]),
    ("avenue", &["av.", "av", "ave"]),
    ("chemin", &["ch.", "ch"]),
    ("North", &["N", "N."]),
    ("South", &["S", "S."]),
    ("East", &["E", "E."]),
    ("West", &["W", "W."]),
    ("Northwest", &["NW", "N.W.", "N W"]),
    ("Ouest", &["O", "O.", "W"]),
    ("Est", &["E", "E."]),
];

/// The houses of a city, on streets that run through several ZIP or postal codes.
pub(super) fn city(seed: &mut Seed) -> Vec<TrueHouse> {
    let mut houses = Vec::new();
    let types = [
        "Street", "Avenue", "Road", "Drive", "Lane", "Court", "Place", "Circle",
    ];
    for name in NAMES.split_whitespace().chain(TWO_WORDS.split(", ")) {
        // Some names belong to two streets of different types, and some to a north and a south street.
        let first = seed.next(types.len());
        add_street(
            seed,
            &mut houses,
            ["", name, types[first], ""],
            Country::UnitedStates,
        );
        if seed.next(3) == 0 {
            let other = types[(first + 1 + seed.next(types.len() - 1)) % types.len()];
            add_street(
                seed,
                &mut houses,
                ["", name, other, ""],
                Country::UnitedStates,
            );
        }
        if seed.next(6) == 0 {
            for direction in ["North", "South"] {
                add_street(
                    seed,
                    &mut houses,
                    [direction, name, "Parkway", ""],
                    Country::UnitedStates,
                );
            }
        }
        let types = ["Street", "Avenue", "Crescent", "Boulevard", "Drive"];
        let (street_type, after) = (
            *seed.pick(&types),
            *seed.pick(&["", "", "", "East", "West"]),
        );
        add_street(
            seed,
            &mut houses,
            ["", name, street_type, after],
            Country::Canada,
        );
    }
    for number in 1..=90 {
        let name = format!("{number}{}", suffix(number));
        for street_type in ["Street", "Avenue"] {
            add_street(
                seed,
                &mut houses,
                ["", &name, street_type, ""],
                Country::UnitedStates,
            );
            let plain = number.to_string();
            add_street(
                seed,
                &mut houses,
                ["", &plain, street_type, "Northwest"],
                Country::Canada,
            );
        }
    }
    for block in (100..=900).step_by(100) {
        let name = block.to_string();
        for (before, after) in [
            ("East", "South"),
            ("West", "South"),
            ("East", "North"),
            ("South", "East"),
        ] {
            add_street(
                seed,
                &mut houses,
                [before, &name, "", after],
                Country::UnitedStates,
            );
        }
    }
    for name in FRENCH_NAMES.split(", ") {
        let street_type = *seed.pick(&FRENCH_TYPES);
        let from = houses.len();
        for after in ["Est", "Ouest"] {
            add_street(
                seed,
                &mut houses,
                ["", name, street_type, after],
                Country::Canada,
            );
        }
        houses[from..]
            .iter_mut()
            .for_each(|house| house.is_french = true);
    }
    houses
}

fn suffix(number: usize) -> &'static str {
    match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

fn add_street(
    seed: &mut Seed,
    houses: &mut Vec<TrueHouse>,
    [before, name, street_type, after]: [&str; 4],
    country: Country,
) {
    let of = |word: &str| -> &'static str {
        let known = FORMS
            .iter()
            .map(|(full, _)| *full)
            .chain(FRENCH_TYPES)
            .chain(["Parkway", ""]);
        known.into_iter().find(|full| *full == word).unwrap()
    };
    let zip = 14600 + seed.next(6);
    let first = 1 + seed.next(20);
    for step in 0..70 {
        let postal_code = match country {
            Country::UnitedStates => format!("{zip}"),
            // A Canadian postal code covers one side of a block.
            Country::Canada => format!("M{}V {}A{}", zip % 10, step / 20, seed.next(3)),
        };
        houses.push(TrueHouse {
            number: (first + step * 2).to_string(),
            before: of(before),
            name: name.to_owned(),
            street_type: of(street_type),
            after: of(after),
            unit: (seed.next(25) == 0).then(|| 1 + seed.next(30)),
            postal_code,
            country,
            is_french: false,
        });
    }
}
