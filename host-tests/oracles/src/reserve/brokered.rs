//! Several machines and their models under a broker.

use super::command::asked;
use super::naive::nearest;
use super::subject::{Common, interval};
use super::{Command, Lockstep, Scale, Weights};
use crate::Mismatch;
use crate::digits::Digits;
use crate::mismatch::{Steps, equal};
use locox::reserve::{Error, Limits, Refusal, reserve_on_one_of};

/// Machines of unlike size, each with its model.
pub struct Brokered<T> {
    machines: Vec<(Limits, Lockstep<T>)>,
    steps: Steps,
}

impl<T: Common> Brokered<T> {
    /// Of fresh machines.
    pub fn new(limits: &[Limits], identity: bool) -> Self {
        let machine = |&limits| (limits, Lockstep::new(limits, identity));
        Self { machines: limits.iter().map(machine).collect(), steps: Steps::default() }
    }

    /// Asks the broker, or calls one of the machines, as `number` says; then compares all machines.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] if they differ; the run is of no use afterwards.
    pub fn step(&mut self, number: u64, span: u64, weights: &Weights) -> Result<(), Mismatch> {
        let mut digits = Digits(number);
        if self.machines.is_empty() || digits.one_in(2) {
            let asked = self.ask(&mut digits, span);
            self.steps.check(&number, asked)?;
        } else {
            let machine = digits.below(self.machines.len() as u64) as usize;
            let (limits, machine) = &mut self.machines[machine];
            let scale = Scale { pes: limits.pes, span, cancelled: 4 };
            machine.answer(&Command::decode(scale, digits.0, weights))?;
        }
        self.machines.iter().try_for_each(|(_, machine)| machine.look(&number))
    }

    fn ask(&mut self, digits: &mut Digits, span: u64) -> Result<(), String> {
        let pes = self.machines.iter().map(|(limits, _)| limits.pes).max().unwrap_or(1);
        let (r, fit, which) = asked(digits, Scale { pes, span, cancelled: 1 });
        let offers: Vec<_> =
            self.machines.iter().map(|(_, it)| it.expected(&r, fit, which)).collect();
        let misuse = offers.iter().find_map(|it| it.err().and_then(Error::misuse));
        let placed = offers.iter().enumerate().filter_map(|(n, it)| it.ok().map(|e| (n, e)));
        let refusals: Vec<Refusal> =
            offers.iter().filter_map(|it| it.err().and_then(Error::refusal)).collect();
        let expected = match (misuse, placed.min_by_key(|(n, e)| (e.1, *n))) {
            (Some(misuse), _) => Err(misuse.into()),
            (_, Some(best)) => Ok(best),
            _ => Err(nearest(refusals.into_iter())
                .map_or(locox::reserve::Misuse::NoRequest.into(), Error::Refused)),
        };
        let real = reserve_on_one_of(
            &mut self.machines,
            |(_, it)| it.real().would_reserve(&r, fit, which),
            |(_, it)| it.real().reserve(&r, fit, which),
        );
        let place = |(n, e): (usize, (u64, u64, u128))| (n, interval(e.0, e.1));
        equal("machine and place", real.map(|(n, _, at)| (n, at)), expected.map(place))?;
        let (Ok((n, id, at)), Ok((_, place))) = (real, expected) else { return Ok(()) };
        self.machines[n].1.reserved(Ok((id, at)), Ok(place), r.pes)
    }
}
