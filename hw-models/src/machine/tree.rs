//! Racks of nodes whose jobs run in one rack, or in one block of racks.

use super::nodes_out::NodesOut;
use super::{
    Affected, Machine, Nearness, Outages, Placement, Racks, Refusal, Rule, Spot, Token, Usage,
    node_set, slot_of,
};
use crate::outages::Outage;
use crate::workload::Job;
use locox::bits::{Word, bit, ones_of, set_bit};
use locox::cube::Node;
use locox::machine::{Domain, Machine as _, Tree};
use locox::subcube;
use slab::Slab;

/// Words of nodes of a small machine. Places have so many, and are copied often.
pub(crate) const FEW: usize = 16;
/// Those of the largest.
pub(crate) const MANY: usize = Racks::MOST.div_ceil(Word::BITS) as usize;

/// A machine of these racks whose jobs run as near each other as this says.
pub fn tree_machine(racks: Racks, nearness: Nearness) -> Box<dyn Machine> {
    match racks.processors() <= FEW as u32 * Word::BITS {
        true => Box::new(TreeMachine::<FEW>::new(racks, nearness)),
        false => Box::new(TreeMachine::<MANY>::new(racks, nearness)),
    }
}

// Invariants of the fields:
//
// - A node is in `free`, or held by one of `jobs`, or out of service, or both of the latter.
// - `serving` are the nodes that are in service.
struct TreeMachine<const W: usize> {
    racks: Racks,
    nearness: Nearness,
    tree: Tree<'static, W>,
    free: [Word; W],
    serving: [Word; W],
    jobs: Slab<[Word; W]>,
    usage: Usage,
    out: NodesOut,
}

impl<const W: usize> TreeMachine<W> {
    fn new(racks: Racks, nearness: Nearness) -> Self {
        let tree = racks.tree();
        let mut all = [0; W];
        tree.open(&mut all);
        let (usage, out) = (Usage::default(), NodesOut::default());
        Self { racks, nearness, tree, free: all, serving: all, jobs: Slab::new(), usage, out }
    }

    fn request(&self, job: &Job) -> Domain {
        self.racks.domain(self.nearness, job.processors)
    }

    fn find(&self, map: &[Word; W], job: &Job) -> Option<[Word; W]> {
        self.tree.find(map, &self.request(job), &mut [0; W])
    }

    fn place(&mut self, job: &Job, place: [Word; W]) -> Placement {
        self.tree.take(&mut self.free, &place);
        let processors = job.processors;
        let token = Token::Slot(self.jobs.insert(place));
        let placement = Placement { processors, held: processors, token };
        self.usage.add(&placement);
        placement
    }
}

/// The nodes whose bits are set.
pub(super) fn nodes_of(place: &[Word]) -> impl Iterator<Item = Node> {
    ones_of(place).map(Node)
}

impl<const W: usize> Machine for TreeMachine<W> {
    fn name(&self) -> String {
        format!("{}, {}", self.racks, self.nearness)
    }

    fn processors(&self) -> u32 {
        self.racks.processors()
    }

    fn in_use(&self) -> u32 {
        self.usage.in_use
    }

    fn held(&self) -> u32 {
        self.usage.held
    }

    fn start(&mut self, job: &Job) -> Result<Placement, Refusal> {
        if let Some(place) = self.find(&self.free, job) {
            return Ok(self.place(job, place));
        }
        if !self.can_ever(job) {
            return Err(subcube::Refusal::TooLarge.into());
        }
        if self.find(&self.serving, job).is_none() {
            return Err(subcube::Refusal::Faulty.into());
        }
        let (needed, free) = (job.processors, self.free.iter().map(|it| it.count_ones()).sum());
        Err(match free < needed {
            true => subcube::Refusal::TooFewFree { needed, free }.into(),
            false => Refusal::Apart,
        })
    }

    fn start_at(&mut self, job: &Job, spot: Spot<'_>) -> Result<Placement, Refusal> {
        let Spot::Nodes(nodes) = spot else { panic!("{spot:?} are no nodes") };
        let place = nodes.try_into().expect("as many words as the machine has");
        assert!(self.tree.has(&self.free, &place), "nodes that are free");
        Ok(self.place(job, place))
    }

    fn rule(&self) -> Option<Rule> {
        Some(Rule::Domains(self.racks, self.nearness))
    }

    fn can_ever(&self, job: &Job) -> bool {
        job.processors <= self.processors()
    }

    fn finish(&mut self, placement: Placement) {
        let place = self.jobs.remove(slot_of(placement));
        for (at, nodes) in place.iter().enumerate() {
            self.free[at] |= nodes & self.serving[at];
        }
        self.usage.remove(&placement);
    }

    fn allocated(&self, placement: Placement) -> String {
        node_set(nodes_of(&self.jobs[slot_of(placement)]))
    }

    fn outages(&mut self) -> Option<&mut dyn Outages> {
        Some(self)
    }
}

impl<const W: usize> Outages for TreeMachine<W> {
    fn serving(&self) -> u32 {
        self.processors() - self.out.len()
    }

