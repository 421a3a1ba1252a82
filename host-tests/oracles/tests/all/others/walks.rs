//! Faults that show only calls later, and what is said of them.

use super::buddy::{self, Buddy};
use super::first_fit::{self, FirstFit};
use locox_oracles::others::{Wrong, fragmentation, walk};

fn wrong(fault: buddy::Fault) -> Wrong {
    walk(&mut Buddy::new(fault)).unwrap_err()
}

#[test]
fn a_right_buddy_system_and_a_right_first_fit_are_found_right() {
    assert_eq!(walk(&mut Buddy::new(buddy::Fault::None)).unwrap().states, 677);
    assert_eq!(walk(&mut FirstFit::new(first_fit::Fault::None)).unwrap().states, 677);
    assert_eq!(walk(&mut FirstFit::anywhere(first_fit::Fault::None)).unwrap().states, 1597);
}

#[test]
fn what_a_release_or_a_refusal_breaks_is_found_without_a_count_of_free_units() {
    for (fault, what) in [
        (buddy::Fault::KeepsMerged, "not free"),
        (buddy::Fault::RefusalLeaks, "refused, but free: 1 unit from 1 on"),
        (buddy::Fault::RefusesWhole, "refused, but free: 8 units from 0 on"),
    ] {
        let wrong = wrong(fault);
        assert!(wrong.what.ends_with(what), "{fault:?}: {wrong}");
    }
}

#[test]
fn a_panic_is_named_with_the_calls_before_it() {
    let wrong = wrong(buddy::Fault::Panics);
    assert_eq!(wrong.to_string(), "allocate 1, allocate 1, allocate 1: it panics: no third");
}

#[test]
fn an_allocator_that_reset_does_not_empty_is_told_from_one_that_answers_wrongly() {
    let wrong = wrong(buddy::Fault::ResetsNothing);
    assert_eq!(wrong.to_string(), "allocate 1: answered otherwise after another reset");
}

#[test]
fn whoever_promises_to_take_parts_back_is_given_some() {
    let wrong = wrong(buddy::Fault::RefusesParts);
    assert_eq!(
        wrong.to_string(),
        "allocate 2, free 1 unit from 0 on: what is held is not taken back"
    );
}

#[test]
fn what_is_granted_wrongly_does_not_count_as_a_refusal() {
    for (fault, what) in [
        (first_fit::Fault::OverlapsAtTheEnd, "not free"),
        (first_fit::Fault::AlwaysFirst, "not free"),
    ] {
        let wrong = fragmentation(&mut FirstFit::anywhere(fault), 1, 10_000).unwrap_err();
        assert!(wrong.what.ends_with(what), "{fault:?}: {wrong}");
    }
    let right = &mut FirstFit::anywhere(first_fit::Fault::None);
    let counts = fragmentation(right, 1, 10_000).unwrap();
    assert!(counts.refused > 0 && counts.refused_though_room == 0, "{counts:?}");
}

#[test]
fn of_a_long_run_the_last_calls_are_shown() {
    let wrong = fragmentation(&mut Buddy::new(buddy::Fault::Tires), 1, 10_000).unwrap_err();
    assert!(wrong.calls.len() > 100, "{wrong}");
    let shown = wrong.to_string();
    assert!(shown.starts_with(&format!("after {} calls ", wrong.calls.len() - 50)), "{shown}");
    assert!(shown.ends_with(&format!("{}: {}", wrong.calls.last().unwrap(), wrong.what)));
}
