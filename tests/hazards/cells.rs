//! Cells that a spreadsheet or a copy-and-paste has damaged.

use crate::hazards::{found, found_with};

const CLEAN: [&str; 0] = [];

#[test]
fn floats_of_whole_numbers_are_those_numbers() {
    assert_eq!(
        found(&[("ID", "1001.0"), ("Phone", "4.165551234E9")]),
        [
            "tidied A2: `1001.0` → `1001`",
            "tidied D2: `4.165551234E9` → `4165551234`"
        ]
    );
    assert_eq!(
        found(&[("Unit", "7.0000000000000009")]),
        ["tidied F2: `7.0000000000000009` → `7`"]
    );
}

#[test]
fn a_label_in_front_of_a_phone_or_postal_code_is_no_part_of_it() {
    assert_eq!(
        found(&[("Phone", "p:+14165550100"), ("Zip", "z:M5V 1A1")]),
        [
            "tidied D2: `p:+14165550100` → `+14165550100`",
            "tidied I2: `z:M5V 1A1` → `M5V 1A1`"
        ]
    );
    assert_eq!(
        found(&[("Phone", "Phone:(514) 555-2213")]),
        ["tidied D2: `Phone:(514) 555-2213` → `(514) 555-2213`"]
    );
}

#[test]
fn an_id_that_lost_digits_is_invalid() {
    assert_eq!(
        found(&[("ID", "1.23E+11")]),
        [
            "error A2: `1.23E+11` is a number that a spreadsheet rounded, so the id may be wrong; format the column as text and export again"
        ]
    );
}

#[test]
fn an_id_whose_last_digits_are_all_zero_is_told() {
    assert_eq!(
        found(&[("ID", "1234567890123450000")]),
        [
            "warning A2: every digit after the fifteenth is 0, as if Excel had rounded the id; compare it with the original"
        ]
    );
}

#[test]
fn leading_zeros_of_text_stay() {
    assert_eq!(found(&[("ID", "0100")]), CLEAN);
}

#[test]
fn a_unit_that_became_a_date_is_invalid_and_may_have_been_typed_in_either_order() {
    for (unit, was) in [
        ("4-Mar", "3-4 or 4-3"),
        ("02-janv", "1-2 or 2-1"),
        ("Jan-02", "1-2 or 2-1"),
        ("3-Mar", "3-3"),
    ] {
        let said = format!(
            "error F2: became a date (`{unit}`); was it {was}? Format the column as text and type it again"
        );
        assert_eq!(found(&[("Unit", unit)]), [said]);
    }
    assert_eq!(found(&[("Unit", "3-4")]), CLEAN);
    assert_eq!(found(&[("ID", "Jan-02")]).len(), 1);
}

#[test]
fn an_error_in_a_cell_is_invalid() {
    assert_eq!(
        found(&[("City", "#REF!")]),
        ["error G2: no value (#REF!); open the file in Excel, correct the formula and save"]
    );
}

#[test]
fn an_error_of_a_formula_is_invalid_in_every_language() {
    for error in [
        "#VALEUR!",
        "#NOM?",
        "#NV",
        "#WERT!",
        "#BEZUG!",
        "#¡VALOR!",
        "#ERROR!",
        "#N/D",
        "Err:502",
    ] {
        let message =
            format!("no value ({error}); open the file in Excel, correct the formula and save");
        assert_eq!(found(&[("City", error)]), [format!("error G2: {message}")]);
        assert_eq!(found(&[("Unit", error)]), [format!("error F2: {message}")]);
    }
    let narrow = "no value, only `#`: the column was too narrow; widen it in Excel and save again";
    assert_eq!(
        found(&[("Email", ""), ("Phone", "########")]),
        [format!("error D2: {narrow}")]
    );
    assert_eq!(found(&[("Unit", "###")]), [format!("error F2: {narrow}")]);
    assert_eq!(found(&[("Notes", "###")]), CLEAN);
    for unit in ["#12", "# 4B", "#A/B", "#PH", "#4!"] {
        assert_eq!(found(&[("Unit", unit)]), CLEAN, "{unit}");
    }
}

#[test]
fn a_date_is_no_unit() {
    for unit in ["3/4/2026", "03/04/26", "3/4/2026 4:00 PM"] {
        let message = format!(
            "error F2: became a date (`{unit}`); format the column as text and type it again"
        );
        assert_eq!(found(&[("Unit", unit)]), [message]);
    }
    for unit in ["03-févr", "3-Feb.", "févr-03"] {
        let told = found(&[("Unit", unit)]).join(" ");
        assert!(
            told.contains(&format!("became a date (`{unit}`)")),
            "{told}"
        );
    }
    for unit in ["1/2", "4", "3-4"] {
        assert_eq!(found(&[("Unit", unit)]), CLEAN, "{unit}");
    }
}

