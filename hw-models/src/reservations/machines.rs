//! Several machines under a broker, with PEs of unlike speed.

use super::{Answer, Options, Outcome, Placed, in_order, limits, ranges};
use crate::workload::reservations::Asking;
use locox::bits::{BitSet, Word, words_for};
use locox::handle::PoolId;
use locox::reserve::{Limits, SetupError, SpeedClass, Speeds, Timeline, reserve_on_one_of};
use std::collections::BTreeSet;

/// The speed of a standard PE, for which durations are given.
pub const STANDARD: u32 = 1000;

/// A machine of a broker: its PEs one after the other, so many of a speed. Speeds are thousandths of that of a
/// standard PE, and not zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// How many, and how fast.
    pub runs: Vec<(u32, u32)>,
}

impl Machine {
    /// Of standard PEs.
    pub fn standard(pes: u32) -> Self {
        Self { runs: vec![(pes, STANDARD)] }
    }

    /// How many PEs it has.
    pub fn pes(&self) -> u32 {
        self.runs.iter().map(|(pes, _)| pes).sum()
    }

    /// Each speed, the highest first, with the PEs that have at least that.
    fn classes(&self) -> Vec<(u32, BitSet<Box<[Word]>>)> {
        let speeds: BTreeSet<u32> = self.runs.iter().map(|&(_, speed)| speed).collect();
        let pes_of = |least: u32| {
            let words = vec![0; words_for(self.pes() as usize)].into_boxed_slice();
            let mut set = BitSet::empty(words, self.pes()).expect("there are words for all PEs");
            let mut first = 0;
            for &(pes, speed) in &self.runs {
                if speed >= least {
                    set.insert_range(first, pes).expect("a PE of the machine");
                }
                first += pes;
            }
            (least, set)
        };
        speeds.into_iter().rev().map(pes_of).collect()
    }
}

/// As [`run`](super::run), on one of several machines, whose PEs are numbered through: each request goes
/// where it ends first.
///
/// [`Options::pes`] and [`Options::open`] are not looked at.
///
/// # Errors
///
/// [`SetupError`] if the kernel has no timeline for so many PEs or requests, or there are none.
///
/// ```
/// use locox::reserve::{Fit, Request};
/// use locox::time::{Duration, Instant};
/// use locox_models::reservations::{Machine, Options, run_on};
/// use locox_models::workload::reservations::Asking;
/// let request = Request::new(Instant::ZERO, Duration::from_ticks(10), 4);
/// let asking = |id| Asking { id, arrival: Instant::ZERO, request };
/// let machines = [Machine { runs: vec![(4, 500)] }, Machine { runs: vec![(4, 2000)] }];
/// let outcome = run_on(&[asking(1), asking(2)], &machines, &Options::new(8, Fit::First)).unwrap();
/// let placed = outcome.answers.iter().map(|answer| answer.placed.as_ref().unwrap());
/// let placed: Vec<_> = placed.map(|placed| (placed.machine, placed.at.end.ticks())).collect();
/// assert_eq!(placed, [(1, 5), (1, 10)]);
/// ```
pub fn run_on(
    requests: &[Asking],
    machines: &[Machine],
    options: &Options<'_>,
) -> Result<Outcome, SetupError> {
    let classes: Vec<_> = machines.iter().map(Machine::classes).collect();
    let tables = classes.iter().map(|classes| {
        classes.iter().map(|(speed, pes)| SpeedClass::new(*speed, pes)).collect::<Vec<_>>()
    });
    let tables: Vec<_> = tables.collect();
    let mut first = 0;
    let served = machines.iter().zip(&tables).zip(0..).map(|((machine, table), number)| {
        let limits = limits(requests, machine.pes());
        if !(1..=Limits::MOST).contains(&limits.pes) || limits.reservations == 0 {
            return Err(SetupError::Limits);
        }
        let storage = vec![0; Timeline::words(limits)].into_boxed_slice();
        let timeline = Timeline::new(PoolId(number), limits, storage)?;
        let speeds = Speeds::new(STANDARD, table).map_err(|_| SetupError::Limits)?;
        first += machine.pes();
        Ok((timeline, speeds, first - machine.pes()))
    });
    let mut served = served.collect::<Result<Vec<_>, SetupError>>()?;
    let (fit, choice) = (options.policy, options.choice);
    let answer = |asking: &Asking| {
        for (timeline, ..) in &mut served {
            timeline.advance(asking.arrival).expect("arrivals are in order");
        }
        let placed = reserve_on_one_of(
            &mut served,
            |(it, speeds, _)| it.would_reserve_at_speeds(&asking.request, *speeds, &fit, choice),
            |(it, speeds, _)| it.reserve_at_speeds(&asking.request, *speeds, &fit, choice),
        );
        let placed = placed.map(|(machine, id, at)| {
            let (timeline, _, first) = &served[machine];
            let pes = timeline.pes_of(id).ok().filter(|_| options.name_pes);
            let pes = pes.map_or(vec![], |pes| ranges(pes.iter().map(|pe| first + pe)));
            Placed { at, pes, held: asking.request.pes, machine }
        });
        Answer { asking: *asking, placed }
    };
    let answers = in_order(requests).into_iter().map(answer).collect();
    Ok(Outcome { pes: machines.iter().map(Machine::pes).sum(), answers })
}
