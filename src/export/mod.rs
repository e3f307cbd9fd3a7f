//! The journal becomes results: refreshed, rendered, written, sealed.
//!
//! [`Results`] is what every format renders: a stream of [`ResultLine`]s that can be walked as often as needed, so that
//! memory does not grow with measurements. What a file holds is a pure function of it: the same journal gives the same
//! bytes.

mod adjustment;
mod ahead;
mod csv;
mod elsewhere;
mod error;
mod feet;
mod format;
mod guard;
mod json;
mod keys;
mod line;
mod marks;
mod ndjson;
mod own;
mod period;
mod pictures;
mod place;
mod refresh;
mod render;
mod restore;
mod results;
mod run;
mod sealed;
mod summary;
mod survey;
mod typed;
mod workbook;

pub use adjustment::{Adjustment, Change, Reason};
pub use elsewhere::{EarlierMeasurement, ReplacedDeclaration, Undeclared};
pub use error::Error;
pub use feet::Feet;
pub use format::Format;
pub use guard::{Protected, REHEARSAL_TEAM, refuse_protected};
pub use keys::ExcelSafe;
pub use line::{Billed, Figures, ResultLine};
pub use marks::{Mark, Note, Roofs, notes};
pub use own::{OwnRow, OwnSheet, to_own_sheet};
pub use period::{Period, Zone};
pub use pictures::{Fetching, Pictures, Wanted, fetch, pictures_of};
pub use place::{Place, Placed, Ready};
pub use refresh::{Askable, Pauses, Policy, Rank, Refreshed, ask, askable, wait_complete, wanted};
pub use render::{Rendering, render};
pub use restore::{Restored, restore};
pub use results::{About, Asked, Billing, Partial, Results, Selection};
pub use run::{Exported, Order, UnsealedExport, pictures_wanted, to_place, to_stream};
pub use sealed::{
    Claim, Delivery, Prepared, Prospect, Sealed, again, deliver_left, delivered, prepare,
};
pub use summary::{Facts, Summary, TotalsByName, summary};
pub use survey::{ByStatus, OtherAddress, Survey, Totals};
pub use workbook::Limits;
