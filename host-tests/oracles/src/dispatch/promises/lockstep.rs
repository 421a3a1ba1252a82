//! A queue and its model, driven side by side.

use super::ground::{Ground, Nodes, PlaceIn, RequestIn};
use super::naive::{Naive, State, request_of};
use super::step::{Event, Step};
use crate::dispatch::restart::{Restartable, renamed, restart};
use crate::mismatch::equal;
use crate::reserve::Restart;
use locox::dispatch::{
    self, Backfill, Cause, Entry, Error, Misuse, Promises, Queue, Standing, Ticket,
};
use locox::handle::PoolId;
use locox::image::BadImage;
use locox::machine::{BadTimetable, Held, Machine};
use locox::reserve::Interval;
use locox::time::Instant;
use std::rc::Rc;

type Ask<G> = &'static dyn Fn(&dispatch::Job) -> RequestIn<G>;
type WordIn<G> = <<G as Nodes>::Machine as Machine>::Word;
type Policy<G> = Promises<<G as Nodes>::Machine, Ask<G>, Vec<Held<PlaceIn<G>>>, Vec<WordIn<G>>>;
type Kernel<G> = Backfill<Policy<G>, Vec<Entry>>;

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn interval((start, end): (u64, u64)) -> Interval {
    Interval { start: at(start), end: at(end) }
}

/// How large a queue is.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// How many are promised something.
    pub most: u32,
    /// Jobs for which there is room.
    pub entries: usize,
    /// Outages for which there is.
    pub outages: usize,
}

impl Setup {
    fn queue<G: Nodes>(self, nodes: &G, ask: Ask<G>) -> Kernel<G> {
        let Self { most, entries, outages } = self;
        // Rows in which nothing is as it should be.
        let any = nodes.find(nodes.all(), &nodes.requests()[0]).expect("one node");
        let rows = vec![Held::new(any, interval((0, 9))); Backfill::rows(entries, outages)];
        let policy = |words| Policy::<G>::new(nodes.machine(), ask, most, rows.clone(), words);
        let made = policy(vec![]).or_else(|bad| {
            let BadTimetable::StorageTooSmall { needed } = bad else { return Err(bad) };
            policy(vec![Default::default(); needed])
        });
        Backfill::promises(PoolId(3), nodes.nodes(), made.unwrap(), vec![Entry::EMPTY; entries])
            .unwrap()
    }
}

/// What has happened.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Jobs that started.
    pub starts: u32,
    /// Those of them that needed promises to have another place.
    pub replaced: u32,
    /// How often nobody started, and somebody would have in another place than the one that is tried.
    pub elsewhere: u32,
    /// Promises that got later.
    pub later: u32,
    /// Promises that got later and were not counted.
    pub uncounted: u32,
    /// Promises that got earlier.
    pub earlier: u32,
    /// How often a call was refused.
    pub refused: u32,
    /// Restarts.
    pub restarts: u32,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, it: Self) {
        self.starts += it.starts;
        self.replaced += it.replaced;
        self.elsewhere += it.elsewhere;
        self.later += it.later;
        self.uncounted += it.uncounted;
        self.earlier += it.earlier;
        self.refused += it.refused;
        self.restarts += it.restarts;
    }
}

/// A queue and its model.
pub struct Lockstep<G: Nodes> {
    queue: Box<Kernel<G>>,
    naive: Naive<G>,
    tickets: Vec<Ticket>,
    ground: Rc<Ground<G>>,
    setup: Setup,
    ask: Ask<G>,
    epoch: u16,
    /// What has happened.
    pub tally: Tally,
    /// Whether other places are looked for.
    pub looks_elsewhere: bool,
}

impl<G: Nodes> Clone for Lockstep<G> {
    fn clone(&self) -> Self {
        let (queue, naive, tickets) =
            (self.queue.clone(), self.naive.clone(), self.tickets.clone());
        Self { queue, naive, tickets, ground: Rc::clone(&self.ground), ..*self }
    }
}

impl<G: Nodes> Lockstep<G> {
    /// From a new queue in dirty storage on.
    pub fn new(ground: &Rc<Ground<G>>, setup: Setup) -> Self {
        let requests = ground.requests.clone();
        let ask: Ask<G> = Box::leak(Box::new(move |job: &dispatch::Job| {
            // Images are forged.
            requests[request_of(job) % requests.len()]
        }));
        let naive =
            Naive::new(Rc::clone(ground), setup.most as usize, setup.entries, setup.outages);
        let queue = Box::new(setup.queue(&ground.nodes, ask));
        let (tickets, tally) = (vec![], Tally::default());
        let (ground, epoch, looks_elsewhere) = (Rc::clone(ground), 0, false);
        Self { queue, naive, tickets, ground, setup, ask, epoch, tally, looks_elsewhere }
    }

