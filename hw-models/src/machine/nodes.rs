//! Nodes with quantities, which jobs may share.

use super::nodes_out::NodesOut;
use super::stranded::{Free, Stranded};
use super::tree::{FEW, MANY, nodes_of};
use super::{
    Affected, Cluster, Machine, NodeStrategy, Outages, Placement, Places, Refusal, Rule, Spot,
    Token, Usage, node_set, slot_of,
};
use crate::outages::Outage;
use crate::workload::Job;
use locox::bits::{Word, bit, set_bit};
use locox::cube::Node;
use locox::machine::Machine as _;
use locox::nodes::{Amounts, NodePlace, NodeRequest, Nodes};
use locox::subcube;
use slab::Slab;

/// A machine of these nodes whose jobs get them so.
pub fn node_machine(cluster: Cluster, strategy: NodeStrategy) -> Box<dyn Machine> {
    match cluster.nodes() <= FEW as u32 * Word::BITS {
        true => Box::new(NodeMachine::<FEW>::new(cluster, strategy)),
        false => Box::new(NodeMachine::<MANY>::new(cluster, strategy)),
    }
}

// Invariants of the fields:
//
// - `map` is what jobs and outages leave, if it `is_drawn`: a map is never given anything back.
// - `free` is what the map says is free, if it was asked for since the map was changed last.
// - `cores_out` are the cores of the nodes that are out of service.
struct NodeMachine<const W: usize> {
    cluster: Cluster,
    strategy: NodeStrategy,
    nodes: Nodes<'static, W>,
    map: Vec<u32>,
    is_drawn: bool,
    room: Vec<u32>,
    jobs: Slab<NodePlace<W>>,
    usage: Usage,
    out: NodesOut,
    cores_out: u32,
    stranded: Stranded,
    free: Option<Vec<Free>>,
}

impl<const W: usize> NodeMachine<W> {
    fn new(cluster: Cluster, strategy: NodeStrategy) -> Self {
        let nodes = cluster.machine(strategy);
        let words = nodes.words();
        Self {
            cluster,
            strategy,
            nodes,
            map: vec![0; words.map],
            is_drawn: false,
            room: vec![0; words.room],
            jobs: Slab::new(),
            usage: Usage::default(),
            out: NodesOut::default(),
            cores_out: 0,
            stranded: Stranded::new(cluster, strategy.exclusive),
            free: None,
        }
    }

    /// Looks at what is free on each node.
    fn look(&mut self) {
        self.redraw();
        if self.free.is_some() {
            return;
        }
        let free = |node: u32| {
            let amounts = self.nodes.free(&self.map, node);
            let open: Vec<u32> = self.nodes.open_devices(&self.map, node).collect();
            let is_empty = amounts == *self.cluster.has_node(node);
            Free { node, amounts, open, is_empty }
        };
        self.free = Some((0..self.cluster.nodes()).map(free).collect());
    }

    /// What is left of what the nodes have in common.
    fn free_common(&self) -> Amounts {
        let mut left = *self.cluster.common().all();
        for (_, place) in &self.jobs {
            left.iter_mut().zip(place.common().all()).for_each(|(left, own)| *left -= own);
        }
        Amounts::of(&left)
    }

    /// Draws what outages leave, and what jobs do, if that is asked for.
    fn draw(&mut self, with_jobs: bool) {
        self.nodes.open(&mut self.map);
        self.nodes.take(&mut self.map, &NodePlace::whole(self.out.nodes()));
        if with_jobs {
            self.jobs.iter().for_each(|(_, place)| self.nodes.take(&mut self.map, place));
        }
        self.is_drawn = with_jobs;
        self.free = None;
    }

    fn redraw(&mut self) {
        if !self.is_drawn {
            self.draw(true);
        }
    }

    fn find(&mut self, request: &NodeRequest<'static>) -> Option<NodePlace<W>> {
        self.nodes.find(&self.map, request, &mut self.room)
    }

