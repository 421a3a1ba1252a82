//! A line of jobs: a tree by key and arrival.
//!
//! Each room knows the least PEs, the least requested time and the earliest start below it, so that a
//! search for a job that asks for little of each passes over whole branches.

use super::jobs::Room;
use super::tree::{BEFORE, BEHIND, Kind, Needs, Place, Tree, climb, outmost, room};
use crate::list::Ref;

/// By key and arrival; together jobs say the least of each.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByKey;

/// The jobs of a line in order.
pub(super) type Line = Tree<ByKey>;

impl Kind for ByKey {
    fn place<N>(room: &Room<N>) -> Place {
        room.place()
    }

    fn together(one: Needs, other: Needs) -> Needs {
        Needs {
            pes: one.pes.min(other.pes),
            requested: one.requested.min(other.requested),
            time: one.time.min(other.time),
        }
    }
}

impl Needs {
    /// No job asks for more.
    pub(super) const MOST: Self = Self { pes: u32::MAX, requested: u64::MAX, time: u64::MAX };

    fn within(self, most: Self) -> bool {
        self.pes <= most.pes && self.requested <= most.requested && self.time <= most.time
    }

    fn within_one(self, most: &[Self]) -> bool {
        most.iter().any(|&most| self.within(most))
    }
}

impl Line {
    /// The first room at `from` or behind it whose job asks for no more than one of `most`.
    ///
    /// Cost: the logarithm of the line if there is one, or if all but one are no bounds; else also
    /// the rooms of branches that ask for little of each, but not in one job.
    pub(super) fn first_within<N>(
        &self,
        rooms: &[Room<N>],
        from: Place,
        most: &[Needs],
    ) -> Option<(Place, u32)> {
        let may = |at| room(rooms, at).is_some_and(|room| room.node.sum.within_one(most));
        if !may(self.root()) {
            return None;
        }
        let mut row = self.first_from(rooms, from)?;
        loop {
            let at = rooms.get(row as usize)?;
            if at.needs().within_one(most) {
                return Some((at.place(), row));
            }
            let behind = at.node.side(BEHIND);
            row = if may(behind) {
                outmost(rooms, behind, BEFORE, |node| node.sum.within_one(most)).get()?
            } else {
                climb(rooms, Ref::to(row))?
            };
        }
    }

    /// What the least job asks for, of each separately.
    pub(super) fn least<N>(&self, rooms: &[Room<N>]) -> Needs {
        room(rooms, self.root()).map_or(Needs::MOST, |room| room.node.sum)
    }

    /// The earliest start after `time`. Cost: the logarithm of the line for each room whose start
    /// is not.
    pub(super) fn least_after<N>(&self, rooms: &[Room<N>], time: u64) -> Option<u64> {
        least_after(rooms, self.root(), time)
    }
}

/// The earliest start of a branch after `time`.
fn least_after<N>(rooms: &[Room<N>], at: Ref, time: u64) -> Option<u64> {
    let top = room(rooms, at)?;
    if top.node.sum.time > time {
        return Some(top.node.sum.time);
    }
    let own = Some(top.needs().time).filter(|&own| own > time);
    let [before, behind] =
        [BEFORE, BEHIND].map(|side| least_after(rooms, top.node.side(side), time));
    before.into_iter().chain(own).chain(behind).min()
}
