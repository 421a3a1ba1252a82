//! Queues that promise times and places on machines of any kind.

use super::OutageQueue;
use super::demands::{Asks, Demands};
use super::promise_figures::Counts;
use crate::machine::{Cluster, FEW, MANY, Nearness, NodeStrategy, Racks, Rule, Spot, StrategyKind};
use crate::workload;
use locox::bits::{Word, set_bit};
use locox::cube::{Dim, Node, Subcube};
use locox::dispatch::{Backfill, Cause, Entry, Job, Misuse, Promises, Ticket};
use locox::grid::{Boxes, Cuboid, Sides};
use locox::handle::PoolId;
use locox::image::Stored;
use locox::machine::{Count, Held, Machine, Timetable, Tree};
use locox::nodes::{NodePlace, Nodes};
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

/// A machine of the kernel that is replayed on.
pub(super) trait Planned:
    Machine<Place: Stored + Send + Sync, Word: Send + Sync, Request: Send + Sync>
where
    Self: Clone + Send + Sync + 'static,
{
    /// Whether any nodes will do, so that nobody needs to know which.
    const ANY: bool = false;

    /// The place that is one node.
    fn node(&self, node: Node) -> Self::Place;

    /// A place, as machines of a replay are told.
    fn spot(place: &Self::Place) -> Spot<'_>;
}

impl Planned for Count {
    const ANY: bool = true;

    fn node(&self, _: Node) -> u32 {
        1
    }

    fn spot(_: &u32) -> Spot<'_> {
        Spot::Any
    }
}

impl Planned for Boxes {
    fn node(&self, node: Node) -> Cuboid {
        let one = Sides::new(&[1]).expect("a side of one node");
        Cuboid::new(self.grid(), node, one).expect("a node of the machine")
    }

    fn spot(place: &Cuboid) -> Spot<'_> {
        Spot::Box(*place)
    }
}

impl<S: ByMap + Clone + Send + Sync + 'static> Planned for Subcubes<S> {
    fn node(&self, node: Node) -> Subcube {
        Subcube::new(self.dims(), node, 0).expect("a node of the machine")
    }

    fn spot(place: &Subcube) -> Spot<'_> {
        Spot::Subcube(*place)
    }
}

impl<const W: usize> Planned for Tree<'static, W> {
    fn node(&self, node: Node) -> [Word; W] {
        let mut place = [0; W];
        set_bit(&mut place, 0, node.0, true);
        place
    }

    fn spot(place: &[Word; W]) -> Spot<'_> {
        Spot::Nodes(place)
    }
}

impl<const W: usize> Planned for Nodes<'static, W> {
    fn node(&self, node: Node) -> NodePlace<W> {
        NodePlace::whole([node])
    }

    fn spot(place: &NodePlace<W>) -> Spot<'_> {
        Spot::Nodes(place.set())
    }
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
        self.requests_mut().note(id, job);
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