    fn begin(&mut self, outage: &Outage, hit: &mut dyn FnMut(Token)) -> Affected {
        let (affected, gone) = self.out.begin(outage, self.processors());
        let mut place = [0; W];
        gone.iter().for_each(|node| set_bit(&mut place, 0, node.0, true));
        self.tree.take(&mut self.free, &place);
        self.tree.take(&mut self.serving, &place);
        let meets =
            |nodes: &[Word; W]| nodes.iter().zip(&place).any(|(one, other)| one & other != 0);
        let hits = self.jobs.iter().filter(|(_, nodes)| meets(nodes));
        hits.for_each(|(slot, _)| hit(Token::Slot(slot)));
        affected
    }

    fn end(&mut self, affected: Affected) {
        for node in self.out.end(&affected) {
            set_bit(&mut self.serving, 0, node.0, true);
            let is_held = self.jobs.iter().any(|(_, nodes)| bit(nodes, 0, node.0));
            set_bit(&mut self.free, 0, node.0, !is_held);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::stream;
    use locox::time::{Duration, Instant};
    use rand::RngExt;

    fn job(processors: u32) -> Job {
        let (submit, run) = (Instant::ZERO, Duration::from_ticks(1));
        Job {
            id: 0,
            line: None,
            submit,
            processors,
            shape: None,
            memory: 0,
            demand: None,
            run,
            requested: None,
            user: None,
        }
    }

    fn machine(text: &str, nearness: Nearness) -> Box<dyn Machine> {
        tree_machine(text.parse().unwrap(), nearness)
    }

    #[test]
    fn what_is_required_waits_for_a_rack_and_what_is_preferred_does_not() {
        let [mut required, mut preferred] =
            [Nearness::Required, Nearness::Preferred].map(|it| machine("tree:2x4", it));
        for it in [&mut required, &mut preferred] {
            assert_eq!(it.start(&job(3)).map(|at| it.allocated(at)), Ok("0-2".into()));
            assert_eq!(it.start(&job(3)).map(|at| it.allocated(at)), Ok("4-6".into()));
        }
        assert_eq!(required.start(&job(2)), Err(Refusal::Apart));
        assert_eq!(preferred.start(&job(2)).map(|at| preferred.allocated(at)), Ok("3 7".into()));
        let too_few = subcube::Refusal::TooFewFree { needed: 5, free: 2 };
        assert_eq!(required.start(&job(5)), Err(too_few.into()));
        assert_eq!(required.start(&job(9)), Err(subcube::Refusal::TooLarge.into()));
    }

    #[test]
    fn a_rack_with_a_node_out_of_service_is_no_whole_one() {
        let mut racks = machine("tree:2x4", Nearness::Required);
        let first = racks.start(&job(4)).unwrap();
        let outage = |node| Outage { nodes: vec![node], ..Outage::of(1, Instant::ZERO, None) };
        let mut hit = vec![];
        let outages = racks.outages().unwrap();
        let one = outages.begin(&outage(0), &mut |token| hit.push(token));
        assert_eq!((hit, outages.serving()), (vec![first.token], 7));
        racks.finish(first);
        let second = racks.start(&job(4)).unwrap();
        assert_eq!(racks.allocated(second), "4-7");
        let other = racks.outages().unwrap().begin(&outage(7), &mut |_| {});
        racks.finish(second);
        assert_eq!(racks.start(&job(4)), Err(subcube::Refusal::Faulty.into()));
        racks.outages().unwrap().end(one);
        assert_eq!(racks.start(&job(4)).map(|at| racks.allocated(at)), Ok("0-3".into()));
        racks.outages().unwrap().end(other);
        assert_eq!(racks.start(&job(4)).map(|at| racks.allocated(at)), Ok("4-7".into()));
    }

    /// Jobs come and go, on few words and on many.
    #[test]
    fn jobs_hold_nodes_of_their_own_in_as_few_domains_as_required() {
        for text in ["tree:5x7", "tree:3x4x5", "tree:30x40"] {
            let racks: Racks = text.parse().unwrap();
            let mut machine = tree_machine(racks, Nearness::Required);
            let mut rng = stream(7, text, 0);
            let (mut runs, mut started) = (Vec::<(Placement, Vec<u32>)>::new(), 0);
            for _ in 0..2_000 {
                if rng.random_bool(0.5) && !runs.is_empty() {
                    machine.finish(runs.swap_remove(rng.random_range(0..runs.len())).0);
                    continue;
                }
                let nodes = rng.random_range(1..=racks.processors() / 3);
                let Ok(placement) = machine.start(&job(nodes)) else { continue };
                started += 1;
                let mine: Vec<u32> =
                    machine.allocated(placement).split(' ').flat_map(run).collect();
                assert_eq!(mine.len() as u32, nodes);
                let size = [racks.nodes, racks.nodes * racks.racks, racks.processors()];
                let size = size.into_iter().find(|&size| nodes <= size).unwrap();
                assert!(mine.iter().all(|node| node / size == mine[0] / size), "{text}: {mine:?}");
                assert!(runs.iter().all(|(_, theirs)| theirs.iter().all(|it| !mine.contains(it))));
                runs.push((placement, mine));
            }
            assert!(started > 200, "{started}");
        }
    }

    fn run(text: &str) -> std::ops::RangeInclusive<u32> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        first.parse().unwrap()..=last.parse().unwrap()
    }
}
