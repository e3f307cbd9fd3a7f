//! The journal becomes results: refreshed, rendered, written, sealed.
//!
//! [`Results`] is what every format renders: a stream of [`ResultLine`]s that can be walked as often as needed, so that
//! memory does not grow with measurements. What a file holds is a pure function of it: the same journal gives the same
//! bytes.

mod adjustment;
mod csv;
mod error;
mod feet;
mod format;
mod json;
mod keys;
mod line;
mod marks;
mod ndjson;
mod period;
mod place;
mod refresh;
mod render;
mod results;
mod run;
mod sealed;
mod survey;
mod workbook;

pub use adjustment::{Adjustment, Change, Reason};
pub use error::Error;
pub use feet::Feet;
pub use format::Format;
pub use keys::ExcelSafe;
pub use line::{Billed, Figures, ResultLine};
pub use marks::{Mark, Note, Roofs, notes};
pub use period::{Period, Zone};
pub use place::{Place, Ready};
pub use refresh::{
    Askable, Pauses, Policy, Rank, Refreshed, ask, askable, wait_complete, wanted,
};
pub use render::{Rendering, render};
pub use results::{About, Asked, Billing, Partial, Results, Selection};
pub use run::{Exported, Order, to_place, to_stream};
pub use sealed::{Delivery, Prepared, Prospect, Sealed, again, deliver_left, prepare};
pub use survey::{ByStatus, Survey, Totals};
pub use workbook::{Entry, Limits};
