//! The nodes of the manager as a [`Machine`], on which what holds places are the rows of jobs.

use super::layout::{Asked, Layout};
use super::nodes::Nodes;
use super::storage::JobRow;
use core::cell::Cell;
use locox::bits::Word;
use locox::ground::{bit, copy, set_bit};
use locox::machine::{Held, Machine, Words};
use locox::reserve::Interval;
use locox::time::Instant;

/// The nodes of the job in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot(pub(super) u32);

/// Who holds nodes from when until when; for a decision.
pub type PlanRow = Held<Spot>;

/// An empty row of a plan.
pub const UNPLANNED: PlanRow =
    Held::new(Spot(0), Interval { start: Instant::ZERO, end: Instant::ZERO });

/// What is found lies in the first words of the room, and is nobody's yet.
const FOUND: Spot = Spot(u32::MAX);

/// The nodes in service.
pub(super) struct Floor<'p, 'a> {
    pub(super) layout: &'p Layout<'a>,
    pub(super) serving: &'p [Word],
    pub(super) nodes: &'p Nodes<'a>,
    pub(super) jobs: &'p [JobRow],
    /// In which boxes are looked for.
    pub(super) rows: Cell<&'p mut [u64]>,
}

impl Floor<'_, '_> {
    fn numbers(&self, it: &JobRow) -> impl Iterator<Item = u32> {
        it.nodes.iter(&*self.nodes.rows).map(|(node, _)| node)
    }

    /// The nodes of a job are not free.
    pub(super) fn take_job(&self, map: &mut [Word], it: &JobRow) {
        self.layout.lend(map, it, || self.numbers(it));
        self.numbers(it).for_each(|node| set_bit(map, 0, node, false));
    }
}

impl Machine for Floor<'_, '_> {
    type Request = Asked;
    type Place = Spot;
    type Word = Word;

    fn words(&self) -> Words {
        self.layout.words()
    }

    fn open(&self, map: &mut [Word]) {
        map.fill(0);
        copy(map, self.serving);
    }

    fn take(&self, map: &mut [Word], Spot(row): &Spot) {
        if let Some(it) = self.jobs.get(*row as usize) {
            self.take_job(map, it);
        }
    }

    fn has(&self, map: &[Word], Spot(row): &Spot) -> bool {
        let has = |it: &JobRow| self.numbers(it).all(|node| bit(map, 0, node));
        self.jobs.get(*row as usize).is_some_and(has)
    }

    fn find(&self, map: &[Word], of: &Asked, room: &mut [Word]) -> Option<Spot> {
        self.layout.find(map, of, room, &self.rows).then_some(FOUND)
    }

    fn size(&self, of: &Asked) -> u32 {
        self.layout.size(of)
    }

    fn covers(&self, one: &Asked, other: &Asked) -> bool {
        self.layout.covers(one, other)
    }
}
