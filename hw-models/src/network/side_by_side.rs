//! Jobs alone and beside each other, message by message.

use super::Topology;
use super::traffic::Message;
use super::wormhole::{Router, Trip, Window, deliver};

/// What became of the messages of a job.
#[derive(Clone, Debug)]
pub struct SideBySide {
    /// When the job had the network for itself.
    pub alone: Vec<Trip>,
    /// The same messages while the other jobs sent theirs.
    pub beside: Vec<Trip>,
}

impl SideBySide {
    /// Messages that were delivered in another cycle than alone.
    pub fn moved(&self) -> usize {
        self.alone.iter().zip(&self.beside).filter(|(alone, beside)| alone != beside).count()
    }

    /// How many times as long the messages were under way, on average; 1 of no messages.
    pub fn slow_down(&self) -> f64 {
        let cycles = |trips: &[Trip]| trips.iter().map(|trip| trip.latency()).sum::<u64>() as f64;
        if self.alone.is_empty() { 1.0 } else { cycles(&self.beside) / cycles(&self.alone) }
    }
}

/// Sends the messages of each job alone, and those of all jobs together.
///
/// # Panics
///
/// As [`deliver`].
///
/// ```
/// use locox::cube::{Dim, Node};
/// use locox_models::network::side_by_side;
/// use locox_models::network::traffic::Message;
/// use locox_models::network::wormhole::{Router, Window};
/// let job = |source, target| vec![Message { source: Node(source), target: Node(target), at: 0 }];
/// let jobs = [job(0b110, 0b001), job(0b111, 0b101), job(0b000, 0b100)];
/// let three = Dim::new(3).unwrap();
/// let found = side_by_side(&Router::default(), three, &jobs, Window::Stream);
/// let moved: Vec<usize> = found.iter().map(|job| job.moved()).collect();
/// assert_eq!(moved, [1, 0, 0]);
/// ```
pub fn side_by_side(
    router: &Router,
    topology: impl Into<Topology>,
    jobs: &[Vec<Message>],
    window: Window,
) -> Vec<SideBySide> {
    let topology = topology.into();
    let mut together = deliver(router, topology, &jobs.concat(), window).into_iter();
    let job = |job: &Vec<Message>| SideBySide {
        alone: deliver(router, topology, job, window),
        beside: together.by_ref().take(job.len()).collect(),
    };
    jobs.iter().map(job).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::traffic::{Mesh, Pattern};
    use crate::streams::stream;
    use locox::cube::{Dim, Node, Subcube};

    fn total_exchange(cube: &str) -> Vec<Message> {
        let nodes: Vec<Node> = cube.parse::<Subcube>().unwrap().nodes().collect();
        let mesh = Mesh::new([nodes.len() as u32, 1, 1], nodes);
        mesh.messages(Pattern::AllToAll, &mut stream(1, "traffic", 0))
    }

    #[test]
    fn jobs_on_disjoint_subcubes_do_not_move_a_message_of_each_other() {
        let jobs = ["0***", "10**", "11*1"].map(total_exchange);
        for window in [Window::Stream, Window::One] {
            let found = side_by_side(&Router::default(), Dim::new(4).unwrap(), &jobs, window);
            assert!(found.iter().all(|job| job.moved() == 0 && job.slow_down() == 1.0));
        }
    }

    #[test]
    fn jobs_whose_routes_cross_do() {
        let jobs = ["**00", "**11", "0*0*"].map(total_exchange);
        let found = side_by_side(&Router::default(), Dim::new(4).unwrap(), &jobs, Window::One);
        assert_eq!(found[1].moved(), 0);
        assert!(found[0].moved() > 0 && found[0].slow_down() > 1.05);
    }

    #[test]
    fn a_job_without_messages_is_not_slowed() {
        let jobs = [vec![], total_exchange("**")];
        let found = side_by_side(&Router::default(), Dim::new(2).unwrap(), &jobs, Window::One);
        assert_eq!((found[0].moved(), found[0].slow_down()), (0, 1.0));
    }
}
