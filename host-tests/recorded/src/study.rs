//! The site of the study: 142 machines in 18 clusters, every machine in one.
//!
//! Collins and George 2001, case 2, have 17 clusters of eight machines and one of six, of several
//! classes, and five classes of jobs; they print no run times. Those here are chosen so that the
//! axes of their figures are met: some 10^4 s of job time in all for 50 jobs by SJS (Fig. 5 b), PJS
//! up to half below it where jobs are few, and mean job times of some 100 s to 1,400 s when 500 jobs
//! arrive (Fig. 8). Few machines are fast, so that jobs want the same ones, as the source reports.

use alloc::vec;
use alloc::vec::Vec;
use locox::mapping::{Cluster, Times};
use locox::time::Duration;

/// Ticks of a second.
pub const SECOND: u64 = 1000;

/// Clusters of each class of machines, the fast ones first.
const CLUSTERS: [usize; 3] = [3, 5, 10];
const MEMBERS: usize = 8;
/// So many the last one has.
const LAST: usize = 6;

/// A class of jobs: its name, seconds on a machine of each class, and how many times as fast it is
/// on a cluster.
struct Kind {
    name: &'static str,
    seconds: [u64; 3],
    /// In tenths.
    speedup: Option<u64>,
}

const KINDS: [Kind; 5] = [
    Kind { name: "matrix-vector product", seconds: [90, 160, 300], speedup: Some(35) },
    Kind { name: "numerical integration", seconds: [140, 220, 400], speedup: Some(55) },
    Kind { name: "integer sort", seconds: [100, 200, 360], speedup: Some(17) },
    Kind { name: "statistics", seconds: [160, 250, 460], speedup: None },
    Kind { name: "conjugate gradient", seconds: [150, 280, 520], speedup: Some(30) },
];

/// The site: who belongs to which cluster, and what jobs take.
#[derive(Clone, Debug)]
pub struct Study {
    /// Numbers of machines.
    members: Vec<Vec<u32>>,
    cells: Vec<Duration>,
    classes: Vec<u16>,
}

impl Study {
    /// Classes of jobs.
    pub const KINDS: usize = KINDS.len();

    /// The site as documented above.
    pub fn new() -> Self {
        let classes_of_clusters: Vec<usize> =
            CLUSTERS.iter().enumerate().flat_map(|(class, &count)| vec![class; count]).collect();
        let last = classes_of_clusters.len() - 1;
        let (mut members, mut machines) = (vec![], vec![]);
        for (at, &class) in classes_of_clusters.iter().enumerate() {
            let size = if at == last { LAST } else { MEMBERS };
            let first = machines.len() as u32;
            members.push((first..first + size as u32).collect());
            machines.extend(vec![class; size]);
        }
        let row = |kind: &Kind| -> Vec<Duration> {
            let ticks = |class: usize| kind.seconds[class] * SECOND;
            let alone = machines.iter().map(|&class| Duration::from_ticks(ticks(class)));
            let together = classes_of_clusters.iter().zip(&members).map(
                |(&class, members): (_, &Vec<u32>)| {
                    let Some(tenths) = kind.speedup else { return Times::NEVER };
                    // A smaller cluster is slower in proportion.
                    let faster = tenths * members.len() as u64;
                    Duration::from_ticks(rounded(10 * MEMBERS as u64 * ticks(class), faster))
                },
            );
            alone.chain(together).collect()
        };
        let cells = KINDS.iter().flat_map(row).collect();
        let clusters = classes_of_clusters.iter().map(|&class| (class + CLUSTERS.len()) as u16);
        let classes = machines.iter().map(|&class| class as u16).chain(clusters).collect();
        Self { members, cells, classes }
    }

    /// The name of a class of jobs.
    pub fn name_of(kind: usize) -> &'static str {
        KINDS[kind].name
    }

    /// How many machines there are.
    pub fn machines(&self) -> usize {
        self.members.iter().map(Vec::len).sum()
    }

    /// The clusters, each on an interconnect of its own.
    pub fn clusters(&self) -> Vec<Cluster<'_>> {
        let cluster =
            |(link, members)| Cluster { interconnect: Some(link), ..Cluster::of(members) };
        (0..).zip(self.members.iter().map(Vec::as_slice)).map(cluster).collect()
    }

    /// How long a job of each class takes on each resource.
    pub fn cells(&self) -> &[Duration] {
        &self.cells
    }

    /// The class of each resource.
    pub fn classes(&self) -> &[u16] {
        &self.classes
    }

    /// Machines and clusters.
    pub fn resources(&self) -> usize {
        self.classes.len()
    }
}

const fn rounded(of: u64, by: u64) -> u64 {
    (of + by / 2) / by
}

impl Default for Study {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_of_the_size_of_the_source_and_every_machine_is_in_one_cluster() {
        let study = Study::new();
        assert_eq!((study.machines(), study.clusters().len()), (142, 18));
        let mut all: Vec<u32> = study.members.concat();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..142));
        assert_eq!(study.cells.len(), 5 * 160);
    }
}
