//! A naive coordinator: the rules of [`locox_coordinators::station`] over plain lists. Who is on a processor,
//! who holds it and what stations ask for is looked up among all jobs.

mod changes;
mod life;

use crate::fair::Ranking;
use locox::error::Error;
use locox::fair::{self, Decision, Demand, StationId};
use locox::handle;
use locox::time::{Duration, Instant};
use locox_coordinators::station::{
    Checkpoint, Command, Config, Effect, JobId, Message, Misuse, NodeId, PreemptReason, Refusal,
    Run, Sender, Status, StopReason, Trigger,
};

/// What is known of a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    Absent,
    Owner,
    Open,
}

/// What a host is to be told about the run on its processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Start,
    /// It may have heard of the run already.
    StartAgain,
    Preempt,
    Checkpoint,
    Ask,
    Aside,
}

/// What keeps a job from a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    BackOff(Instant),
    Held,
    Failed,
    Limit,
    Cancelled,
}

/// What is known of a host besides.
#[derive(Clone, Debug, Default)]
struct Host {
    /// Boot, number and time of its last message; after a loss the boot that it has to take, and 0.
    last: Option<(u32, u32, Instant)>,
    drained: bool,
    aside: bool,
    /// Runs of different jobs that failed in a row, and the last of the jobs.
    faults: u16,
    failed: Option<usize>,
    /// What it was told of the run that is there, unless it has heard of the start.
    told: Option<Word>,
}

#[derive(Clone, Debug)]
struct Job {
    home: usize,
    finished: bool,
    attempt: u32,
    checkpoint: Option<Checkpoint>,
    /// The processor that it is on.
    on: Option<usize>,
    /// The processor that it holds.
    at: Option<usize>,
    stop: Option<Stop>,
    failures: u32,
    limit: u64,
    /// When its runs began and how many ticks the others took.
    began: Instant,
    spent: u64,
}

/// The coordinator's answer, with the number of a job in place of its name.
pub(super) type Answer = Result<Option<usize>, Error<Refusal, Misuse>>;

/// A coordinator under the naive ranking `R`.
#[derive(Clone, Debug)]
pub(super) struct Model<R> {
    config: Config,
    pub(super) ranking: R,
    /// How many jobs may live at a time.
    room: usize,
    now: Instant,
    next_interval: Option<Instant>,
    next_poll: Option<Instant>,
    next_checkpoint: Option<Instant>,
    /// All jobs that there ever were, and the names that the kernel gave them.
    jobs: Vec<Job>,
    names: Vec<JobId>,
    stations: usize,
    presence: Vec<Presence>,
    hosts: Vec<Host>,
    /// Jobs that hold no processor, in the order in which they are served.
    waiting: Vec<usize>,
    /// Jobs that hold one, in the order in which they got it.
    holding: Vec<usize>,
    /// Free processors, in the order in which they became so.
    free: Vec<usize>,
    /// Those that were free before this command.
    was_free: Vec<usize>,
    poll_due: bool,
    /// Hosts that are to be told something, in the order in which it came up; each once.
    words: Vec<(usize, Word)>,
    /// In this command a job was submitted or lost its place.
    someone_waits: bool,
    /// The last round ended because it had made so many decisions as it may.
    cut_short: bool,
    /// In this command so many processors went from one station to another.
    pub(super) exchanges: usize,
}

impl<R: Ranking> Model<R> {
    pub(super) fn new(
        config: Config,
        ranking: R,
        stations: usize,
        nodes: usize,
        room: usize,
    ) -> Self {
        let first = |period: Option<Duration>| period.map(|it| Instant::ZERO.saturating_add(it));
        Self {
            config,
            ranking,
            room,
            now: Instant::ZERO,
            next_interval: first(Some(config.interval)),
            next_poll: first(config.poll),
            next_checkpoint: first(config.checkpoint),
            jobs: vec![],
            names: vec![],
            stations,
            presence: vec![Presence::Absent; nodes],
            hosts: vec![Host::default(); nodes],
            waiting: vec![],
            holding: vec![],
            free: vec![],
            was_free: vec![],
            poll_due: false,
            words: vec![],
            someone_waits: false,
            cut_short: false,
            exchanges: 0,
        }
    }

    // What can be seen.

