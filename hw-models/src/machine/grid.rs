//! A mesh or a torus, or nodes in blocks, whose jobs run on boxes.

use super::nodes_out::NodesOut;
use super::{
    Affected, BoxStrategy, Layout, Machine, Outages, Placement, Places, Refusal, Rule, Spot, Token,
    Usage, node_set,
};
use crate::outages::Outage;
use crate::workload::Job;
use locox::grid::{self, BoxLease, BoxRequest, Boxes, GridPool, Sides};
use locox::handle::PoolId;

/// A machine of a [`Layout`] whose jobs get boxes by a [`BoxStrategy`], or by a placement anywhere.
///
/// ```
/// use locox::grid::Placement;
/// use locox_models::machine::{GridMachine, Machine};
/// use locox_models::workload::synthetic::Synthetic;
/// let mut torus = GridMachine::new("torus:4x4x8".parse()?, Placement::Corner);
/// assert_eq!((torus.name().as_str(), torus.processors()), ("torus:4x4x8, corner", 128));
/// let job = Synthetic::cube_day().generate(1, 0)?.jobs.swap_remove(0);
/// let placement = torus.start(&job).unwrap();
/// assert_eq!(torus.held(), placement.held);
/// torus.finish(placement);
/// assert_eq!(torus.held(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GridMachine {
    layout: Layout,
    strategy: BoxStrategy,
    pool: GridPool<Vec<u64>>,
    /// What a job holds that asks for so many nodes.
    rounded: Vec<u32>,
    usage: Usage,
    out: NodesOut,
}

impl GridMachine {
    /// An idle machine.
    ///
    /// # Panics
    ///
    /// If the strategy does not [fit](BoxStrategy::fits) the layout.
    pub fn new(layout: Layout, strategy: impl Into<BoxStrategy>) -> Self {
        let (strategy, grid) = (strategy.into(), layout.grid());
        if let Err(bad) = strategy.fits(layout) {
            panic!("{layout}, {strategy}: {bad}");
        }
        let (storage, anchors) = (vec![0; grid::words(grid)], strategy.anchors());
        let pool = GridPool::new(PoolId::default(), grid, storage, strategy.placement, anchors);
        Self {
            layout,
            strategy,
            pool: pool.expect("the kernel says itself how much storage it needs"),
            rounded: layout.rounded(),
            usage: Usage::default(),
            out: NodesOut::default(),
        }
    }

    /// The pool, to look at what is free.
    pub fn pool(&self) -> &GridPool<Vec<u64>> {
        &self.pool
    }

    /// A job runs on a box.
    fn place(&mut self, job: &Job, lease: BoxLease) -> Placement {
        let held = lease.cuboid().sides().nodes();
        let placement = Placement { processors: job.processors, held, token: Token::Box(lease) };
        self.usage.add(&placement);
        placement
    }

    /// The boxes that the job may get; `None` if the machine has none.
    fn request(&self, job: &Job) -> Option<BoxRequest<'static>> {
        if let Some(mesh) = job.shape.and_then(|mesh| self.layout.of_mesh(mesh)) {
            return mesh.map(BoxRequest::Turned);
        }
        let held = self.rounded.get(job.processors as usize).filter(|&&held| held > 0)?;
        Some(self.layout.of_nodes(*held))
    }
}

fn lease_of(placement: Placement) -> BoxLease {
    match placement.token {
        Token::Box(lease) => lease,
        _ => panic!("{placement:?} is not a box"),
    }
}

impl Machine for GridMachine {
    fn name(&self) -> String {
        format!("{}, {}", self.layout, self.strategy)
    }

    fn processors(&self) -> u32 {
        self.layout.processors()
    }

    fn in_use(&self) -> u32 {
        self.usage.in_use
    }

    fn held(&self) -> u32 {
        self.usage.held
    }

    fn size(&self, job: &Job) -> u32 {
        match self.request(job) {
            Some(BoxRequest::Nodes(nodes)) => nodes,
            Some(BoxRequest::Fixed(sides) | BoxRequest::Turned(sides)) => sides.nodes(),
            _ => job.processors,
        }
    }

    fn start(&mut self, job: &Job) -> Result<Placement, Refusal> {
        let request = self.request(job).ok_or(grid::Refusal::TooLarge)?;
        let lease = self.pool.allocate(request)?;
        Ok(self.place(job, lease))
    }

    fn start_at(&mut self, job: &Job, spot: Spot<'_>) -> Result<Placement, Refusal> {
        let Spot::Box(place) = spot else { panic!("{spot:?} is no box") };
        let lease = self.pool.claim(place).unwrap_or_else(|why| panic!("{place}: {why}"));
        Ok(self.place(job, lease))
    }

