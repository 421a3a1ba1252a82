//! Queues that promise times and places on machines of any kind.

use super::OutageQueue;
use super::demands::{Asks, Demands};
use super::planned::Planned;
use super::promise_figures::Counts;
use crate::machine::{Cluster, FEW, MANY, Nearness, NodeStrategy, Racks, Rule, Spot, StrategyKind};
use crate::workload;
use locox::bits::Word;
use locox::cube::{Dim, Node};
use locox::dispatch::{Backfill, Cause, Entry, Job, Misuse, Promises, Ticket};
use locox::handle::PoolId;
use locox::machine::{Count, Held, Machine, Timetable};
use locox::reserve::Interval;
use locox::subcube::{Buddy, ByMap, Complete, GrayCode, Subcubes};
use locox::time::Instant;

type Shared = Box<dyn OutageQueue + Send + Sync>;

/// An empty queue of so many entries that makes so many promises at a time on an idle machine.
pub(super) fn promises(most: u32, entries: usize, rule: Rule) -> Shared {
    match rule {
        Rule::Count(nodes) => queue(Count(nodes), nodes, most, entries, |job: &Job| job.pes),
        Rule::Boxes(boxes, layout) => {
            let of_nodes = move |job: &Job| layout.of_nodes(job.pes);
            queue(boxes, layout.processors(), most, entries, of_nodes)
        }
        Rule::Subcubes(dims, StrategyKind::Buddy) => on_cube::<Buddy>(dims, most, entries),
        Rule::Subcubes(dims, StrategyKind::GrayCode) => on_cube::<GrayCode>(dims, most, entries),
        Rule::Subcubes(dims, _) => on_cube::<Complete>(dims, most, entries),
        Rule::Domains(racks, nearness) if racks.processors() <= FEW as u32 * Word::BITS => {
            on_tree::<FEW>(racks, nearness, most, entries)
        }
        Rule::Domains(racks, nearness) => on_tree::<MANY>(racks, nearness, most, entries),
        Rule::Nodes(cluster, strategy) if cluster.nodes() <= FEW as u32 * Word::BITS => {
            on_nodes::<FEW>(cluster, strategy, most, entries)
        }
        Rule::Nodes(cluster, strategy) => on_nodes::<MANY>(cluster, strategy, most, entries),
    }
}

fn on_tree<const W: usize>(racks: Racks, nearness: Nearness, most: u32, entries: usize) -> Shared {
    let domain = move |job: &Job| racks.domain(nearness, job.pes);
    queue(racks.tree::<W>(), racks.processors(), most, entries, domain)
}

fn on_nodes<const W: usize>(
    cluster: Cluster,
    strategy: NodeStrategy,
    most: u32,
    entries: usize,
) -> Shared {
    let (machine, demands) = (cluster.machine::<W>(strategy), Demands::new(cluster, strategy));
    queue(machine, cluster.processors(), most, entries, demands)
}

fn on_cube<S>(dims: Dim, most: u32, entries: usize) -> Shared
where
    S: ByMap + Clone + Send + Sync + 'static,
{
    let machine = Subcubes::<S>::new(dims).expect("a cube of at most 16 dimensions");
    let holding = |job: &Job| Dim::holding(job.pes).expect("a job that the machine can run");
    queue(machine, dims.nodes(), most, entries, holding)
}

fn queue<M: Planned>(
    machine: M,
    nodes: u32,
    most: u32,
    entries: usize,
    requests: impl Asks<M>,
) -> Shared {
    let held = rows(&machine.node(Node(0)), Backfill::rows(entries, 0));
    let words = vec![M::Word::default(); Timetable::words(&machine)].into_boxed_slice();
    let policy = Promises::new(machine, requests, most, held, words).expect(ENOUGH);
    let entries = vec![Entry::EMPTY; entries].into_boxed_slice();
    Box::new(Backfill::promises(PoolId(0), nodes, policy, entries).expect(ENOUGH))
}

