//! Provinces, territories and states, with the postal codes that the postal services assign to them.

use std::sync::LazyLock;

use hashbrown::HashMap;

use crate::model::{Country, letters_and_digits};

/// A province, territory or state.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Region {
    /// The two-letter postal abbreviation.
    pub(crate) code: &'static str,
    /// The English name, for messages.
    pub(crate) name: &'static str,
    /// The country.
    pub(crate) country: Country,
    /// Other spellings, separated by spaces and normalized by [`fold_place`].
    spellings: &'static str,
    /// Canada: the first letters of the region's postal codes. United States: ranges of the first three digits of its
    /// ZIP codes, separated by spaces.
    codes: &'static str,
}

/// One region per line: country, code, name, spellings and postal codes, as in [`Region`].
static REGIONS: LazyLock<Vec<Region>> = LazyLock::new(|| {
    let region = |line: &'static str| {
        let mut fields = line.split(" | ");
        let mut field = || fields.next().expect("a line has five fields");
        Region {
            country: Country::from_code(field()).expect("the first field is a country"),
            code: field(),
            name: field(),
            spellings: field(),
            codes: field(),
        }
    };
    include_str!("regions.txt").lines().map(region).collect()
});

/// What kind of addresses a region has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RegionKind {
    /// A province, a territory of Canada, a state or the District of Columbia.
    Ordinary,
    /// Mail to the armed forces; such an address has no house.
    Military,
    /// An island territory of the United States.
    Territory,
}

impl Region {
    /// Returns the region with a two-letter code in upper case.
    pub(crate) fn from_code(code: &str) -> Option<&'static Self> {
        BY_CODE.get(code).copied()
    }

    /// Returns the region with a code, name or customary abbreviation that was normalized by [`fold_place`].
    pub(crate) fn from_spelling(folded: &str) -> Option<&'static Self> {
        BY_SPELLING.get(folded).copied()
    }

    /// Whether the region has postal codes with this prefix: one letter in Canada, three digits in the United States.
    pub(crate) fn has_postal_prefix(&self, start: &str) -> bool {
        match self.country {
            Country::Canada => self.codes.contains(start),
            Country::UnitedStates => self.codes.split(' ').any(|range| {
                let (from, to) = range.split_once('-').unwrap_or((range, range));
                (from..=to).contains(&start)
            }),
        }
    }

    /// Whether a postal code in its usual form, Canadian or ZIP, belongs to the region.
    pub(crate) fn has_postal_code(&self, postal_code: &str) -> bool {
        let is_zip = postal_code.starts_with(|c: char| c.is_ascii_digit());
        let start = match self.country {
            Country::Canada if !is_zip => postal_code.get(..1),
            Country::UnitedStates if is_zip => postal_code.get(..3),
            _ => None,
        };
        start.is_some_and(|start| self.has_postal_prefix(start))
    }

    /// Returns the regions of a country that have postal codes with this prefix, as [`Region::has_postal_prefix`] takes
    /// it.
    pub(crate) fn with_postal_prefix(
        country: Country,
        start: &str,
    ) -> impl Iterator<Item = &'static Self> {
        REGIONS
            .iter()
            .filter(move |region| region.country == country && region.has_postal_prefix(start))
    }

    /// Returns what kind of addresses the region has.
    pub(crate) fn kind(&self) -> RegionKind {
        match self.code {
            "AA" | "AE" | "AP" => RegionKind::Military,
            "PR" | "VI" | "GU" | "AS" | "MP" => RegionKind::Territory,
            _ => RegionKind::Ordinary,
        }
    }
}

static BY_CODE: LazyLock<HashMap<&str, &Region>> =
    LazyLock::new(|| REGIONS.iter().map(|region| (region.code, region)).collect());

static BY_SPELLING: LazyLock<HashMap<String, &Region>> = LazyLock::new(|| {
    let spelled = |region: &'static Region| {
        let others = region
            .spellings
            .split(' ')
            .filter(|other| !other.is_empty());
        let own = [region.code, region.name];
        others
            .chain(own)
            .map(move |spelling| (fold_place(spelling), region))
    };
    REGIONS.iter().flat_map(spelled).collect()
});

/// Returns the codes of all provinces, territories and states, Canada first.
pub fn region_codes() -> impl Iterator<Item = &'static str> {
    REGIONS.iter().map(|region| region.code)
}

/// Normalizes a name for comparison: lower case, ASCII letters and digits only, without accents.
pub(crate) fn fold_place(text: &str) -> String {
    let mut folded = letters_and_digits(text);
    folded.retain(|c| c.is_ascii());
    folded
}

/// As [`fold_place`], for the name of a city: `Saint Louis` is `St. Louis`.
pub(crate) fn fold_city(text: &str) -> String {
    let folded = fold_place(text).replace("saint", "st");
    folded.replace("mount", "mt").replace("fort", "ft")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_has_one_meaning() {
        for region in REGIONS.iter() {
            let others = region
                .spellings
                .split(' ')
                .filter(|other| !other.is_empty());
            for spelling in others
                .map(str::to_owned)
                .chain([fold_place(region.name), region.code.to_lowercase()])
            {
                assert_eq!(
                    Region::from_spelling(&fold_place(&spelling)),
                    Some(region),
                    "{spelling}"
                );
            }
        }
    }

    #[test]
    fn people_write_regions_in_many_ways() {
        for (written, code) in [
            ("Québec", "QC"),
            ("Que.", "QC"),
            ("N.Y.", "NY"),
            ("ont.", "ON"),
            ("British  Columbia", "BC"),
            ("Île-du-Prince-Édouard", "PE"),
            ("massachusetts", "MA"),
        ] {
            assert_eq!(
                Region::from_spelling(&fold_place(written)).map(|region| region.code),
                Some(code),
                "{written}"
            );
        }
        assert_eq!(Region::from_spelling("bavaria"), None);
    }

    #[test]
    fn a_postal_code_of_the_other_country_is_no_regions() {
        let region = |code| Region::from_code(code).unwrap();
        assert!(region("NY").has_postal_code("14604") && region("ON").has_postal_code("M5V 1A1"));
        assert!(!region("NY").has_postal_code("M5V 1A1") && !region("ON").has_postal_code("14604"));
        assert!(!region("NY").has_postal_code("") && !region("NY").has_postal_code("14"));
    }

    #[test]
    fn postal_codes_tell_their_region() {
        let region = |code| Region::from_code(code).unwrap();
        assert!(region("ON").has_postal_prefix("M") && !region("BC").has_postal_prefix("M"));
        assert!(region("MA").has_postal_prefix("021") && !region("NY").has_postal_prefix("021"));
        assert!(region("TX").has_postal_prefix("733") && !region("OK").has_postal_prefix("733"));
    }
}