    fn place(&mut self, job: &Job, place: NodePlace<W>) -> Placement {
        self.nodes.take(&mut self.map, &place);
        self.free = None;
        let of_node = |Node(node)| place.amounts().unwrap_or(self.cluster.has_node(node)).get(0);
        let held = place.nodes().map(of_node).sum();
        let token = Token::Slot(self.jobs.insert(place));
        let placement = Placement { processors: job.processors, held, token };
        self.usage.add(&placement);
        placement
    }

    /// Why a job cannot start.
    fn refusal(&mut self, needed: u32, request: &NodeRequest<'static>) -> Refusal {
        if self.out.len() > 0 {
            self.draw(false);
            if self.find(request).is_none() {
                return subcube::Refusal::Faulty.into();
            }
        }
        let free = self.serving().saturating_sub(self.usage.held);
        match free < needed {
            true => subcube::Refusal::TooFewFree { needed, free }.into(),
            false => Refusal::Nodes,
        }
    }

    fn cores(&self, nodes: &[Node]) -> u32 {
        nodes.iter().map(|node| self.cluster.has_node(node.0).get(0)).sum()
    }
}

impl<const W: usize> Machine for NodeMachine<W> {
    fn name(&self) -> String {
        format!("{}, {}", self.cluster, self.strategy)
    }

    fn processors(&self) -> u32 {
        self.cluster.processors()
    }

    fn nodes(&self) -> u32 {
        self.cluster.nodes()
    }

    fn in_use(&self) -> u32 {
        self.usage.in_use
    }

    fn held(&self) -> u32 {
        self.usage.held
    }

    fn size(&self, job: &Job) -> u32 {
        self.cluster.tasks(job).unwrap_or(job.processors)
    }

    fn learn(&mut self, job: &Job) {
        let request = self.cluster.request(job, self.size(job), self.strategy.exclusive);
        self.nodes.learn(&request);
    }

    fn start(&mut self, job: &Job) -> Result<Placement, Refusal> {
        let tasks = self.cluster.tasks(job).ok_or(subcube::Refusal::TooLarge)?;
        let request = self.cluster.request(job, tasks, self.strategy.exclusive);
        self.redraw();
        match self.find(&request) {
            Some(place) => Ok(self.place(job, place)),
            None => Err(self.refusal(tasks, &request)),
        }
    }

    fn start_at(&mut self, job: &Job, spot: Spot<'_>) -> Result<Placement, Refusal> {
        let (nodes, device): (Vec<Node>, u32) = match spot {
            Spot::Nodes(words) => (nodes_of(words).collect(), 0),
            Spot::Part(node, device) => (vec![node], device),
            _ => panic!("{spot:?} are no nodes"),
        };
        let each = self.cluster.each(job, self.size(job), nodes.len() as u32);
        let place = match self.strategy.exclusive {
            true => NodePlace::whole(nodes),
            false => NodePlace::new(nodes, each),
        };
        let place = match &job.demand {
            Some(demand) => place.with_part(demand.part, device).with_common(demand.common),
            None => place,
        };
        self.redraw();
        assert!(self.nodes.has(&self.map, &place), "nodes that are free");
        Ok(self.place(job, place))
    }

    fn rule(&self) -> Option<Rule> {
        Some(Rule::Nodes(self.cluster, self.strategy))
    }

    fn can_ever(&self, job: &Job) -> bool {
        self.cluster.tasks(job).is_some()
    }

    fn finish(&mut self, placement: Placement) {
        self.jobs.remove(slot_of(placement));
        self.is_drawn = false;
        self.usage.remove(&placement);
    }

    fn allocated(&self, placement: Placement) -> String {
        node_set(self.jobs[slot_of(placement)].nodes())
    }

    fn outages(&mut self) -> Option<&mut dyn Outages> {
        Some(self)
    }

    fn places(&mut self) -> Option<&mut dyn Places> {
        Some(self)
    }
}