    /// The name of a job; `new` if it has none yet and nobody else has that.
    pub(super) fn name(&mut self, job: usize, new: JobId) -> Option<JobId> {
        if job == self.names.len() && !self.names.contains(&new) {
            self.names.push(new);
        }
        self.names.get(job).copied()
    }

    pub(super) fn statuses(&self) -> impl Iterator<Item = (JobId, Result<Status, Misuse>)> {
        self.names.iter().zip(&self.jobs).map(|(&name, job)| (name, status(job)))
    }

    pub(super) fn demand(&self) -> Vec<Demand> {
        let of = |station: usize| {
            let there = self.presence[station] != Presence::Absent;
            let wants = self.waiting.iter().filter(|&&job| there && self.jobs[job].home == station);
            Demand { wants: wants.count() as u16, holds: self.away(station).count() as u16 }
        };
        (0..self.stations).map(of).collect()
    }

    pub(super) fn wake_at(&self) -> Option<Instant> {
        let at_once = self.cut_short.then_some(self.now);
        let next = [at_once, self.next_interval, self.next_poll, self.next_checkpoint];
        next.into_iter().flatten().min().filter(|&at| at < Instant::MAX)
    }

    pub(super) fn take_effect(&mut self) -> Option<Effect> {
        if std::mem::take(&mut self.poll_due) {
            return Some(Effect::Poll);
        }
        if self.words.is_empty() {
            return None;
        }
        let (node, word) = self.words.remove(0);
        match word {
            // It may have left already, as it was told.
            Word::StartAgain if self.hosts[node].told == Some(Word::Preempt) => {}
            Word::Start | Word::StartAgain => self.hosts[node].told = Some(Word::Start),
            Word::Preempt => self.hosts[node].told = Some(Word::Preempt),
            Word::Checkpoint | Word::Ask => {}
            Word::Aside => return Some(Effect::SetAside { node: NodeId(node as u32) }),
        }
        Some(self.effect(node, word))
    }

    fn effect(&self, at: usize, word: Word) -> Effect {
        let (node, job) = (NodeId(at as u32), self.occupant(at).expect("there is a run"));
        let Job { home, attempt, checkpoint, at: kept, stop, .. } = self.jobs[job];
        let run = Run { job: self.names[job], attempt };
        let transfer = if at == home { Duration::ZERO } else { self.config.transfer };
        let (home, begins) = (StationId(home as u32), self.now.saturating_add(transfer));
        match (word, checkpoint) {
            (Word::Start | Word::StartAgain, None) => Effect::Place { node, run, home, begins },
            (Word::Start | Word::StartAgain, Some(checkpoint)) => {
                Effect::Resume { node, run, home, checkpoint, begins }
            }
            (Word::Checkpoint, _) => Effect::Checkpoint { node, run },
            (Word::Ask | Word::Aside, _) => Effect::Ask { node, run },
            (Word::Preempt, _) => {
                let of_job = match stop {
                    Some(Stop::Cancelled) => Some(PreemptReason::Cancelled),
                    Some(Stop::Held) => Some(PreemptReason::Held),
                    Some(Stop::Limit) => Some(PreemptReason::Limit),
                    _ => None,
                };
                let why = of_job.unwrap_or_else(|| match (self.holder(at), kept) {
                    (Some(next), _) => {
                        PreemptReason::Fairness { to: StationId(self.jobs[next].home as u32) }
                    }
                    (None, Some(to)) => PreemptReason::Moved { to: NodeId(to as u32) },
                    (None, None) if self.hosts[at].drained => PreemptReason::Drained,
                    (None, None) => PreemptReason::Withdrawn,
                });
                Effect::Preempt { node, run, why }
            }
        }
    }

    // What is said.

