//! A coordinator and its model, driven side by side.

use super::model::{Model, Said};
use super::{Command, Heard};
use crate::Mismatch;
use crate::dispatch::order;
use crate::mismatch::{Steps, equal};
use crate::timeshare::Rule;
use locox::dispatch::Discipline;
use locox::draw::Draw;
use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox::timeshare::{self, Entry, HostId, HostRow, Load, Placement, Request, Speed, UserId};
use locox_coordinators::cluster::{
    self, Batch, Columns, Config, Coordinator, JobId, JobRow, Terms,
};

/// How large a coordinator is.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Levels of a host.
    pub levels: u8,
    /// Hosts.
    pub hosts: usize,
    /// Rows for jobs.
    pub rows: usize,
}

/// What a coordinator lies in.
pub struct Rows {
    entries: Vec<Entry>,
    hosts: Vec<HostRow>,
    jobs: Vec<JobRow>,
    placed: Vec<timeshare::JobRow>,
    words: Vec<usize>,
    discipline: Box<dyn Discipline>,
}

/// A coordinator under any discipline.
pub(super) type Any<'a, P> = Coordinator<'a, P, &'a mut (dyn Discipline + 'static)>;

impl Rows {
    /// Columns of such a size, and a queue.
    pub fn new(Size { levels, hosts, rows }: Size, config: &Config, order: order::Rule) -> Self {
        Self {
            entries: vec![Entry::EMPTY; hosts * usize::from(levels)],
            hosts: vec![HostRow::EMPTY; hosts],
            jobs: vec![JobRow::EMPTY; rows],
            placed: vec![timeshare::JobRow::EMPTY; rows],
            words: vec![0; config.words(hosts, levels)],
            discipline: order.discipline(),
        }
    }

    /// A fresh coordinator in them.
    pub(super) fn coordinator<P: Placement>(
        &mut self,
        config: Config,
        placement: P,
        levels: u8,
    ) -> Option<Any<'_, P>> {
        let columns = Columns {
            entries: &mut self.entries,
            hosts: &mut self.hosts,
            jobs: &mut self.jobs,
            placed: &mut self.placed,
            words: &mut self.words,
        };
        let rules = (placement, &mut *self.discipline);
        Coordinator::with_discipline(config, levels, columns, rules, Instant::ZERO).ok()
    }
}

/// Drives a coordinator and its model in step. Another coordinator stands by, to be restored.
pub struct Lockstep<'a, P> {
    real: Any<'a, P>,
    other: Any<'a, P>,
    model: Model,
    rule: Rule,
    now: Instant,
    draw: u32,
    /// All names that there have been, and one of another coordinator.
    names: Vec<JobId>,
    sets: u16,
    steps: Steps,
}

impl<'a, P: Placement + Clone> Lockstep<'a, P> {
    /// From a fresh coordinator on. The rules are that of the placement and that of the rows; `None` if
    /// something does not fit.
    pub fn new(
        size: Size,
        config: Config,
        (placement, rule, order): (P, Rule, order::Rule),
        rows: &'a mut [Rows; 2],
    ) -> Option<Self> {
        let Size { levels, hosts, rows: jobs } = size;
        let [first, second] = rows;
        let fresh = |rows: &'a mut Rows| rows.coordinator(config, placement.clone(), levels);
        Some(Self {
            names: vec![foreign(config, placement.clone())?],
            real: fresh(first)?,
            other: fresh(second)?,
            model: Model::new(config, (rule, order), levels, hosts, jobs),
            rule,
            now: Instant::ZERO,
            draw: 0,
            sets: config.sets,
            steps: Steps::default(),
        })
    }

    /// Carries out one command and compares the answer, all that can be seen, and the invariants.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if the two differ; the run is of no use afterwards.
    pub fn step(&mut self, command: &Command) -> Result<(), Mismatch> {
        let compared = self.carry_out(command).and_then(|()| self.compare());
        self.steps.check(command, compared)
    }

