//! The durable coordinator of 64 stations and a bank of 8, whose history lies on NOR flash: commands
//! are stored before their effects are told, and now and then the power is cut.

use super::Watch;
use super::random::{draw, random};
use crate::station::{Table, table};
use alloc::vec;
use alloc::vec::Vec;
use core::convert::Infallible;
use embedded_storage::nor_flash::{ErrorType, NorFlash, ReadNorFlash};
use locox::fair::{DecayParams, StationId, TimedRow, TimedUpDown};
use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox_coordinators::station::{Command, Config, Coordinator, Effect, NodeId, Run};
use locox_storage::{DurableCoordinator, Flash};

const STATIONS: u32 = 64;
const NODES: u32 = STATIONS + 8;
const JOBS: usize = 128;
const MINUTE: Duration = Duration::from_ticks(60);
const CALLS: u64 = 400;
const FLASH: usize = 64 * 1024;

type Network = Coordinator<TimedUpDown<Vec<TimedRow>>, Table>;

fn network() -> Option<Network> {
    let rows = vec![TimedRow::EMPTY; STATIONS as usize];
    let ranking = TimedUpDown::new(rows, DecayParams::standard(MINUTE)).ok()?;
    let config = Config { pool: PoolId(1), ..Config::standard(MINUTE) };
    let rows = table(STATIONS as usize, NODES as usize, JOBS);
    Coordinator::new(config, rows, ranking, Instant::ZERO).ok()
}

pub(super) fn run(watch: &mut impl Watch) -> Option<()> {
    let mut bytes = vec![0; FLASH];
    let mut random = random();
    let mut serials = [0; STATIONS as usize];
    let mut runs: [Option<Run>; NODES as usize] = [None; NODES as usize];
    let store = Flash::new(Ram(&mut bytes)).ok()?;
    let mut durable = DurableCoordinator::format(network()?, store).ok()?;
    for tick in 1..=CALLS {
        let now = Instant::from_ticks(20 * tick);
        let node = NodeId(draw(&mut random, NODES));
        let station = StationId(draw(&mut random, STATIONS));
        let run = runs.get(draw(&mut random, NODES) as usize).copied().flatten();
        let command = match (draw(&mut random, 8), run) {
            (0..=2, _) => {
                let serial = serials.get_mut(station.0 as usize)?;
                *serial += 1;
                Command::Submit { home: station, serial: *serial }
            }
            (3 | 4, _) => Command::NodeIdle { node },
            (5, _) => Command::OwnerBack { station },
            (6, Some(run)) => Command::Finished { run },
            _ => Command::Tick,
        };
        let _ = watch.call("apply", || durable.apply(now, command.into()));
        while let Some(told) = watch.see("take effect", || durable.take_effect()) {
            if let Effect::Place { run, node, .. } = told.effect {
                *runs.get_mut(node.0 as usize)? = Some(run);
            }
        }
        if tick % 100 == 0 {
            watch.call("store an image", || durable.catch_up()).ok()?;
        }
        if tick % 100 == 50 {
            drop(durable);
            let store = Flash::new(Ram(&mut bytes)).ok()?;
            let again = network()?;
            let mut recovered = None;
            watch
                .call("recover", || {
                    DurableCoordinator::recover(again, store).map(|(durable, found)| {
                        recovered = Some(durable);
                        found
                    })
                })
                .ok()?;
            durable = recovered?;
        }
    }
    Some(())
}

/// NOR flash as it behaves, in memory.
struct Ram<'b>(&'b mut [u8]);

impl Ram<'_> {
    fn at(&mut self, offset: u32, length: usize) -> &mut [u8] {
        &mut self.0[offset as usize..][..length]
    }
}

impl ErrorType for Ram<'_> {
    type Error = Infallible;
}

impl ReadNorFlash for Ram<'_> {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.copy_from_slice(self.at(offset, bytes.len()));
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.0.len()
    }
}

impl NorFlash for Ram<'_> {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = 4096;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Infallible> {
        self.at(from, (to - from) as usize).fill(0xFF);
        Ok(())
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Infallible> {
        let cells = self.at(offset, bytes.len()).iter_mut();
        cells.zip(bytes).for_each(|(cell, byte)| *cell &= byte);
        Ok(())
    }
}
