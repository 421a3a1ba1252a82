//! The suite for others finds what is wrong, and nothing else; what it says of three crates is what the guide prints.

mod buddy;
mod first_fit;
mod limits;
mod misuses;
mod subjects;
mod walks;

use locox_oracles::others::{Call, Misuse, Subject, Wrong, fragmentation, misuse, walk};
use subjects::{Bitmap, Frames, Slots};

/// First fit over eight units, with a fault.
struct Faulty {
    used: [bool; 8],
    fault: Fault,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// It forgets that unit 5 is held.
    Overlaps,
    /// It does not find a block of two in the upper half.
    Blind,
    /// It begins anywhere.
    Crooked,
    /// It keeps unit 0.
    Leaks,
    /// It grants units that there are not.
    Beyond,
}

impl Faulty {
    fn new(fault: Fault) -> Self {
        Self { used: [false; 8], fault }
    }
}

impl Subject for Faulty {
    fn name(&self) -> String {
        "faulty".into()
    }

    fn units(&self) -> u32 {
        8
    }

    fn reset(&mut self) {
        self.used = [false; 8];
    }

    fn allocate(&mut self, units: u32) -> Option<u32> {
        let (size, fault) = (units as usize, self.fault);
        if fault == Fault::Beyond && size == 8 {
            return Some(8);
        }
        let step = if fault == Fault::Crooked { 1 } else { size };
        let most = if fault == Fault::Blind && size == 2 { 4 } else { 8 };
        let begins = (0..most).step_by(step).filter(|begin| begin + size <= most);
        let begin =
            begins.into_iter().find(|&begin| !self.used[begin..begin + size].contains(&true))?;
        self.used[begin..begin + size].fill(true);
        if fault == Fault::Overlaps {
            self.used[5] = false;
        }
        Some(begin as u32)
    }

    fn free(&mut self, begin: u32, units: u32) -> bool {
        let block = &mut self.used[begin as usize..][..units as usize];
        block.fill(false);
        if self.fault == Fault::Leaks {
            self.used[0] = true;
        }
        true
    }

    fn free_units(&self) -> Option<u32> {
        (self.fault != Fault::Overlaps)
            .then(|| self.used.iter().filter(|used| !**used).count() as u32)
    }
}

fn wrong(fault: Fault) -> Wrong {
    walk(&mut Faulty::new(fault)).unwrap_err()
}

#[test]
fn each_fault_is_named_after_the_fewest_calls() {
    assert_eq!(walk(&mut Faulty::new(Fault::None)).unwrap().states, 677);
    for (fault, calls, what) in [
        (Fault::Overlaps, 2, "not free"),
        (Fault::Blind, 2, "refused, but free: 2 units from 4 on"),
        (Fault::Crooked, 2, "a block may not begin there"),
        (Fault::Leaks, 2, "its count of free units is 7, not 8"),
        (Fault::Beyond, 1, "there are 8"),
    ] {
        let wrong = wrong(fault);
        assert!(wrong.what.ends_with(what), "{wrong}");
        assert_eq!(wrong.calls.len(), calls, "{wrong}");
    }
    let crooked = wrong(Fault::Crooked);
    assert_eq!(crooked.calls, [Call::Allocate(1), Call::Allocate(2)]);
    assert_eq!(
        crooked.to_string(),
        "allocate 1, allocate 2: 2 units from 1 on: a block may not begin there"
    );
}

#[test]
fn misuse_that_is_taken_shows_what_it_leads_to() {
    let table = misuse(&mut Faulty::new(Fault::None)).unwrap();
    let row = |misuse| table.rows().find(|row| row.misuse == misuse).unwrap();
    let part = row(Misuse::Part);
    assert_eq!((part.refused, part.panicked, part.taken), (0, 0, part.tried));
    assert_eq!(part.wrongly_granted, part.tried);
    assert_eq!(part.example.as_ref().unwrap().len(), 2);
    // Indexing beyond the last unit.
    assert_eq!(row(Misuse::Outside).panicked, row(Misuse::Outside).tried);
    assert_eq!(row(Misuse::TooMany).refused, row(Misuse::TooMany).tried);
}

#[test]
fn what_the_guide_prints_of_three_crates_is_so() {
    let page = include_str!("../../../../../docs/guide/your-allocator.md");
    let subjects: [Box<dyn Subject>; 3] =
        [Box::new(Frames::default()), Box::new(Bitmap::default()), Box::new(Slots::default())];
    for mut subject in subjects {
        let seen = walk(&mut *subject).unwrap();
        let counts = fragmentation(&mut *subject, 1, 100_000).unwrap();
        assert_eq!(counts.refused_though_room, 0);
        let name = subject.name();
        let row = format!(
            "| {name} | {} | {} | {} | {} | 0 |",
            seen.states, seen.calls, counts.refused, counts.refused_though_enough
        );
        assert!(page.contains(&row), "{row}");
        let table = misuse(&mut *subject).unwrap().to_string();
        table.lines().for_each(|row| assert!(page.contains(row), "{row}"));
    }
}
