//! Queues with promises on a small machine: all histories of calls, as time passes, restarts included.

use super::{Counts, histories};
use crate::Mismatch;
use crate::dispatch::promises::{Event, Ground, Lockstep, Nodes, Setup, Step};
use crate::mismatch::Steps;
use crate::reserve::Restart;
use locox::dispatch::Job;
use locox::machine::Machine;
use locox::reserve::Request;
use locox::time::{Duration, Instant};
use std::rc::Rc;

/// A call of a queue before which three jobs come, or time that passes.
#[derive(Clone, Copy, Debug)]
enum Call {
    /// So many ticks.
    Pass(u64),
    /// A job, for so many ticks.
    Push(u32, u64),
    /// One with an interval of its own, for one tick from the next one on, by a deadline.
    Reserve(u32, Option<u64>),
    /// One that runs since the last tick.
    Adopt(u32),
    /// Who starts? The machine refuses those of the jobs whose bits are set.
    Next(u8),
    Finish(u32),
    Cancel(u32),
    Requeue(u32),
    Hold(u32),
    Release(u32),
    Rekey(u32, u64),
    /// The place of the smallest request is out from so many ticks on, for so long.
    Withdraw(u64, u64),
    Repair,
    /// When and where could one more start, for so many ticks?
    Ask(u32, u64),
    Restart(Restart),
}

/// Calls, as they should be and not. Of the three jobs the first is of a middle size, the second as large as can be, and the
/// third one small.
fn calls() -> Vec<Call> {
    use Call::*;
    vec![
        Push(0, 2),
        Push(1, 2),
        Push(2, 1),
        Push(2, 3),
        Reserve(1, None),
        Reserve(1, Some(2)),
        Adopt(0),
        Next(0),
        Next(1),
        Next(2),
        Pass(1),
        Pass(2),
        Finish(0),
        Finish(2),
        Cancel(1),
        Requeue(0),
        Hold(1),
        Release(1),
        Rekey(2, 3),
        Withdraw(1, 1),
        Withdraw(0, 9),
        Repair,
        Ask(1, 1),
        Restart(self::Restart::Begin),
        Restart(self::Restart::Load),
        Restart(self::Restart::Restore),
    ]
}

/// What is called of a machine: the requests of the jobs, by size, and a place for outages.
struct Terms<P> {
    requests: [(usize, u32); 3],
    out: P,
}

type TermsOf<G> = Terms<<<G as Nodes>::Machine as Machine>::Place>;

fn terms<G: Nodes>(ground: &Ground<G>) -> TermsOf<G> {
    let nodes = &ground.nodes;
    let size = |at: usize| nodes.machine().size(&ground.requests[at]);
    let fits = |at: &usize| ground.place(*at, nodes.all()).is_some();
    let mut known: Vec<usize> = (0..ground.requests.len()).filter(fits).collect();
    known.sort_by_key(|&at| size(at));
    let (small, large) = (known[0], known[known.len() - 1]);
    let middle = known[known.len() / 2];
    let out = ground.place(small, nodes.all()).expect("it fits");
    Terms { requests: [middle, large, small].map(|at| (at, size(at))), out }
}

/// A queue and its model at a time.
struct Run<G: Nodes> {
    pair: Lockstep<G>,
    now: u64,
    steps: Steps,
}

impl<G: Nodes> Run<G> {
    fn step(&mut self, call: &Call, terms: &TermsOf<G>) -> Result<(), Mismatch> {
        let Some(event) = self.event(call, terms) else { return Ok(()) };
        let taken = self.pair.step(&Step { now: self.now, event });
        let moved = self.pair.tally.uncounted;
        let counted = taken.and_then(|()| match moved {
            0 => Ok(()),
            _ => Err("a promise became later without a cause".into()),
        });
        self.steps.check(call, counted)
    }

    /// A call, unless it is of a job that has come already.
    fn event(
        &mut self,
        call: &Call,
        terms: &TermsOf<G>,
    ) -> Option<Event<<G::Machine as Machine>::Place>> {
        let id = |job: u32| job << 8 | terms.requests[job as usize].0 as u32;
        let job = |job: u32, ticks| {
            let (_, size) = terms.requests[job as usize];
            Job::new(id(job), size).within(Duration::from_ticks(ticks)).keyed(5)
        };
        let is_new = |job: u32| self.pair.model().find(id(job)).is_none();
        Some(match *call {
            Call::Pass(ticks) => {
                self.now += ticks;
                return None;
            }
            Call::Push(it, _) | Call::Reserve(it, _) | Call::Adopt(it) if !is_new(it) => {
                return None;
            }
            Call::Push(it, ticks) => Event::Push(job(it, ticks)),
            Call::Reserve(it, within) => {
                let (ready, of) = (Instant::from_ticks(self.now + 1), job(it, 1));
                let request = Request::new(ready, of.requested, of.pes);
                let by = within.map(|ticks| Instant::from_ticks(self.now + ticks));
                Event::Reserve(of.id, by.map_or(request, |by| request.by(by)))
            }
            Call::Adopt(it) => Event::Adopt(job(it, 2), self.now.saturating_sub(1)),
            Call::Next(refused) => Event::Next(refused),
            Call::Finish(it) => Event::Finish(id(it)),
            Call::Cancel(it) => Event::Cancel(id(it)),
            Call::Requeue(it) => Event::Requeue(id(it)),
            Call::Hold(it) => Event::Hold(id(it)),
            Call::Release(it) => Event::Release(id(it)),
            Call::Rekey(it, key) => Event::Rekey(id(it), key),
            Call::Withdraw(from, ticks) => {
                Event::Withdraw(terms.out, self.now + from, self.now + from + ticks)
            }
            Call::Repair => Event::Repair(terms.out),
            Call::Ask(it, ticks) => {
                let (request, size) = terms.requests[it as usize];
                let asked = Job::new(9 << 8 | request as u32, size);
                Event::Ask(asked.within(Duration::from_ticks(ticks)).keyed(5))
            }
            Call::Restart(how) => Event::Restart(how),
        })
    }

    /// What it does from now on hangs on this alone.
    fn key(&self) -> String {
        let came: Vec<u32> = self.pair.model().jobs.iter().map(|job| job.terms.id).collect();
        format!("{} {came:?} {:?}", self.now, self.pair.image())
    }
}

/// All histories of so many calls of a queue with room for three jobs and an outage, of which so many are promised something,
/// beside the rules taken word for word: from the beginning, and from when the first job runs and the second is in line.
pub fn promises<G: Nodes>(nodes: G, most: u32, length: usize) -> Counts {
    let ground = Rc::new(Ground::new(nodes));
    let terms = terms(&ground);
    let fresh = Lockstep::new(&ground, Setup { most, entries: 3, outages: 1 });
    let busy = [Call::Push(0, 2), Call::Push(1, 2), Call::Next(0)];
    let from = |first: &[Call]| {
        histories(&calls(), length, |history| {
            let mut run = Run { pair: fresh.clone(), now: 1, steps: Steps::default() };
            let mut all = first.iter().chain(history.iter().copied());
            all.try_for_each(|call| run.step(call, &terms))?;
            Ok(run.key())
        })
    };
    from(&[]).and(from(&busy))
}