impl<const W: usize> Places for NodeMachine<W> {
    fn kind(&mut self, job: &Job) -> Option<u32> {
        self.stranded.kind(job)
    }

    fn free(&mut self) -> u32 {
        self.look();
        self.stranded.free(self.free.as_deref().unwrap_or_default())
    }

    fn stranded(&mut self, kind: u32) -> u32 {
        self.look();
        let nodes = self.free.as_deref().unwrap_or_default();
        self.stranded.stranded(nodes, &self.free_common(), kind)
    }
}

impl<const W: usize> Outages for NodeMachine<W> {
    fn serving(&self) -> u32 {
        self.processors() - self.cores_out
    }

    fn begin(&mut self, outage: &Outage, hit: &mut dyn FnMut(Token)) -> Affected {
        let (affected, gone) = self.out.begin(outage, self.nodes());
        self.cores_out += self.cores(&gone);
        self.is_drawn = false;
        let mut set = [0 as Word; W];
        gone.iter().for_each(|node| set_bit(&mut set, 0, node.0, true));
        let hits = self.jobs.iter().filter(|(_, it)| it.nodes().any(|node| bit(&set, 0, node.0)));
        hits.for_each(|(slot, _)| hit(Token::Slot(slot)));
        affected
    }

    fn end(&mut self, affected: Affected) {
        let back = self.out.end(&affected);
        self.cores_out -= self.cores(&back);
        self.is_drawn = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Mix;
    use crate::workload::Demand;
    use locox::nodes::Placement as Fit;
    use locox::time::{Duration, Instant};

    /// Two nodes of 4 cores and 8 MiB, and one of 8 cores and 4 MiB.
    fn machine(placement: Fit, exclusive: bool) -> Box<dyn Machine> {
        let classes = [(2, Amounts::of(&[4, 8])), (1, Amounts::of(&[8, 4]))];
        let cluster = Cluster::new("three", &classes, &["cores", "memory"]);
        node_machine(cluster, NodeStrategy { placement, exclusive })
    }

    fn job(processors: u32, memory: u32) -> Job {
        let (submit, run) = (Instant::ZERO, Duration::from_ticks(1));
        let (line, shape, requested, user) = (None, None, None, None);
        let demand = None;
        Job { id: 0, line, submit, processors, shape, memory, demand, run, requested, user }
    }

    fn nodes(machine: &mut dyn Machine, job: &Job) -> Result<String, Refusal> {
        machine.start(job).map(|at| machine.allocated(at))
    }

    #[test]
    fn jobs_share_nodes_as_long_as_cores_and_memory_are_left() {
        let mut shared = machine(Fit::First, false);
        assert_eq!(nodes(&mut *shared, &job(2, 3)), Ok("0".into()));
        // Two MiB and two cores are left there.
        assert_eq!(nodes(&mut *shared, &job(2, 2)), Ok("1".into()));
        assert_eq!(nodes(&mut *shared, &job(2, 1)), Ok("0".into()));
        assert_eq!(nodes(&mut *shared, &job(6, 0)), Ok("2".into()));
        assert_eq!(nodes(&mut *shared, &job(4, 1)), Ok("1-2".into()));
        assert_eq!((shared.in_use(), shared.held(), shared.processors()), (16, 16, 16));
        assert_eq!(shared.start(&job(20, 0)), Err(subcube::Refusal::TooLarge.into()));
        assert_eq!(shared.start(&job(1, 9)), Err(subcube::Refusal::TooLarge.into()));
        let too_few = subcube::Refusal::TooFewFree { needed: 1, free: 0 };
        assert_eq!(shared.start(&job(1, 0)), Err(too_few.into()));
    }

    #[test]
    fn best_fit_leaves_the_least_and_what_is_left_may_be_of_no_use() {
        let mut best = machine(Fit::Best, false);
        // Of the others 3/8 of the most cores and all memory would be left.
        assert_eq!(nodes(&mut *best, &job(1, 4)), Ok("0".into()));
        assert_eq!(nodes(&mut *best, &job(1, 4)), Ok("0".into()));
        assert_eq!(nodes(&mut *best, &job(1, 5)), Ok("1".into()));
        assert_eq!(best.start(&job(1, 5)), Err(Refusal::Nodes));
    }

    #[test]
    fn with_exclusive_nodes_a_job_holds_all_of_their_cores() {
        let mut whole = machine(Fit::First, true);
        let first = whole.start(&job(1, 0)).unwrap();
        assert_eq!((whole.allocated(first), first.held), ("0".into(), 4));
        assert_eq!(nodes(&mut *whole, &job(5, 0)), Ok("2".into()));
        assert_eq!(nodes(&mut *whole, &job(1, 0)), Ok("1".into()));
        assert_eq!((whole.in_use(), whole.held()), (7, 16));
        whole.finish(first);
        assert_eq!(nodes(&mut *whole, &job(3, 0)), Ok("0".into()));
    }

    #[test]
    fn gpus_are_stranded_where_jobs_of_the_mix_have_no_place() {
        let classes = [(2, Amounts::of(&[4, 2])), (1, Amounts::of(&[8, 4]))];
        let cluster = Cluster::new("gpus", &classes, &["cores", "gpu"]);
        let mut machine = node_machine(cluster, NodeStrategy::shared(Fit::First));
        let asking = |demand: Demand| Job { demand: Some(Box::new(demand)), ..job(1, 0) };
        let gpus = |nodes, cores, gpus| Demand::of(nodes, Amounts::of(&[cores, gpus]));
        let part = Demand { part: 600, ..gpus(1, 1, 0) };
        let [two, three, some] = [gpus(2, 1, 2), gpus(1, 1, 3), part].map(asking);
        let share = |machine: &mut dyn Machine, job: &Job| {
            Mix::of(machine, [job]).unwrap().fragmentation(machine)
        };
        // Three GPUs are on the last node alone.
        assert_eq!(share(&mut *machine, &two), 0.0);
        assert_eq!(share(&mut *machine, &three), 0.5);
        // A part of the first GPU, and all cores of the second node.
        machine.start(&some).unwrap();
        machine.start(&asking(gpus(1, 4, 0))).unwrap();
        let free = 8_000.0 - 600.0;
        // The first node has one whole GPU left, and the second one no core.
        assert_eq!(share(&mut *machine, &two), 1.0);
        assert_eq!(share(&mut *machine, &three), (free - 4_000.0) / free);
        assert_eq!(share(&mut *machine, &some), 2_400.0 / free);
        // Who asks for no GPU does not count.
        assert_eq!(share(&mut *machine, &job(1, 0)), 0.0);
    }

    #[test]
    fn an_outage_holds_a_whole_node_and_hits_all_who_have_some_of_it() {
        let mut machine = machine(Fit::First, false);
        let [first, second, third] = [2, 2, 2].map(|it| machine.start(&job(it, 0)).unwrap());
        let outage = Outage { nodes: vec![0], ..Outage::of(1, Instant::ZERO, None) };
        let mut hit = vec![];
        let outages = machine.outages().unwrap();
        let out = outages.begin(&outage, &mut |token| hit.push(token));
        assert_eq!((hit, outages.serving()), (vec![first.token, second.token], 12));
        machine.finish(first);
        machine.finish(second);
        assert_eq!(nodes(&mut *machine, &job(2, 0)), Ok("1".into()));
        assert_eq!(nodes(&mut *machine, &job(8, 0)), Ok("2".into()));
        assert_eq!(machine.start(&job(12, 0)), Err(subcube::Refusal::Faulty.into()));
        machine.finish(third);
        machine.outages().unwrap().end(out);
        assert_eq!(nodes(&mut *machine, &job(4, 0)), Ok("0".into()));
    }
}
