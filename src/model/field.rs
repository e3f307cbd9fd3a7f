//! The fields of a request that columns of a file can supply.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::named_enum;

named_enum! {
    /// One field of a request. Its name is public: flags, `check --json` and messages use it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[expect(missing_docs, reason = "each variant is the field's own public name")]
    pub enum Field {
        Id = "id",
        Address = "address",
        Line1 = "line1",
        HouseNumber = "house_number",
        StreetDirection = "street_direction",
        StreetType = "street_type",
        Line2 = "line2",
        City = "city",
        Region = "region",
        PostalCode = "postal_code",
        Country = "country",
        Name = "name",
        FirstName = "first_name",
        LastName = "last_name",
        Email = "email",
        Phone = "phone",
        Notes = "notes",
        Url = "url",
        Label = "label",
    }
}

impl Field {
    /// The public name as words: `postal code`.
    pub fn words(self) -> String {
        self.name().replace('_', " ")
    }

    /// Whether it is of the person who is called: name, email or phone.
    pub fn is_contact(self) -> bool {
        matches!(
            self,
            Self::Name | Self::FirstName | Self::LastName | Self::Email | Self::Phone
        )
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
