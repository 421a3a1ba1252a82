//! What the coordinator must do, found anew for each question.

use super::cubes::{Group, Picture};
use super::{boxes, racks};
use locox::cube::{Dim, Node, Subcube};
use locox::fair::{Demand, Fairness, StationId, TimedRow, TimedUpDown};
use locox::mesh::{Embedding, Shape};
use locox::time::{Duration, Instant};
use locox_coordinators::manager::{
    Command, Config, Effect, Error, Key, Misuse, NodeId, Places, Promise, Ranking, Reason, Refusal,
    Status, User, UserId,
};

pub(super) const ENDLESS: u64 = 1 << 61;

/// Rows for outages.
pub(super) const OUTAGES: usize = 5;

/// A job.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub(super) key: Key,
    /// The place of its user.
    pub(super) user: usize,
    pub(super) wants: u32,
    pub(super) sides: [u32; 3],
    pub(super) limit: u64,
    pub(super) priority: u32,
    pub(super) held: bool,
    pub(super) state: Status,
    pub(super) since: u64,
    pub(super) attempt: u32,
    pub(super) nodes: Vec<u32>,
    /// The mesh that was decided.
    pub(super) mesh: Option<Embedding>,
    /// Until when it is taken to have its nodes.
    pub(super) end: u64,
    /// The job for which it is to be stopped, or was.
    pub(super) yields_to: Option<Key>,
    pub(super) stoppable: bool,
    /// Up to when what it has done is saved.
    pub(super) saved: u64,
    /// Whether it was stopped for a job that ran.
    pub(super) protected: bool,
    /// The key of a first job.
    pub(super) first: Option<u64>,
    /// By when it is to end.
    pub(super) by: Option<Instant>,
    /// When it ends, if that is late.
    pub(super) late: Option<u64>,
    /// Whether it has been late ever since that was told, as far as anybody knew when it ends.
    told_late: bool,
    /// Whether it is to be told what it does.
    pub(super) act: bool,
    pub(super) kept: Option<Kept>,
    pub(super) room: Option<Room>,
}

/// How many nodes a job needs, and the sides that count.
type Asked = (u32, Option<[u32; 3]>);

impl Job {
    fn is_in_line(&self) -> bool {
        self.state == Status::Waiting && self.kept.is_none() && self.room.is_none()
    }

    /// The nodes that nobody else gets.
    pub(super) fn holds(&self) -> &[u32] {
        self.room.as_ref().map_or(&self.nodes, |room| &room.nodes)
    }
}

/// What is kept for a job: from when until when, and which nodes.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) nodes: Vec<u32>,
}

impl Kept {
    /// Ranges of nodes that follow each other.
    pub(super) fn ranges(&self) -> usize {
        let begins = |node: &&u32| **node == 0 || !self.nodes.contains(&(**node - 1));
        self.nodes.iter().filter(begins).count()
    }
}

/// What is kept for a job that comes.
#[derive(Clone, Debug)]
pub(super) struct Room {
    pub(super) nodes: Vec<u32>,
    /// Since when.
    pub(super) began: u64,
    /// When those who have the nodes are stopped.
    pub(super) stop: u64,
}

/// What became of room.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rooms {
    /// Jobs for which room was made.
    pub made: usize,
    /// Those of them whose nodes went out of service or to somebody else.
    pub broken: usize,
    /// Those that gave it up, the broken ones among them.
    pub given_up: usize,
    /// Jobs that are protected.
    pub protected: usize,
    /// Choices among more than one set of jobs, all sets being tried.
    pub tried: usize,
}

impl std::ops::AddAssign for Rooms {
    fn add_assign(&mut self, more: Self) {
        self.made += more.made;
        self.broken += more.broken;
        self.given_up += more.given_up;
        self.protected += more.protected;
        self.tried += more.tried;
    }
}

/// Everything, in plain lists: jobs by their arrival.
#[derive(Debug)]
pub struct Model {
    pub(super) config: Config,
    rows: usize,
    pub(super) now: u64,
    pub(super) jobs: Vec<Job>,
    /// By place: the number of a user, if there is one.
    pub(super) users: Vec<Option<u32>>,
    /// Places that users have left.
    left: Vec<usize>,
    pub(super) fair: TimedUpDown<Vec<TimedRow>>,
    /// By place: whether the ranking was told of something that its user wants or has.
    told: Vec<bool>,
    pub(super) out: Vec<bool>,
    /// Outages that are planned: first node, how many, from when and until when.
    pub(super) outages: Vec<(u32, u32, u64, u64)>,
    /// How many there can be.
    pub(super) most_outages: usize,
    due: Vec<Key>,
    pub(super) promise: Option<Promise>,
    promise_due: bool,
    /// The jobs in the order of their rows.
    pub(super) order: Vec<Key>,
    /// Whether nothing was told since the last decision.
    decided: bool,
    /// The place of the first job in line, in this decision.
    pub(super) kept: Option<(Key, Vec<u32>)>,
    /// What was not taken behind that job, in this decision, and how many outages it would meet.
    refused: Vec<(Asked, usize)>,
    /// Jobs that were given what a mesh leaves over.
    pub(super) lent: usize,
    /// Users who came in the place of another whom nothing remembers.
    pub(super) replaced: usize,
    /// What became of room since somebody asked.
    pub(super) rooms: Rooms,
    /// The jobs that yield to another in the coordinator: where several sets cost the least, each is right.
    pub(super) told_to_yield: Vec<(Key, Key)>,
}