    fn rule(&self) -> Option<Rule> {
        let (grid, strategy) = (self.layout.grid(), self.strategy);
        let boxes = Boxes::new(grid, strategy.placement, strategy.anchors())?;
        Some(Rule::Boxes(boxes, self.layout))
    }

    fn can_ever(&self, job: &Job) -> bool {
        self.request(job).is_some()
    }

    fn finish(&mut self, placement: Placement) {
        if let Err(misuse) = self.pool.release(lease_of(placement)) {
            panic!("{placement:?}: {misuse}");
        }
        self.usage.remove(&placement);
    }

    fn allocated(&self, placement: Placement) -> String {
        node_set(lease_of(placement).nodes())
    }

    fn outages(&mut self) -> Option<&mut dyn Outages> {
        Some(self)
    }

    fn places(&mut self) -> Option<&mut dyn Places> {
        Some(self)
    }
}

/// Marks a kind that is sides, of 7 bits each, and not a number of nodes.
const TURNED: u32 = 1 << 31;

impl Places for GridMachine {
    fn kind(&mut self, job: &Job) -> Option<u32> {
        match self.request(job)? {
            BoxRequest::Turned(sides) => {
                let sides = (0..).zip(sides.all()).map(|(at, side)| u32::from(side) << (7 * at));
                Some(TURNED | sides.sum::<u32>())
            }
            _ => self.rounded.get(job.processors as usize).copied(),
        }
    }

    fn free(&mut self) -> u32 {
        self.pool.free()
    }

    fn stranded(&mut self, kind: u32) -> u32 {
        let side = |at: u32| (kind >> (7 * at) & 127) as u8;
        let request = match kind & TURNED {
            0 => self.layout.of_nodes(kind),
            _ => BoxRequest::Turned(Sides::new(&[0, 1, 2, 3].map(side)).expect("sides of a job")),
        };
        self.pool.stranded(request)
    }
}

impl Outages for GridMachine {
    fn serving(&self) -> u32 {
        self.processors() - self.out.len()
    }

    fn begin(&mut self, outage: &Outage, hit: &mut dyn FnMut(Token)) -> Affected {
        let (affected, gone) = self.out.begin(outage, self.processors());
        let hit = |lease| hit(Token::Box(lease));
        self.pool.withdraw(&gone, grid::Outage::Failed, hit).expect("nodes of the machine");
        affected
    }

