//! Numbers as a site and calls.

use super::{Command, EVEN, Lockstep, Setup, Store};
use crate::Mismatch;

/// Drives a coordinator and its model: the first of `numbers` stands for the site and how it is
/// coordinated, the second for the kinds of calls left out, each of the others for a call.
///
/// # Errors
///
/// [`Mismatch`] where the two differ.
pub fn follow(numbers: &[u64]) -> Result<(), Mismatch> {
    let Some((&first, rest)) = numbers.split_first() else { return Ok(()) };
    let Some((&second, rest)) = rest.split_first() else { return Ok(()) };
    let weights = EVEN.swarm(second as u32 & 0x3FFF);
    let setup = Setup::decode(first);
    let (clusters, cells, mut store) = (setup.clusters(), setup.cells(), Store::new(&setup));
    let mut run = Lockstep::new(&setup, setup.known(&clusters, &cells), &mut store);
    rest.iter().try_for_each(|&number| run.step(&Command::decode(number, &weights)))
}