impl Model {
    /// Of so many rows for jobs, users, and nodes.
    pub fn new(config: Config, rows: usize, users: usize, nodes: usize) -> Self {
        let fair = TimedUpDown::new(vec![TimedRow::EMPTY; users], config.decay).unwrap();
        let told = vec![false; users];
        let (users, out) = (vec![None; users], vec![false; nodes]);
        let (jobs, left, due, order) = (vec![], vec![], vec![], vec![]);
        let promise = None;
        Self {
            config,
            rows,
            now: 0,
            jobs,
            users,
            left,
            fair,
            told,
            out,
            outages: vec![],
            most_outages: OUTAGES,
            due,
            promise,
            promise_due: false,
            order,
            decided: false,
            kept: None,
            refused: vec![],
            lent: 0,
            replaced: 0,
            rooms: Rooms::default(),
            told_to_yield: vec![],
        }
    }

    /// Whether jobs need certain nodes.
    fn together(&self) -> bool {
        let kept = self.jobs.iter().any(|job| job.kept.is_some());
        self.config.places != Places::Any || !self.outages.is_empty() || kept
    }

    fn in_cubes(&self) -> bool {
        matches!(self.config.places, Places::Subcubes | Places::Meshes)
    }

    /// What a job is to be; `None` if it asks for more than any cube has.
    fn shape(&self, job: usize) -> Option<Shape> {
        let Job { wants, sides, .. } = self.jobs[job];
        if self.config.places == Places::Subcubes {
            return Shape::line(wants.checked_next_power_of_two()?).ok();
        }
        let own = Shape::try_from(sides).ok().filter(|shape| shape.nodes() == wants);
        own.or_else(|| Shape::of_nodes(wants).ok())
    }

    /// How many nodes have to be free for a job.
    pub(super) fn asked(&self, job: usize) -> u32 {
        let Job { wants, sides, .. } = self.jobs[job];
        match self.config.places {
            Places::Any | Places::Tree => wants,
            Places::Boxes(grid) => boxes::asked(grid, wants, sides),
            Places::Subcubes | Places::Meshes => {
                self.shape(job).map_or(u32::MAX, |shape| shape.dim().nodes())
            }
        }
    }

    fn never_fits(&self, job: usize) -> bool {
        self.asked(job) as usize > self.out.len()
    }

    /// Something of a job is to be told, or nothing any more; it keeps its place among those.
    pub(super) fn note(&mut self, job: usize, change: impl FnOnce(&mut Job)) {
        let it = &mut self.jobs[job];
        change(it);
        let (key, is_due) = (it.key, it.act || it.late.is_some() && !it.told_late);
        if !is_due {
            self.due.retain(|other| *other != key);
        } else if !self.due.contains(&key) {
            self.due.push(key);
        }
    }

    pub(super) fn find(&self, key: Key) -> Result<usize, Misuse> {
        self.jobs.iter().position(|job| job.key == key).ok_or(Misuse::NoSuchJob)
    }

    /// Who has a node.
    pub(super) fn owner(&self, node: u32) -> Option<usize> {
        self.jobs.iter().position(|job| job.nodes.contains(&node))
    }

    /// Who is taken to have a node: the job for which it is kept, else the one that has it.
    fn taken_by(&self, node: u32) -> Option<&Job> {
        let mut having = self.jobs.iter().filter(|job| job.holds().contains(&node));
        having.clone().find(|job| job.room.is_some()).or_else(|| having.next())
    }

    fn is_free(&self, node: u32) -> bool {
        !self.out[node as usize] && self.taken_by(node).is_none()
    }

    fn nodes(&self) -> std::ops::Range<u32> {
        0..self.out.len() as u32
    }

    pub(super) fn waits(&self, job: usize) -> bool {
        matches!(self.jobs[job].state, Status::Waiting | Status::Held | Status::Never)
    }

    /// The jobs in line.
    pub(super) fn line(&self) -> Vec<usize> {
        let mut line: Vec<usize> =
            (0..self.jobs.len()).filter(|&job| self.jobs[job].is_in_line()).collect();
        line.sort_by_key(|&job| {
            let Job { first, priority, .. } = self.jobs[job];
            let behind = first.is_none().then_some(!priority);
            (behind, first, job)
        });
        line
    }

    /// Tells the ranking of all users.
    pub(super) fn tell(&mut self) {
        self.fair.advance(Instant::from_ticks(self.now));
        for place in 0..self.users.len() {
            let of_user =
                || self.jobs.iter().filter(|job| job.user == place && self.users[place].is_some());
            let wants = of_user().filter(|job| job.is_in_line()).count() as u16;
            let holds = of_user().map(|job| job.nodes.len()).sum::<usize>() as u16;
            self.told[place] = wants > 0 || holds > 0;
            self.fair.note(StationId(place as u32), Demand { wants, holds });
        }
    }

    pub(super) fn pass(&mut self, now: u64) {
        if now > self.now {
            self.tell();
            self.now = now;
        }
    }

