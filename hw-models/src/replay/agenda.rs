//! When the outages of a replay are announced, begin and end.

use crate::machine::Affected;
use crate::outages::Outage;
use locox::time::Instant;

/// The outages of a replay, by the instants at which one is announced, begins or ends; at one instant those that
/// end come first, then those that begin, each in the order given. One that ends when it begins, or before, never begins.
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
    kind: Kind,
    outage: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Ends,
    Begins,
    Announced,
}

/// What happens to an outage.
pub(super) enum Turn<'a> {
    /// It is announced.
    Announced(&'a Outage),
    /// It begins; its place among the outages.
    Begins(usize, &'a Outage),
    /// It ends, with what it held.
    Ends(&'a Outage, Affected),
}

impl<'a> Agenda<'a> {
    /// Whether announcements are `heeded`: else none is a change.
    pub(super) fn new(outages: &'a [Outage], heeded: bool) -> Self {
        let lasts = |outage: &Outage| outage.end.is_none_or(|end| end > outage.start);
        let all = outages.iter().enumerate().filter(|(_, outage)| lasts(outage));
        let mut changes: Vec<Change> = all
            .flat_map(|(outage, it)| {
                let change = |at: Instant, kind| Change { at, kind, outage };
                let announced = it.known_ahead().filter(|_| heeded);
                let announced = announced.map(|at| change(at, Kind::Announced));
                let ends = it.end.map(|at| change(at, Kind::Ends));
                [change(it.start, Kind::Begins)].into_iter().chain(announced).chain(ends)
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
        let &Change { kind, outage, .. } =
            self.changes.get(self.next).filter(|change| change.at == now)?;
        self.next += 1;
        let it = &self.outages[outage];
        Some(match kind {
            Kind::Announced => Turn::Announced(it),
            Kind::Begins => Turn::Begins(outage, it),
            Kind::Ends => {
                let affected = self.affected[outage].take();
                Turn::Ends(it, affected.expect("what ends has begun"))
            }
        })
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
        let [begins, ends] = [Kind::Begins, Kind::Ends];
        let expected = [(1, begins, 1), (5, ends, 1), (5, begins, 0), (5, begins, 2), (9, ends, 0)];
        assert_eq!(changes(&Agenda::new(&outages, true)), expected);
    }

    fn changes(agenda: &Agenda<'_>) -> Vec<(u64, Kind, usize)> {
        agenda.changes.iter().map(|it| (it.at.ticks(), it.kind, it.outage)).collect()
    }

    #[test]
    fn what_is_announced_in_time_with_nodes_and_an_end_is_a_change_for_who_heeds_it() {
        let at = Instant::from_ticks;
        let known = |announced, end| Outage {
            announced: Some(at(announced)),
            nodes: vec![1],
            ..Outage::of(1, at(5), end)
        };
        let outages = [
            known(2, Some(at(9))),
            known(5, Some(at(9))),
            known(2, None),
            Outage { nodes: vec![], ..known(2, Some(at(9))) },
        ];
        let begin: Vec<_> = (0..4).map(|outage| (5, Kind::Begins, outage)).collect();
        let end = [0, 1, 3].map(|outage| (9, Kind::Ends, outage));
        let all = [&begin[..], &end].concat();
        assert_eq!(changes(&Agenda::new(&outages, false)), all);
        let heeded = [&[(2, Kind::Announced, 0)], &all[..]].concat();
        assert_eq!(changes(&Agenda::new(&outages, true)), heeded);
    }
}
