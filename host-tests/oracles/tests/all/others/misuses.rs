//! What misuse leads to is seen whatever the answer was.

use super::buddy::{self, Buddy};
use super::first_fit::{self, FirstFit};
use locox_oracles::others::{Misuse, MisuseRow, MisuseTable, Subject, misuse};

fn row(subject: &mut dyn Subject, kind: Misuse) -> MisuseRow {
    let table = misuse(subject).unwrap();
    table.rows().find(|row| row.misuse == kind).unwrap().clone()
}

#[test]
fn a_right_allocator_refuses_all_misuse_and_is_as_before() {
    let is_clean = |row: &MisuseRow| {
        row.tried > 0
            && row.refused == row.tried
            && (row.wrongly_granted, row.otherwise_wrong) == (0, 0)
            && row.example.is_none()
    };
    let clean = |table: MisuseTable| assert!(table.rows().all(is_clean), "{table}");
    clean(misuse(&mut Buddy::new(buddy::Fault::None)).unwrap());
    clean(misuse(&mut FirstFit::new(first_fit::Fault::None)).unwrap());
    let table = misuse(&mut FirstFit::anywhere(first_fit::Fault::None)).unwrap();
    assert_eq!(table.rows().count(), 8);
    clean(table);
}

#[test]
fn units_that_a_refused_block_makes_free_are_found_granted_twice() {
    let row = row(&mut FirstFit::new(first_fit::Fault::FreesWhatItRefuses), Misuse::Part);
    assert_eq!((row.refused, row.wrongly_granted), (row.tried, row.tried));
    assert_eq!(row.example.unwrap().len(), 2);
}

#[test]
fn a_request_beyond_all_units_that_frees_or_uses_up_all_is_found() {
    let frees = row(&mut FirstFit::new(first_fit::Fault::TooManyFrees), Misuse::TooMany);
    assert_eq!(frees.refused, frees.tried);
    // Nothing is held in the first of 677 states.
    assert_eq!((frees.wrongly_granted, frees.otherwise_wrong), (frees.tried / 677 * 676, 0));
    let leaks = row(&mut FirstFit::new(first_fit::Fault::TooManyLeaks), Misuse::TooMany);
    assert_eq!((leaks.refused, leaks.wrongly_granted), (leaks.tried, 0));
    assert!(leaks.otherwise_wrong > 0);
}

#[test]
fn a_unit_that_a_refused_block_costs_is_found() {
    let row = row(&mut Buddy::new(buddy::Fault::MisuseLeaks), Misuse::NothingBack);
    assert_eq!((row.refused, row.wrongly_granted), (row.tried, 0));
    assert!(row.otherwise_wrong > 0);
}

#[test]
fn a_panic_of_the_call_after_misuse_is_found() {
    let row = row(&mut FirstFit::new(first_fit::Fault::PanicsAfterwards), Misuse::NotHeld);
    assert_eq!((row.taken, row.panicked, row.otherwise_wrong), (row.tried, 0, row.tried));
}

#[test]
fn the_order_of_the_sizes_changes_nothing() {
    let up = misuse(&mut FirstFit::new(first_fit::Fault::Trusts)).unwrap();
    let down =
        misuse(&mut FirstFit::new(first_fit::Fault::Trusts).of(8, &[8, 4, 2, 1, 4])).unwrap();
    assert_eq!(up, down);
    assert!(up.rows().any(|row| row.wrongly_granted > 0));
}

#[test]
fn units_that_begin_free_and_end_held_are_tried() {
    let row = row(&mut FirstFit::anywhere(first_fit::Fault::TakesAcross), Misuse::Across);
    assert!(row.taken > 0 && row.wrongly_granted == row.taken, "{row:?}");
}
