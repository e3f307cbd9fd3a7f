//! The fields of a request that columns of a file can supply.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One field of a request. Its name is public: flags, `check --json` and messages use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each variant is the field's own public name")]
pub enum Field {
    Id,
    Address,
    Line1,
    HouseNumber,
    StreetDirection,
    StreetType,
    Line2,
    City,
    Region,
    PostalCode,
    Country,
    Name,
    FirstName,
    LastName,
    Email,
    Phone,
    Notes,
    Url,
    Label,
}

impl Field {
    /// All fields, in display order.
    pub const ALL: [Self; 19] = [
        Self::Id,
        Self::Address,
        Self::Line1,
        Self::HouseNumber,
        Self::StreetDirection,
        Self::StreetType,
        Self::Line2,
        Self::City,
        Self::Region,
        Self::PostalCode,
        Self::Country,
        Self::Name,
        Self::FirstName,
        Self::LastName,
        Self::Email,
        Self::Phone,
        Self::Notes,
        Self::Url,
        Self::Label,
    ];

    /// The public name, as used by `--map FIELD=HEADER`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Address => "address",
            Self::Line1 => "line1",
            Self::HouseNumber => "house_number",
            Self::StreetDirection => "street_direction",
            Self::StreetType => "street_type",
            Self::Line2 => "line2",
            Self::City => "city",
            Self::Region => "region",
            Self::PostalCode => "postal_code",
            Self::Country => "country",
            Self::Name => "name",
            Self::FirstName => "first_name",
            Self::LastName => "last_name",
            Self::Email => "email",
            Self::Phone => "phone",
            Self::Notes => "notes",
            Self::Url => "url",
            Self::Label => "label",
        }
    }

    /// The public name as words: `postal code`.
    pub fn words(self) -> String {
        self.name().replace('_', " ")
    }

    /// This field, then those whose columns supply it if it has no column of its own.
    pub fn with_substitutes(self) -> impl Iterator<Item = Self> {
        let substitutes: &[Self] = match self {
            Self::Name => &[Self::FirstName, Self::LastName],
            _ if self.is_address_part() => &[Self::Address],
            _ => &[],
        };
        std::iter::once(self).chain(substitutes.iter().copied())
    }

    /// Returns the field with a public name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }

    /// The fields of an address that is not in one cell.
    pub const ADDRESS_PARTS: [Self; 9] = [
        Self::Line1,
        Self::HouseNumber,
        Self::StreetDirection,
        Self::StreetType,
        Self::Line2,
        Self::City,
        Self::Region,
        Self::PostalCode,
        Self::Country,
    ];

    /// Whether the field is one of [`Field::ADDRESS_PARTS`].
    pub fn is_address_part(self) -> bool {
        Self::ADDRESS_PARTS.contains(&self)
    }

    /// The field's path in the service's request body, for instance `address.line1`.
    ///
    /// # Source
    /// S4.5, request body.
    pub fn wire_path(self) -> &'static str {
        match self {
            Self::Id => "external.id",
            Self::Address => "address",
            Self::Line1 | Self::HouseNumber | Self::StreetDirection | Self::StreetType => {
                "address.line1"
            }
            Self::Line2 => "address.line2",
            Self::City => "address.city",
            Self::Region => "address.region",
            Self::PostalCode => "address.postal_code",
            Self::Country => "address.country",
            Self::Name | Self::FirstName | Self::LastName => "customer.name",
            Self::Email => "customer.email",
            Self::Phone => "customer.phone",
            Self::Notes => "notes",
            Self::Url => "external.url",
            Self::Label => "external.label",
        }
    }

    /// Returns the field with a path from the service's validation errors; `None` for an undocumented path.
    pub fn from_wire_path(path: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|field| field.wire_path() == path)
    }
}

impl fmt::Display for Field {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
