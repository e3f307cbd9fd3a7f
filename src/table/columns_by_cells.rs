//! The columns of a table without headers, by the cells of its first row.

use std::ops::Range;

use crate::model::{Field, Region, fold_place, has_house_number, is_canadian_postal_code, is_zip};
use crate::table::table_head::CandidateRow;

/// The fields that the cells of a row tell, none that two cells could feed. Without the address, the numbers and words
/// beside it may be anything.
pub(super) fn columns_by_cells(row: &CandidateRow) -> Vec<(Field, usize)> {
    let cells: Vec<&str> = row.cells.iter().map(|cell| cell.trim()).collect();
    let only = |fits: &dyn Fn(&str) -> bool| {
        let mut columns = (0..cells.len()).filter(|column| fits(cells[*column]));
        columns.next().filter(|_| columns.next().is_none())
    };
    let digits = |cell: &str| cell.bytes().filter(u8::is_ascii_digit).count();
    let is_word = |cell: &str| !cell.is_empty() && digits(cell) == 0 && !cell.contains('@');
    let is_region = |cell: &str| Region::from_spelling(&fold_place(cell)).is_some();
    let is_phone = |cell: &str| {
        digits(cell) >= 10 && !cell.contains(|c: char| c.is_alphabetic() || "@.".contains(c))
    };
    let is_code = |cell: &str| is_zip(cell) || is_canadian_postal_code(cell);
    let address = || {
        let street = only(&has_house_number)?;
        let region = only(&is_region)?;
        let is_short = |cell: &str| matches!(cell.len(), 3..=5) && digits(cell) == cell.len();
        let behind =
            Some(region + 1).filter(|column| cells.get(*column).is_some_and(|cell| is_short(cell)));
        let code = behind.or_else(|| only(&is_code))?;
        Some((street, region, code))
    };
    let email = only(&|cell| cell.matches('@').count() == 1);
    let mut found: Vec<(Field, usize)> = Vec::new();
    found.extend(email.map(|column| (Field::Email, column)));
    let Some((street, region, code)) = address() else {
        return found;
    };
    // A county may stand between the city and the region, and a first name in front of the last.
    let one_of = |columns: Range<usize>| {
        let mut words = columns.filter(|column| is_word(cells[*column]));
        words.next().filter(|_| words.next().is_none())
    };
    let city = one_of(street + 1..region);
    let name = one_of(0..street).filter(|column| cells[*column].contains(' '));
    let known = [street, region, code].into_iter().chain(email);
    let known: Vec<&str> = known.map(|column| cells[column]).collect();
    let phone = only(&is_phone);
    let id = only(&|cell| {
        let is_other = known.contains(&cell)
            || is_phone(cell)
            || is_code(cell)
            || cell.contains([' ', '.', '/', ':', '@']);
        digits(cell) > 0 && !is_other
    });
    let columns = [
        (Field::Line1, Some(street)),
        (Field::City, city),
        (Field::Region, Some(region)),
        (Field::PostalCode, Some(code)),
        (Field::Phone, phone),
        (Field::Name, name),
        (Field::Id, id),
    ];
    found.extend(
        columns
            .into_iter()
            .filter_map(|(field, column)| Some((field, column?))),
    );
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::RowNumber;

    fn found(cells: &str) -> Vec<(Field, usize)> {
        let cells = cells.split(',').map(str::to_owned).collect();
        columns_by_cells(&CandidateRow {
            number: RowNumber(1),
            cells,
        })
    }

    #[test]
    fn cells_tell_their_columns_if_no_other_could_be_meant() {
        let address = [Field::Line1, Field::City, Field::Region, Field::PostalCode].into_iter();
        let others = [(Field::Phone, 5), (Field::Name, 0)];
        let expected: Vec<_> = address.zip(1..).chain(others).collect();
        assert_eq!(
            found("Ann Reed,16 Elm St,Burlington,VT,05401,514-555-8860"),
            expected
        );
        assert_eq!(
            found("Ann Reed,16 Elm St,9 Oak Ave,Burlington,VT,05401,ann@example.com"),
            [(Field::Email, 6)]
        );
        assert!(found("Nombre,Direccion,Ciudad,Estado").is_empty());
    }

    #[test]
    fn a_county_is_no_city_and_the_parts_of_a_name_and_amounts_are_nothing() {
        let address = [
            (Field::Line1, 3),
            (Field::Region, 6),
            (Field::PostalCode, 7),
        ];
        assert_eq!(
            found("Ann,Reed,Reed Roofing Co,16 Elm St,Troy,Rensselaer,NY,12180,518-555-0100"),
            [&address[..], &[(Field::Phone, 8)]].concat()
        );
        assert!(found("2024,Deepwood Dr,000000000000.00,NY").is_empty());
    }
}
