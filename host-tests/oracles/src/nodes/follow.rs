//! Numbers as nodes and calls.

use super::{Command, EVEN, Lockstep, Setup};
use crate::Mismatch;

/// Drives a pool and its model: the first of `numbers` stand for nodes and wishes, the next for the kinds of calls left out, each
/// of the others for a call.
///
/// # Errors
///
/// [`Mismatch`] where the two differ.
pub fn follow(numbers: &[u64]) -> Result<(), Mismatch> {
    let Some((setup, rest)) = Setup::decode(numbers) else { return Ok(()) };
    let Some((&first, rest)) = rest.split_first() else { return Ok(()) };
    let (nodes, weights) = (setup.cluster.nodes.len(), EVEN.swarm(first as u32));
    let mut run = Lockstep::new(setup);
    rest.iter().try_for_each(|&number| run.step(&Command::decode(nodes, number, &weights)))
}
