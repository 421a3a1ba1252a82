//! What the suite does not take is refused before any call is judged, with the reason.

use super::first_fit::{Fault, FirstFit};
use locox_oracles::others::{Subject, Wrong, fragmentation, misuse, walk};

fn refusals(units: u32, sizes: &[u32]) -> [Wrong; 3] {
    let new = || FirstFit::new(Fault::None).of(units, sizes);
    [
        walk(&mut new()).unwrap_err(),
        misuse(&mut new()).unwrap_err(),
        fragmentation(&mut new(), 1, 100).unwrap_err(),
    ]
}

#[test]
fn units_and_sizes_that_cannot_be_tested_are_refused_with_the_reason() {
    for (units, sizes, what) in [
        (8, &[][..], "sizes() is empty: nothing can be asked for"),
        (8, &[1, 0], "sizes() has 0: each must be from 1 to units(), which is 8"),
        (8, &[1, 16], "sizes() has 16: each must be from 1 to units(), which is 8"),
    ] {
        refusals(units, sizes).iter().for_each(|wrong| assert_eq!(wrong.to_string(), what));
    }
    for units in [0, 1 << 31, u32::MAX] {
        let [walked, misused, fragmented] = refusals(units, &[1]);
        assert_eq!(walked.to_string(), format!("units() is {units}: it must be from 1 to 12 here"));
        assert_eq!(misused, walked);
        assert!(fragmented.what.ends_with("it must be from 1 to 4096 here"), "{fragmented}");
    }
}

#[test]
fn sizes_that_change_are_told_from_a_wrong_answer() {
    let wrong = walk(&mut FirstFit::new(Fault::SizesVary)).unwrap_err();
    assert_eq!(wrong.to_string(), "units() or sizes() changes with the calls");
}

#[test]
fn one_unit_can_be_tested() {
    let mut one = FirstFit::new(Fault::None).of(1, &[1]);
    assert_eq!(walk(&mut one).unwrap().states, 2);
    assert!(misuse(&mut one).unwrap().rows().all(|row| row.refused == row.tried));
    assert_eq!(fragmentation(&mut one, 1, 100).unwrap().refused_though_enough, 0);
}

/// A name that would break a table.
struct Named(FirstFit);

impl Subject for Named {
    fn name(&self) -> String {
        "a | b\nc".into()
    }
    fn units(&self) -> u32 {
        self.0.units()
    }
    fn reset(&mut self) {
        self.0.reset();
    }
    fn allocate(&mut self, units: u32) -> Option<u32> {
        self.0.allocate(units)
    }
    fn free(&mut self, begin: u32, units: u32) -> bool {
        self.0.free(begin, units)
    }
}

#[test]
fn a_table_of_misuse_has_a_header_and_examples_whatever_the_name() {
    let table = misuse(&mut Named(FirstFit::new(Fault::Trusts))).unwrap().to_string();
    let lines: Vec<_> = table.lines().collect();
    assert!(lines[0].starts_with("| a \\| b c: misuse | tried | refused | panics | taken |"));
    assert_eq!(lines[1], "|---|---|---|---|---|---|---|---|");
    let part = lines.iter().find(|line| line.contains("part of a block")).unwrap();
    assert!(part.ends_with("| allocate 2, free 1 unit from 0 on |"), "{part}");
}
