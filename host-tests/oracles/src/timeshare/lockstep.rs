//! A table and its model, driven side by side.

use super::{Command, Model, Rule};
use crate::Mismatch;
use crate::mismatch::{Steps, equal};
use locox::error::Error;
use locox::time::{Duration, Instant};
use locox::timeshare::{
    Columns, Entry, FirstLevel, HostId, HostRow, JobNumber, JobRow, Load, Misuse, NonInterfering,
    Refusal, Request, Speed, Table, Why, words,
};

type Boxed = Columns<Vec<Entry>, Vec<HostRow>, Vec<JobRow>, Vec<usize>>;

/// Drives a table and its model in step. All jobs are placed by one rule.
pub struct Lockstep {
    real: Table<Boxed>,
    model: Model,
    rule: Rule,
    other: Option<Rule>,
    now: Instant,
    draw: u32,
    steps: Steps,
}

impl Lockstep {
    /// From an empty table on.
    pub fn new(rule: Rule, levels: u8, hosts: usize, rows: usize) -> Self {
        let columns = Columns {
            entries: vec![Entry::EMPTY; hosts * usize::from(levels)],
            hosts: vec![HostRow::EMPTY; hosts],
            jobs: vec![JobRow::EMPTY; rows],
            words: vec![0; words(hosts, levels)],
        };
        let real = Table::new(levels, columns).expect("the columns fit");
        let model = Model::new(levels, hosts, rows);
        let (now, steps) = (Instant::ZERO, Steps::default());
        Self { real, model, rule, other: None, now, draw: 0, steps }
    }

    /// Asks whether a job would be placed under another rule, by which none is.
    pub fn asking(self, other: Rule) -> Self {
        Self { other: Some(other), ..self }
    }

    /// Whether no later job stands above an earlier one, and no level above a job is free.
    pub fn is_first_come(&self) -> bool {
        self.real.passed().is_none() && !self.model.has_gap()
    }

    /// Whether a host has more than one job.
    pub fn is_shared(&self) -> bool {
        (0..self.real.hosts()).any(|host| self.model.column(host as usize).len() > 1)
    }

    /// Makes one call and compares the answer, all that can be seen, and the invariants.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if the two differ; the run is of no use afterwards.
    pub fn step(&mut self, command: &Command) -> Result<(), Mismatch> {
        let compared = self.carry_out(command).and_then(|()| self.compare());
        self.steps.check(command, compared)
    }

    fn carry_out(&mut self, command: &Command) -> Result<(), String> {
        let now = self.now;
        let mut told = vec![];
        let mut tell = |host: HostId| told.push(host.0);
        match *command {
            Command::Place(job, request) => self.place(Some(job), request),
            Command::WouldPlace(request) => self.place(None, request),
            Command::Report(host, load, speed) => self.report(host, load, speed),
            Command::ReportAll => {
                for host in (0..self.real.hosts()).map(HostId) {
                    self.report(host, Load::IDLE, Speed::NOMINAL)?;
                }
                Ok(())
            }
            Command::Remove(job) => {
                let real = self.real.remove(now, job, &mut tell);
                equal("hosts left", real.map(|()| told), self.model.remove(now, job))
            }
            Command::Doom(job) => {
                let real = self.real.terminate(job, &mut tell);
                equal("hosts to kill on", real.map(|()| told), self.model.terminate(job))
            }
            Command::Lose(host) => {
                let real = self.real.lose(host, &mut tell);
                equal("hosts hit", real.map(|()| told), self.model.lose(host))
            }
            Command::Tick(by) => {
                self.now = now.saturating_add(Duration::from_ticks(by));
                Ok(())
            }
        }
    }

    fn report(&mut self, host: HostId, load: Load, speed: Speed) -> Result<(), String> {
        let real = self.real.report(self.now, host, load, speed);
        equal("whether it is new", real, self.model.report(self.now, host, load, speed))
    }

    fn place(&mut self, job: Option<JobNumber>, request: Request) -> Result<(), String> {
        self.draw = self.draw.wrapping_add(0x9E37_79B9);
        let rule = self.other.filter(|_| job.is_none()).unwrap_or(self.rule);
        let expected = match job {
            Some(job) => self.model.place(self.now, &rule, job, request, (&|_| true, self.draw)),
            None => {
                let choice = self.model.choose(self.now, &rule, &request, (&|_| true, self.draw));
                choice.map(|it| it.why)
            }
        };
        equal("answer", self.place_really(&rule, job, request), expected)
    }

    fn place_really(
        &mut self,
        rule: &Rule,
        job: Option<JobNumber>,
        request: Request,
    ) -> Result<Why, Error<Refusal, Misuse>> {
        let (now, draw, table) = (self.now, self.draw, &mut self.real);
        macro_rules! by {
            ($placement:expr, $draw:expr) => {
                match job {
                    Some(job) => table.place(now, &$placement, job, request, $draw),
                    None => table.would_place(now, &$placement, request, $draw),
                }
            };
        }
        match *rule {
            Rule::FirstLevel { degree, drawn: false } => by!(FirstLevel::new(degree), ()),
            Rule::FirstLevel { degree, drawn: true } => {
                by!(FirstLevel::new(degree).shuffled(), draw)
            }
            Rule::FirstCalmLevel { degree, threshold, believed, drawn: false } => {
                by!(FirstLevel::new(degree).on_calm_hosts(threshold, believed), ())
            }
            Rule::FirstCalmLevel { degree, threshold, believed, drawn: true } => {
                by!(FirstLevel::new(degree).on_calm_hosts(threshold, believed).shuffled(), draw)
            }
            Rule::NonInterfering { degree, threshold, believed, settled } => {
                by!(NonInterfering { degree, threshold, believed, settled }, ())
            }
        }
    }

    fn compare(&self) -> Result<(), String> {
        equal("invariants", self.real.check_invariants(), Ok(()))?;
        equal("hosts there", self.real.there() as usize, self.model.there())?;
        equal("host of a pass", self.real.passed().map(|host| host.0), self.model.passed())?;
        for host in 0..self.real.hosts() {
            let column = self.real.column(HostId(host));
            let column = column.map(|(level, job, _)| (level.number().into(), job.0));
            let column = (host, column.collect::<Vec<_>>());
            equal("column", column, (host, self.model.column(host as usize)))?;
        }
        for (&number, job) in &self.model.jobs {
            let name = JobNumber(number);
            equal("request", self.real.request(name), Ok(job.request))?;
            equal("first host", self.real.lead(name), Ok(job.lead.map(HostId)))?;
            equal(
                "whether it is to be killed",
                self.real.is_terminating(name),
                Ok(job.terminating),
            )?;
            let hosts = self.real.places(name).map(|(host, _)| host.0).collect::<Vec<_>>();
            equal("hosts of a job", hosts, self.model.hosts_of(number))?;
        }
        Ok(())
    }
}