    fn end(&mut self, affected: Affected) {
        let back = self.out.end(&affected);
        self.pool.repair(&back).expect("nodes of the machine");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::stream;
    use locox::mesh::Shape;
    use locox::time::{Duration, Instant};
    use rand::RngExt;

    fn job(processors: u32, shape: Option<Shape>) -> Job {
        Job {
            id: 0,
            line: None,
            submit: Instant::ZERO,
            processors,
            shape,
            memory: 0,
            demand: None,
            run: Duration::from_ticks(1),
            requested: None,
            user: None,
        }
    }

    fn machine(text: &str, strategy: impl Into<BoxStrategy>) -> GridMachine {
        GridMachine::new(text.parse().unwrap(), strategy)
    }

    /// A job that runs, and its nodes.
    type Run = (Placement, Vec<u32>);

    /// Numbers of an interval set.
    fn nodes(set: &str) -> Vec<u32> {
        let bound = |text: &str| text.parse::<u32>().unwrap();
        let run = |text: &str| {
            let (first, last) = text.split_once('-').unwrap_or((text, text));
            bound(first)..=bound(last)
        };
        set.split(' ').flat_map(run).collect()
    }

    /// Jobs come and go and nodes fail, while a list of nodes is kept beside the machine.
    #[test]
    fn jobs_hold_nodes_of_their_own_that_serve() {
        for text in ["torus:4x4x4", "mesh:5x6r", "blocks:6x4"] {
            for placement in grid::Placement::ALL {
                walk(&mut machine(text, placement));
            }
        }
        for strategy in ["first@2x2", "corner@2x2+lent", "fewest@4x1x2+lent"] {
            walk(&mut machine("torus:4x4x4", strategy.parse::<BoxStrategy>().unwrap()));
        }
    }

    #[test]
    fn a_job_of_any_size_starts_on_an_idle_machine_whatever_the_steps() {
        for (text, steps) in [
            ("mesh:5x4", ["1", "3x2", "5x4", "4x3+lent"]),
            ("torus:6x4", ["1", "3x2", "6x4", "2x4+lent"]),
            ("mesh:2rx3x4r", ["1", "2x2x2", "1x3x4", "2x3x2+lent"]),
        ] {
            for strategy in steps.map(|it| format!("fewest@{it}").parse::<BoxStrategy>().unwrap()) {
                let mut idle = machine(text, strategy);
                for processors in 1..=idle.processors() {
                    let started = idle.start(&job(processors, None));
                    idle.finish(started.unwrap_or_else(|why| panic!("{text}, {strategy}: {why}")));
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "torus:6x4, first@4: a step of 4 does not divide a ring of 6 nodes")]
    fn steps_that_do_not_fit_are_a_fault_of_the_caller() {
        machine("torus:6x4", "first@4".parse::<BoxStrategy>().unwrap());
    }

    fn walk(machine: &mut GridMachine) {
        let mut rng = stream(7, "walk", 0);
        let (all, mut runs) = (machine.processors(), Vec::<Run>::new());
        let (mut down, mut most) = (Vec::<(Affected, u32)>::new(), 0);
        for _ in 0..2_000 {
            match rng.random_range(0..8) {
                0 if down.len() < 3 => {
                    let node = rng.random_range(0..all);
                    let outage = Outage { nodes: vec![node], ..Outage::of(1, Instant::ZERO, None) };
                    let mut hit = vec![];
                    let affected = machine.begin(&outage, &mut |token| hit.push(token));
                    let holds = runs.iter().position(|(_, nodes)| nodes.contains(&node));
                    assert_eq!(hit.len(), usize::from(holds.is_some()));
                    if let Some(at) = holds {
                        let (placement, _) = runs.swap_remove(at);
                        assert_eq!(hit, [placement.token]);
                        machine.finish(placement);
                    }
                    down.push((affected, node));
                }
                1 if !down.is_empty() => {
                    let at = rng.random_range(0..down.len());
                    machine.end(down.swap_remove(at).0);
                }
                2..5 if !runs.is_empty() => {
                    let at = rng.random_range(0..runs.len());
                    machine.finish(runs.swap_remove(at).0);
                }
                _ => start(machine, rng.random_range(1..=all / 4), &down, &mut runs),
            }
            let asked: u32 = runs.iter().map(|(placement, _)| placement.processors).sum();
            let held: usize = runs.iter().map(|(_, nodes)| nodes.len()).sum();
            assert_eq!((machine.in_use(), machine.held()), (asked, held as u32));
            machine.pool().check_invariants().unwrap();
            most = most.max(runs.len());
        }
        assert!(most > 3, "{most}");
    }

    fn start(
        machine: &mut GridMachine,
        processors: u32,
        down: &[(Affected, u32)],
        runs: &mut Vec<Run>,
    ) {
        let job = job(processors, None);
        let Ok(placement) = machine.start(&job) else { return };
        let mine = nodes(&machine.allocated(placement));
        let held = machine.layout.held(processors).unwrap();
        assert_eq!((mine.len() as u32, placement.held, machine.size(&job)), (held, held, held));
        let mut others =
            runs.iter().flat_map(|(_, nodes)| nodes).chain(down.iter().map(|it| &it.1));
        assert!(others.all(|node| !mine.contains(node)));
        runs.push((placement, mine));
    }

    #[test]
    fn a_job_with_a_mesh_gets_it_in_any_rotation() {
        let mut mesh = machine("mesh:8x2", grid::Placement::First);
        let long = job(8, Some(Shape::rectangle(2, 4).unwrap()));
        assert_eq!(mesh.start(&long).map(|at| mesh.allocated(at)), Ok("0-3 8-11".into()));
        let square = job(9, Some(Shape::rectangle(3, 3).unwrap()));
        assert!(!mesh.can_ever(&square) && mesh.can_ever(&job(9, None)));
        assert_eq!(mesh.start(&square), Err(grid::Refusal::TooLarge.into()));
        assert!(!mesh.can_ever(&job(16, Some(Shape::line(16).unwrap()))));
        assert_eq!(mesh.size(&long), 8);
    }

    #[test]
    fn in_blocks_a_mesh_does_not_matter_and_a_large_job_gets_whole_blocks() {
        let mut blocks = machine("blocks:3x4", grid::Placement::Fewest);
        let line = job(6, Some(Shape::line(6).unwrap()));
        let large = blocks.start(&line).unwrap();
        assert_eq!((large.held, blocks.allocated(large)), (8, "0-7".into()));
        blocks.start(&job(2, None)).unwrap();
        assert_eq!(
            blocks.start(&job(3, None)),
            Err(grid::Refusal::TooFewFree { needed: 3, free: 2 }.into())
        );
        blocks.finish(large);
        assert_eq!(
            blocks.start(&job(9, None)),
            Err(grid::Refusal::TooFewFree { needed: 12, free: 10 }.into())
        );
    }
}
