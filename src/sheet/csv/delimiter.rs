//! The character that separates the columns of a text file.

/// One ASCII character between columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delimiter(pub u8);

impl Delimiter {
    /// The delimiters that are recognized in a text.
    pub(crate) const DETECTED: [u8; 4] = [b',', b';', b'\t', b'|'];

    /// The delimiter that a flag's text means: a character, or `tab`.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "tab" => Some(Self(b'\t')),
            _ => match text.as_bytes() {
                [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\r' | b'\n' | 0) => {
                    Some(Self(*byte))
                }
                _ => None,
            },
        }
    }

    /// The name in a sentence: `semicolons`.
    pub fn plural(self) -> String {
        match self.0 {
            b',' => "commas".to_owned(),
            b';' => "semicolons".to_owned(),
            b'\t' => "tabs".to_owned(),
            b'|' => "pipes".to_owned(),
            other => format!("\"{}\"", char::from(other)),
        }
    }
}
