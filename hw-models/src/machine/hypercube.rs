//! A hypercube whose jobs run on subcubes.

use super::nodes_out::NodesOut;
use super::{
    Affected, Machine, Outages, Placement, Places, Refusal, Rule, Spot, StrategyKind, Token, Usage,
    interval_set, runs,
};
use crate::outages::Outage;
use crate::workload::Job;
use locox::bits::{BitSet, words_for};
use locox::cube::{Dim, Node};
use locox::subcube::{self, Allocator, Complete, Lease, Subcubes, stranded, stranded_words};

/// A hypercube under one of the kernel's strategies. A job gets the smallest subcube that holds
/// the processors that it asks for.
///
/// ```
/// use locox::cube::Dim;
/// use locox_models::machine::{Hypercube, Machine, StrategyKind};
/// use locox_models::workload::synthetic::Synthetic;
/// let mut cube = Hypercube::new(Dim::new(7).unwrap(), StrategyKind::Buddy);
/// assert_eq!((cube.name().as_str(), cube.processors()), ("7-cube, buddy", 128));
/// let day = Synthetic::cube_day().generate(1, 0).unwrap();
/// let placement = cube.start(&day.jobs[0]).unwrap();
/// assert_eq!(cube.held(), placement.held);
/// cube.finish(placement);
/// assert_eq!(cube.held(), 0);
/// ```
pub struct Hypercube {
    allocator: Box<dyn Allocator + Send>,
    usage: Usage,
    out: NodesOut,
}

impl Hypercube {
    /// An idle cube of `dims` dimensions under the strategy `kind`.
    pub fn new(dims: Dim, kind: StrategyKind) -> Self {
        Self::with_allocator(kind.allocator(dims))
    }

    /// A cube under the allocator given, of which nothing may be leased.
    pub fn with_allocator(allocator: Box<dyn Allocator + Send>) -> Self {
        Self { allocator, usage: Usage::default(), out: NodesOut::default() }
    }

    /// A job runs on a subcube.
    fn place(&mut self, job: &Job, lease: Lease) -> Placement {
        let held = lease.cube().dim().nodes();
        let placement = Placement { processors: job.processors, held, token: Token::Lease(lease) };
        self.usage.add(&placement);
        placement
    }

    /// The allocator, to take nodes out or to look at what is free.
    pub fn allocator(&mut self) -> &mut dyn Allocator {
        &mut *self.allocator
    }
}

fn lease_of(placement: Placement) -> Lease {
    match placement.token {
        Token::Lease(lease) => lease,
        _ => panic!("{placement:?} is not a hypercube's"),
    }
}

impl Machine for Hypercube {
    fn name(&self) -> String {
        format!("{}-cube, {}", self.allocator.dims(), self.allocator.name())
    }

    fn processors(&self) -> u32 {
        self.allocator.dims().nodes()
    }

    fn in_use(&self) -> u32 {
        self.usage.in_use
    }

    fn held(&self) -> u32 {
        self.usage.held
    }

    fn start(&mut self, job: &Job) -> Result<Placement, Refusal> {
        let dim = Dim::holding(job.processors).ok_or(subcube::Refusal::TooLarge)?;
        let lease = self.allocator.allocate(dim)?;
        Ok(self.place(job, lease))
    }

    fn start_at(&mut self, job: &Job, spot: Spot<'_>) -> Result<Placement, Refusal> {
        let Spot::Subcube(place) = spot else { panic!("{spot:?} is no subcube") };
        let lease = self.allocator.claim(place).unwrap_or_else(|why| panic!("{place}: {why}"));
        Ok(self.place(job, lease))
    }

    fn rule(&self) -> Option<Rule> {
        let name = self.allocator.name();
        let kind = StrategyKind::NAMED.into_iter().find(|kind| kind.name() == name)?;
        // The plain lists know free subcubes by what was taken and given back, and not by the free nodes alone.
        let by_map = kind != StrategyKind::FreeListPlain;
        // In larger ones searches may be given up.
        let is_decided = Subcubes::<Complete>::new(self.allocator.dims()).is_some();
        (by_map && is_decided).then(|| Rule::Subcubes(self.allocator.dims(), kind))
    }

    fn can_ever(&self, job: &Job) -> bool {
        job.processors <= self.processors()
    }

    fn finish(&mut self, placement: Placement) {
        if let Err(misuse) = self.allocator.release(lease_of(placement)) {
            panic!("{placement:?}: {misuse}");
        }
        self.usage.remove(&placement);
    }

    fn allocated(&self, placement: Placement) -> String {
        let cube = lease_of(placement).cube();
        interval_set(&runs(cube.nodes().map(|node| node.0)))
    }

    fn outages(&mut self) -> Option<&mut dyn Outages> {
        Some(self)
    }

    fn places(&mut self) -> Option<&mut dyn Places> {
        Some(self)
    }
}

impl Places for Hypercube {
    fn kind(&mut self, job: &Job) -> Option<u32> {
        let dim = Dim::holding(job.processors).filter(|&dim| dim <= self.allocator.dims())?;
        Some(dim.get().into())
    }

    fn free(&mut self) -> u32 {
        self.allocator.free()
    }

    fn stranded(&mut self, kind: u32) -> u32 {
        let dims = self.allocator.dims();
        let words = vec![0; words_for(dims.nodes() as usize)];
        let mut map = BitSet::empty(words, dims.nodes()).expect("as many words as it takes");
        map.insert_range(0, dims.nodes()).expect("all nodes");
        let mut node = 0;
        while let Some(Node(next)) = map.first_from(node).map(Node) {
            node = next + 1;
            if let Some(lease) = self.allocator.lease_at(Node(next)) {
                lease.nodes().for_each(|Node(held)| _ = map.remove(held));
            } else if self.allocator.state(Node(next)).is_ok_and(|it| !it.is_free()) {
                _ = map.remove(next);
            }
        }
        let dim = Dim::new(kind as u8).expect("a kind of this machine");
        let mut scratch = vec![0; stranded_words(dims)];
        stranded(dims, map.words(), dim, &mut scratch).expect("as many words as it takes")
    }
}

impl Outages for Hypercube {
    fn serving(&self) -> u32 {
        self.processors() - self.out.len()
    }

    fn begin(&mut self, outage: &Outage, hit: &mut dyn FnMut(Token)) -> Affected {
        let (affected, gone) = self.out.begin(outage, self.processors());
        let failed = subcube::Outage::Failed;
        let hit = &mut |lease| hit(Token::Lease(lease));
        self.allocator.withdraw(&gone, failed, hit).expect("nodes of the machine");
        affected
    }

    fn end(&mut self, affected: Affected) {
        let back = self.out.end(&affected);
        self.allocator.repair(&back).expect("nodes of the machine");
    }
}