    /// A job that waits does so in line, held, or for ever.
    pub(super) fn stand(&mut self, job: usize) {
        if self.jobs[job].state == Status::Starting {
            self.release(job);
        }
        let never = self.never_fits(job);
        let it = &mut self.jobs[job];
        it.state = if it.held {
            Status::Held
        } else if never {
            Status::Never
        } else {
            Status::Waiting
        };
        (it.first, it.nodes) = (None, vec![]);
        self.note(job, |job| job.act = false);
        self.note(job, |job| job.act = never);
    }

    fn place_of(&self, user: u32) -> Result<usize, Refusal> {
        if let Some(place) = self.users.iter().position(|it| *it == Some(user)) {
            return Ok(place);
        }
        let fresh = self.users.iter().position(|it| it.is_none());
        let forgotten = (0..self.users.len()).find(|place| self.has_forgotten(*place));
        self.left.last().copied().or(fresh).or(forgotten).ok_or(Refusal::UsersFull)
    }

    /// Whether nothing is known of the user of a place but his number.
    fn has_forgotten(&self, place: usize) -> bool {
        let station = StationId(place as u32);
        let has_jobs = self.jobs.iter().any(|job| job.user == place);
        let index = self.fair.index_of(station).unwrap();
        !has_jobs
            && !self.told[place]
            && self.fair.weight_of(station) == 1
            && [-1, 0].contains(&index)
    }

    /// The place of a user for whom there is one, from now on.
    fn take_place(&mut self, user: u32) -> usize {
        let place = self.place_of(user).unwrap();
        if self.users[place].is_some_and(|other| other != user) {
            self.tell();
            self.fair.renew(StationId(place as u32));
            self.replaced += 1;
        }
        self.left.retain(|it| *it != place);
        self.users[place] = Some(user);
        place
    }

    pub(super) fn end(&self, job: usize) -> u64 {
        let Job { since, limit, .. } = self.jobs[job];
        let end = since + limit.clamp(1, ENDLESS);
        match self.is_noticed(job) {
            true => end.min(self.stop_at(job).max(since + 1)),
            false => end,
        }
    }

    fn range(&self, first: NodeId, nodes: u32) -> Result<std::ops::Range<u32>, Misuse> {
        if nodes == 0 {
            return Err(Misuse::NoNodes);
        }
        let last = first.0.saturating_add(nodes - 1);
        if last as usize >= self.out.len() {
            Err(Misuse::NoSuchNode(NodeId(last)))
        } else {
            Ok(first.0..last + 1)
        }
    }

    fn check_nodes(&self, job: usize, range: std::ops::Range<u32>) -> Result<(), Error> {
        for node in range {
            if let Some(other) = self
                .owner(node)
                .filter(|&other| other != job && self.jobs[other].state != Status::Starting)
            {
                return Err(Refusal::Taken { node: NodeId(node), by: self.jobs[other].key }.into());
            }
        }
        Ok(())
    }

    fn take_nodes(&mut self, job: usize, range: std::ops::Range<u32>) {
        for node in range.clone() {
            if let Some(other) = self.owner(node).filter(|&other| other != job) {
                self.stand(other);
            }
        }
        self.jobs[job].nodes.extend(range);
    }