#[test]
fn a_date_is_no_house_number() {
    let found = |number: &str| {
        let text = format!(
            "ID,Name,Email,House Number,Street,City,State,Zip,Country\n\
             A-1,Ada Lovelace,ada@example.com,{number},Elm Street,Boston,MA,02134,US\n\
             A-2,Grace Hopper,grace@example.com,14,Elm Street,Boston,MA,02134,US\n\
             A-3,Jo Doe,jo@example.com,16,Elm Street,Boston,MA,02134,US\n"
        );
        crate::hazards::problems(&crate::hazards::document(text, &[]))
    };
    for (number, was) in [
        ("10/12/2026", ""),
        ("2026-10-12 00:00:00", " was it 10-12 or 12-10? Format"),
    ] {
        let problems = found(number);
        let start = format!("error D2: became a date (`{number}`);{was}");
        assert!(problems[0].starts_with(&start), "{problems:?}");
    }
    assert_eq!(found("12"), CLEAN);
}

#[test]
fn odd_text_that_is_text_is_taken() {
    for value in ["TRUE", "1m", "12E5", "=2+3", "+1", "@home", "-5"] {
        assert_eq!(found(&[("Unit", value)]), CLEAN, "{value}");
    }
}

#[test]
fn outer_spaces_and_what_nobody_sees_go() {
    assert_eq!(
        found(&[("City", "  Toronto\u{a0}")]),
        ["tidied G2: `  Toronto\u{a0}` → `Toronto`"]
    );
    assert_eq!(
        found(&[("City", "Tor\u{200b}onto")]),
        ["tidied G2: `Tor\u{200b}onto` → `Toronto` (an invisible character was removed)"]
    );
    assert_eq!(found(&[("ID", "'0100")]), ["tidied A2: `'0100` → `0100`"]);
}

#[test]
fn emoji_accents_and_apostrophes_are_taken_as_typed() {
    for value in ["Zoë 👩\u{200d}👧", "Cafe\u{301}", "O’Brien", "D'Arcy"] {
        assert_eq!(found(&[("Name", value)]), CLEAN, "{value}");
    }
}

#[test]
fn text_that_looks_like_a_formula_is_text() {
    for value in [
        "=1+1",
        "+1 ring twice",
        "-see back",
        "@office",
        "=HYPERLINK(\"x\")",
    ] {
        assert_eq!(found(&[("Notes", value)]), CLEAN, "{value}");
    }
}

#[test]
fn a_cell_that_only_says_that_there_is_nothing_is_empty() {
    for value in [
        "N/A", "-", "none", "NULL", "None.", "no unit", "TBD", "unknown",
    ] {
        assert_eq!(
            found(&[("Unit", value)]),
            [format!("tidied F2: `{value}` is taken as empty")]
        );
    }
    assert_eq!(
        found(&[("City", "N/A")]),
        [
            "error G2: `N/A` is no city",
            "tidied G2: `N/A` is taken as empty"
        ]
    );
}

#[test]
fn a_postal_code_that_nobody_knows_is_empty() {
    for value in ["je sais pas", "?", "z:", "z: "] {
        assert_eq!(
            found(&[("Zip", value)]),
            [
                format!("error I2: `{}` is no postal code", value.trim()),
                format!("tidied I2: `{}` is taken as empty", value.trim()),
            ],
            "{value}"
        );
    }
}

#[test]
fn a_street_that_is_to_be_found_elsewhere_is_empty() {
    for value in [
        "TBD",
        "unknown",
        "?",
        "xxx",
        "See notes",
        "voir courriel",
        "À venir",
        "à confirmer",
        "Inconnue",
        "Oui",
        "aucune",
    ] {
        assert_eq!(
            found(&[("Street", value)]),
            [
                format!("error E2: `{value}` is no street address"),
                format!("tidied E2: `{value}` is taken as empty"),
            ],
            "{value}"
        );
    }
    let street = "12 Same Street";
    assert_eq!(found(&[("Street", street)]), CLEAN);
}

