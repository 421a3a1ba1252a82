//! A coordinator and its model, driven side by side.

use super::model::OUTAGES;
use super::{Model, Rooms, Step, racks};
use crate::Mismatch;
use crate::mismatch::{Steps, equal};
use locox::dispatch::Entry;
use locox::fair::TimedRow;
use locox::handle::PoolId;
use locox::reserve::{Limits, Profile};
use locox::time::Instant;
use locox_coordinators::manager::{
    Columns, Command, Config, Coordinator, Effect, JobRow, Key, NO_STAKE, NodeId, NodeRow, Outage,
    OutageRow, Places, PlanRow, Reason, StakeRow, Status, StopReason, Tree, UNPLANNED, UserRow,
    box_words, cube_words, index_len, place_words, sum_words,
};

/// How large a coordinator is: rows for jobs and for users, and nodes.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Rows for jobs.
    pub jobs: usize,
    /// Rows for users.
    pub users: usize,
    /// Nodes.
    pub nodes: usize,
}

/// What a coordinator lies in.
pub struct Rows {
    entries: Vec<Entry>,
    jobs: Vec<JobRow>,
    users: Vec<UserRow>,
    ranks: Vec<TimedRow>,
    nodes: Vec<NodeRow>,
    index: Vec<u32>,
    words: Vec<usize>,
    plan: Vec<PlanRow>,
    outages: Vec<OutageRow>,
    boxes: Vec<u64>,
    stakes: Vec<StakeRow>,
    sums: Vec<u64>,
    levels: Vec<&'static [u32]>,
}

impl Rows {
    /// Columns of such a size.
    pub fn new(Size { jobs, users, nodes }: Size) -> Self {
        Self {
            entries: vec![Entry::EMPTY; jobs],
            jobs: vec![JobRow::EMPTY; jobs],
            users: vec![UserRow::EMPTY; users],
            ranks: vec![TimedRow::EMPTY; users],
            nodes: vec![NodeRow::EMPTY; nodes],
            index: vec![0; index_len(jobs, users)],
            words: vec![0; cube_words(nodes).max(place_words(nodes))],
            plan: vec![UNPLANNED; jobs + OUTAGES],
            outages: vec![OutageRow::EMPTY; OUTAGES],
            boxes: vec![],
            stakes: vec![NO_STAKE; jobs],
            sums: vec![],
            levels: racks::levels(nodes),
        }
    }

    /// A fresh coordinator in them.
    pub fn manager(&mut self, config: Config) -> Coordinator<'_> {
        if let Places::Boxes(grid) = config.places {
            self.boxes.resize(box_words(grid), 0);
        }
        self.sums.resize(sum_words(config.places, self.nodes.len()), 0);
        let nodes = self.nodes.len() as u32;
        let columns = Columns {
            entries: &mut self.entries,
            jobs: &mut self.jobs,
            users: &mut self.users,
            ranks: &mut self.ranks,
            nodes: &mut self.nodes,
            index: &mut self.index,
            words: &mut self.words,
            plan: &mut self.plan,
            outages: &mut self.outages,
            boxes: &mut self.boxes,
            stakes: &mut self.stakes,
            sums: &mut self.sums,
        };
        match config.places {
            Places::Tree => {
                let tree = Tree::new(nodes, &self.levels).expect("racks in blocks");
                Coordinator::in_tree(config, tree, columns, Instant::ZERO)
            }
            _ => Coordinator::new(config, columns, Instant::ZERO),
        }
        .expect("the columns fit")
    }
}

/// How often a run has met what it is there for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Met {
    /// Starts that were told.
    pub started: usize,
    /// Stops.
    pub stopped: usize,
    /// Jobs that will be late.
    pub late: usize,
    /// Answers that the free subcubes are too small.
    pub fragmented: usize,
    /// Starts on what a mesh leaves over.
    pub lent: usize,
    /// Users who came in the place of another.
    pub replaced: usize,
    /// Answers that those in service are.
    pub divided: usize,
    /// Answers that free nodes do not lie as a job needs them.
    pub apart: usize,
    /// Answers that a job would run into an outage.
    pub planned: usize,
    /// Nodes that were kept for jobs.
    pub reserved: usize,
    /// Stops that were told some time before.
    pub noticed: usize,
    /// Jobs that could have moved so that another one starts.
    pub moved: usize,
    /// What became of room.
    pub rooms: Rooms,
}

/// Drives a coordinator and its model in step. Another coordinator stands by, to be restored.
pub struct Lockstep<'a> {
    real: Coordinator<'a>,
    other: Coordinator<'a>,
    model: Model,
    now: u64,
    /// Rows for jobs.
    jobs: usize,
    /// What the run has met.
    pub met: Met,
    steps: Steps,
}