    /// All that later answers depend on, if nothing is drawn by lot. Two states of one key are the same state.
    pub fn key(&self) -> String {
        let Self { real, model, now, names, .. } = self;
        format!("{:?} {model:?} {now:?} {names:?}", image(real))
    }

    /// How many hosts have more than one job.
    pub fn shared(&self) -> usize {
        (0..self.real.table().hosts()).filter(|&host| self.model.column(host).len() > 1).count()
    }

    fn carry_out(&mut self, command: &Command) -> Result<(), String> {
        // The latest ones, as most of the others are gone.
        let latest = &self.names[self.names.len().saturating_sub(8)..];
        let job = |at: usize| {
            if at.is_multiple_of(16) { self.names[0] } else { latest[at % latest.len()] }
        };
        match *command {
            Command::Submit(user, hosts, synchronising, terms) => {
                self.say(Said::Submit(Request { user, hosts, synchronising }, terms))
            }
            Command::Cancel(at) => self.say(Said::Cancel(job(at))),
            Command::Kill(at) => self.say(Said::Kill(job(at))),
            Command::Ended(at) => self.say(Said::Ended(job(at))),
            Command::Report(host, load, speed, heard) => {
                let heard = self.heard(host, heard);
                self.say(Said::Report(host, load, speed, heard))
            }
            Command::ReportAll => (0..self.real.table().hosts()).try_for_each(|host| {
                let heard = self.heard(HostId(host), Heard::All);
                self.say(Said::Report(HostId(host), Load::IDLE, Speed::NOMINAL, heard))
            }),
            Command::Lost(host) => self.say(Said::Lost(host)),
            Command::Tick(by) => {
                self.now = self.now.saturating_add(Duration::from_ticks(by));
                self.say(Said::Tick)
            }
            Command::TimeGoesBack => self.go_back(),
            Command::TakeEffects(count) => (0..count).try_for_each(|_| self.take_effect()),
            Command::Restart => self.restart(),
            Command::Memory(host, memory) => self.say(Said::Memory(host, memory)),
            Command::Name(set, first, hosts, named) => {
                self.say(Said::Name(set, first, hosts, named))
            }
            Command::Choose(set, hosts) => self.say(Said::Choose(set, hosts)),
        }
    }

    fn heard(&self, host: HostId, heard: Heard) -> Batch {
        let Batch { boot, number } = self.model.batch(host.0);
        match heard {
            Heard::All => Batch { boot, number },
            Heard::Behind => Batch { boot, number: number.saturating_sub(1) },
            Heard::Ahead => Batch { boot, number: number.saturating_add(3) },
            Heard::Restarted => Batch { boot: boot + 1, number: 0 },
            Heard::Late => Batch { boot: boot.saturating_sub(1), number: number.saturating_add(9) },
            Heard::Last => Batch { boot, number: u32::MAX - 1 },
        }
    }

    fn say(&mut self, said: Said) -> Result<(), String> {
        self.draw = self.draw.wrapping_add(0x6C07_8965);
        let (now, draw) = (self.now, P::Draw::from_source(|| self.draw));
        let before = image(&self.real);
        let answer = self.real.apply_drawn(now, command(said), draw);
        let expected = self.model.apply(now, said, draw);
        if let (Ok(Some(name)), Ok(Some(number))) = (answer, expected) {
            self.model.name(number, name);
            self.names.push(name);
        }
        equal("answer", answer.map(|it| it.is_some()), expected.map(|it| it.is_some()))?;
        if answer.is_err() {
            equal("image after an error", image(&self.real), before)?;
        }
        Ok(())
    }

    fn go_back(&mut self) -> Result<(), String> {
        let told = self.real.now();
        if told == Instant::ZERO {
            return Ok(());
        }
        let now = std::mem::replace(&mut self.now, Instant::from_ticks(told.ticks() - 1));
        let said = self.say(Said::Tick);
        self.now = now;
        said
    }

    fn take_effect(&mut self) -> Result<(), String> {
        let shown = self.real.peek_effect();
        let taken = self.real.take_effect();
        equal("effect that was shown", shown, taken)?;
        equal("effect", taken, self.model.take_effect())
    }