    pub(super) fn apply(&mut self, now: Instant, message: Message, draw: u32) -> Answer {
        if now < self.now {
            return Err(Misuse::TimeWentBack.into());
        }
        self.was_free = self.free.clone();
        self.someone_waits = false;
        self.exchanges = 0;
        let weight = self.weight(message.command)?;
        let before = std::mem::replace(&mut self.now, now);
        let answer = self.hear(message).inspect_err(|_| self.now = before)?;
        self.ranking.advance(now);
        if let Some((station, weight)) = weight {
            self.ranking.weigh(station, weight);
        }
        self.keep_order();
        self.poll_due |= is_over(&mut self.next_poll, now, self.config.poll);
        if is_over(&mut self.next_checkpoint, now, self.config.checkpoint) {
            self.checkpoint_all();
        }
        let interval_over = is_over(&mut self.next_interval, now, Some(self.config.interval));
        if interval_over {
            self.review();
            self.keep_order();
        }
        let freed = self.free.iter().any(|node| !self.was_free.contains(node));
        let triggered = match self.config.trigger {
            Trigger::IntervalOnly => false,
            Trigger::Capacity => freed,
            Trigger::Demand => freed || self.someone_waits,
        };
        if interval_over || triggered {
            if !R::KEEPS_ORDER {
                self.ranking.update(&self.demand());
            }
            self.schedule(draw);
        } else if self.cut_short {
            self.schedule(draw);
        }
        Ok(answer)
    }

    /// Which station is to have which weight.
    fn weight(&self, command: Command) -> Result<Option<(usize, u16)>, Misuse> {
        let Command::SetWeight { station, weight } = command else { return Ok(None) };
        let station = self.station(station)?;
        match weight {
            _ if !R::HAS_WEIGHTS => Err(Misuse::Ranking(fair::Misuse::NoWeights)),
            0 => Err(Misuse::Zero { parameter: "weight" }),
            _ => Ok(Some((station, weight))),
        }
    }

    /// A host's messages are taken one by one, each once.
    fn hear(&mut self, Message { from, command }: Message) -> Answer {
        let Some(Sender { node, boot, number }) = from else { return self.obey(command) };
        match command {
            Command::NodeIdle { node } | Command::NodeLost { node } => _ = self.node(node)?,
            Command::OwnerBack { station } => _ = self.station(station)?,
            Command::Continued { .. }
            | Command::Checkpointed { .. }
            | Command::Vacated { .. }
            | Command::Finished { .. }
            | Command::Heard { .. }
            | Command::Tick => {}
            _ => return Err(Misuse::NoReport.into()),
        }
        let node = self.node(node)?;
        if boot == 0 || number == 0 {
            return Err(Misuse::Unnumbered.into());
        }
        let (last_boot, last, _) = self.hosts[node].last.unwrap_or_default();
        if boot < last_boot {
            let next = if last == 0 { last_boot } else { last_boot + 1 };
            return Err(Refusal::BootOver { next }.into());
        }
        let next = if boot == last_boot { last + 1 } else { 1 };
        if number < next {
            return Err(Refusal::Old.into());
        }
        if number != next {
            return Err(Refusal::Early { next }.into());
        }
        if boot != last_boot {
            self.node_lost(node);
            // If it is free again, it has become so.
            self.was_free.retain(|&it| it != node);
        }
        let answer = self.obey(command);
        self.hosts[node].last = Some((boot, number, self.now));
        match answer {
            Err(Error::Misused(Misuse::RunOver | Misuse::Job(_))) => Ok(None),
            answer => answer,
        }
    }

    fn obey(&mut self, command: Command) -> Answer {
        match command {
            Command::Submit { home, serial } => return self.submit(self.station(home)?, serial),
            Command::NodeIdle { node } => self.node_idle(self.node(node)?),
            Command::OwnerBack { station } => self.owner_back(self.station(station)?),
            Command::Continued { run } => self.continued(self.live(run)?),
            Command::Checkpointed { run, checkpoint } => {
                let (job, node) = self.live(run)?;
                self.jobs[job].checkpoint = Some(checkpoint);
                self.did_well(job, node);
            }
            Command::Vacated { run } => self.vacated(self.live(run)?),
            Command::Finished { run } => self.finished(self.live(run)?),
            Command::NodeLost { node } => self.node_lost(self.node(node)?),
            Command::Tick => {}
            Command::Heard { run } => {
                let (_, node) = self.live(run)?;
                let stays = self.occupant(node) == self.holder(node);
                let is_known = |word: &mut Word| *word == Word::Start || stays;
                self.hosts[node].told.take_if(is_known);
            }
            Command::Cancel { job } => {
                let job = self.wanted(job)?;
                self.stop(job, Stop::Cancelled);
                self.end_cancelled(job);
            }
            Command::Hold { job } => {
                let job = self.wanted(job)?;
                self.stop(job, Stop::Held);
            }
            Command::Release { job } => {
                let job = self.wanted(job)?;
                self.jobs[job].stop.ok_or(Misuse::NotStopped)?;
                self.jobs[job].failures = 0;
                self.let_go(job);
            }
            Command::Limit { job, limit } => {
                let job = self.wanted(job)?;
                self.jobs[job].limit = limit.ticks();
            }
            Command::Drain { nodes } => {
                self.each_of(nodes)?.into_iter().for_each(|node| self.drain(node));
            }
            Command::Restore { nodes } => {
                self.each_of(nodes)?.into_iter().for_each(|node| self.restore(node));
            }
            // The ranking is told when it knows what time it is.
            Command::SetWeight { .. } => {}
        }
        Ok(None)
    }