    /// Hears a command.
    pub fn apply(&mut self, now: u64, command: Command) -> Result<(), Error> {
        match now {
            _ if now < self.now => return Err(Misuse::TimeWentBack.into()),
            _ if now > u64::MAX / 2 => return Err(Misuse::TimeTooLate.into()),
            _ => {}
        }
        match command {
            Command::Seen { nodes: 0, .. } | Command::Changed { nodes: 0, .. } => {
                return Err(Misuse::NoNodes.into());
            }
            Command::Seen { limit: Duration::ZERO, .. }
            | Command::Changed { limit: Duration::ZERO, .. } => {
                return Err(Misuse::NoTime.into());
            }
            Command::Seen { key, user, nodes: wants, limit, priority } => {
                if self.find(key).is_ok() {
                    return Err(Misuse::Known.into());
                }
                self.place_of(user.0)?;
                if self.jobs.len() == self.rows {
                    return Err(Refusal::JobsFull.into());
                }
                self.pass(now);
                let place = self.take_place(user.0);
                let (state, limit) = (Status::Waiting, limit.ticks());
                let (held, since, attempt, nodes, end, first) = (false, 0, 0, vec![], 0, None);
                self.jobs.push(Job {
                    key,
                    user: place,
                    wants,
                    sides: [0; 3],
                    limit,
                    priority,
                    held,
                    state,
                    since,
                    attempt,
                    nodes,
                    mesh: None,
                    end,
                    yields_to: None,
                    stoppable: true,
                    saved: 0,
                    protected: false,
                    first,
                    by: None,
                    late: None,
                    told_late: false,
                    act: false,
                    kept: None,
                    room: None,
                });
                self.stand(self.jobs.len() - 1);
            }
            Command::Changed { key, nodes, limit, priority } => {
                let job = self.find(key)?;
                self.pass(now);
                let before = self.needs(job);
                let it = &mut self.jobs[job];
                (it.wants, it.limit, it.priority) = (nodes, limit.ticks(), priority);
                self.needs_as_before(job, before);
                match self.jobs[job].state {
                    Status::Starting | Status::Running => self.jobs[job].end = self.end(job),
                    Status::Stopping => self.jobs[job].end = now.max(self.jobs[job].since + 1),
                    _ => self.stand(job),
                }
            }
            Command::Held { key, held } => {
                let job = self.find(key)?;
                self.pass(now);
                self.jobs[job].held = held;
                if held {
                    self.give_up_room(job);
                }
                if self.jobs[job].state == Status::Stopping {
                    self.jobs[job].end = now.max(self.jobs[job].since + 1);
                }
                if self.waits(job) || held && self.jobs[job].state == Status::Starting {
                    self.stand(job);
                }
            }
            Command::Runs { key, since, first, nodes } => {
                let job = self.find(key)?;
                let range = self.range(first, nodes)?;
                self.check_nodes(job, range.clone())?;
                self.pass(now);
                if self.waits(job) {
                    self.jobs[job].attempt += 1;
                }
                self.jobs[job].kept = None;
                self.give_up_room(job);
                self.note(job, |job| job.act = false);
                match self.jobs[job].state {
                    Status::Starting => self.protect_those_stopped_for(job),
                    _ => self.jobs[job].mesh = None,
                }
                if !matches!(self.jobs[job].state, Status::Running | Status::Stopping) {
                    self.jobs[job].saved = 0;
                }
                self.jobs[job].nodes.clear();
                self.take_nodes(job, range);
                (self.jobs[job].since, self.jobs[job].first) = (since.ticks().min(now), None);
                let stops = self.jobs[job].state == Status::Stopping;
                self.jobs[job].state = if stops { Status::Stopping } else { Status::Running };
                self.jobs[job].end =
                    if stops { now.max(self.jobs[job].since + 1) } else { self.end(job) };
            }
            Command::RunsAlso { key, first, nodes } => {
                let job = self.find(key)?;
                if !matches!(self.jobs[job].state, Status::Running | Status::Stopping) {
                    return Err(Misuse::Waits.into());
                }
                let range = self.range(first, nodes)?;
                self.check_nodes(job, range.clone())?;
                if let Some(node) =
                    { range.clone() }.find(|node| self.jobs[job].nodes.contains(node))
                {
                    return Err(Misuse::Twice(NodeId(node)).into());
                }
                self.pass(now);
                self.take_nodes(job, range);
                if self.jobs[job].state == Status::Stopping {
                    self.jobs[job].end = now.max(self.jobs[job].since + 1);
                }
            }
            Command::Waits { key } => {
                let job = self.find(key)?;
                self.pass(now);
                if !self.waits(job) {
                    self.stand(job);
                }
            }
            Command::Left { key } => {
                let job = self.find(key)?;
                self.pass(now);
                self.give_up_room(job);
                self.release(job);
                self.jobs.remove(job);
                self.due.retain(|other| *other != key);
                if self.promise.is_some_and(|promise| promise.key == key) {
                    (self.promise, self.promise_due) = (None, false);
                }
            }
            Command::NodeOut { first, nodes } | Command::NodeBack { first, nodes } => {
                let range = self.range(first, nodes)?;
                self.pass(now);
                let out = matches!(command, Command::NodeOut { .. });
                self.out[range.start as usize..range.end as usize].fill(out);
                for node in range {
                    let Some(job) = self.owner(node) else { continue };
                    // It leaves nothing else where nodes are kept for another.
                    if self.taken_by(node).is_some_and(|it| it.room.is_some()) {
                        continue;
                    }
                    match self.jobs[job].state {
                        Status::Starting if out => self.stand(job),
                        // Its end is told again with what it leaves.
                        Status::Stopping => self.jobs[job].end = now.max(self.jobs[job].since + 1),
                        _ => {}
                    }
                }
            }
            Command::Weight { weight: 0, .. } => {
                return Err(
                    Misuse::Ranking(locox::fair::Misuse::Zero { parameter: "weight" }).into()
                );
            }
            Command::Weight { user, weight } => {
                self.place_of(user.0)?;
                self.pass(now);
                let place = self.take_place(user.0);
                self.tell();
                self.fair.set_weight(StationId(place as u32), weight).unwrap();
            }
            Command::UserGone { user } => {
                let place = self
                    .users
                    .iter()
                    .position(|it| *it == Some(user.0))
                    .ok_or(Misuse::NoSuchUser)?;
                let jobs = self.jobs.iter().filter(|job| job.user == place).count() as u32;
                if jobs > 0 {
                    return Err(Refusal::HasJobs { user, jobs }.into());
                }
                self.pass(now);
                self.tell();
                self.fair.renew(StationId(place as u32));
                self.users[place] = None;
                self.left.push(place);
            }
            Command::Deadline { key, by } => {
                let job = self.find(key)?;
                self.pass(now);
                let by = (by < Instant::MAX).then_some(by);
                if self.jobs[job].by != by {
                    self.jobs[job].by = by;
                    self.note(job, |job| (job.late, job.told_late) = (None, false));
                }
            }
            Command::Shape { key, sides } => {
                let job = self.find(key)?;
                self.pass(now);
                let before = self.needs(job);
                self.jobs[job].sides = sides;
                self.needs_as_before(job, before);
                if self.waits(job) {
                    self.stand(job);
                } else if self.jobs[job].state == Status::Stopping {
                    self.jobs[job].end = now.max(self.jobs[job].since + 1);
                }
            }
            Command::Outage { first, nodes, from, to } => {
                let outage = self.outage(first, nodes, [from, to])?;
                let is_new = to.ticks() > now && !self.outages.contains(&outage);
                if is_new && self.rows_used() == self.most_outages {
                    return Err(Refusal::OutagesFull.into());
                }
                self.pass(now);
                self.outages.extend(Some(outage).filter(|_| is_new));
            }
            Command::NoOutage { first, nodes, from, to } => {
                let outage = self.outage(first, nodes, [from, to])?;
                let at = self.outages.iter().position(|it| *it == outage);
                let at = at.ok_or(Misuse::NoSuchOutage)?;
                self.pass(now);
                self.outages.swap_remove(at);
            }
            Command::Reserve { key, from, by } => self.reserve(now, key, from.ticks(), by)?,
            Command::NoReservation { key } => {
                let job = self.find(key)?;
                if self.jobs[job].kept.is_none() {
                    return Err(Misuse::NoReservation.into());
                }
                self.pass(now);
                self.give_up(job);
            }
            Command::Stoppable { key, stoppable } => {
                let job = self.find(key)?;
                self.pass(now);
                self.jobs[job].stoppable = stoppable;
                if !stoppable {
                    self.refuse_to_stop(job);
                }
            }
            Command::Saved { key, at } => {
                let job = self.find(key)?;
                self.pass(now);
                let known = self.jobs[job].saved;
                self.jobs[job].saved = known.max(at.ticks().min(now));
            }
            Command::Decide => {
                self.pass(now);
                self.decide();
            }
        }
        self.decided = command == Command::Decide;
        Ok(())
    }

