//! A buddy system over eight units, with a fault, which says nothing about its count of free units.

use locox_oracles::others::Subject;
use std::collections::BTreeSet;

const SIZES: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    /// What was merged stays in its old list, and is granted twice.
    KeepsMerged,
    /// A request that it refuses costs a unit.
    RefusalLeaks,
    /// Once something was merged it does not grant the whole.
    RefusesWhole,
    /// A block that it does not take back costs a unit.
    MisuseLeaks,
    /// It answers by the calls before the reset.
    ResetsNothing,
    /// It panics at the third block.
    Panics,
    /// It grants nothing more after a hundred calls.
    Tires,
    /// It promises to take parts back, and refuses them.
    RefusesParts,
}

pub(crate) struct Buddy {
    fault: Fault,
    free: [BTreeSet<u32>; SIZES],
    held: BTreeSet<(u32, u32)>,
    merged: bool,
    asked: u32,
}

impl Buddy {
    pub(crate) fn new(fault: Fault) -> Self {
        let mut free = <[BTreeSet<u32>; SIZES]>::default();
        free[SIZES - 1].insert(0);
        Self { fault, free, held: BTreeSet::new(), merged: false, asked: 0 }
    }
}

impl Subject for Buddy {
    fn name(&self) -> String {
        format!("{:?}", self.fault)
    }

    fn units(&self) -> u32 {
        8
    }

    fn reset(&mut self) {
        if self.fault != Fault::ResetsNothing {
            *self = Self::new(self.fault);
        }
    }

    fn allocate(&mut self, units: u32) -> Option<u32> {
        self.asked += 1;
        let wanted = (0..SIZES).find(|&log2| 1 << log2 == units)?;
        if self.fault == Fault::RefusesWhole && self.merged && units == 8 {
            return None;
        }
        if self.fault == Fault::Tires && self.asked > 100 {
            return None;
        }
        assert!(self.fault != Fault::Panics || self.held.len() < 2, "no third");
        let Some(found) = (wanted..SIZES).find(|&log2| !self.free[log2].is_empty()) else {
            if self.fault == Fault::RefusalLeaks {
                self.free[0].pop_first();
            }
            return None;
        };
        let begin = self.free[found].pop_first()?;
        (wanted..found).for_each(|log2| _ = self.free[log2].insert(begin + (1 << log2)));
        self.held.insert((begin, units));
        Some(begin)
    }

    fn free(&mut self, begin: u32, units: u32) -> bool {
        if !self.held.remove(&(begin, units)) {
            if self.fault == Fault::MisuseLeaks {
                self.free[0].pop_first();
            }
            return false;
        }
        let (mut begin, mut log2) = (begin, units.ilog2() as usize);
        while log2 + 1 < SIZES && self.free[log2].contains(&(begin ^ (1 << log2))) {
            if self.fault != Fault::KeepsMerged {
                self.free[log2].remove(&(begin ^ (1 << log2)));
            }
            begin &= !(1 << log2);
            log2 += 1;
            self.merged = true;
        }
        self.free[log2].insert(begin);
        true
    }

    fn frees_parts(&self) -> bool {
        self.fault == Fault::RefusesParts
    }
}