impl<'a> Lockstep<'a> {
    /// From a fresh coordinator on.
    pub fn new(size: Size, config: Config, rows: &'a mut [Rows; 2]) -> Self {
        let [first, second] = rows;
        Self {
            real: first.manager(config),
            other: second.manager(config),
            model: Model::new(config, size.jobs, size.users, size.nodes),
            now: 0,
            jobs: size.jobs,
            met: Met::default(),
            steps: Steps::default(),
        }
    }

    /// Takes one step and compares the answer, all that can be seen, and the invariants.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if the two differ; the run is of no use afterwards.
    pub fn step(&mut self, step: &Step) -> Result<(), Mismatch> {
        let compared = self.carry_out(step).and_then(|()| self.compare());
        self.steps.check(step, compared)
    }

    /// All that later answers depend on. Two states of one key are the same state.
    pub fn key(&self) -> String {
        format!("{:?} {:?} {}", image(&self.real), self.model, self.now)
    }

    fn carry_out(&mut self, step: &Step) -> Result<(), String> {
        match *step {
            Step::Say(by, command) => {
                self.now += by;
                self.say(self.now, command)
            }
            Step::WrongTime(back) if back && self.now == 0 => Ok(()),
            Step::WrongTime(back) => {
                let now = if back { self.real.now().ticks().saturating_sub(1) } else { 1 << 63 };
                self.say(now, Command::Decide)
            }
            Step::Confirm(at) => {
                let Some(key) = self.one_that_is(Status::Starting, at) else { return Ok(()) };
                let since = Instant::from_ticks(self.now);
                let ranges: Vec<_> = self.real.nodes(key).collect();
                for (number, range) in ranges.into_iter().enumerate() {
                    let (first, nodes) = (range.first, range.nodes);
                    self.say(
                        self.now,
                        match number {
                            0 => Command::Runs { key, since, first, nodes },
                            _ => Command::RunsAlso { key, first, nodes },
                        },
                    )?;
                }
                Ok(())
            }
            Step::Stopped(at) => match self.one_that_is(Status::Stopping, at) {
                Some(key) => self.say(self.now, Command::Waits { key }),
                None => Ok(()),
            },
            Step::TakeEffects(count) => (0..count).try_for_each(|_| self.take_effect()),
            Step::Restart => self.restart(),
        }
    }

    fn one_that_is(&self, status: Status, at: usize) -> Option<Key> {
        let jobs = self.real.jobs().filter(|job| job.status == status);
        let mut keys: Vec<Key> = jobs.map(|job| job.key).collect();
        keys.sort_by_key(|key| (key.id, key.born));
        keys.get(at % keys.len().max(1)).copied()
    }

    fn say(&mut self, now: u64, command: Command) -> Result<(), String> {
        let before = image(&self.real);
        let answer = self.real.apply(Instant::from_ticks(now), command);
        self.model.order = self.real.jobs().map(|job| job.key).collect();
        if command == Command::Decide && answer.is_ok() {
            self.model.told_to_yield = self.told_to_yield()?;
        }
        equal("answer", answer, self.model.apply(now, command))?;
        self.model.told_to_yield.clear();
        if answer.is_err() {
            equal("image after an error", image(&self.real), before)?;
        }
        Ok(())
    }

    /// Who yields to whom, as a restored coordinator says.
    fn told_to_yield(&mut self) -> Result<Vec<(Key, Key)>, String> {
        equal("answer to an image", self.other.load(image(&self.real)).map(|_| ()), Ok(()))?;
        let told = std::iter::from_fn(|| self.other.take_effect());
        let yields = told.filter_map(|it| match it {
            Effect::Stop { key, why } | Effect::Notice { key, why, .. } => match why {
                StopReason::Turn { job, .. } | StopReason::Priority { job, .. } => Some((key, job)),
            },
            _ => None,
        });
        Ok(yields.collect())
    }

    fn take_effect(&mut self) -> Result<(), String> {
        let shown = self.real.peek_effect();
        let taken = self.real.take_effect();
        equal("effect that was shown", shown, taken)?;
        match taken {
            Some(Effect::Start { .. }) => self.met.started += 1,
            Some(Effect::Stop { .. }) => self.met.stopped += 1,
            Some(Effect::Late { .. }) => self.met.late += 1,
            Some(Effect::Notice { .. }) => self.met.noticed += 1,
            _ => {}
        }
        equal("effect", taken, self.model.take_effect())
    }

    fn restart(&mut self) -> Result<(), String> {
        let words = image(&self.real);
        equal("answer to an image", self.other.load(words.iter().copied()).map(|_| ()), Ok(()))?;
        equal("image once more", image(&self.other), words)?;
        self.other.resync();
        std::mem::swap(&mut self.real, &mut self.other);
        self.model.order = self.real.jobs().map(|job| job.key).collect();
        self.model.resync();
        Ok(())
    }