    fn outage(
        &self,
        first: NodeId,
        nodes: u32,
        [from, to]: [Instant; 2],
    ) -> Result<(u32, u32, u64, u64), Error> {
        self.range(first, nodes)?;
        if to <= from {
            return Err(Misuse::NoTime.into());
        }
        Ok((first.0, nodes, from.ticks(), to.ticks()))
    }

    fn decide(&mut self) {
        while let Some(at) = self.outages.iter().position(|it| it.3 <= self.now) {
            self.outages.swap_remove(at);
        }
        self.serve_reserved();
        self.settle();
        self.tell();
        (0..self.users.len()).for_each(|place| self.rank(place));
        self.kept = None;
        while self.start_next() {}
        if self.make_room() {
            self.kept = None;
            while self.start_next() {}
        }
        let known = self.now + (1 << 60);
        let shadow = self.head().filter(|&(_, start)| start > self.now && start < known);
        let promise = shadow.map(|(head, from)| {
            let to = from + self.jobs[head].limit.clamp(1, ENDLESS);
            Promise {
                key: self.jobs[head].key,
                from: Instant::from_ticks(from),
                to: Instant::from_ticks(to),
            }
        });
        if promise != self.promise {
            (self.promise, self.promise_due) = (promise, promise.is_some());
        }
        self.warn();
    }

    /// Who ends after his deadline.
    fn warn(&mut self) {
        for key in self.order.clone() {
            let job = self.find(key).unwrap();
            let Some(by) = self.jobs[job].by else { continue };
            let start = match self.promise.filter(|promise| promise.key == key) {
                _ if matches!(self.jobs[job].state, Status::Starting | Status::Running) => {
                    Some(self.jobs[job].since)
                }
                Some(promise) => Some(promise.from.ticks()),
                None if self.jobs[job].kept.is_some() => {
                    self.jobs[job].kept.as_ref().map(|kept| kept.from)
                }
                None if self.waits(job) && self.jobs[job].room.is_none() => self.earliest(job),
                None => Some(self.now),
            };
            // A job that should have ended is taken to end at the next tick.
            let limit = self.jobs[job].limit.min(ENDLESS);
            let finish = start.map(|start| (start + limit).max(self.now + 1));
            let late = finish.filter(|&finish| finish > by.ticks());
            let in_time = finish.is_some() && late.is_none();
            self.note(job, |job| (job.late, job.told_late) = (late, job.told_late && !in_time));
        }
    }

    /// The nodes in service.
    fn in_service(&self) -> Vec<bool> {
        self.out.iter().map(|out| !out).collect()
    }

    /// All nodes in service without those of some outages.
    pub(super) fn around(&self, is_out: impl Fn((u32, u32, u64, u64)) -> bool) -> Picture {
        let mut serves = self.in_service();
        for (first, nodes, ..) in self.outages.iter().copied().filter(|it| is_out(*it)) {
            serves[first as usize..(first + nodes) as usize].fill(false);
        }
        for Kept { from, to, nodes } in self.jobs.iter().filter_map(|job| job.kept.as_ref()) {
            let is_out = |node: &&u32| is_out((**node, 1, *from, *to));
            nodes.iter().filter(is_out).for_each(|&node| serves[node as usize] = false);
        }
        Picture::new(serves, &[])
    }