    /// What the model knows.
    pub fn model(&self) -> &Naive<G> {
        &self.naive
    }

    /// What it is made of.
    pub fn setup(&self) -> Setup {
        self.setup
    }

    /// The queue as an image.
    pub fn image(&self) -> Vec<u32> {
        self.queue.image()
    }

    /// Whether a queue takes an image, and then keeps its invariants and can go on.
    pub fn load(&self, image: &[u32]) -> Result<Result<(), BadImage>, String> {
        let mut queue = self.setup.queue(&self.ground.nodes, self.ask);
        let fresh = queue.image();
        if let Err(bad) = queue.load(image.iter().copied()) {
            equal("after a bad image", queue.image(), fresh)?;
            return Ok(Err(bad));
        }
        queue.check_invariants().map_err(|it| format!("{it:?}"))?;
        for later in [0, 1, 5] {
            while queue.next(at(self.naive.now + later), &mut |_| true).is_some() {}
            queue.check_invariants().map_err(|it| it.0)?;
        }
        Ok(Ok(()))
    }

    /// Carries a step out on both.
    pub fn step(&mut self, step: &Step<PlaceIn<G>>) -> Result<(), String> {
        let before = self.promises();
        let counted = |it: &Self| Cause::ALL.map(|cause| it.queue.moved_later(cause)).iter().sum();
        let count: u32 = counted(self);
        self.call(step)?;
        self.compare()?;
        let (after, count) = (self.promises(), counted(self) - count);
        let later = before.iter().zip(&after).filter(|(before, after)| match (before, after) {
            (Some(before), Some(after)) => before < after,
            _ => false,
        });
        let later = later.count() as u32 + self.lost(&before);
        self.tally.later += later;
        self.tally.uncounted += later.saturating_sub(count);
        let earlier = before.iter().zip(&after);
        self.tally.earlier +=
            earlier.filter(|(before, after)| after.is_some() && after < before).count() as u32;
        Ok(())
    }

    /// The starts of what the kernel has promised to those that wait.
    fn promises(&self) -> Vec<Option<u64>> {
        let start = |job: usize| {
            let waits = [State::InLine, State::Reserved].contains(&self.naive.jobs[job].state);
            let planned = self.queue.planned(self.tickets[job]).ok().flatten();
            planned.filter(|_| waits).map(|it| it.start.ticks())
        };
        (0..self.tickets.len()).map(start).collect()
    }

    /// How many of the first in line, or with an interval, have no promise any more.
    fn lost(&self, before: &[Option<u64>]) -> u32 {
        let has = |job: usize| self.queue.planned(self.tickets[job]).ok().flatten().is_some();
        let mut lost = 0;
        let mut count = 0;
        for job in self.naive.each(State::InLine) {
            let had = before.get(job).copied().flatten().is_some();
            lost += u32::from(count < self.setup.most && had && !has(job));
            count += u32::from(has(job));
        }
        let own = self.naive.each(State::Reserved).into_iter();
        lost + own.filter(|&job| before.get(job).copied().flatten().is_some() && !has(job)).count()
            as u32
    }

    fn came<T>(
        &mut self,
        got: Result<(Ticket, T), Error>,
        expected: Result<(), Error>,
    ) -> Result<Option<T>, String> {
        self.tally.refused += u32::from(expected.is_err());
        let plain = got.as_ref().map(|_| ()).map_err(|error| *error);
        equal("answer", plain, expected)?;
        Ok(got.ok().map(|(ticket, other)| {
            self.tickets.push(ticket);
            other
        }))
    }

