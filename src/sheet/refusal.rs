//! I/O errors that `rust_xlsxwriter` reports by a panic.
//!
//! The library writes temporary files and panics where that fails, for instance on a full disk. Such a panic is converted
//! to the I/O error that it names.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, resume_unwind};

/// Runs what writes a workbook, and returns what the system refused it.
///
/// # Errors
/// The I/O error that the library panicked with. Any other panic is resumed.
pub fn or_refused<T>(write: impl FnOnce() -> T) -> io::Result<T> {
    catch_unwind(AssertUnwindSafe(write)).or_else(|panic| match refusal_of(&*panic) {
        Some(refusal) => Err(refusal),
        None => resume_unwind(panic),
    })
}

/// Whether a panic is such an I/O error, which its catcher reports.
pub fn is_refusal(panic: &PanicHookInfo<'_>) -> bool {
    let library = |place: &std::panic::Location<'_>| place.file().contains("rust_xlsxwriter");
    panic.location().is_some_and(library) && refusal_of(panic.payload()).is_some()
}

/// The system's error that a panic names, as `Debug` (`Os { code: 28, …`) or `Display` (`… (os error 28)`) writes it.
pub fn refusal_of(panic: &(dyn Any + Send)) -> Option<io::Error> {
    let reason = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())?;
    let (code, _) = match reason.split_once("Os { code: ") {
        Some((_, rest)) => rest.split_once(',')?,
        None => reason.split_once("(os error ")?.1.split_once(')')?,
    };
    code.parse().ok().map(io::Error::from_raw_os_error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_of_the_system_is_an_error_and_any_other_panic_goes_on() {
        let full = io::Error::from_raw_os_error(28);
        let refused = or_refused(|| panic!("Couldn't write to xml file: {full:?}"));
        let Err(refusal): io::Result<()> = refused else {
            panic!("it was refused")
        };
        assert_eq!(refusal.raw_os_error(), Some(28));
        let other = catch_unwind(|| or_refused(|| panic!("a bug")));
        assert!(other.is_err());
    }
}
