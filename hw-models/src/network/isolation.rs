//! Whether jobs keep out of each other's way: the oracle for placements.

use super::Topology;
use locox::cube::Node;
use std::collections::HashMap;

/// Who may use which channel.
///
/// Entering and leaving cost time in proportion to the channels of the job; it is exact, whatever
/// the size of the machine.
///
/// ```
/// use locox::cube::{Dim, Node};
/// use locox_models::network::Isolation;
/// let mut network = Isolation::new(Dim::new(3).unwrap());
/// // 5 x 1 nodes in a line of the Gray code. What is left is 111 and 10*; join 111 and 101 ...
/// network.enter(1, &[0b000, 0b001, 0b011, 0b010, 0b110].map(Node)).unwrap();
/// let shared = network.enter(2, &[0b111, 0b101].map(Node)).unwrap_err();
/// // ... and the route from 110 to 001 runs through.
/// assert_eq!((shared.user, shared.from, shared.to), (1, Node(0b111), Node(0b101)));
/// assert_eq!(network.enter(3, &[0b100, 0b101].map(Node)), Ok(()));
/// ```
///
/// # Invariants
///
/// - A channel has at most one user: a job two of whose nodes it lies between, in the sense of
///   the topology's routes.
/// - `jobs` holds the numbers of the channels of each job, and no others have a user.
#[derive(Clone, Debug)]
pub struct Isolation {
    topology: Topology,
    users: Vec<Option<u64>>,
    jobs: HashMap<u64, Vec<u32>>,
}

/// A channel that two jobs would share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the channel from node {from} to node {to} is used by job {user} already")]
pub struct Shared {
    /// Where the channel begins.
    pub from: Node,
    /// Where it ends.
    pub to: Node,
    /// The job that was there first.
    pub user: u64,
}

impl Isolation {
    /// A network without jobs.
    pub fn new(topology: impl Into<Topology>) -> Self {
        let topology = topology.into();
        Self { topology, users: vec![None; topology.channel_count()], jobs: HashMap::new() }
    }

    /// A job starts on `nodes`.
    ///
    /// # Errors
    ///
    /// The first channel that it would share with a job that is there; nothing has changed then.
    ///
    /// # Panics
    ///
    /// If a job of that number is there, or a node lies outside the machine.
    pub fn enter(&mut self, job: u64, nodes: &[Node]) -> Result<(), Shared> {
        assert!(!self.jobs.contains_key(&job), "job {job} is there already");
        let used = self.topology.channels(nodes);
        let taken = |&channel: &usize| Some((channel, self.users[channel]?));
        if let Some((channel, user)) = used.iter().find_map(taken) {
            let (from, to) = self.topology.ends(channel);
            return Err(Shared { from, to, user });
        }
        used.iter().for_each(|&channel| self.users[channel] = Some(job));
        let used = used.into_iter().map(|channel| channel as u32).collect();
        self.jobs.insert(job, used);
        Ok(())
    }

    /// A job ends.
    ///
    /// # Panics
    ///
    /// If no such job is there.
    pub fn leave(&mut self, job: u64) {
        let used = self.jobs.remove(&job).expect("a job that leaves has entered");
        used.into_iter().for_each(|channel| self.users[channel as usize] = None);
    }

    /// Jobs that are there.
    pub fn jobs(&self) -> usize {
        self.jobs.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox::cube::Dim;

    fn nodes(text: &str) -> Vec<Node> {
        text.parse::<locox::cube::Subcube>().unwrap().nodes().collect()
    }

    #[test]
    fn disjoint_subcubes_share_nothing() {
        let mut network = Isolation::new(Dim::new(4).unwrap());
        for (job, cube) in (0..).zip(["0***", "10**", "110*", "1110", "1111"]) {
            network.enter(job, &nodes(cube)).unwrap();
        }
        assert_eq!(network.jobs(), 5);
    }

    #[test]
    fn a_refused_job_changes_nothing_and_may_enter_once_the_other_has_left() {
        let mut network = Isolation::new(Dim::new(3).unwrap());
        network.enter(7, &nodes("0**")).unwrap();
        let shared = network.enter(8, &nodes("**1")).unwrap_err();
        assert_eq!(shared.user, 7);
        assert_eq!(network.enter(8, &nodes("**1")), Err(shared));
        assert_eq!(network.enter(9, &nodes("1**")), Ok(()));
        network.leave(7);
        network.leave(9);
        assert_eq!(network.enter(8, &nodes("**1")), Ok(()));
    }
}
