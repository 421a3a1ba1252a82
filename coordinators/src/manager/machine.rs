//! The nodes as a [`Machine`]: a place is the row of the job that has it, or of an outage.

use super::layout::{Asked, Layout};
use super::nodes::{Nodes, members};
use super::storage::{JobRow, OutageRow, Spot, State};
use core::cell::Cell;
use core::ops::Range;
use locox::bits::Word;
use locox::ground::{bit, copy, set_bit};
use locox::machine::{Machine, Words};
use locox::time::Instant;

/// What is found lies in the first words of the room, and is nobody's yet.
const FOUND: Spot = Spot(u32::MAX);

/// The place of the first job in line.
pub(super) const PROMISED: Spot = Spot(u32::MAX - 1);

/// The nodes in service.
pub(super) struct NodeMachine<'p, 'a> {
    pub(super) layout: &'p Layout<'a>,
    pub(super) serving: &'p [Word],
    /// What is promised to the first job in line.
    pub(super) promised: &'p [Word],
    pub(super) nodes: &'p Nodes<'a>,
    pub(super) jobs: &'p [JobRow],
    pub(super) outages: &'p [OutageRow],
    /// In which boxes are looked for.
    pub(super) rows: Cell<&'p mut [u64]>,
}

impl NodeMachine<'_, '_> {
    pub(super) fn numbers(&self, it: &JobRow) -> impl Iterator<Item = u32> {
        it.nodes.iter(&*self.nodes.rows).map(|(node, _)| node)
    }

    fn outage(&self, row: u32) -> Range<u32> {
        let at = (row as usize).checked_sub(self.jobs.len());
        at.and_then(|at| self.outages.get(at)).map_or(0..0, OutageRow::numbers)
    }

    /// The nodes of outages with a part in a time are not free.
    pub(super) fn take_outages(&self, map: &mut [Word], [from, to]: [Instant; 2]) {
        let meets = |it: &&OutageRow| it.from < to && from < it.to;
        remove(map, self.outages.iter().filter(meets).flat_map(OutageRow::numbers));
    }

    /// The nodes of a job are not free.
    pub(super) fn take_job(&self, map: &mut [Word], it: &JobRow) {
        self.layout.lend(map, it, || self.numbers(it));
        remove(map, self.numbers(it));
    }
}

fn remove(map: &mut [Word], nodes: impl Iterator<Item = u32>) {
    nodes.for_each(|node| set_bit(map, 0, node, false));
}

impl Machine for NodeMachine<'_, '_> {
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

    fn take(&self, map: &mut [Word], at: &Spot) {
        match self.jobs.get(at.0 as usize) {
            Some(it) if it.state == State::Comes => remove(map, self.nodes.kept_for(at.0)),
            Some(it) => self.take_job(map, it),
            None if *at == PROMISED => remove(map, members(self.promised)),
            None => remove(map, self.outage(at.0)),
        }
    }

    fn has(&self, map: &[Word], at: &Spot) -> bool {
        let is_free = |node| bit(map, 0, node);
        match self.jobs.get(at.0 as usize) {
            Some(it) if it.state == State::Comes => self.nodes.kept_for(at.0).all(is_free),
            Some(it) => self.numbers(it).all(is_free),
            None if *at == PROMISED => members(self.promised).all(is_free),
            None => self.outage(at.0).all(is_free),
        }
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