    /// What is free beside those jobs that do not leave, without some nodes, and without those that are to be out for a
    /// part of a time.
    pub(super) fn beside(
        &self,
        leaves: impl Fn(&Job) -> bool,
        kept: &[u32],
        [start, end]: [u64; 2],
    ) -> Picture {
        let around = self.around(|(.., from, to)| from < end && start < to);
        let mut serves = around.free().to_vec();
        kept.iter().for_each(|&node| serves[node as usize] = false);
        let stay = self.jobs.iter().filter(|job| !leaves(job));
        let groups: Vec<Group<'_>> = stay.map(|job| (job.holds(), job.mesh)).collect();
        Picture::new(serves, &groups)
    }

    /// What is free from a time on for so long, if jobs end when they must.
    pub(super) fn picture(&self, at: u64, limit: u64, kept: &[u32]) -> Picture {
        self.beside(|job| job.end.max(self.now + 1) <= at, kept, [at, at + limit])
    }

    /// What is free now.
    fn free_now(&self) -> Picture {
        self.picture(self.now, 1, &[])
    }

    pub(super) fn limit(&self, job: usize) -> u64 {
        self.jobs[job].limit.clamp(1, ENDLESS)
    }

    /// The nodes that a job gets of a picture, those of a whole subcube on a cube.
    pub(super) fn place(&self, job: usize, picture: &Picture) -> Option<Vec<u32>> {
        let Job { wants, sides, .. } = self.jobs[job];
        match self.config.places {
            Places::Any => {
                let free = (0..).zip(picture.free()).filter(|(_, free)| **free);
                let nodes: Vec<u32> = free.map(|(at, _)| at).take(wants as usize).collect();
                (nodes.len() == wants as usize).then_some(nodes)
            }
            Places::Subcubes | Places::Meshes => picture.choose(self.asked(job)).map(numbers),
            Places::Boxes(grid) => boxes::choose(grid, picture.free(), wants, sides),
            Places::Tree => racks::choose(picture.free(), wants),
        }
    }

    /// Whether a job has room at a time.
    fn fits(&self, job: usize, at: u64) -> bool {
        let asked = self.asked(job);
        match self.together() {
            true => self.place(job, &self.picture(at, self.limit(job), &[])).is_some(),
            false if at == self.now => asked <= self.free(),
            false => asked <= self.free_at(at),
        }
    }

    /// When a job can start if it is the first.
    fn earliest(&self, job: usize) -> Option<u64> {
        if !self.together() && self.asked(job) > self.serving() {
            return None;
        }
        if self.fits(job, self.now) {
            return Some(self.now);
        }
        let ends = self.changes().into_iter();
        let ends = ends.filter(|end| end.checked_add(self.limit(job)).is_some());
        ends.filter(|&end| self.fits(job, end)).min()
    }

    /// When nodes come free, as far as that is known.
    pub(super) fn changes(&self) -> Vec<u64> {
        let ends = self.jobs.iter().filter(|job| !job.holds().is_empty());
        let ends = ends.map(|job| job.end.max(self.now + 1));
        let outages = self.outages.iter().map(|it| it.3);
        let kept = self.jobs.iter().filter_map(|job| job.kept.as_ref()).map(|kept| kept.to);
        ends.chain(outages.chain(kept).filter(|end| *end > self.now)).collect()
    }

    pub(super) fn rank(&mut self, place: usize) {
        let mut own: Vec<usize> =
            self.line().into_iter().filter(|&job| self.jobs[job].user == place).collect();
        own.sort_by_key(|&job| (!self.jobs[job].priority, job));
        own.iter().for_each(|&job| self.jobs[job].first = None);
        if let Some(&first) = own.first().filter(|_| self.config.ranking == Ranking::Users) {
            self.jobs[first].first = Some(self.fair.exact_key(StationId(place as u32)) / 2);
        }
    }

    fn serving(&self) -> u32 {
        self.out.iter().filter(|out| !**out).count() as u32
    }

    /// Those nodes of a job, had or kept for it, that are free when it ends.
    fn leaves(&self, job: &Job) -> u32 {
        let comes_free = |node: &&u32| {
            let by = self.taken_by(**node).map(|job| job.key);
            !self.out[**node as usize] && by == Some(job.key)
        };
        job.holds().iter().filter(comes_free).count() as u32
    }

    pub(super) fn free(&self) -> u32 {
        self.nodes().filter(|&node| self.is_free(node)).count() as u32
    }

    /// Nodes that are free at a time to come, if jobs end when they must.
    fn free_at(&self, at: u64) -> u32 {
        let is_busy =
            |node: &u32| self.taken_by(*node).is_some_and(|job| job.end.max(self.now + 1) > at);
        self.nodes().filter(|node| !self.out[*node as usize] && !is_busy(node)).count() as u32
    }

    /// The first job in line that has room at any time, and when it can start.
    pub(super) fn head(&self) -> Option<(usize, u64)> {
        self.line().into_iter().find_map(|job| Some((job, self.earliest(job)?)))
    }

    fn start_next(&mut self) -> bool {
        let Some((head, shadow)) = self.head() else { return false };
        if shadow == self.now {
            let now = self.picture(self.now, self.limit(head), &[]);
            let place = self.place(head, &now).filter(|_| self.together());
            self.start(head, place);
            return true;
        }
        let behind = self.line().into_iter().skip_while(|&job| job != head).skip(1);
        let found = match self.together() {
            true => self.next_together(behind, head, shadow),
            false => {
                let extra = self.free_at(shadow) - self.asked(head);
                let fits = |job: usize| {
                    let is_free = self.ends(job) <= shadow || self.asked(job) <= extra;
                    self.fits(job, self.now) && is_free
                };
                { behind }.find(|&job| fits(job)).map(|job| (job, None))
            }
        };
        let Some((next, place)) = found else { return false };
        self.start(next, place);
        true
    }