    fn call(&mut self, step: &Step<PlaceIn<G>>) -> Result<(), String> {
        let Step { now: told, event } = *step;
        let now = at(told);
        match event {
            Event::Push(job) => {
                let got = self.queue.push(now, job).map(|ticket| (ticket, ()));
                let expected = self.naive.push(told, job);
                self.came(got, expected).map(|_| ())
            }
            Event::Adopt(job, started) => self.adopt(told, job, started),
            Event::AdoptAt(job, started, place) => {
                let got = self.queue.adopt_at(now, job, at(started), place);
                let expected = self.naive.adopt_at(told, job, started, place);
                self.came(got.map(|ticket| (ticket, ())), expected).map(|_| ())
            }
            Event::Reserve(id, request) => {
                let got = self.queue.reserve_at(now, id, &request);
                let expected = self.naive.reserve(told, id, &request);
                let got = self.came(got, expected.map(|_| ()))?;
                equal("interval", got, expected.ok().map(interval))
            }
            Event::Ask(job) => {
                let got = self.queue.earliest_place(now, &job);
                let expected = self.naive.ask(told, &job);
                let expected = expected.map(|(start, end, place)| (interval((start, end)), place));
                equal("earliest", got, expected)
            }
            Event::Next(refused) => self.next(told, refused),
            Event::Restart(how) => self.restart(how),
            Event::Withdraw(place, start, end) => {
                let got = self.queue.withdraw_at(now, place, interval((start, end)));
                let expected = self.naive.withdraw(told, place, (start, end));
                self.tally.refused += u32::from(expected.is_err());
                equal("answer", got, expected)
            }
            Event::Repair(place) => {
                let got = self.queue.repair_at(now, &place);
                let expected = self.naive.repair(told, &place);
                self.tally.refused += u32::from(expected.is_err());
                equal("answer", got.map_err(Error::Misused), expected)
            }
            Event::Finish(id) => self.on(id, |it, ticket| {
                let terms = it.naive.find(id).map(|job| it.naive.jobs[job].terms);
                let got = it.queue.finished(now, ticket);
                let expected = it.naive.finish(told, &[id]);
                if let (Ok(job), Some(terms)) = (got, terms) {
                    equal("job", job, terms)?;
                }
                Ok((got.map(|_| ()), expected))
            }),
            Event::FinishBoth(one, other) => {
                let ticket = |id| self.naive.find(id).map(|job| self.tickets[job]);
                let (Some(one_ticket), Some(other_ticket)) = (ticket(one), ticket(other)) else {
                    return Ok(());
                };
                let got = self.queue.finished_together(now, &[one_ticket, other_ticket]);
                let expected = self.naive.finish(told, &[one, other]);
                equal("answer", got.map_err(Error::Misused), expected)
            }
            Event::Cancel(id) => self.on(id, |it, ticket| {
                let got = it.queue.cancel(now, ticket);
                Ok((got.map(|_| ()), it.naive.cancel(told, id)))
            }),
            Event::Requeue(id) => self.on(id, |it, ticket| {
                Ok((it.queue.requeue(now, ticket), it.naive.requeue(told, id)))
            }),
            Event::Hold(id) => {
                self.on(id, |it, ticket| Ok((it.queue.hold(now, ticket), it.naive.hold(told, id))))
            }
            Event::Release(id) => self.on(id, |it, ticket| {
                Ok((it.queue.release(now, ticket), it.naive.release(told, id)))
            }),
            Event::Rekey(id, key) => self.on(id, |it, ticket| {
                Ok((it.queue.rekey(now, ticket, key), it.naive.rekey(told, id, key)))
            }),
        }
    }

    /// A call of a job that came.
    fn on(
        &mut self,
        id: u32,
        call: impl FnOnce(&mut Self, Ticket) -> Result<(Result<(), Misuse>, Result<(), Error>), String>,
    ) -> Result<(), String> {
        let Some(job) = self.naive.find(id) else { return Ok(()) };
        let (got, expected) = call(self, self.tickets[job])?;
        self.tally.refused += u32::from(expected.is_err());
        equal("answer", got.map_err(Error::Misused), expected)
    }

    /// Where a job is that is only said to run is the kernel's choice.
    fn adopt(&mut self, told: u64, job: dispatch::Job, started: u64) -> Result<(), String> {
        let nodes = &self.ground.nodes;
        let idle = self.naive.idle();
        let expected = self.naive.check_adopted(told, &job, started, None);
        let fits = self.ground.place(request_of(&job), idle).is_some();
        let got = self.queue.adopt(at(told), job, at(started));
        if expected.is_ok() && !fits {
            self.tally.refused += 1;
            let is_refused = got.is_err_and(|error| matches!(error, Error::Refused(_)));
            return equal("refused without a place", is_refused, true);
        }
        let Ok(ticket) = got else { return equal("answer", got.map(|_| ()), expected) };
        let place = self.queue.place(ticket).ok().flatten().ok_or("no place")?;
        let of = nodes.of(&place);
        let is_one = nodes.choices(&self.ground.requests[request_of(&job)]).contains(&of);
        equal("a place that no job has", is_one && nodes.has(idle, of), true)?;
        let expected = self.naive.adopt_at(told, job, started, place);
        self.came(Ok((ticket, ())), expected).map(|_| ())
    }