    fn restart(&mut self) -> Result<(), String> {
        let words = image(&self.real);
        equal("answer to an image", self.other.load(words.iter().copied()).is_ok(), true)?;
        equal("image once more", image(&self.other), words)?;
        self.other.resync();
        std::mem::swap(&mut self.real, &mut self.other);
        self.model.restored();
        Ok(())
    }

    fn compare(&self) -> Result<(), String> {
        equal("invariants", self.real.check_invariants(), Ok(()))?;
        equal("time to wake", self.real.wake_at(), self.model.wake_at())?;
        equal("queue", self.real.queue().collect(), self.model.queue())?;
        for (job, status) in self.model.statuses() {
            equal("status", (job, self.real.status(job)), (job, Ok(status)))?;
        }
        for (job, terms) in self.model.terms() {
            equal("terms", (job, self.real.terms(job)), (job, Ok(terms)))?;
        }
        let table = self.real.table();
        for set in 0..=self.sets {
            let hosts = (0..table.hosts()).filter(|&host| self.model.is_in(set, host));
            let hosts: Vec<HostId> = hosts.map(HostId).collect();
            equal("set", (set, self.real.set(set).collect()), (set, hosts))?;
        }
        for host in 0..table.hosts() {
            equal("batch", self.real.batch(HostId(host)), self.model.batch(host))?;
            let memory = (host, self.real.memory(HostId(host)));
            equal("memory", memory, (host, self.model.has(host)))?;
            let column = table.column(HostId(host));
            let named = |(level, job, _): (timeshare::Level, _, UserId)| {
                (usize::from(level.number()), self.real.job(job))
            };
            let expected = self.model.column(host).into_iter();
            let expected: Vec<_> = expected.map(|(level, job)| (level, Some(job))).collect();
            equal("column", (host, column.map(named).collect()), (host, expected))?;
        }
        equal("host of a pass", table.passed().map(|host| host.0), self.model.passed())?;
        let is_first_come = self.model.passed().is_none() && !self.model.has_gap();
        let must_be = matches!(self.rule, Rule::NonInterfering { .. });
        equal("first come under version 3", is_first_come || !must_be, true)
    }
}

fn command(said: Said) -> cluster::Command {
    match said {
        Said::Submit(Request { user, hosts, synchronising }, terms) => {
            cluster::Command::Submit { user, hosts, synchronising, terms }
        }
        Said::Cancel(job) => cluster::Command::Cancel { job },
        Said::Kill(job) => cluster::Command::Kill { job },
        Said::Ended(job) => cluster::Command::Ended { job },
        Said::Report(host, load, speed, heard) => {
            cluster::Command::HostReport { host, load, speed, heard }
        }
        Said::Lost(host) => cluster::Command::HostLost { host },
        Said::Tick => cluster::Command::Tick,
        Said::Memory(host, memory) => cluster::Command::HostMemory { host, memory },
        Said::Name(set, first, hosts, named) => {
            cluster::Command::NameHosts { set, first, hosts, named }
        }
        Said::Choose(set, hosts) => cluster::Command::ChooseHosts { set, hosts },
    }
}

/// The name of a job of another coordinator.
fn foreign<P: Placement>(config: Config, placement: P) -> Option<JobId> {
    let config = Config { pool: PoolId(config.pool.0 + 1), ..config };
    let size = Size { levels: 8, hosts: 1, rows: 1 };
    let mut rows = Rows::new(size, &config, order::Rule::Fcfs);
    let mut cluster = rows.coordinator(config, placement, 8)?;
    let (user, terms) = (UserId(0), Terms::default());
    let submit = cluster::Command::Submit { user, hosts: 1, synchronising: false, terms };
    cluster.apply_drawn(Instant::ZERO, submit, P::Draw::NOT_DRAWN).ok()?
}

fn image<P: Placement>(cluster: &Any<'_, P>) -> Vec<u32> {
    let mut words = vec![];
    cluster.export(|word| words.push(word));
    words
}
