//! Room for a coordinator of the site of the study.

use crate::Study;
use alloc::vec;
use alloc::vec::Vec;
use locox::mapping::{PlannedRun, RunningJob, Runs, UnplacedJob, runs};
use locox::time::{Duration, Instant};
use locox_coordinators::site::{Columns, Config, JobRow, MachineRow, Policy, UserRow};

/// What the coordinator lies in.
#[derive(Debug)]
pub struct Store {
    jobs: Vec<JobRow>,
    machines: Vec<MachineRow>,
    users: Vec<UserRow>,
    queues: Vec<Policy>,
    down: Vec<u32>,
    runs: Vec<Runs>,
    expected: Vec<Duration>,
    open: Vec<UnplacedJob>,
    placements: Vec<PlannedRun>,
    running: Vec<RunningJob>,
    numbers: Vec<u32>,
    next: Vec<u32>,
    levels: Vec<u8>,
    instants: Vec<Instant>,
}

impl Store {
    /// For so many queues and jobs, of one user.
    pub fn new(study: &Study, config: &Config, queues: usize, jobs: usize) -> Self {
        let (machines, resources) = (study.machines(), study.resources());
        let classes = study.classes().iter().max().map_or(0, |&class| usize::from(class) + 1);
        let learnt = config.learning.map_or(0, |_| runs(resources, classes, Study::KINDS));
        Self {
            jobs: vec![JobRow::EMPTY; jobs],
            machines: vec![MachineRow::EMPTY; machines],
            users: vec![UserRow::EMPTY; 1],
            queues: vec![Policy::EMPTY; queues],
            down: vec![0; resources - machines],
            runs: vec![Runs::EMPTY; learnt],
            expected: vec![Duration::ZERO; resources * Study::KINDS],
            open: vec![UnplacedJob::EMPTY; jobs],
            placements: vec![PlannedRun::EMPTY; 3 * jobs],
            running: vec![RunningJob::EMPTY; jobs],
            numbers: vec![0; 2 * jobs],
            next: vec![0; machines],
            levels: vec![0; jobs],
            instants: vec![Instant::ZERO; 5 * machines],
        }
    }

    /// The parts of it.
    pub fn columns(&mut self) -> Columns<'_> {
        Columns {
            jobs: &mut self.jobs,
            machines: &mut self.machines,
            users: &mut self.users,
            queues: &mut self.queues,
            down: &mut self.down,
            runs: &mut self.runs,
            expected: &mut self.expected,
            open: &mut self.open,
            placements: &mut self.placements,
            running: &mut self.running,
            numbers: &mut self.numbers,
            next: &mut self.next,
            levels: &mut self.levels,
            instants: &mut self.instants,
        }
    }
}
