//! The columns of a table without headers, by the cells of its first row.

use crate::model::{Field, Region, fold_place, has_house_number, is_canadian_postal_code, is_zip};
use crate::table::table_head::CandidateRow;

/// The fields that the cells of a row tell: those of the address only together, with the city in front of its region, and
/// none that two cells could feed.
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
        digits(cell) >= 10 && !cell.contains(char::is_alphabetic) && !cell.contains('@')
    };
    let is_code = |cell: &str| is_zip(cell) || is_canadian_postal_code(cell);
    let address = || {
        let street = only(&has_house_number)?;
        let region = only(&is_region)?;
        let is_short = |cell: &str| matches!(cell.len(), 3..=5) && digits(cell) == cell.len();
        let behind =
            Some(region + 1).filter(|column| cells.get(*column).is_some_and(|cell| is_short(cell)));
        let code = behind.or_else(|| only(&is_code))?;
        let city = region.checked_sub(1).filter(|city| is_word(cells[*city]))?;
        let columns = [street, city, region, code];
        Some(
            [Field::Line1, Field::City, Field::Region, Field::PostalCode]
                .into_iter()
                .zip(columns),
        )
    };
    let mut found: Vec<(Field, usize)> = address().into_iter().flatten().collect();
    let email = only(&|cell| cell.matches('@').count() == 1);
    found.extend(email.map(|column| (Field::Email, column)));
    found.extend(only(&is_phone).map(|column| (Field::Phone, column)));
    let city = found.get(1).map_or("", |(_, city)| cells[*city]);
    let name =
        only(&|cell| is_word(cell) && cell.contains(' ') && !is_region(cell) && cell != city);
    found.extend(name.map(|column| (Field::Name, column)));
    let known: Vec<&str> = found.iter().map(|(_, column)| cells[*column]).collect();
    let is_id = |cell: &str| {
        let is_other =
            known.contains(&cell) || is_code(cell) || cell.contains([' ', '.', '/', ':', '@']);
        digits(cell) > 0 && !is_other
    };
    let id = only(&is_id);
    found.extend(id.map(|column| (Field::Id, column)));
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
            [(Field::Email, 6), (Field::Name, 0)]
        );
        assert!(found("Nombre,Direccion,Ciudad,Estado").is_empty());
    }
}
