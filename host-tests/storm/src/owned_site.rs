//! A coordinator of a site together with what it borrows.

use crate::time::MINUTE;
use locox::handle::PoolId;
use locox::image::{BadImage, Identity};
use locox::invariant::InvariantViolation;
use locox::mapping::{Basis, Cluster, Site, Times, runs};
use locox::time::{Duration, Instant};
use locox_coordinators::coordinate::{Coordinate, Snapshot};
use locox_coordinators::site::{
    Arrays, Command, Config, Coordinator, Effect, Error, JobId, Learning, MachineId, Remap,
    SiteModel, Status,
};
use self_cell::{MutBorrow, self_cell};

/// Machines, of which the first four and the last two are clusters too.
pub(crate) const MACHINES: usize = 6;
pub(crate) const CLUSTERS: usize = 2;
pub(crate) const RESOURCES: usize = MACHINES + CLUSTERS;
pub(crate) const CLASSES: usize = 3;
pub(crate) const USERS: usize = 3;
pub(crate) const JOBS: usize = 20;
const QUEUES: usize = 2;
/// The class of each resource.
const RESOURCE_CLASSES: [u16; RESOURCES] = [0, 0, 0, 1, 1, 1, 2, 2];
const RUNS: usize = runs(RESOURCES, 3, 1);

type Rows = Arrays<JOBS, MACHINES, RESOURCES, CLASSES, USERS, QUEUES, CLUSTERS, RUNS>;

/// What takes how long where, and how it is learnt.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) times: Vec<Duration>,
    pub(crate) learns: bool,
    pub(crate) new_only: bool,
}

/// What a coordinator borrows.
struct Lent {
    clusters: [Cluster<'static>; CLUSTERS],
    times: Vec<Duration>,
    rows: Box<Rows>,
}

type Borrowed<'a> = Coordinator<'a>;

self_cell!(
    struct Cell {
        owner: MutBorrow<Lent>,
        #[not_covariant]
        dependent: Borrowed,
    }
);

/// A coordinator with its rows.
pub(crate) struct OwnedSite(Cell);

impl OwnedSite {
    pub(crate) fn new(model: &Model) -> Self {
        let learning = Learning { memory: 20, basis: Basis::Class, risk: 4 };
        let config = Config {
            learning: model.learns.then_some(learning),
            remap: if model.new_only { Remap::New } else { Remap::Waiting },
            ..Config::new(Duration::from_ticks(15 * MINUTE), PoolId(5))
        };
        let lent = Lent {
            clusters: [Cluster::of(&[0, 1, 2, 3]), Cluster::of(&[4, 5])],
            times: model.times.clone(),
            rows: Box::new(Rows::EMPTY),
        };
        Self(Cell::new(MutBorrow::new(lent), |lent| {
            let Lent { clusters, times, rows } = lent.borrow_mut();
            let known = SiteModel {
                site: Site::new(MACHINES, clusters).expect("members are machines"),
                times: Times::new(times, RESOURCES).expect("rows are whole"),
                classes: &RESOURCE_CLASSES,
            };
            Coordinator::new(config, known, rows.columns(), Instant::ZERO).expect("all fits")
        }))
    }

    pub(crate) fn status(&self, job: JobId) -> Option<Status> {
        self.0.with_dependent(|_, site| site.status(job).ok())
    }

    pub(crate) fn machines_of(&self, job: JobId) -> Vec<usize> {
        let number = |machine: MachineId| machine.0 as usize;
        self.0.with_dependent(|_, site| site.machines_of(job).map(number).collect())
    }

    pub(crate) fn jobs(&self) -> usize {
        self.0.with_dependent(|_, site| site.jobs().count())
    }
}

impl Snapshot for OwnedSite {
    type Kept = Instant;

    fn identity(&self) -> Identity {
        self.0.with_dependent(|_, site| site.identity())
    }

    fn kept(&self) -> Instant {
        self.0.with_dependent(|_, site| site.now())
    }

    fn store(&self, put: &mut dyn FnMut(u32)) {
        self.0.with_dependent(|_, site| site.store(put));
    }

    fn load_contents(
        &mut self,
        take: &mut dyn FnMut() -> Result<u32, BadImage>,
    ) -> Result<(), BadImage> {
        self.0.with_dependent_mut(|_, site| site.load_contents(take))
    }

    fn reset(&mut self, now: Instant) {
        self.0.with_dependent_mut(|_, site| site.reset(now));
    }

    fn check_invariants(&self) -> Result<(), InvariantViolation> {
        self.0.with_dependent(|_, site| site.check_invariants())
    }
}

impl Coordinate for OwnedSite {
    type Command = Command;
    type Effect = Effect;
    type Answer = Option<JobId>;
    type Error = Error;
    type Draw = ();

    fn apply_drawn(
        &mut self,
        now: Instant,
        command: Command,
        (): (),
    ) -> Result<Option<JobId>, Error> {
        self.0.with_dependent_mut(|_, site| site.apply(now, command))
    }

    fn peek_effect(&self) -> Option<Effect> {
        self.0.with_dependent(|_, site| site.peek_effect())
    }

    fn take_effect(&mut self) -> Option<Effect> {
        self.0.with_dependent_mut(|_, site| site.take_effect())
    }

    fn wake_at(&self) -> Option<Instant> {
        self.0.with_dependent(|_, site| site.wake_at())
    }

    fn resync(&mut self) {
        self.0.with_dependent_mut(|_, site| site.resync());
    }
}
