//! Enums whose variants have public names, for JSON, flags, sheets and the journal.

/// Declares an enum, and the public name of each variant beside it.
macro_rules! named_enum {
    ($(#[$attribute:meta])* pub enum $Enum:ident { $($(#[$of_variant:meta])* $Variant:ident = $name:literal,)+ }) => {
        $(#[$attribute])*
        pub enum $Enum {
            $($(#[$of_variant])* $Variant,)+
        }

        impl $Enum {
            /// All of them, in display order.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$Variant),+];

            /// The public name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$Variant => $name,)+
                }
            }

            /// Returns the one with a public name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name() == name)
            }
        }
    };
}

pub(crate) use named_enum;
