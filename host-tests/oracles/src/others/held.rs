//! What clients hold, and whether an answer is right beside it.

use super::{Block, Call, Subject};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The blocks that clients hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Held(pub(super) BTreeSet<Block>);

impl Held {
    /// Whether no block has a unit of `block`.
    pub(super) fn is_free(&self, block: Block) -> bool {
        !self.0.iter().any(|held| held.meets(block))
    }

    pub(super) fn units(&self) -> u32 {
        self.0.iter().map(|block| block.units).sum()
    }

    /// A place for so many units.
    pub(super) fn room(&self, subject: &dyn Subject, units: u32) -> Option<Block> {
        let last = subject.units().checked_sub(units)?;
        let blocks = (0..=last).filter(|&begin| subject.may_begin(begin, units));
        blocks.map(|begin| Block { begin, units }).find(|&block| self.is_free(block))
    }

    /// The held block in which all of `block` lies.
    pub(super) fn around(&self, block: Block) -> Option<Block> {
        self.0.iter().copied().find(|held| held.has(block))
    }

    /// What may be given back.
    pub(super) fn releases(&self, subject: &dyn Subject, sizes: &[u32]) -> Vec<Block> {
        if !subject.frees_parts() {
            return self.0.iter().copied().collect();
        }
        let can_be_freed = |block: &Block| self.without(subject, *block).is_some();
        blocks(subject, sizes).into_iter().filter(can_be_freed).collect()
    }

    /// What is held after a block, or part of one, was given back. `None`: it is not held, or the rest is no blocks.
    fn without(&self, subject: &dyn Subject, block: Block) -> Option<Self> {
        let around = self.around(block)?;
        let mut left = self.clone();
        left.0.remove(&around);
        left.0.extend(cut(subject, around.begin, block.begin)?);
        left.0.extend(cut(subject, block.begin + block.units, around.begin + around.units)?);
        Some(left)
    }

    /// Carries out a call that is as it should be, and says what is wrong with the answer.
    pub(super) fn follow(&mut self, subject: &mut dyn Subject, call: Call) -> Result<(), String> {
        caught(|| self.judged(subject, call))?
    }

    fn judged(&mut self, subject: &mut dyn Subject, call: Call) -> Result<(), String> {
        match call {
            Call::Allocate(units) => {
                let room = self.room(subject, units);
                let granted = subject.allocate(units).map(|begin| Block { begin, units });
                self.judge(subject, granted, room)?;
                self.0.extend(granted);
            }
            Call::Free(block) => {
                let left = self.without(subject, block).ok_or("nobody holds that")?;
                if !subject.free(block.begin, block.units) {
                    return Err("what is held is not taken back".into());
                }
                *self = left;
            }
        }
        let free = subject.units().saturating_sub(self.units());
        match subject.free_units() {
            Some(said) if said != free => {
                Err(format!("its count of free units is {said}, not {free}"))
            }
            _ => Ok(()),
        }
    }

    fn judge(
        &self,
        subject: &dyn Subject,
        granted: Option<Block>,
        room: Option<Block>,
    ) -> Result<(), String> {
        let Some(block) = granted else {
            return match room {
                Some(room) if subject.finds_all() => Err(format!("refused, but free: {room}")),
                _ => Ok(()),
            };
        };
        if block.end() > u64::from(subject.units()) {
            return Err(format!("{block}: there are {}", subject.units()));
        }
        if !subject.may_begin(block.begin, block.units) {
            return Err(format!("{block}: a block may not begin there"));
        }
        if !self.is_free(block) {
            return Err(format!("{block}: not free"));
        }
        Ok(())
    }
}

/// All blocks that a client may ask for, wherever they may begin.
pub(super) fn blocks(subject: &dyn Subject, sizes: &[u32]) -> Vec<Block> {
    let begins = |units| (0..=subject.units() - units).map(move |begin| Block { begin, units });
    let all = sizes.iter().flat_map(|&units| begins(units));
    all.filter(|block| subject.may_begin(block.begin, block.units)).collect()
}

/// The units from `begin` to `end` as blocks, each as large as may be. `None`: no block may begin somewhere.
fn cut(subject: &dyn Subject, mut begin: u32, end: u32) -> Option<Vec<Block>> {
    let mut blocks = Vec::new();
    while begin < end {
        let fits = |&units: &u32| units <= end - begin && subject.may_begin(begin, units);
        let units = subject.sizes().into_iter().filter(fits).max()?;
        blocks.push(Block { begin, units });
        begin += units;
    }
    Some(blocks)
}

/// What a call answers, or how it panics.
pub(super) fn caught<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        format!("it panics: {}", text.unwrap_or("without a text"))
    })
}
