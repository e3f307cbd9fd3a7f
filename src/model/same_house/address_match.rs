//! The result of comparing two addresses.

/// The result of comparing two addresses, from the closest match to none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AddressMatch {
    /// The same house.
    SameHouse,
    /// The same building with different units.
    OtherUnit,
    /// The same number and street name, but another street type or direction.
    OtherStreetType,
    /// The same street; one has the first or last number of the other's range, as `712-714` has `712`, or its letter as a
    /// unit, as `12A` is `12 Unit A`.
    SameRange,
    /// The same number and street with another postal code.
    OtherPostalCode,
    /// The same number, and a street name that differs by two letters.
    NearStreet,
    /// Another street; the same postal code and leading digits of the house number.
    SameNumber,
    /// Another house.
    Different,
}

impl AddressMatch {
    /// Whether the streets differ, by whatever: type, direction, some letters, or the whole name.
    pub fn is_other_street(self) -> bool {
        matches!(
            self,
            Self::OtherStreetType | Self::SameRange | Self::NearStreet | Self::SameNumber
        )
    }

    /// Whether street, type, direction or unit differ by more than typing errors.
    pub fn is_other_house(self) -> bool {
        matches!(
            self,
            Self::OtherUnit
                | Self::OtherStreetType
                | Self::SameRange
                | Self::SameNumber
                | Self::Different
        )
    }
}
