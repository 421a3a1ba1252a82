//! 64 stations that share a bank of 8: the ranking by itself, and the coordinator.

use super::Watch;
use super::random::{draw, random};
use crate::station::table;
use alloc::vec;
use core::num::NonZeroU32;
use locox::fair::{DecayParams, Demand, Fairness, StationId, TimedRow, TimedUpDown};
use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox_coordinators::station::{Command, Config, Coordinator, Effect, NodeId, Run};

const STATIONS: usize = 64;
const NODES: u32 = STATIONS as u32 + 8;
const JOBS: usize = 128;
const MINUTE: Duration = Duration::from_ticks(60);
const CALLS: u64 = 1500;

pub(super) fn fair(watch: &mut impl Watch) -> Option<()> {
    let rows = vec![TimedRow::EMPTY; STATIONS];
    let mut ranking = TimedUpDown::new(rows, DecayParams::standard(MINUTE)).ok()?;
    let mut random = random();
    for tick in 0..CALLS {
        let station = StationId(draw(&mut random, STATIONS as u32));
        let (wants, holds) = (draw(&mut random, 4) as u16, draw(&mut random, 3) as u16);
        ranking.advance(Instant::from_ticks(30 * tick));
        watch.see("note", || ranking.note(station, Demand { wants, holds }));
        let _ = watch.see("first taker", || ranking.next_claimant());
        let _ = watch.see("exchange", || ranking.exchange());
    }
    Some(())
}

/// All nodes come and go, all stations submit, and runs end; each effect is taken when it is told. A
/// command makes so many decisions at the most.
pub(super) fn station(decisions: Option<NonZeroU32>, watch: &mut impl Watch) -> Option<()> {
    let rows = vec![TimedRow::EMPTY; STATIONS];
    let ranking = TimedUpDown::new(rows, DecayParams::standard(MINUTE)).ok()?;
    let config = Config { pool: PoolId(1), decisions, ..Config::standard(MINUTE) };
    let rows = table(STATIONS, NODES as usize, JOBS);
    let mut network = Coordinator::new(config, rows, ranking, Instant::ZERO).ok()?;
    let mut random = random();
    let mut runs: [Option<Run>; NODES as usize] = [None; NODES as usize];
    let mut serials = [0; STATIONS];
    for tick in 1..=CALLS {
        let now = Instant::from_ticks(20 * tick);
        let node = NodeId(draw(&mut random, NODES));
        let home = draw(&mut random, STATIONS as u32);
        let run = runs.get(draw(&mut random, NODES) as usize).copied().flatten();
        let (what, command) = match (draw(&mut random, 8), run) {
            (0..=2, _) => {
                let serial = serials.get_mut(home as usize)?;
                *serial += 1;
                ("submit", Command::Submit { home: StationId(home), serial: *serial })
            }
            (3 | 4, _) => ("node idle", Command::NodeIdle { node }),
            (5, _) => ("owner back", Command::OwnerBack { station: StationId(home) }),
            (6, Some(run)) => ("finished", Command::Finished { run }),
            _ => ("tick", Command::Tick),
        };
        let _ = watch.call(what, || network.apply(now, command));
        while let Some(effect) = watch.see("take effect", || network.take_effect()) {
            if let Effect::Place { run, node, .. } = effect {
                *runs.get_mut(node.0 as usize)? = Some(run);
            }
        }
    }
    Some(())
}
