//! Each enumeration as far as it goes in tests.

use locox_oracles::exhaust::all;

/// Takes turns with `of` others, so that several cores have something to do.
fn nothing_is_wrong(turn: usize, of: usize) {
    for one in all().into_iter().skip(turn).step_by(of) {
        let (what, run) = one.quick;
        let counts = run();
        println!("{}: {counts} ({what})", one.name);
        assert_eq!((counts.violations, counts.first), (0, None), "{}", one.name);
        assert!(counts.states > 20 && counts.operations > counts.states, "{}", one.name);
    }
}

#[test]
fn everything_small_is_right_first_quarter() {
    nothing_is_wrong(0, 4);
}

#[test]
fn everything_small_is_right_second_quarter() {
    nothing_is_wrong(1, 4);
}

#[test]
fn everything_small_is_right_third_quarter() {
    nothing_is_wrong(2, 4);
}

#[test]
fn everything_small_is_right_last_quarter() {
    nothing_is_wrong(3, 4);
}

#[test]
fn names_are_different() {
    let mut names: Vec<_> = all().iter().map(|it| it.name).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
}