#[test]
fn a_ditto_mark_is_invalid_in_every_column_but_notes() {
    let marks = [
        "\"",
        "''",
        "″",
        "〃",
        "-\"-",
        "do.",
        "Ditto",
        "same",
        "Same as above",
        "as above",
        "Idem",
        "id.",
        "“",
        "”",
        "\"-\"",
        "\"\"",
        "〃〃",
        "-〃-",
        "—\"—",
        "dito",
        "dto.",
        "s/a",
        "See above",
        "↑",
        "^",
    ];
    let columns = [
        ("ID", 'A'),
        ("Name", 'B'),
        ("Email", 'C'),
        ("Phone", 'D'),
        ("Street", 'E'),
        ("Unit", 'F'),
        ("City", 'G'),
        ("State", 'H'),
        ("Zip", 'I'),
        ("Country", 'J'),
    ];
    for mark in marks {
        assert_eq!(found(&[("Notes", mark)]), CLEAN, "{mark}");
    }
    for (mark, (header, letter)) in marks.iter().zip(columns.iter().cycle()) {
        let told = format!("error {letter}2: `{mark}` is a ditto mark; type the value");
        assert_eq!(found(&[(header, mark)])[0], told, "{header}");
    }
    for (header, _) in columns {
        let found = found(&[(header, "\"")]);
        assert!(
            found[0].ends_with("is a ditto mark; type the value"),
            "{found:?}"
        );
    }
    for name in ["Do", "do", "Same Day Gutters", "Id", "Dito Bassi"] {
        assert_eq!(found(&[("Name", name)]), CLEAN, "{name}");
    }
}

#[test]
fn an_address_that_refers_to_another_one_is_an_error() {
    for text in [
        "same as billing",
        "Same as mailing address",
        "(same as above)",
        "Same address",
        "See mailing",
        "Même adresse",
    ] {
        for (header, letter) in [("Street", 'E'), ("City", 'G')] {
            let told =
                format!("error {letter}2: `{text}` refers to another address; type the address");
            assert_eq!(found(&[(header, text)])[0], told, "{header}");
        }
        assert_eq!(found(&[("Notes", text)]), CLEAN, "{text}");
    }
    for street in [
        "12 Same As Ever Ln",
        "12 See Mailing Rd",
        "100 Samesville Rd",
    ] {
        assert_eq!(found(&[("Street", street)]), CLEAN, "{street}");
    }
}

#[test]
fn a_zero_from_an_empty_cell_is_empty() {
    for (header, letter) in [("Unit", 'F'), ("Email", 'C'), ("Phone", 'D')] {
        for zero in ["0", "0.0", "00", "0.00"] {
            let told = format!("tidied {letter}2: `{zero}` is taken as empty");
            assert_eq!(found(&[(header, zero)]), [told], "{header}");
        }
    }
    for (header, told) in [
        ("Name", "error B2: no name"),
        ("Street", "error E2: `0` is no street address"),
        ("City", "error G2: `0` is no city"),
    ] {
        assert_eq!(found(&[(header, "0")])[0], told);
        assert_eq!(found(&[(header, "Zero 0 Unknown")]), CLEAN);
    }
    assert_eq!(
        found(&[("Email", "0"), ("Phone", "0")])[0],
        "error C2: no email and no phone; one of them is required"
    );
}

#[test]
fn as_is_mends_nothing() {
    let changes = [("City", " Toronto "), ("Zip", "m5v1a1"), ("Unit", "N/A")];
    let found = found_with(&["--as-is"], &changes);
    assert!(
        found.iter().all(|problem| !problem.starts_with("tidied")),
        "{found:?}"
    );
}

#[test]
fn control_characters_go() {
    assert_eq!(
        found(&[("Name", "Ada\u{7}")]),
        ["tidied B2: `Ada\u{7}` → `Ada` (an invisible character was removed)"]
    );
}

#[test]
fn an_id_that_became_a_date_is_asked_for_as_it_was_typed() {
    let became = found(&[("ID", "03-Jan")]);
    assert!(became[0].contains("was it 1-3 or 3-1?"), "{became:?}");
}

#[test]
fn what_programs_leave_in_place_of_a_value_is_none() {
    for (field, column, left) in [
        ("City", "G", "Loading..."),
        ("City", "G", "undefined"),
        ("Name", "B", "undefined undefined"),
        ("Name", "B", "[object Object]"),
    ] {
        let found = found(&[(field, left)]).concat();
        assert!(found.contains("error"), "{field} {left}: {found}");
        assert!(found.contains(column), "{field} {left}: {found}");
    }
}