    fn station(&self, station: StationId) -> Result<usize, Misuse> {
        let number = station.0 as usize;
        if number < self.stations { Ok(number) } else { Err(Misuse::NoSuchStation(station)) }
    }

    fn node(&self, node: NodeId) -> Result<usize, Misuse> {
        let number = node.0 as usize;
        if number < self.presence.len() { Ok(number) } else { Err(Misuse::NoSuchNode(node)) }
    }

    /// A run that is not over: its job, and where it is.
    fn live(&self, run: Run) -> Result<(usize, usize), Misuse> {
        let job = self.names.iter().position(|&name| name == run.job);
        let job = job.ok_or(Misuse::Job(handle::Misuse::Foreign))?;
        status(&self.jobs[job])?;
        let on = self.jobs[job].on.filter(|_| self.jobs[job].attempt == run.attempt);
        Ok((job, on.ok_or(Misuse::RunOver)?))
    }

    fn submit(&mut self, home: usize, serial: u32) -> Answer {
        let own: Vec<usize> =
            (0..self.jobs.len()).filter(|&it| self.jobs[it].home == home).collect();
        let live = |&&job: &&usize| !self.jobs[job].finished;
        match (own.len() as u32, own.last()) {
            (last, Some(&job)) if serial == last => return Ok(Some(job)),
            (last, _) if serial != last + 1 => return Err(Misuse::Serial { next: last + 1 }.into()),
            _ => {}
        }
        if own.iter().filter(live).count() == usize::from(u16::MAX) {
            return Err(Refusal::StationFull(StationId(home as u32)).into());
        }
        if self.jobs.iter().filter(|job| !job.finished).count() == self.room {
            return Err(Refusal::JobsFull.into());
        }
        let (job, new) = (self.jobs.len(), Job { home, ..Job::NEW });
        self.jobs.push(new);
        if self.presence[home] == Presence::Absent {
            self.presence[home] = Presence::Owner;
        }
        self.wait(job);
        self.serve_own(home);
        Ok(Some(job))
    }

    fn node_idle(&mut self, node: usize) {
        self.presence[node] = Presence::Open;
        self.offer(node);
    }

    fn owner_back(&mut self, station: usize) {
        self.presence[station] = Presence::Owner;
        self.free.retain(|&node| node != station);
        let Some(job) = self.holder(station) else { return };
        self.withdraw(job);
        // It is the local scheduler's business, unless that may not know of the run.
        if self.words.contains(&(station, Word::StartAgain)) {
            self.tell(station, Word::Preempt);
        }
        self.serve_own(self.jobs[job].home);
    }

    fn continued(&mut self, (job, node): (usize, usize)) {
        self.presence[node] = Presence::Open;
        self.did_well(job, node);
        if self.jobs[job].at.is_some() || self.holder(node).is_some() {
            return;
        }
        if self.jobs[job].stop.is_none() && self.is_in_service(node) {
            self.assign(job, node);
        } else {
            self.tell(node, Word::Preempt);
        }
    }

    fn is_in_service(&self, node: usize) -> bool {
        !self.hosts[node].drained && !self.hosts[node].aside
    }

