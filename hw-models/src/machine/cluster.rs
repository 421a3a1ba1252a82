//! Nodes with quantities, in classes.

use super::NodeStrategy;
use crate::swf::MOST_PROCESSORS;
use crate::workload::{Demand, Job};
use locox::nodes::{Amounts, NodeRequest, Nodes};
use std::collections::HashMap;
use std::fmt;

/// Nodes in classes: how many there are of each, and what each of them has of cores, memory and other quantities.
///
/// A job with a [demand](Job::demand) gets that. Another one of p processors is p tasks; a task takes a core and the job's memory for a
/// processor. So many lie on one node as on another. So that they can, p is rounded up to a multiple of the fewest nodes that hold it on an
/// idle cluster. It gets the fewest nodes that fit when it is placed.
///
/// GPUs, the quantity `gpu`, may be shared in [thousandths](Cluster::PARTS) if no node has more than 16.
///
/// [`Cluster::open`] reads one from a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cluster {
    name: &'static str,
    /// The names of the quantities; cores are the first.
    quantities: &'static [&'static str],
    classes: &'static [Amounts],
    /// Nodes of each class.
    counts: &'static [u32],
    class_of: &'static [u8],
    /// Of each class, words with `|` between.
    features: &'static [&'static str],
    common: Amounts,
}

impl Cluster {
    /// The most nodes.
    pub const MOST: u32 = 10_240;
    /// The most classes.
    pub const MOST_CLASSES: usize = 64;
    /// The most GPUs in all, 2^22: their parts are counted in 32 bits.
    pub const MOST_GPUS: u32 = 1 << 22;
    /// Parts of a GPU.
    pub const PARTS: u32 = 1000;
    /// The most GPUs of a node that can be shared in parts.
    const MOST_SHARED: u32 = 16;
    /// What the first quantity is called.
    pub(super) const CORES: &'static str = "cores";
    const MEMORY: &'static str = "memory";
    pub(super) const GPU: &'static str = "gpu";

    /// Nodes of these classes, numbered class by class, and so many of each; what the quantities are called, of which the first are
    /// `cores`. They are kept for as long as the program runs.
    ///
    /// # Panics
    ///
    /// If these are not 1 to [`Cluster::MOST`] nodes of 1 to [`Cluster::MOST_CLASSES`] classes, or have more than 2^24 cores.
    pub fn new(name: &str, classes: &[(u32, Amounts)], quantities: &[&str]) -> Self {
        assert!((1..=Self::MOST_CLASSES).contains(&classes.len()), "1 to 64 classes");
        let nodes: u64 = classes.iter().map(|it| u64::from(it.0)).sum();
        assert!((1..=u64::from(Self::MOST)).contains(&nodes), "1 to 10240 nodes");
        let cores: u64 = classes.iter().map(|it| u64::from(it.0) * u64::from(it.1.get(0))).sum();
        assert!(cores <= u64::from(MOST_PROCESSORS), "at most 2^24 cores");
        let counts: Vec<u32> = classes.iter().map(|it| it.0).collect();
        let nodes = (0..).zip(&counts).flat_map(|(class, &count)| (0..count).map(move |_| class));
        Self {
            name: name.to_owned().leak(),
            quantities: kept(quantities),
            classes: classes.iter().map(|it| it.1).collect::<Vec<_>>().leak(),
            class_of: nodes.collect::<Vec<u8>>().leak(),
            counts: counts.leak(),
            features: kept(&vec![""; classes.len()]),
            common: Amounts::NONE,
        }
    }

    /// The same, where each class has these features, words with `|` between.
    #[must_use]
    pub fn with_features(self, features: &[&str]) -> Self {
        assert_eq!(features.len(), self.classes.len(), "features of each class");
        Self { features: kept(features), ..self }
    }

    /// The same, where the nodes have so much in common, such as licences.
    #[must_use]
    pub fn with_common(self, common: Amounts) -> Self {
        Self { common, ..self }
    }

    /// Nodes.
    pub const fn nodes(self) -> u32 {
        self.class_of.len() as u32
    }

