//! Offers of a place for one request, of which one is taken; why there is none.

use super::refusal::{Error, Misuse, Refusal};
use super::request::Interval;

/// One of some offers by its number, and the place that it names.
pub(super) type Chosen = (usize, Interval);

/// What has been offered so far: the place that ends first, of equal ones the first; and the refusal
/// that is nearest to a place.
#[derive(Default)]
pub(super) struct Bids {
    pub(super) best: Option<Chosen>,
    refused: Option<Refusal>,
}

impl Bids {
    /// Notes an offer.
    pub(super) fn hear(
        &mut self,
        number: usize,
        offer: Result<Interval, Error>,
    ) -> Result<(), Misuse> {
        match offer {
            Ok(at) if self.best.is_none_or(|(_, best)| at.end < best.end) => {
                self.best = Some((number, at));
            }
            Ok(_) => {}
            Err(Error::Misused(misuse)) => return Err(misuse),
            Err(Error::Refused(new)) => {
                let known = self.refused.filter(|&known| nearness(known) >= nearness(new));
                self.refused = known.or(Some(new));
            }
        }
        Ok(())
    }

    /// The offer that is taken.
    pub(super) fn chosen(self) -> Result<Chosen, Error> {
        self.best.ok_or(self.refused.map_or(Misuse::NoRequest.into(), Error::Refused))
    }
}

/// How near to a place a request is: first what helps (time, a cancellation, a repair), then by how much.
const fn nearness(refusal: Refusal) -> (u8, u64) {
    match refusal {
        Refusal::Late { finish } => (5, !finish.ticks()),
        Refusal::Full { .. } | Refusal::Busy { .. } | Refusal::NoStep { .. } => (4, 0),
        Refusal::Faulty { serving } => (3, serving as u64),
        Refusal::Overflow => (2, 0),
        Refusal::Masked { allowed } => (1, allowed as u64),
        Refusal::TooLarge { pes } => (0, pes as u64),
    }
}
