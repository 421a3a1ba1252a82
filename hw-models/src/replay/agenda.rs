//! When the outages of a replay begin and end.

use crate::machine::Affected;
use crate::outages::Outage;
use locox::time::Instant;

/// The outages of a replay, by the instants at which one begins or ends; at one instant those that
/// end come first, then in the order given. One that ends when it begins, or before, never begins.
///
/// - `changes` before `next` have happened.
/// - `affected` has what each outage holds that has begun and not ended.
#[derive(Clone)]
pub(super) struct Agenda<'a> {
    outages: &'a [Outage],
    changes: Vec<Change>,
    next: usize,
    affected: Vec<Option<Affected>>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    at: Instant,
    begins: bool,
    outage: usize,
}

/// What happens to an outage.
pub(super) enum Turn<'a> {
    /// It begins; its place among the outages.
    Begins(usize, &'a Outage),
    /// It ends.
    Ends(Affected),
}

impl<'a> Agenda<'a> {
    pub(super) fn new(outages: &'a [Outage]) -> Self {
        let lasts = |outage: &Outage| outage.end.is_none_or(|end| end > outage.start);
        let all = outages.iter().enumerate().filter(|(_, outage)| lasts(outage));
        let mut changes: Vec<Change> = all
            .flat_map(|(outage, &Outage { start, end, .. })| {
                let begins = Change { at: start, begins: true, outage };
                let ends = end.map(|at| Change { at, begins: false, outage });
                [begins].into_iter().chain(ends)
            })
            .collect();
        changes.sort_unstable();
        let affected = outages.iter().map(|_| None).collect();
        Self { outages, changes, next: 0, affected }
    }

    /// The instant of the next change.
    pub(super) fn next_at(&self) -> Option<Instant> {
        self.changes.get(self.next).map(|change| change.at)
    }

    /// The next change, if it happens at this instant.
    pub(super) fn take(&mut self, now: Instant) -> Option<Turn<'a>> {
        let &Change { begins, outage, .. } =
            self.changes.get(self.next).filter(|change| change.at == now)?;
        self.next += 1;
        if begins {
            return Some(Turn::Begins(outage, &self.outages[outage]));
        }
        let affected = self.affected[outage].take();
        Some(Turn::Ends(affected.expect("what ends has begun")))
    }

    /// What an outage that begins holds out of service.
    pub(super) fn note(&mut self, outage: usize, affected: Affected) {
        self.affected[outage] = Some(affected);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_come_by_time_and_at_one_instant_ends_come_first() {
        let at = Instant::from_ticks;
        let outages = [
            Outage::of(1, at(5), Some(at(9))),
            Outage::of(2, at(1), Some(at(5))),
            Outage::of(3, at(5), None),
            Outage::of(4, at(5), Some(at(5))),
        ];
        let agenda = Agenda::new(&outages);
        let changes = agenda.changes.iter();
        let changes: Vec<_> = changes.map(|it| (it.at.ticks(), it.begins, it.outage)).collect();
        let expected = [(1, true, 1), (5, false, 1), (5, true, 0), (5, true, 2), (9, false, 0)];
        assert_eq!(changes, expected);
    }
}
