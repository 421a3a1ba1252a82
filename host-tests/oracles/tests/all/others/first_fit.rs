//! First fit over eight units, which knows what is held and answers one kind of misuse wrongly.

use locox_oracles::others::Subject;
use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    /// It says that it refuses a block, and makes its units free.
    FreesWhatItRefuses,
    /// A request beyond all units makes all units free.
    TooManyFrees,
    /// A request beyond all units uses up all units.
    TooManyLeaks,
    /// It takes back what it does not know, and panics at the next request.
    PanicsAfterwards,
    /// It takes back whatever it does not know.
    Trusts,
    /// It takes back units of which the first is free and another held.
    TakesAcross,
    /// It grants what is held at the end.
    OverlapsAtTheEnd,
    /// What may be asked for changes with what is held.
    SizesVary,
    /// It always grants unit 0.
    AlwaysFirst,
}

pub(crate) struct FirstFit {
    fault: Fault,
    /// Any size at any place, or powers of two at multiples of them.
    anywhere: bool,
    sizes: Vec<u32>,
    units: u32,
    used: [bool; 8],
    held: BTreeSet<(u32, u32)>,
    is_broken: bool,
}

impl FirstFit {
    pub(crate) fn new(fault: Fault) -> Self {
        let (used, held) = ([false; 8], BTreeSet::new());
        let sizes = vec![1, 2, 4, 8];
        Self { fault, anywhere: false, sizes, units: 8, used, held, is_broken: false }
    }

    pub(crate) fn anywhere(fault: Fault) -> Self {
        Self { anywhere: true, ..Self::new(fault).of(8, &[1, 2, 3, 4, 5, 6, 7, 8]) }
    }

    pub(crate) fn of(self, units: u32, sizes: &[u32]) -> Self {
        Self { units, sizes: sizes.to_vec(), ..self }
    }

    fn misused(&mut self, begin: u32, units: u32) -> bool {
        let range = begin as usize..begin.saturating_add(units) as usize;
        let Some(block) = self.used.get_mut(range).filter(|block| !block.is_empty()) else {
            return false;
        };
        match self.fault {
            Fault::Trusts | Fault::AlwaysFirst => block.fill(false),
            Fault::TakesAcross if !block[0] && block.contains(&true) => block.fill(false),
            Fault::PanicsAfterwards => self.is_broken = true,
            Fault::FreesWhatItRefuses => {
                block.fill(false);
                return false;
            }
            _ => return false,
        }
        true
    }
}

impl Subject for FirstFit {
    fn name(&self) -> String {
        format!("{:?}", self.fault)
    }

    fn units(&self) -> u32 {
        self.units
    }

    fn reset(&mut self) {
        (self.used, self.held, self.is_broken) = ([false; 8], BTreeSet::new(), false);
    }

    fn allocate(&mut self, units: u32) -> Option<u32> {
        assert!(!self.is_broken, "the map is broken");
        match self.fault {
            Fault::AlwaysFirst => return Some(0),
            Fault::TooManyFrees if units > self.units => self.used.fill(false),
            Fault::TooManyLeaks if units > self.units => self.used.fill(true),
            _ => {}
        }
        let all = self.units as usize;
        let size = (1..=all).find(|&size| size == units as usize)?;
        let seen = size - usize::from(self.fault == Fault::OverlapsAtTheEnd && size > 1);
        let mut begins = (0..=all - size).filter(|&begin| self.may_begin(begin as u32, units));
        let begin = begins.find(|&begin| !self.used[begin..begin + seen].contains(&true))?;
        self.used[begin..begin + size].fill(true);
        self.held.insert((begin as u32, units));
        Some(begin as u32)
    }

    fn free(&mut self, begin: u32, units: u32) -> bool {
        if !self.held.remove(&(begin, units)) {
            return self.misused(begin, units);
        }
        self.used[begin as usize..][..units as usize].fill(false);
        true
    }

    fn sizes(&self) -> Vec<u32> {
        let is_less = self.fault == Fault::SizesVary && !self.held.is_empty();
        self.sizes[usize::from(is_less)..].to_vec()
    }

    fn may_begin(&self, begin: u32, units: u32) -> bool {
        self.anywhere || begin.is_multiple_of(units)
    }
}