    fn vacated(&mut self, (job, node): (usize, usize)) {
        let told = self.hosts[node].told == Some(Word::Preempt);
        let failed = self.jobs[job].at == Some(node) && !told;
        if failed {
            self.jobs[job].failures += 1;
            let failures = self.jobs[job].failures;
            let over = self.config.retries > 0 && failures >= u32::from(self.config.retries);
            let length = self.config.back_off.ticks() << (failures - 1).min(32);
            let until = self.now.saturating_add(Duration::from_ticks(length));
            self.jobs[job].stop = Some(if over { Stop::Failed } else { Stop::BackOff(until) });
        }
        if self.jobs[job].at == Some(node) {
            self.unassign(job);
        }
        self.clear(job, node);
        if failed && self.hosts[node].failed != Some(job) {
            self.hosts[node].failed = Some(job);
            self.hosts[node].faults += 1;
            let most = self.config.faults;
            if most > 0 && self.hosts[node].faults >= most && self.is_in_service(node) {
                self.hosts[node].aside = true;
                self.tell(node, Word::Aside);
            }
        }
        self.end_cancelled(job);
        self.start(node);
        self.offer(node);
        if let Some(next) = self.jobs[job].at {
            self.start(next);
        }
        self.serve_own(self.jobs[job].home);
    }

    fn finished(&mut self, (job, node): (usize, usize)) {
        let kept = self.jobs[job].at;
        if kept.is_some() {
            self.unassign(job);
        }
        self.clear(job, node);
        self.did_well(job, node);
        self.jobs[job].finished = true;
        self.waiting.retain(|&it| it != job);
        self.start(node);
        self.offer(node);
        kept.into_iter().for_each(|kept| self.offer(kept));
    }

    fn node_lost(&mut self, node: usize) {
        self.presence[node] = Presence::Absent;
        if let Some((boot, number, _)) = &mut self.hosts[node].last
            && *number > 0
        {
            (*boot, *number) = (*boot + 1, 0);
        }
        self.free.retain(|&it| it != node);
        let (holder, occupant) = (self.holder(node), self.occupant(node));
        if let Some(job) = holder {
            self.unassign(job);
        }
        if let Some(job) = occupant {
            self.clear(job, node);
            self.jobs[job].at.into_iter().for_each(|next| self.start(next));
            self.end_cancelled(job);
        }
        let homes = [holder, occupant].into_iter().flatten().map(|job| self.jobs[job].home);
        homes.collect::<Vec<_>>().into_iter().for_each(|home| self.serve_own(home));
    }

    /// After a restart every host is told again what it should be doing.
    pub(super) fn restored(&mut self) {
        for node in 0..self.presence.len() {
            match self.occupant(node) {
                None => {}
                job if job == self.holder(node) => self.tell(node, Word::StartAgain),
                _ => {
                    let pending = self.words.contains(&(node, Word::Preempt));
                    let leaves = pending || self.hosts[node].told == Some(Word::Preempt);
                    self.tell(node, if leaves { Word::Preempt } else { Word::Ask });
                }
            }
        }
    }

    // Decisions.

    /// A ranking that keeps the order knows of each change at once.
    fn keep_order(&mut self) {
        if R::KEEPS_ORDER {
            self.ranking.update(&self.demand());
        }
    }

    /// Rounds of so many decisions together as there may be.
    fn schedule(&mut self, draw: u32) {
        let most = self.config.decisions.map_or(usize::MAX, |most| most.get() as usize);
        let made = if R::KEEPS_ORDER { self.decide(most) } else { self.hold_rounds(draw, most) };
        self.cut_short = made == most;
    }

    /// How many decisions there were.
    fn decide(&mut self, most: usize) -> usize {
        for made in 0..most {
            let Some(decision) = self.ranking.next(self.free.len() as u32) else { return made };
            self.carry_out(decision);
            self.ranking.update(&self.demand());
        }
        most
    }

    fn hold_rounds(&mut self, draw: u32, most: usize) -> usize {
        let mut made = 0;
        for _ in 0..self.config.rounds {
            let free = self.free.len();
            for decision in self.ranking.round(&self.demand(), free as u32, draw, most - made) {
                self.carry_out(decision);
                made += 1;
            }
            if made == most || self.free.is_empty() || self.free.len() == free {
                break;
            }
        }
        made
    }

    fn carry_out(&mut self, decision: Decision) {
        match decision {
            Decision::Grant { to, .. } => {
                let job = self.first_waiting(to.0 as usize).expect("who is granted wants");
                self.assign(job, self.next_free());
            }
            Decision::Preempt { from, to, .. } => {
                self.exchanges += 1;
                self.take(from.0 as usize, to.0 as usize);
            }
        }
    }

