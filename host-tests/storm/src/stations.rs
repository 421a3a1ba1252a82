//! A coordinator of workstations with a history on a disk, under one of three rankings.

use crate::claims::Claim;
use crate::context::Context;
use crate::disk::Disk;
use crate::kept::{Applied, Kept};
use crate::parts::Service;
use crate::server::{Said, Server};
use crate::time::MINUTE;
use locox::fair::{
    Condor, Contender, DecayParams, Demand, Fairness, RoundRobin, ScheduleIndex, TimedRow,
    TimedUpDown, UpDown,
};
use locox::handle::PoolId;
use locox::image::Identity;
use locox::time::{Duration, Instant};
use locox_coordinators::coordinate::EffectRecord;
use locox_coordinators::station::{
    Columns, Config, Coordinator, Effect, HomeRow, JobId, JobRow, Message, NodeRow, Status, Trigger,
};
use std::num::NonZeroU32;

type Table = Columns<Vec<Demand>, Vec<HomeRow>, Vec<NodeRow>, Vec<JobRow>, Vec<Contender>>;

/// How large a network is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) stations: usize,
    pub(crate) nodes: usize,
    rows: usize,
}

/// A coordinator that is killed and started again.
pub(crate) trait StationService: Server {
    fn start(&mut self, context: &mut Context) -> Option<bool>;
    fn kill(&mut self, context: &mut Context);
    fn turn_bit(&mut self, context: &mut Context, number: u64);
    fn look(&mut self, context: &mut Context) -> bool;
    fn wake(&self, context: &mut Context);
    fn disk(&self) -> &Disk;
    /// Its clock is set back: that of who gives leases must not go forward.
    fn set_back(&mut self, by: u64);
}

/// One of any size under any ranking.
pub(crate) fn drawn(context: &mut Context) -> (Size, Box<dyn StationService>) {
    let stations = context.numbers.between(1, 6) as usize;
    let nodes = stations + context.numbers.below(5) as usize;
    let size = Size { stations, nodes, rows: context.numbers.between(4, 24) as usize };
    let config = config(context);
    let params = DecayParams {
        half_life: Duration::from_ticks(24 * 60 * MINUTE),
        quantum: Duration::from_ticks(10 * MINUTE),
    };
    let service: Box<dyn StationService> = match context.numbers.below(3) {
        0 => Box::new(Stations::new(config, size, RoundRobin::default)),
        1 => Box::new(Stations::new(config, size, move || {
            UpDown::new(vec![ScheduleIndex::ZERO; stations], Condor::default())
        })),
        _ => Box::new(Stations::new(config, size, move || {
            TimedUpDown::new(vec![TimedRow::EMPTY; stations], params)
                .expect("the parameters are sound")
        })),
    };
    (size, service)
}

fn config(context: &mut Context) -> Config {
    let minutes = |count: u64| Duration::from_ticks(count * MINUTE);
    let numbers = &mut context.numbers;
    Config {
        interval: minutes(numbers.between(10, 40)),
        poll: None,
        checkpoint: numbers.chance(500).then_some(minutes(180)),
        transfer: minutes(1),
        trigger: numbers.one_of(&[Trigger::IntervalOnly, Trigger::Capacity, Trigger::Demand]),
        rounds: numbers.one_of(&[1, u32::MAX]),
        recall: numbers.chance(500),
        lease: Some(minutes(numbers.between(120, 300))),
        back_off: minutes(numbers.below(20)),
        retries: numbers.one_of(&[0, 3]),
        faults: numbers.one_of(&[0, 3]),
        pool: PoolId(3),
        decisions: NonZeroU32::new(numbers.below(4) as u32),
    }
}

struct Stations<F, R> {
    kept: Kept<Coordinator<F, Table>>,
    config: Config,
    size: Size,
    ranking: R,
    /// Since when a processor is free while a job waits, by the coordinator's clock.
    spare_since: Option<Instant>,
}

