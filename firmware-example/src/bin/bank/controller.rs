//! The serial server, the pins and the line, turn by turn.

use crate::owners::{Enable, NoWait, Sensor};
use crate::{clock, owners, watch};
use board::Serial;
use core::cell::Cell;
use core::fmt::Write;
use locox::node::{LocalRule, NodeDriver, OnReturn, OwnerRule, Probe};
use locox::time::{Duration, Instant};
use locox_bank::size::STATIONS;
use locox_bank::{Answer, Bank, Board, Hosts, Reply, Rows, SerialServer};
use locox_coordinators::coordinate::Durable;
use locox_storage::{DurableCoordinator, Flash, Nor, Store as _};

type Medium<'a> = Flash<Nor<'a>>;

const SECOND: Duration = Duration::from_ticks(1000);
const PROBE: Probe = Probe { reads: 1, gap_ns: 0, patience: SECOND };
/// As in the study, with seconds for minutes: nobody at a terminal waits for five minutes.
const OWNERS: OwnerRule = OwnerRule::study(SECOND);
const GUESTS: LocalRule =
    LocalRule { on_return: OnReturn::Checkpoint, grace: SECOND, kill_again: SECOND };
/// Turns without a byte after which a frame that has begun is cut.
const QUIET: u32 = 50;
/// Turns without a byte after which a line of words that has begun is cut: a minute of the timer.
const LONG_QUIET: u32 = 60_000;

pub(crate) struct Controller<'a> {
    line: Serial,
    server: SerialServer<'a, Medium<'a>>,
    hosts: Hosts<Sensor, Enable, NoWait, STATIONS>,
    left: &'a Cell<u32>,
    quiet: u32,
}

impl<'a> Controller<'a> {
    /// Goes on from what the flash holds, or begins.
    pub(crate) fn start(
        mut line: Serial,
        rows: &'a mut Rows,
        cells: &'a mut [u8],
        left: &'a Cell<u32>,
    ) -> Option<Self> {
        let is_new = is_new(rows, cells, left)?;
        let bank = Bank::new(rows, Instant::ZERO)?;
        let flash = Flash::new(Nor::new(cells, left)).ok()?;
        let durable = if is_new {
            DurableCoordinator::format(bank, flash).ok()?
        } else {
            DurableCoordinator::recover(bank, flash).ok()?.0
        };
        let commands = durable.place().commands;
        let _ = write!(Text(&mut line), "locox bank, {commands} commands; try help\r\n");
        defmt::info!("starts with {=u64} commands at {=u64}", commands, durable.now().ticks());
        clock::go_on_from(durable.now());
        let hosts = Hosts::new(core::array::from_fn(|at| driver(at as u32, durable.now())));
        Some(Self { line, server: SerialServer::new(durable, watch::watch), hosts, left, quiet: 0 })
    }

    /// Whatever has come, and whatever is due.
    pub(crate) fn turn(&mut self) {
        // Whoever is told again after a restart is told before anything is heard.
        self.hosts();
        self.quiet = self.quiet.saturating_add(1);
        while let Some(byte) = self.line.read() {
            self.quiet = 0;
            self.take(byte);
        }
        if self.quiet == QUIET {
            let line = &mut self.line;
            self.server.silence(clock::now(), &mut |bytes| line.write(bytes));
        }
        if self.quiet == LONG_QUIET {
            let line = &mut self.line;
            self.server.long_silence(clock::now(), &mut |bytes| line.write(bytes));
        }
        self.pass();
        self.look();
    }

    /// Time passes, for the bank and for its pins.
    fn pass(&mut self) {
        let line = &mut self.line;
        self.server.wake(clock::now(), &mut |bytes| line.write(bytes));
        self.hosts();
    }

    fn take(&mut self, byte: u8) {
        let (line, now) = (&mut self.line, clock::now());
        let asked = self.server.take(now, byte, &mut |bytes| line.write(bytes));
        if let Some(asked) = asked {
            self.obey(asked);
        }
        self.hosts();
        self.look();
    }

    fn obey(&mut self, asked: Board) {
        let done = Reply::Taken(Answer::Done);
        let reply = match asked {
            Board::Pins => Reply::Pins(owners::enabled()),
            Board::Clock(tick) => {
                clock::stay_at(tick);
                // What is due then comes before the answer.
                self.pass();
                if self.left.get() == Nor::OFF { Reply::NotStored } else { done }
            }
            Board::Sense { station, active } => {
                owners::sense(station, active);
                done
            }
            Board::Cut(writes) => {
                self.left.set(writes);
                done
            }
            Board::Reset => done,
        };
        let line = &mut self.line;
        self.server.say(&reply, &mut |bytes| line.write(bytes));
        if asked == Board::Reset {
            defmt::info!("reset");
            board::reset();
        }
    }

    /// What the coordinator tells the stations' processors, and what their pins report.
    fn hosts(&mut self) {
        let Self { line, server, hosts, .. } = self;
        let mut out = |bytes: &[u8]| line.write(bytes);
        let now = clock::now();
        if hosts.wake_at().is_some_and(|at| at <= now) {
            hosts.poll(now);
        }
        loop {
            if let Some(report) = hosts.take_report() {
                server.report(now, report, &mut out);
            } else if let Some(effect) = server.take_effect(&mut out) {
                hosts.hear(now, &effect);
            } else {
                break;
            }
        }
        let stations = server.durable().coordinator().stations();
        hosts.keep(now, |run| stations.status(run.job).is_ok());
    }

    /// Whether all is as it must be.
    fn look(&mut self) {
        if let Some(ticks) = watch::take_done() {
            let commands = self.server.durable().place().commands;
            defmt::info!("command {=u64} took {=u32} ms", commands, ticks);
        }
        let late = watch::take_late();
        if late > 0 {
            let _ = write!(Text(&mut self.line), "late: a command took longer than its bound\r\n");
            defmt::error!("{=u32} commands took longer than their bound", late);
        }
        if self.left.get() == Nor::OFF {
            defmt::warn!("the power was cut");
            board::reset();
        }
    }
}

/// Whether the flash was never used; `None` if it cannot be read.
fn is_new(rows: &mut Rows, cells: &mut [u8], left: &Cell<u32>) -> Option<bool> {
    let mut bank = Durable::new(Bank::new(rows, Instant::ZERO)?);
    let mut flash = Flash::new(Nor::new(cells, left)).ok()?;
    flash.has_image(&mut bank).ok().map(|is_there| !is_there)
}

/// The processor of a station. Its pins do not fail, and no period is zero.
fn driver(at: u32, now: Instant) -> NodeDriver<Sensor, Enable, NoWait> {
    let pins = (Sensor(at), Enable(at), NoWait);
    let Ok(driver) = NodeDriver::new(pins, PROBE, OWNERS, GUESTS, now) else {
        unreachable!("pins in memory do not fail")
    };
    driver
}

struct Text<'a>(&'a mut Serial);

impl Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}