    /// The bank's that became free last; without one the station's that has been for the longest.
    fn next_free(&self) -> usize {
        let of_bank = self.free.iter().rfind(|&&node| node >= self.stations);
        *of_bank.or(self.free.first()).expect("what is granted is free")
    }

    /// The processor held longest changes hands.
    fn take(&mut self, from: usize, to: usize) {
        let old = self.away(from).next().expect("who yields holds");
        let new = self.first_waiting(to).expect("who gets wants");
        let node = self.jobs[old].at.expect("it holds one");
        self.withdraw(old);
        if self.occupant(node) == Some(old) {
            self.tell(node, Word::Preempt);
        }
        self.assign(new, node);
    }

    fn checkpoint_all(&mut self) {
        for node in 0..self.presence.len() {
            let occupant = self.occupant(node);
            let runs = occupant.is_some() && occupant == self.holder(node);
            if runs && self.words.iter().all(|word| word.0 != node) {
                self.tell(node, Word::Checkpoint);
            }
        }
    }

    /// A processor that nobody has.
    fn offer(&mut self, node: usize) {
        let nobodys = self.occupant(node).is_none() && self.holder(node).is_none();
        let open = self.presence[node] == Presence::Open && self.is_in_service(node);
        if nobodys && open && !self.free.contains(&node) {
            self.free.push(node);
            self.serve_own(node);
        }
    }

    /// A station's free processor goes to its own job that waits, or that comes home.
    fn serve_own(&mut self, station: usize) {
        if station >= self.stations || !self.free.contains(&station) {
            return;
        }
        if let Some(job) = self.first_waiting(station) {
            return self.assign(job, station);
        }
        let Some(job) = self.away(station).next().filter(|_| self.config.recall) else { return };
        let Job { on, at, .. } = self.jobs[job];
        let untold = self.words.iter().any(|&word| Some(word.0) == at && word.1 == Word::Start);
        if on == at && !untold {
            self.unassign(job);
            self.assign(job, station);
        }
    }

    // Looking up.

    fn occupant(&self, node: usize) -> Option<usize> {
        self.jobs.iter().position(|job| job.on == Some(node))
    }

    fn holder(&self, node: usize) -> Option<usize> {
        self.jobs.iter().position(|job| job.at == Some(node))
    }

    fn first_waiting(&self, station: usize) -> Option<usize> {
        self.waiting.iter().copied().find(|&job| self.jobs[job].home == station)
    }

    /// The jobs of a station that hold processors of others, the longest first.
    fn away(&self, station: usize) -> impl Iterator<Item = usize> {
        let own = move |&job: &usize| self.jobs[job].home == station;
        let away = move |&job: &usize| self.jobs[job].at != Some(station);
        self.holding.iter().copied().filter(own).filter(away)
    }
}

impl Job {
    const NEW: Self = Self {
        home: 0,
        finished: false,
        attempt: 0,
        checkpoint: None,
        on: None,
        at: None,
        stop: None,
        failures: 0,
        limit: 0,
        began: Instant::ZERO,
        spent: 0,
    };
}

fn status(job: &Job) -> Result<Status, Misuse> {
    let node = |at: usize| NodeId(at as u32);
    Ok(match (job.on, job.at) {
        _ if job.finished => return Err(Misuse::Job(handle::Misuse::Stale)),
        (None, None) => match job.stop {
            None => Status::Waiting,
            Some(Stop::BackOff(until)) => Status::Stopped { why: StopReason::BackingOff { until } },
            Some(Stop::Held | Stop::Cancelled) => Status::Stopped { why: StopReason::Held },
            Some(Stop::Failed) => Status::Stopped { why: StopReason::Failed },
            Some(Stop::Limit) => Status::Stopped { why: StopReason::Limit },
        },
        (None, Some(at)) => Status::Placed { node: node(at) },
        (Some(on), at) if Some(on) == at => Status::Running { node: node(on) },
        (Some(on), next) => Status::Leaving { node: node(on), next: next.map(node) },
    })
}

/// Whether a period is over at `now`; then the next one begins.
fn is_over(end: &mut Option<Instant>, now: Instant, period: Option<Duration>) -> bool {
    let over = end.is_some_and(|end| end <= now);
    if over {
        *end = period.map(|period| now.saturating_add(period));
    }
    over
}