    /// When a job ends that starts now.
    fn ends(&self, job: usize) -> u64 {
        self.now + self.limit(job)
    }

    /// The next job that has a place beside that of the first one in line, or that leaves it another one at its time.
    fn next_together(
        &mut self,
        line: impl Iterator<Item = usize>,
        head: usize,
        shadow: u64,
    ) -> Option<(usize, Option<Vec<u32>>)> {
        let (key, most) = (self.jobs[head].key, self.limit(head));
        let known = self.kept.take().filter(|(known, _)| *known == key).map(|(_, place)| place);
        if known.is_none() {
            self.refused.clear();
        }
        let first = || self.place(head, &self.picture(shadow, most, &[])).unwrap();
        let kept = known.unwrap_or_else(first);
        self.kept = Some((key, kept.clone()));
        for job in line {
            let limit = self.limit(job);
            let free = self.picture(self.now, limit, &[]);
            let is_short = self.ends(job) <= shadow;
            let kept_for = self.jobs.iter().filter_map(|job| job.kept.as_ref());
            let kept_for = kept_for.flat_map(|it| vec![it.from; it.ranges()]);
            let begin = self.outages.iter().map(|it| it.2).chain(kept_for);
            let met = begin.filter(|from| *from < self.ends(job)).count();
            let (asked, sides, _) = self.needs(job);
            let asked = ((asked, sides), met);
            if !is_short && self.refused.contains(&asked) {
                continue;
            }
            let beside = self.picture(self.now, limit, if is_short { &[] } else { &kept });
            if let Some(place) = self.place(job, &beside) {
                return Some((job, Some(place)));
            }
            let Some(place) = self.place(job, &free).filter(|_| !is_short) else { continue };
            if let Some(kept) = self.place(head, &self.picture(shadow, most, &place)) {
                self.kept = Some((key, kept));
                return Some((job, Some(place)));
            }
            self.refused.push(asked);
        }
        None
    }

    /// Starts a job, at a place where it needs one.
    pub(super) fn start(&mut self, job: usize, place: Option<Vec<u32>>) {
        let asked = self.asked(job) as usize;
        self.jobs[job].mesh = place.as_ref().filter(|_| self.in_cubes()).map(|nodes| {
            let (base, any) =
                nodes.iter().fold((u32::MAX, 0), |(all, any), it| (all & it, any | it));
            let dims = Dim::holding(self.out.len() as u32).unwrap();
            let cube = Subcube::new(dims, Node(base), base ^ any).unwrap();
            Embedding::new(cube, self.shape(job).unwrap()).unwrap()
        });
        if let Some(mesh) = self.jobs[job].mesh {
            let is_around = |other: &Embedding| other.cube().contains_cube(&mesh.cube());
            let others =
                self.jobs.iter().enumerate().filter(|(at, it)| *at != job && !it.nodes.is_empty());
            let is_lent = others.filter_map(|(_, it)| it.mesh).any(|other| is_around(&other));
            self.lent += usize::from(is_lent);
        }
        self.jobs[job].nodes = match self.jobs[job].mesh {
            Some(mesh) => {
                let mut nodes: Vec<u32> = mesh.nodes().map(|node| node.0).collect();
                nodes.sort_unstable();
                nodes
            }
            None => place.unwrap_or_else(|| {
                self.nodes().filter(|&node| self.is_free(node)).take(asked).collect()
            }),
        };
        let it = &mut self.jobs[job];
        (it.state, it.since, it.first) = (Status::Starting, self.now, None);
        it.attempt += 1;
        let user = it.user;
        self.jobs[job].end = self.end(job);
        self.note(job, |job| job.act = true);
        if self.config.ranking == Ranking::Users {
            self.tell();
            self.rank(user);
        }
    }

    /// From when to when a job runs if each takes as long as it may, and starts when it delays none before it: by numbers of
    /// nodes.
    pub(super) fn estimate(&self, wanted: usize) -> Option<(u64, u64)> {
        let job = &self.jobs[wanted];
        if !job.holds().is_empty() {
            let since = job.room.as_ref().map_or(job.since, |room| room.began);
            return Some((since, job.end));
        }
        // Nodes that are not free from one time to another.
        let mut taken: Vec<(u64, u64, u32)> = vec![];
        for job in self.jobs.iter().filter(|job| !job.holds().is_empty()) {
            taken.push((self.now, job.end.max(self.now + 1), self.leaves(job)));
        }
        for job in self.line() {
            let (asked, limit) = (self.asked(job), self.jobs[job].limit.clamp(1, ENDLESS));
            let mut start = None;
            if asked <= self.serving() {
                let times = taken.iter().map(|&(_, end, _)| end).chain([self.now]);
                let at = |time: u64| {
                    let of = taken.iter().filter(|&&(from, to, _)| from <= time && time < to);
                    asked + of.map(|&(_, _, nodes)| nodes).sum::<u32>() <= self.serving()
                };
                let fits = |&start: &u64| {
                    let inside = |time: &u64| start < *time && *time < start + limit;
                    let changes = taken.iter().map(|&(from, ..)| from).filter(inside);
                    changes.chain([start]).all(at)
                };
                start = times.filter(fits).min();
            }
            if job == wanted {
                return start.map(|start| (start, start + limit));
            }
            taken.extend(start.map(|start| (start, start + limit, asked)));
        }
        None
    }

