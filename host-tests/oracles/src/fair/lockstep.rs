//! A ranking and its model, driven side by side.

use super::{Command, Rule};
use crate::Mismatch;
use crate::mismatch::{Steps, equal};
use locox::draw::Draw;
use locox::fair::{Capacity, Contender, Decision, Demand, Fairness, Misuse, Round};
use locox::time::{Duration, Instant};

/// Drives a ranking and its model in step.
pub struct Lockstep<F, R> {
    fair: F,
    model: R,
    demand: Vec<Demand>,
    /// Whether the ranking holds a table, and so knows how many stations there are.
    counts: bool,
    now: Instant,
    steps: Steps,
}

impl<F: Fairness, R: Rule<F>> Lockstep<F, R> {
    /// From a fresh ranking of so many stations on.
    pub fn new(stations: usize, fair: F, model: R) -> Self {
        let counts = fair.check(stations + 1).is_err();
        let demand = vec![Demand::default(); stations];
        let now = Instant::ZERO;
        Self { fair, model, demand, counts, now, steps: Steps::default() }
    }

    /// Carries out one command and compares what is answered and what can be seen.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if the two differ; the run is of no use afterwards.
    pub fn step(&mut self, command: &Command) -> Result<(), Mismatch> {
        let compared = self.carry_out(command).and_then(|()| self.model.compare(&self.fair));
        self.steps.check(command, compared)
    }

    fn carry_out(&mut self, command: &Command) -> Result<(), String> {
        match *command {
            Command::Ask(ref asked) => {
                asked.iter().for_each(|&(station, one)| self.demand[station.0 as usize] = one);
                Ok(())
            }
            Command::Update => {
                self.pass_time();
                self.model.update(&self.demand);
                equal("answer", self.fair.update(&self.demand), Ok(()))
            }
            Command::Round { free, room, draw } => self.round(free, room, draw, false),
            Command::RoundCarriedOut { free, room, draw } => self.round(free, room, draw, true),
            Command::Miscount { more } => self.miscount(more),
            Command::Overdraw { free } => self.overdraw(free),
        }
    }

    /// From nothing to some half-lives, for rankings by time.
    fn pass_time(&mut self) {
        let steps = self.steps.taken() as u64;
        let passed = match steps % 5 {
            0 => 0,
            4 => steps.wrapping_mul(0x9E37_79B9) % 3_000_000,
            _ => steps.wrapping_mul(0x9E37_79B9) % 3000,
        };
        self.now = self.now.saturating_add(Duration::from_ticks(passed));
        self.fair.advance(self.now);
        self.model.advance(self.now);
    }

    fn held(&self) -> u32 {
        self.demand.iter().map(|one| u32::from(one.holds)).sum()
    }

    fn round(&mut self, free: u32, room: usize, draw: u32, at_once: bool) -> Result<(), String> {
        let capacity = Capacity { nodes: self.held() + free, free };
        let mut live = self.demand.clone();
        let list = match decide(&mut self.fair, &mut live, capacity, draw, room, at_once) {
            Ok(list) => list,
            Err(why) => return equal("misuse", why, Misuse::Scratch),
        };
        equal("room for four", room >= 4, true)?;
        equal("decisions", list, self.model.round(&self.demand, free, draw, usize::MAX))?;
        self.demand = live;
        Ok(())
    }

    fn miscount(&mut self, more: bool) -> Result<(), String> {
        let mut demand = self.demand.clone();
        demand
            .resize(self.demand.len() + 1 - 2 * usize::from(!more), Demand { wants: 1, holds: 0 });
        let sizes = (self.demand.len() as u32, demand.len() as u32);
        let expected = if self.counts {
            Err(Misuse::Stations { table: sizes.0, demand: sizes.1 })
        } else {
            Ok(())
        };
        if self.counts {
            equal("answer", self.fair.update(&demand), expected)?;
            let capacity = Capacity { nodes: u32::MAX, free: 1 };
            let list = decide(&mut self.fair, &mut demand, capacity, 0, 4, false);
            return equal("misuse", list.map(|_| ()), expected);
        }
        equal("check", self.fair.check(demand.len()), expected)
    }

    fn overdraw(&mut self, free: u32) -> Result<(), String> {
        let (held, mut demand) = (self.held(), self.demand.clone());
        let Some(nodes) = (held + free).checked_sub(1) else { return Ok(()) };
        let list = decide(&mut self.fair, &mut demand, Capacity { nodes, free }, 0, 4, false);
        let misuse = Misuse::HoldingsExceedCapacity { held, free, nodes };
        equal("misuse", list, Err(misuse))
    }
}

/// A whole round; what it decides is carried out in `demand`, at once or after it.
fn decide<F: Fairness>(
    fair: &mut F,
    demand: &mut [Demand],
    capacity: Capacity,
    draw: u32,
    room: usize,
    at_once: bool,
) -> Result<Vec<Decision>, Misuse> {
    let mut scratch = vec![Contender::EMPTY; room];
    let draw = F::Draw::from_source(|| draw);
    let mut round = Round::new(fair, demand, capacity, draw, &mut scratch)?;
    let mut list = vec![];
    while let Some(decision) = round.next(fair, demand) {
        list.push(decision);
        if at_once {
            change_hands(demand, &decision);
        }
    }
    if !at_once {
        list.iter().for_each(|decision| change_hands(demand, decision));
    }
    Ok(list)
}

/// A processor that is taken away leaves its job waiting.
fn change_hands(demand: &mut [Demand], decision: &Decision) {
    let to = match *decision {
        Decision::Grant { to, .. } => to,
        Decision::Preempt { from, to, .. } => {
            let yielding = &mut demand[from.0 as usize];
            yielding.holds -= 1;
            yielding.wants = yielding.wants.saturating_add(1);
            to
        }
    };
    let getting = &mut demand[to.0 as usize];
    getting.holds += 1;
    getting.wants -= 1;
}