impl<F: Fairness<Draw = ()>, R: Fn() -> F> Stations<F, R> {
    fn new(config: Config, size: Size, ranking: R) -> Self {
        let kept = Kept::new(fresh(config, size, &ranking), Service::Stations, "stations");
        Self { kept, config, size, ranking, spare_since: None }
    }

    /// No processor is free for longer than an interval while a job waits.
    fn note_spare(&mut self, context: &mut Context) {
        let Some(pool) = self.kept.coordinator() else { return };
        if pool.free() == 0 || pool.demand().iter().all(|demand| demand.wants == 0) {
            self.spare_since = None;
            return;
        }
        let now = pool.now();
        let since = *self.spare_since.get_or_insert(now);
        let is_short = now.since(since) <= Some(self.config.interval);
        // One that decides little at a time may have more to decide, and says so.
        let is_all = self.config.rounds > 1 && pool.wake_at() > Some(now);
        context.claim(is_short || !is_all, Claim::Progress, "stations", || {
            "a job waits beside a free processor".into()
        });
    }
}

fn fresh<F: Fairness>(
    config: Config,
    size: Size,
    ranking: &impl Fn() -> F,
) -> Coordinator<F, Table> {
    let table = Columns {
        demand: vec![Demand::NONE; size.stations],
        homes: vec![HomeRow::EMPTY; size.stations],
        nodes: vec![NodeRow::EMPTY; size.nodes],
        jobs: vec![JobRow::EMPTY; size.rows],
        scratch: vec![Contender::EMPTY; 8],
    };
    Coordinator::new(config, table, ranking(), Instant::ZERO).expect("the configuration is sound")
}

impl<F: Fairness<Draw = ()>, R: Fn() -> F> Server for Stations<F, R> {
    fn say(&mut self, context: &mut Context, message: Message) -> Said {
        let said = match self.kept.apply(context, message) {
            Applied::Taken(name) => {
                self.note_spare(context);
                Said::Taken(name)
            }
            Applied::Refused(error) => Said::Refused(error),
            Applied::Nothing => {
                self.spare_since = None;
                Said::Nothing
            }
        };
        self.kept.wake(context);
        said
    }

    fn told(&self) -> u64 {
        self.kept.told()
    }

    fn take_effect(&mut self, _: &mut Context) -> Option<EffectRecord<Effect>> {
        self.kept.take_effect()
    }

    fn status(&self, job: JobId) -> Option<Status> {
        self.kept.coordinator()?.status(job).ok()
    }

    fn is_up(&self) -> bool {
        self.kept.is_up()
    }

    fn is_idle(&self) -> bool {
        self.kept.coordinator().is_some_and(|pool| {
            let wants = pool.demand().iter().any(|demand| *demand != Demand::NONE);
            !wants && pool.free() as usize == self.size.nodes
        })
    }

    fn lease(&self) -> Option<Duration> {
        self.config.lease
    }

    fn identity(&self) -> Identity {
        fresh(self.config, self.size, &self.ranking).identity()
    }
}

impl<F: Fairness<Draw = ()>, R: Fn() -> F> StationService for Stations<F, R> {
    fn start(&mut self, context: &mut Context) -> Option<bool> {
        self.spare_since = None;
        let (config, size, ranking) = (self.config, self.size, &self.ranking);
        self.kept.start(context, || fresh(config, size, ranking))
    }

    fn kill(&mut self, context: &mut Context) {
        self.kept.kill(context);
    }

    fn turn_bit(&mut self, context: &mut Context, number: u64) {
        self.kept.turn_bit(context, number);
    }

    fn look(&mut self, context: &mut Context) -> bool {
        self.kept.look(context)
    }

    fn wake(&self, context: &mut Context) {
        self.kept.wake(context);
    }

    fn disk(&self) -> &Disk {
        &self.kept.disk
    }

    fn set_back(&mut self, by: u64) {
        self.kept.timer.set -= by as i64;
    }
}