    /// Why a job waits.
    pub(super) fn reason(&self, job: usize) -> Option<Reason> {
        let asked = self.asked(job);
        let (serving, free, nodes) = (self.serving(), self.free(), self.out.len() as u32);
        match self.jobs[job].state {
            Status::Starting | Status::Running | Status::Stopping => return None,
            Status::Held => return Some(Reason::Held),
            Status::Never => return Some(Reason::TooLarge { nodes }),
            Status::Waiting => {}
        }
        if let Some(Kept { from, .. }) = self.jobs[job].kept {
            return Some(Reason::Reserved { from: Instant::from_ticks(from) });
        }
        if self.jobs[job].room.is_some() {
            return Some(Reason::Room);
        }
        // What is decided is so until the next fact.
        let in_cubes = self.decided && self.in_cubes();
        let serving_now = Picture::new(self.in_service(), &[]);
        let possible = if in_cubes { serving_now.largest() } else { u32::MAX };
        let largest = if in_cubes { self.free_now().largest() } else { u32::MAX };
        Some(match asked {
            _ if asked > serving => Reason::Outage { serving },
            _ if asked > possible => Reason::Divided { largest: possible },
            _ if asked > free => Reason::TooFewFree { free },
            _ if asked > largest => Reason::Fragmented { largest },
            _ if !self.decided => Reason::Undecided,
            _ if self.together() && self.place(job, &serving_now).is_none() => Reason::NoPlace,
            _ if self.together() && self.place(job, &self.free_now()).is_none() => {
                Reason::NoFreePlace
            }
            _ if self.together() && !self.fits(job, self.now) => Reason::Planned,
            // It could start, so the first that waits is another one.
            _ => Reason::WouldDelay { first: self.jobs[self.head().unwrap().0].key },
        })
    }

    /// A job as others are to see it.
    pub(super) fn view(&self, at: usize) -> locox_coordinators::manager::Job {
        let job = &self.jobs[at];
        locox_coordinators::manager::Job {
            key: job.key,
            user: UserId(self.users[job.user].unwrap()),
            nodes: job.wants,
            sides: job.sides,
            needs: self.asked(at),
            limit: Duration::from_ticks(job.limit),
            priority: job.priority,
            held: job.held,
            status: job.state,
            attempt: job.attempt,
            since: (!job.nodes.is_empty()).then_some(Instant::from_ticks(job.since)),
            stoppable: job.stoppable,
            deadline: job.by,
            late: job.late.map(Instant::from_ticks),
        }
    }

    /// The users as others are to see them, by their places.
    pub(super) fn users(&self) -> Vec<User> {
        let of_place = |(place, id): (usize, &Option<u32>)| {
            let own = || self.jobs.iter().filter(move |job| job.user == place);
            let station = StationId(place as u32);
            Some(User {
                id: UserId((*id)?),
                jobs: own().count() as u32,
                waiting: own().filter(|job| job.is_in_line()).count() as u32,
                nodes: own().map(|job| job.nodes.len() as u32).sum(),
                weight: self.fair.weight_of(station),
                index: self.fair.index_of(station)?,
            })
        };
        self.users.iter().enumerate().filter_map(of_place).collect()
    }

    /// What is to be done next.
    pub fn take_effect(&mut self) -> Option<Effect> {
        if self.due.is_empty() {
            let Promise { key, from, to } =
                self.promise.filter(|_| std::mem::take(&mut self.promise_due))?;
            return Some(Effect::Promise { key, from, to });
        }
        let key = self.due[0];
        let job = self.find(key).unwrap();
        let Job { state, act, late, ref nodes, .. } = self.jobs[job].clone();
        match act {
            true => self.note(job, |job| job.act = false),
            false => self.note(job, |job| job.told_late = true),
        }
        Some(match state {
            _ if !act => Effect::Late { key, finish: Instant::from_ticks(late.unwrap()) },
            Status::Stopping => Effect::Stop { key, why: self.why(job) },
            Status::Running => {
                let at = Instant::from_ticks(self.stop_at(job));
                Effect::Notice { key, at, why: self.why(job) }
            }
            Status::Starting => Effect::Start { key, nodes: nodes.len() as u32 },
            _ => Effect::Never { key, nodes: self.out.len() as u32 },
        })
    }

    /// All that is not confirmed is told again.
    pub fn resync(&mut self) {
        for key in self.order.clone() {
            let at = self.find(key).unwrap();
            let job = &self.jobs[at];
            let never = self.waits(at) && self.never_fits(at);
            let open = match job.state {
                Status::Starting | Status::Stopping => true,
                Status::Running => self.is_noticed(at),
                _ => false,
            };
            if open || never {
                self.note(at, |job| job.act = true);
            }
        }
        self.promise_due = self.promise.is_some();
    }
}

fn numbers(cube: Subcube) -> Vec<u32> {
    cube.nodes().map(|node| node.0).collect()
}