    fn compare(&mut self) -> Result<(), String> {
        equal("invariants", self.real.check_invariants(), Ok(()))?;
        let jobs = self.model.jobs.len();
        equal("jobs", (self.real.len() as usize, self.real.is_empty()), (jobs, jobs == 0))?;
        equal("time to wake", self.real.wake_at().map(Instant::ticks), self.model.wake_at())?;
        let line = self.model.line();
        let keys: Vec<Key> = line.iter().map(|&job| self.model.jobs[job].key).collect();
        equal("line", self.real.line().collect(), keys)?;
        (self.met.lent, self.met.replaced) = (self.model.lent, self.model.replaced);
        self.met.rooms += std::mem::take(&mut self.model.rooms);
        equal("free", self.real.free(), self.model.free())?;
        equal("promise", self.real.promise(), self.model.promise)?;
        for (at, expected) in self.model.jobs.iter().enumerate() {
            let key = expected.key;
            equal("job", self.real.job(key), Some(self.model.view(at)))?;
            let ranges = self.real.nodes(key).flat_map(|it| it.first.0..it.first.0 + it.nodes);
            equal("nodes", (key, ranges.collect()), (key, expected.nodes.clone()))?;
            let mut kept: Vec<_> = self.real.reservation(key).flat_map(in_nodes).collect();
            kept.sort_unstable();
            let expected = expected.kept.iter();
            let expected =
                expected.flat_map(|it| it.nodes.iter().map(|node| (*node, it.from, it.to)));
            self.met.reserved += kept.len();
            equal("reservation", (key, kept), (key, expected.collect()))?;
            let stop = self.model.stop_of(at);
            equal("stop", (key, self.real.stop(key)), (key, stop))?;
            let ahead = line.iter().position(|&other| other == at).map(|ahead| ahead as u32);
            equal("jobs ahead", (key, self.real.ahead(key)), (key, Ok(ahead)))?;
            self.compare_estimate(key, at)?;
            let reason = self.model.reason(at);
            equal("reason", (key, self.real.reason(key)), (key, Ok(reason)))?;
            self.met.fragmented += usize::from(matches!(reason, Some(Reason::Fragmented { .. })));
            self.met.planned += usize::from(reason == Some(Reason::Planned));
            self.met.apart +=
                usize::from(matches!(reason, Some(Reason::NoPlace | Reason::NoFreePlace)));
            self.met.divided += usize::from(matches!(reason, Some(Reason::Divided { .. })));
        }
        self.compare_options()?;
        let mut outages: Vec<_> = self
            .real
            .outages()
            .map(|it| (it.nodes.first.0, it.nodes.nodes, it.from.ticks(), it.to.ticks()))
            .collect();
        outages.sort_unstable();
        let mut expected = self.model.outages.clone();
        expected.sort_unstable();
        equal("outages", outages, expected)?;
        equal("users", self.real.users().collect(), self.model.users())?;
        for (number, &out) in (0..).zip(&self.model.out) {
            let node = self.real.node(NodeId(number)).ok_or("a node is not known")?;
            let owner = self.model.owner(number).map(|job| self.model.jobs[job].key);
            equal("node", (number, node.job, node.out), (number, owner, out))?;
        }
        Ok(())
    }

    /// What could be done for one of the jobs, another one at each time.
    fn compare_options(&mut self) -> Result<(), String> {
        let at = self.now as usize % self.model.jobs.len().max(1);
        let Some(job) = self.model.jobs.get(at) else { return Ok(()) };
        let (before, mut yields) = (image(&self.real), vec![]);
        let told = self.real.options(job.key, |it| yields.push(it));
        let told = told.map_err(|why| why.to_string())?;
        equal("image after a question", image(&self.real), before)?;
        self.met.moved += yields.iter().filter(|it| it.moves).count();
        self.model.compare_options(at, told, &yields)
    }

    fn compare_estimate(&self, key: Key, at: usize) -> Result<(), String> {
        let limits = Limits { pes: self.real.size(), reservations: self.jobs as u32 };
        let mut scratch = Profile::new(PoolId(0), limits, vec![0; Profile::words(limits)])
            .expect("a small profile");
        let estimate = self.real.estimate(key, &mut scratch).map_err(|why| why.to_string())?;
        let estimate = estimate.map(|it| (it.start.ticks(), it.end.ticks()));
        equal("estimate", (key, estimate), (key, self.model.estimate(at)))
    }
}

/// Each node of an outage, from when until when.
fn in_nodes(it: Outage) -> impl Iterator<Item = (u32, u64, u64)> {
    let first = it.nodes.first.0;
    (first..first + it.nodes.nodes).map(move |node| (node, it.from.ticks(), it.to.ticks()))
}

fn image(manager: &Coordinator<'_>) -> Vec<u32> {
    let mut words = vec![];
    manager.export(|word| words.push(word));
    words
}