const ENOUGH: &str = "the kernel says itself how much storage it needs";

/// So many rows for what is held.
fn rows<P: Copy>(place: &P, rows: usize) -> Box<[Held<P>]> {
    vec![Held::new(*place, Interval { start: Instant::ZERO, end: Instant::ZERO }); rows].into()
}

type Rows<M> = Box<[Held<<M as Machine>::Place>]>;

impl<M, R> OutageQueue
    for Backfill<Promises<M, R, Rows<M>, Box<[<M as Machine>::Word]>>, Box<[Entry]>>
where
    M: Planned,
    R: Asks<M>,
{
    fn make_room(&mut self, jobs: usize) {
        // Outages have fewer rows than there are.
        let held = rows(&self.machine().node(Node(0)), Backfill::rows(jobs, self.row_count()));
        if self.move_rows(jobs, held).is_ok() {
            _ = self.move_into(vec![Entry::EMPTY; jobs].into());
        }
    }

    fn copy(&self) -> Shared {
        Box::new(self.clone())
    }

    fn plans(&self) -> bool {
        true
    }

    fn plans_places(&self) -> bool {
        !M::ANY
    }

    fn note(&mut self, id: u32, job: &workload::Job) {
        if let Some(request) = self.requests_mut().note(id, job) {
            self.machine_mut().learn(&request);
        }
    }

    fn next_at(
        &mut self,
        now: Instant,
        start: &mut dyn FnMut(Job, Option<Spot<'_>>) -> bool,
    ) -> Option<(Ticket, Job)> {
        Self::next_at(self, now, &mut |job, place| start(job, Some(M::spot(place))))
    }

    fn promised(&self, tell: &mut dyn FnMut(u32, Interval)) {
        Self::promised(self).for_each(|(_, job, at)| tell(job.id, at));
    }

    fn promised_places(&self, first: usize, tell: &mut dyn FnMut(u32, Instant, Spot<'_>)) {
        for (ticket, job, at) in Self::promised(self).take(first) {
            let place = self.place(ticket).expect("it is in line").expect("it is promised one");
            tell(job.id, at.start, M::spot(&place));
        }
    }

    fn moved_later(&self) -> Option<Counts> {
        Some(Cause::ALL.map(|cause| Self::moved_later(self, cause)))
    }

    fn finished_together(&mut self, now: Instant, tickets: &[Ticket]) -> Result<(), Misuse> {
        Self::finished_together(self, now, tickets)
    }

    fn withdraw(&mut self, now: Instant, processors: u32) -> Result<(), Misuse> {
        // Where it matters which they are, it is told.
        if M::ANY {
            self.withdraw_nodes(now, &vec![Node(0); processors as usize]);
        }
        Ok(())
    }

    fn repair(&mut self, now: Instant, processors: u32) -> Result<(), Misuse> {
        if M::ANY {
            self.repair_nodes(now, &vec![Node(0); processors as usize]);
        }
        Ok(())
    }

    fn heeds_announcements(&self) -> bool {
        !M::ANY
    }

    fn withdraw_nodes(&mut self, now: Instant, nodes: &[Node]) {
        self.announce(now, nodes, Interval { start: now, end: Instant::MAX });
    }

    fn announce(&mut self, now: Instant, nodes: &[Node], during: Interval) {
        for &node in nodes {
            let place = self.machine().node(node);
            if self.withdraw_at(now, place, during).is_err() {
                let more = rows(&place, 2 * self.row_count());
                assert!(self.move_rows(0, more).is_ok(), "more rows than before");
                self.withdraw_at(now, place, during).expect("a row for this node");
            }
        }
    }

    fn repair_nodes(&mut self, now: Instant, nodes: &[Node]) {
        for &node in nodes {
            let place = self.machine().node(node);
            self.repair_at(now, &place).expect("an outage of this node has begun");
        }
    }
}
