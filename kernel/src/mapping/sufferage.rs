//! Sufferage: the job that would lose most without its best machine goes first.

use super::plan::Plan;
use super::unplaced::{UnplacedJob, put_last};
use super::{Problem, Refusal};
use crate::bits::tally;
use core::cmp::Reverse;

/// Of all jobs the one that would end latest after its best end, were its best machine taken, gets
/// that machine; then the rest again. Of equals the job with the lowest number. A job with one machine
/// only would lose all the time that is left: of such jobs the one that ends first goes first.
///
/// Beyond the source. Maheswaran, Ali, Siegel, Hensgen and Freund, *Dynamic mapping of a class of
/// independent tasks onto heterogeneous computing systems*, 1999; here one job gets a place at a
/// time. Choose it where the machines suit jobs differently.
///
/// Costs what [`MaxMin`](super::MaxMin) does and twice its looks at rows, for the two best machines
/// of a job can be taken.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sufferage;

impl Sufferage {
    fn run(self, problem: &Problem, plan: &mut Plan, mut open: &mut [UnplacedJob]) -> Option<()> {
        for open in open.iter_mut() {
            open.look_twice(problem, plan)?;
        }
        while !open.is_empty() {
            let first = suffers_most(open)?;
            let chosen = open.get(first)?;
            let taken = chosen.best.machine;
            plan.place(problem, chosen.job as usize, taken as usize)?;
            open = put_last(open, first);
            for open in open.iter_mut().filter(|open| open.is_hit_by(taken)) {
                open.look_twice(problem, plan)?;
            }
        }
        Some(())
    }
}

/// The place of the job that goes first.
fn suffers_most(open: &[UnplacedJob]) -> Option<usize> {
    tally::add(open.len());
    let most = open.iter().enumerate().max_by_key(|(_, it)| (it.sufferage(), Reverse(it.job)));
    most.map(|(at, _)| at)
}

crate::mapper! { Sufferage:
    name(self) => "sufferage";
    extend(self, problem, plan, open, _) => self.run(problem, plan, open).ok_or(Refusal::TooLong)
}