    fn next(&mut self, told: u64, refused: u8) -> Result<(), String> {
        let takes = |job: &dispatch::Job| refused >> ((job.id >> 8) % 8) & 1 == 0;
        let (mut offers, mut expected_offers) = (vec![], vec![]);
        let got = if refused & 2 == 0 {
            self.queue.next_at(at(told), &mut |job, place| {
                offers.push((job, Some(*place)));
                takes(&job)
            })
        } else {
            self.queue.next(at(told), &mut |job| {
                offers.push((job, None));
                takes(&job)
            })
        };
        let expected = self.naive.next(told, &mut |job, place| {
            expected_offers.push((*job, *place));
            takes(job)
        });
        let started = expected.map(|job| (self.tickets[job], self.naive.jobs[job].terms));
        equal("who starts", got, started)?;
        // Who has been tried in vain is not tried again as long as nothing has changed.
        let mut left = expected_offers.iter();
        let is_told = |(job, place): &(dispatch::Job, Option<_>)| {
            left.any(|(other, at)| job == other && place.is_none_or(|place| place == *at))
        };
        if !offers.iter().all(is_told) {
            return Err(format!(
                "offers: the kernel's {offers:?}, the model's {expected_offers:?}"
            ));
        }
        self.tally.starts += u32::from(started.is_some());
        self.tally.replaced = self.naive.replaced;
        if self.looks_elsewhere && started.is_none() && refused == 0 {
            self.tally.elsewhere += u32::from(self.naive.would_start_elsewhere());
        }
        Ok(())
    }

    fn restart(&mut self, how: Restart) -> Result<(), String> {
        let (setup, ask) = (self.setup, self.ask);
        let fresh = || Box::new(setup.queue(&self.ground.nodes, ask));
        restart(&mut self.queue, fresh, how, &mut self.epoch)?;
        let epoch = self.epoch;
        self.tickets.iter_mut().for_each(|ticket| *ticket = renamed(*ticket, epoch));
        self.tally.restarts += 1;
        Ok(())
    }

    /// All that can be asked.
    fn compare(&mut self) -> Result<(), String> {
        self.queue.check_invariants().map_err(|it| format!("{it:?}"))?;
        let mut seen = vec![];
        self.queue.visit(&mut |ticket, job, standing, number| {
            seen.push((ticket, job, standing, number));
        });
        seen.sort_by_key(|it| it.3);
        let numbers: Vec<usize> = self.naive.open().collect();
        equal("jobs", seen.len(), numbers.len())?;
        for (job, (ticket, terms, standing, _)) in numbers.into_iter().zip(seen) {
            let it = self.naive.jobs[job];
            let id = it.terms.id >> 8;
            equal("ticket", ticket, self.tickets[job])?;
            equal(&format!("terms of {id}"), terms, it.terms)?;
            let expected = match it.state {
                State::InLine => Standing::Waits,
                State::Held => Standing::Held,
                State::Reserved => Standing::Reserved,
                State::Runs | State::Gone => Standing::Runs,
            };
            equal(&format!("standing of {id}"), standing, expected)?;
            let planned = it.at.map(|(start, end, _)| interval((start, end)));
            equal(&format!("plan of {id}"), self.queue.planned(ticket), Ok(planned))?;
            let place = it.at.map(|(_, _, place)| place);
            equal(&format!("place of {id}"), self.queue.place(ticket), Ok(place))?;
        }
        let waits = [State::InLine, State::Held, State::Reserved];
        let waits: usize = waits.iter().map(|&state| self.naive.each(state).len()).sum();
        equal("how many wait", self.queue.len(), waits)?;
        equal("wake_at", self.queue.wake_at(), self.naive.wake_at().map(at))?;
        for cause in Cause::ALL {
            let later = (self.queue.moved_later(cause), self.naive.later(cause));
            equal(&format!("later by {cause:?}"), later.0, later.1)?;
        }
        Ok(())
    }
}

/// Carries steps out; says at which the two began to differ, and how.
pub fn run<G: Nodes>(
    ground: &Rc<Ground<G>>,
    setup: Setup,
    steps: &[Step<PlaceIn<G>>],
) -> Result<Tally, (usize, String)> {
    let mut pair = Lockstep::new(ground, setup);
    for (number, step) in steps.iter().enumerate() {
        pair.step(step).map_err(|what| (number, what))?;
    }
    Ok(pair.tally)
}

/// The steps of a history that fails without those that are not needed for it, and what is wrong at its end.
pub fn shortened<G: Nodes>(
    ground: &Rc<Ground<G>>,
    setup: Setup,
    steps: &[Step<PlaceIn<G>>],
) -> Option<(Vec<Step<PlaceIn<G>>>, String)> {
    let (last, mut what) = run(ground, setup, steps).err()?;
    let mut steps = steps[..=last].to_vec();
    let mut size = steps.len() / 2;
    while size > 0 {
        let mut from = 0;
        while from + size <= steps.len() {
            let mut fewer = steps.clone();
            fewer.drain(from..from + size);
            match run(ground, setup, &fewer) {
                Err((last, now)) => {
                    fewer.truncate(last + 1);
                    (steps, what) = (fewer, now);
                }
                Ok(_) => from += size,
            }
        }
        size /= 2;
    }
    Some((steps, what))
}