    /// Cores of all nodes.
    pub fn processors(self) -> u32 {
        self.classes().map(|(count, has)| count * has.get(0)).sum()
    }

    /// The names of the quantities; cores are the first.
    pub const fn quantities(self) -> &'static [&'static str] {
        self.quantities
    }

    /// What the nodes have in common.
    pub const fn common(&self) -> &Amounts {
        &self.common
    }

    /// The classes that have each feature, a bit each.
    pub(super) fn classes_of_features(self) -> HashMap<&'static str, u64> {
        let mut classes = HashMap::new();
        for (class, features) in (0..).zip(self.features) {
            words(features).for_each(|word| *classes.entry(word).or_default() |= 1 << class);
        }
        classes
    }

    /// Which quantity can be shared in [parts](Self::PARTS), if one can.
    pub fn shared(self) -> Option<usize> {
        let is_shared = |at: &usize| {
            let most = self.classes.iter().map(|has| has.get(*at)).max();
            most.is_some_and(|most| (1..=Self::MOST_SHARED).contains(&most))
        };
        self.quantity(Self::GPU).filter(is_shared)
    }

    /// Which quantity counts for [fragmentation](super::Places): GPUs, or cores where there are none.
    pub(super) fn counted(self) -> usize {
        let has = |at: &usize| self.classes.iter().any(|it| it.get(*at) > 0);
        self.quantity(Self::GPU).filter(has).unwrap_or(0)
    }

    pub(super) fn quantity(self, name: &str) -> Option<usize> {
        self.quantities.iter().position(|it| *it == name)
    }

    /// Nodes of each class, and what each has.
    fn classes(self) -> impl Iterator<Item = (u32, &'static Amounts)> {
        self.counts.iter().copied().zip(self.classes)
    }

    /// The class of a node.
    pub(super) fn class_of(self, node: u32) -> u8 {
        self.class_of[node as usize]
    }

    /// What a node has.
    pub fn has_node(self, node: u32) -> &'static Amounts {
        &self.classes[usize::from(self.class_of[node as usize])]
    }

    /// Cores that a job takes: what it demands or its tasks, which are its processors, rounded up so that equally many lie on each
    /// of the fewest nodes that hold them; `None` if an idle cluster does not hold them.
    pub fn tasks(self, job: &Job) -> Option<u32> {
        if let Some(demand) = &job.demand {
            return self.holds(demand).then(|| demand.processors());
        }
        let most = |has: &Amounts| match self.quantity(Self::MEMORY) {
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

    /// The ways in which a job can be placed; `None` if an idle cluster does not hold it.
    pub(super) fn ways(self, job: &Job) -> Option<Vec<Demand>> {
        let tasks = self.tasks(job)?;
        if let Some(demand) = &job.demand {
            return Some(vec![**demand]);
        }
        let counts = (1..=tasks.min(self.nodes())).filter(|nodes| tasks % nodes == 0);
        let ways = counts.map(|nodes| Demand::of(nodes, self.amounts(tasks / nodes, job.memory)));
        Some(ways.filter(|way| self.holds(way)).collect())
    }

    /// Whether an idle cluster holds a demand.
    fn holds(self, demand: &Demand) -> bool {
        let beside = u32::from(demand.part > 0);
        let has_gpus = |has: &Amounts| match self.shared() {
            Some(gpu) => has.get(gpu) >= demand.each.get(gpu).saturating_add(beside),
            None => demand.part == 0,
        };
        let fits = |class: usize, has: &Amounts| {
            demand.classes >> class & 1 == 1 && demand.each.fits(has) && has_gpus(has)
        };
        let holding = self.classes().enumerate().filter(|(class, it)| fits(*class, it.1));
        let nodes: u32 = holding.map(|it| it.1.0).sum();
        demand.nodes <= nodes && demand.common.fits(&self.common) && demand.part <= Self::PARTS
    }

    /// What a job asks for that takes so many cores.
    pub(crate) fn request(self, job: &Job, cores: u32, exclusive: bool) -> NodeRequest<'static> {
        let request = match &job.demand {
            Some(demand) => demand.request(),
            None => return self.tasks_of(cores, job.memory, exclusive),
        };
        if exclusive { request.exclusive() } else { request }
    }

    /// What a job of so many tasks asks for, with so much memory for each.
    pub(crate) fn tasks_of(self, tasks: u32, memory: u32, exclusive: bool) -> NodeRequest<'static> {
        let request = NodeRequest::tasks(tasks, self.amounts(1, memory));
        if exclusive { request.exclusive() } else { request }
    }

    /// What a job has on so many nodes that takes so many cores, if it does not have them alone.
    pub(super) fn each(self, job: &Job, cores: u32, nodes: u32) -> Amounts {
        match &job.demand {
            Some(demand) => demand.each,
            None => self.amounts(cores / nodes, job.memory),
        }
    }

    /// What so many tasks take of a node, with so much memory for each.
    fn amounts(self, tasks: u32, memory: u32) -> Amounts {
        let mut amounts = [0; Amounts::MOST];
        amounts[0] = tasks;
        if let Some(at) = self.quantity(Self::MEMORY) {
            amounts[at] = tasks.saturating_mul(memory);
        }
        Amounts::of(&amounts)
    }

    /// What a job asks for, in words: `2 nodes with 4 cores, 1 gpu`.
    pub(crate) fn told(self, job: &Job) -> String {
        let Some(demand) = &job.demand else {
            let processors = if job.processors == 1 { "processor" } else { "processors" };
            return format!("{} {processors} and {} MiB for each", job.processors, job.memory);
        };
        let named = |of: &Amounts| {
            let all = self.quantities.iter().zip(*of.all()).filter(|it| it.1 > 0);
            let told = all.map(|(&name, amount)| match (name, amount) {
                (Self::CORES, 1) => "1 core".into(),
                _ => format!("{amount} {name}"),
            });
            told.collect::<Vec<String>>()
        };
        let mut each = named(&demand.each);
        each.extend((demand.part > 0).then(|| format!("{} thousandths of a gpu", demand.part)));
        let nodes = if demand.nodes == 1 { "node" } else { "nodes" };
        let some = if demand.classes == u64::MAX { "" } else { " of some classes" };
        let mut told = format!("{} {nodes}{some} with {}", demand.nodes, each.join(", "));
        let common = named(&demand.common);
        if !common.is_empty() {
            told += &format!(", and {} in all", common.join(", "));
        }
        told
    }

    /// The kernel's machine, for places of so many words, which are enough.
    pub(crate) fn machine<const W: usize>(self, strategy: NodeStrategy) -> Nodes<'static, W> {
        let nodes = Nodes::new(self.classes, self.class_of, strategy.placement);
        let nodes = nodes.expect("nodes of its classes").with_common(self.common);
        match (self.shared(), self.quantity(Self::GPU)) {
            (Some(gpu), _) => nodes.with_parts(gpu, Self::PARTS).expect("at most 16 of a node"),
            (None, Some(gpu)) => nodes.keeping(gpu),
            (None, None) => nodes,
        }
    }
}

/// The words of features.
pub(super) fn words(features: &str) -> impl Iterator<Item = &str> {
    features.split('|').map(str::trim).filter(|it| !it.is_empty())
}

/// Words for as long as the program runs.
fn kept(words: &[&str]) -> &'static [&'static str] {
    words.iter().map(|it| &*it.to_string().leak()).collect::<Vec<_>>().leak()
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
        let demand = None;
        Job { id: 0, line, submit, processors, shape, memory, demand, run, requested, user }
    }

    #[test]
    fn tasks_are_spread_evenly_over_the_fewest_nodes_that_hold_them() {
        let classes = [(2, Amounts::of(&[64, 256])), (1, Amounts::of(&[16, 512]))];
        let cluster = Cluster::new("three", &classes, &["cores", "memory"]);
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
        let cluster = Cluster::new("one", &[(1, Amounts::of(&[4]))], &["cores"]);
        assert_eq!(cluster.tasks(&job(4, u32::MAX)), Some(4));
        assert_eq!(cluster.amounts(4, u32::MAX), Amounts::of(&[4]));
    }
}
