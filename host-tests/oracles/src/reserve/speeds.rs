//! What a timeline with PEs of unlike speed must answer.

use super::naive::{Naive, Which, nearest};
use locox::reserve::{Error, Fit, Misuse, Refusal, Request};
use locox::time::{Duration, Instant};

/// The speed of a standard PE, and the speeds of a machine, each with all PEs that have at least that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paces {
    /// Of a standard PE.
    pub standard: u32,
    /// Of the machine, the highest first.
    pub classes: Vec<(u32, u128)>,
}

impl Paces {
    /// Whether they are as they should be.
    fn check(&self) -> Result<(), Misuse> {
        let falls = self.classes.windows(2).all(|it| it[0].0 > it[1].0 && it[0].1 & !it[1].1 == 0);
        let stands = self.standard == 0 || self.classes.iter().any(|&(speed, _)| speed == 0);
        let sound = falls && !stands && !self.classes.is_empty();
        if sound { Ok(()) } else { Err(Misuse::WrongSpeeds) }
    }

    /// How long a job takes at a speed.
    fn takes(&self, nominal: Duration, speed: u32) -> u64 {
        let work = u128::from(nominal.ticks()) * u128::from(self.standard);
        work.div_ceil(speed.into()).try_into().unwrap()
    }

    /// How long a job takes on these PEs, the slowest of which all wait for.
    fn takes_on(&self, nominal: Duration, set: u128) -> u64 {
        let slowest = self.classes.iter().find(|(_, pes)| set & !pes == 0).unwrap();
        self.takes(nominal, slowest.0)
    }
}

impl Naive {
    /// Where a request goes if its PEs are of unlike speed and some are required: start, end, PEs.
    pub fn find_at_speeds(
        &self,
        r: &Request,
        paces: &Paces,
        (fit, which): (Fit, Which),
        required: u128,
    ) -> Result<(u64, u64, u128), Error> {
        paces.check()?;
        let (fastest, slowest) = (paces.classes[0], *paces.classes.last().unwrap());
        let takes = |speed| Duration::from_ticks(paces.takes(r.duration, speed));
        let deadline = r.deadline.filter(|&deadline| deadline <= r.ready);
        let shortest = Request { duration: takes(fastest.0), deadline, ..*r };
        match self.masked(slowest.1, required).find(&shortest, Fit::First, which) {
            Ok(_) | Err(Error::Refused(Refusal::Late { .. } | Refusal::Faulty { .. })) => {}
            Err(error) => return Err(error),
        }
        let offer = |&(speed, pes): &(u32, u128)| {
            let request = Request { duration: takes(speed), ..*r };
            let (open, late) = (Request { deadline: None, ..request }, Error::misuse);
            let machine = self.masked(pes, required);
            let found = match machine.find(&request, fit, which) {
                Err(error) if late(error) == Some(Misuse::DeadlineTooEarly) => {
                    machine.find(&open, Fit::First, which)
                }
                found => found,
            };
            let (start, _, set) = found?;
            let end = start + paces.takes_on(r.duration, set);
            let finish = Instant::from_ticks(end);
            let late = r.deadline.is_some_and(|deadline| finish > deadline);
            if late { Err(Refusal::Late { finish }.into()) } else { Ok((start, end, set)) }
        };
        let has_required = |class: &&(u32, u128)| required & !class.1 == 0;
        let offers: Vec<_> = paces.classes.iter().filter(has_required).map(offer).collect();
        if let Some(&best) = offers.iter().flatten().min_by_key(|it| it.1) {
            return Ok(best);
        }
        let refusals = offers.iter().filter_map(|it| it.err().and_then(Error::refusal));
        Err(nearest(refusals).unwrap().into())
    }

    /// The earliest end of all starts in all classes, whatever a policy says.
    pub fn earliest_end_at_speeds(
        &self,
        r: &Request,
        paces: &Paces,
        which: Which,
        required: u128,
    ) -> Option<u64> {
        let ready = r.ready.ticks().max(self.now);
        let last = self.entries.iter().flatten().map(|e| e.1).fold(ready, u64::max);
        let ends = paces.classes.iter().flat_map(|&(speed, pes)| {
            let machine = self.masked(pes, required);
            let takes = paces.takes(r.duration, speed);
            let fits = move |&start: &u64| {
                let (free, count) = machine.free(start, start + takes);
                count >= r.pes && machine.choose(which, free, r.pes).is_some()
            };
            (ready..=last).find(fits).map(|start| start + takes)
        });
        ends.min()
    }
}
