//! Nodes with quantities, in classes.

use super::NodeStrategy;
use crate::swf::MOST_PROCESSORS;
use crate::workload::Job;
use locox::nodes::{Amounts, NodeRequest, Nodes};
use std::fmt;

/// Nodes in classes: how many there are of each, and what each of them has of cores, memory and other quantities.
///
/// A job of p processors is p tasks; a task takes a core and the job's memory for a processor. So many lie on one node as on
/// another. So that they can, p is rounded up to a multiple of the fewest nodes that hold it on an idle cluster. A job gets the
/// fewest nodes that fit when it is placed.
///
/// [`Cluster::open`] reads one from a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cluster {
    name: &'static str,
    classes: &'static [Amounts],
    /// Nodes of each class.
    counts: &'static [u32],
    class_of: &'static [u8],
    /// Which quantity is memory, if one is.
    memory: Option<usize>,
}

impl Cluster {
    /// The most nodes.
    pub const MOST: u32 = 10_240;
    /// The most classes.
    pub const MOST_CLASSES: usize = 64;

    /// Nodes of these classes, numbered class by class, and so many of each; which quantity is memory. They are kept for as long as
    /// the program runs.
    ///
    /// # Panics
    ///
    /// If these are not 1 to [`Cluster::MOST`] nodes of 1 to [`Cluster::MOST_CLASSES`] classes, or have more than 2^24 cores.
    pub fn new(name: &str, classes: &[(u32, Amounts)], memory: Option<usize>) -> Self {
        assert!((1..=Self::MOST_CLASSES).contains(&classes.len()), "1 to 64 classes");
        let nodes: u64 = classes.iter().map(|it| u64::from(it.0)).sum();
        assert!((1..=u64::from(Self::MOST)).contains(&nodes), "1 to 10240 nodes");
        let cores: u64 = classes.iter().map(|it| u64::from(it.0) * u64::from(it.1.get(0))).sum();
        assert!(cores <= u64::from(MOST_PROCESSORS), "at most 2^24 cores");
        let counts: Vec<u32> = classes.iter().map(|it| it.0).collect();
        let nodes = (0..).zip(&counts).flat_map(|(class, &count)| (0..count).map(move |_| class));
        Self {
            name: name.to_owned().leak(),
            classes: classes.iter().map(|it| it.1).collect::<Vec<_>>().leak(),
            class_of: nodes.collect::<Vec<u8>>().leak(),
            counts: counts.leak(),
            memory,
        }
    }

    /// Nodes.
    pub const fn nodes(self) -> u32 {
        self.class_of.len() as u32
    }

    /// Cores of all nodes.
    pub fn processors(self) -> u32 {
        self.classes().map(|(count, has)| count * has.get(0)).sum()
    }

    /// Nodes of each class, and what each has.
    fn classes(self) -> impl Iterator<Item = (u32, &'static Amounts)> {
        self.counts.iter().copied().zip(self.classes)
    }

    /// What a node has.
    pub(super) fn has_node(self, node: u32) -> &'static Amounts {
        &self.classes[usize::from(self.class_of[node as usize])]
    }

    /// Tasks of a job: its processors, rounded up so that equally many lie on each of the fewest nodes that hold them; `None` if
    /// an idle cluster does not hold them.
    pub fn tasks(self, job: &Job) -> Option<u32> {
        let most = |has: &Amounts| match self.memory {
            Some(memory) if job.memory > 0 => has.get(0).min(has.get(memory) / job.memory),
            _ => has.get(0),
        };
        let holding =
            |each: u32| self.classes().filter(|it| each <= most(it.1)).map(|it| it.0).sum::<u32>();
        let largest = self.classes().filter(|it| it.0 > 0).map(|it| most(it.1)).max()?;
        let fewest = job.processors.div_ceil(largest.max(1)).max(1);
        (fewest..=job.processors.min(self.nodes())).find_map(|nodes| {
            let each = job.processors.div_ceil(nodes);
            (nodes <= holding(each)).then(|| nodes * each)
        })
    }

    /// What so many tasks take of a node, with so much memory for each.
    pub(super) fn amounts(self, tasks: u32, memory: u32) -> Amounts {
        let mut amounts = [0; Amounts::MOST];
        amounts[0] = tasks;
        if let Some(at) = self.memory {
            amounts[at] = tasks * memory;
        }
        Amounts::of(&amounts)
    }

    /// What a job of so many tasks asks for, with so much memory for each.
    pub(crate) fn request(self, tasks: u32, memory: u32, exclusive: bool) -> NodeRequest<'static> {
        let request = NodeRequest::tasks(tasks, self.amounts(1, memory));
        if exclusive { request.exclusive() } else { request }
    }

    /// The kernel's machine, for places of so many words, which are enough.
    pub(crate) fn machine<const W: usize>(self, strategy: NodeStrategy) -> Nodes<'static, W> {
        Nodes::new(self.classes, self.class_of, strategy.placement).expect("nodes of its classes")
    }
}

/// As options name it.
impl fmt::Display for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nodes:{}", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox::time::{Duration, Instant};

    fn job(processors: u32, memory: u32) -> Job {
        let (submit, run) = (Instant::ZERO, Duration::from_ticks(1));
        let (line, shape, requested, user) = (None, None, None, None);
        Job { id: 0, line, submit, processors, shape, memory, run, requested, user }
    }

    #[test]
    fn tasks_are_spread_evenly_over_the_fewest_nodes_that_hold_them() {
        let classes = [(2, Amounts::of(&[64, 256])), (1, Amounts::of(&[16, 512]))];
        let cluster = Cluster::new("three", &classes, Some(1));
        assert_eq!((cluster.nodes(), cluster.processors()), (3, 144));
        for (processors, memory, tasks) in [
            (1, 0, Some(1)),
            (64, 4, Some(64)),
            // Two nodes of 49 and 48.
            (97, 0, Some(98)),
            (128, 2, Some(128)),
            // The third node has 16 cores, so all three hold 48.
            (129, 0, None),
            // 32 on the node with most memory do not fit: it has 16 cores.
            (20, 16, Some(20)),
            (33, 16, Some(33)),
            (48, 16, Some(48)),
            (49, 16, None),
            (1, 512, Some(1)),
            (2, 512, None),
            (1, 513, None),
            (u32::MAX, u32::MAX, None),
        ] {
            assert_eq!(cluster.tasks(&job(processors, memory)), tasks, "{processors}, {memory}");
        }
    }

    #[test]
    fn memory_of_jobs_does_not_matter_where_nodes_have_none() {
        let cluster = Cluster::new("one", &[(1, Amounts::of(&[4]))], None);
        assert_eq!(cluster.tasks(&job(4, u32::MAX)), Some(4));
        assert_eq!(cluster.amounts(4, u32::MAX), Amounts::of(&[4]));
    }
}
