//! Small sites.

use crate::digits::Digits;
use locox::handle::PoolId;
use locox::mapping::{Basis, Best, Cluster, Site, Times};
use locox::time::Duration;
use locox_coordinators::site::{Config, Learning, Remap, SiteModel};

/// A site, and how it is coordinated.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The parameters.
    pub config: Config,
    /// How many machines there are.
    pub machines: usize,
    /// Members, how many must be present, interconnect.
    pub clusters: Vec<(Vec<u32>, usize, Option<u32>)>,
    /// A row for each class of jobs.
    pub times: Vec<Vec<Option<u64>>>,
    /// The class of each resource.
    pub classes: Vec<u16>,
    /// How many rows for jobs there are.
    pub jobs: usize,
    /// How many users.
    pub users: usize,
    /// How many queues.
    pub queues: usize,
}

impl Setup {
    /// The setup that a number stands for.
    pub fn decode(number: u64) -> Self {
        let mut digits = Digits(number);
        let machines = 1 + digits.below(5) as usize;
        let count = digits.below(4) as usize;
        let learning = (digits.below(4) as usize).checked_sub(1).map(|basis| {
            let basis = [Basis::Resource, Basis::Class, Basis::Anywhere][basis];
            // With a memory of 1, what is known is the last run.
            Learning { memory: 1, basis, risk: 0 }
        });
        let mut config = Config {
            quantum: Duration::from_ticks(1 + digits.below(12)),
            remap: if digits.one_in(2) { Remap::New } else { Remap::Waiting },
            best: if digits.one_in(4) { Best::Execution } else { Best::Completion },
            learning,
            preemptions: digits.one_in(3).then(|| digits.below(3) as u32),
            gain: digits.one_in(3).then(|| Duration::from_ticks(digits.below(15))),
            patience: None,
            pool: PoolId(5),
        };
        let (jobs, queues) = (1 + digits.below(9) as usize, 1 + digits.below(4) as usize);
        let job_classes = 1 + digits.below(3) as usize;
        if let Some(learning) = config.learning.as_mut().filter(|_| digits.one_in(2)) {
            learning.memory = 1 + digits.below(9) as u32;
            learning.risk = [0, 5, 16, 40][digits.below(4) as usize];
        }
        config.patience = digits.one_in(2).then(|| digits.below(4) as u32);
        let mut seed = number;
        let mut next = || {
            seed = seed.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            seed >> 33
        };
        let mut cluster = || {
            let mut members: Vec<u32> =
                (0..machines as u32).filter(|_| !next().is_multiple_of(3)).collect();
            if members.is_empty() {
                members.push(0);
            }
            let least = 1 + next() as usize % members.len();
            (members, least, [None, Some(3), Some(8)][next() as usize % 3])
        };
        let clusters: Vec<_> = (0..count).map(|_| cluster()).collect();
        let mut cell = |on_cluster: bool| match next() % 5 {
            0 => None,
            _ => Some(1 + next() % if on_cluster { 12 } else { 30 }),
        };
        let row = |_| (0..machines + count).map(|at| cell(at >= machines)).collect();
        let times = (0..job_classes).map(row).collect();
        let classes = (0..machines).map(|at| at as u16 % 2).chain((0..count).map(|_| 2)).collect();
        Self { config, machines, clusters, times, classes, jobs, users: 2, queues }
    }

    /// The clusters, as the kernel takes them.
    pub fn clusters(&self) -> Vec<Cluster<'_>> {
        self.clusters
            .iter()
            .map(|(members, least, interconnect)| Cluster {
                members,
                least: *least,
                interconnect: *interconnect,
            })
            .collect()
    }

    /// The table, as the kernel takes it.
    pub fn cells(&self) -> Vec<Duration> {
        let cell = |cell: &Option<u64>| cell.map_or(Times::NEVER, Duration::from_ticks);
        self.times.iter().flatten().map(cell).collect()
    }

    /// What a coordinator is told beforehand, of clusters and table.
    pub fn known<'s>(
        &'s self,
        clusters: &'s [Cluster<'s>],
        cells: &'s [Duration],
    ) -> SiteModel<'s> {
        let site = Site::new(self.machines, clusters).expect("members are machines");
        let times = Times::new(cells, site.resources()).expect("rows are whole");
        SiteModel { site, times, classes: &self.classes }
    }

    /// How many classes of resources there are.
    pub(super) fn classes_of_resources(&self) -> usize {
        self.classes.iter().max().map_or(0, |&class| usize::from(class) + 1)
    }

    /// The machines of a resource.
    pub(super) fn members(&self, resource: usize) -> Vec<usize> {
        match resource.checked_sub(self.machines) {
            None => vec![resource],
            Some(at) => self.clusters[at].0.iter().map(|&member| member as usize).collect(),
        }
    }
}
