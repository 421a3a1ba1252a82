//! Every ranking in step with a naive model that follows the printed tables with bags and sorts.

use crate::runner::{follows, runner};
use locox::fair::{Condor, ScheduleIndex, UpDown};
use locox_oracles::fair::{Command, EVEN, Lockstep, Table, follow};
use proptest::collection::vec;
use proptest::prelude::*;

#[test]
fn every_ranking_agrees_with_its_model() {
    runner("fair", 3000).run(&vec(any::<u64>(), 6..150), |it| follows(follow(&it))).unwrap();
}

/// Condor's functions in a table that lies somewhere.
fn in_storage<S: AsRef<[ScheduleIndex]> + AsMut<[ScheduleIndex]>>(
    table: S,
    numbers: &[u64],
) -> Result<(), TestCaseError> {
    let stations = table.as_ref().len();
    let (fair, model) =
        (UpDown::new(table, Condor::default()), Table::new(stations, Condor::default()));
    let mut run = Lockstep::new(stations, fair, model);
    let commands = numbers.iter().map(|&number| Command::decode(stations, number, &EVEN));
    commands.map(|command| run.step(&command)).try_for_each(follows)
}

#[test]
fn the_table_may_lie_in_any_storage() {
    const MOST: usize = 40;
    let run = |numbers: Vec<u64>| {
        let mut borrowed = [ScheduleIndex::ZERO; MOST];
        in_storage(borrowed, &numbers)?;
        in_storage(borrowed.to_vec().into_boxed_slice(), &numbers)?;
        in_storage(&mut borrowed[..], &numbers)
    };
    runner("fair", 400).run(&vec(any::<u64>(), 1..120), run).unwrap();
}
