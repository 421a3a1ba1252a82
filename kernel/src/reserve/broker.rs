//! A broker: asks several machines, and reserves on the one whose offer is best.
//!
//! Source: Li et al., section 6.1, where a "meta-scheduler links to multiprocessor entities and manages
//! their availability information via the data structure proposed in this paper". How it chooses among
//! several is not said. Here the place that ends first is taken, as of alternatives on one machine; of
//! equal ones that on the first machine. Jobs that take parts of several machines at once are named there
//! as users of reservations only.

use super::bids::Bids;
use super::ledger::ReservationId;
use super::refusal::{Error, Misuse};
use super::request::Interval;

/// Reserves on one of several machines: all of them are asked by `offer`, and the one whose place ends
/// first, of equal ones the first, by `reserve`. Which one it is comes first.
///
/// A machine is what the two closures make of it: timelines and profiles of any size, by value or by
/// reference, with policies, masks and speeds of their own, or one behind a wire. `offer` should change nothing, as
/// [`Timeline::would_reserve`](super::Timeline::would_reserve) does, and `reserve` take what was offered.
///
/// Cost: an offer of each machine, and one reservation.
///
/// # Errors
///
/// [`Misuse::NoRequest`] without a machine; the first misuse that a machine names, and then nothing is
/// reserved; if none has a place, the refusal that is nearest to one: the earliest finish of all, else what a
/// cancellation would help against, a repair (with most PEs in service), another time, a wider mask, a
/// larger machine. What `reserve` says.
///
/// ```
/// use locox::handle::PoolId;
/// use locox::reserve::{Error, Fit, Limits, Lowest, Refusal, Request, Timeline, reserve_on_one_of};
/// use locox::time::{Duration, Instant};
///
/// const SMALL: Limits = Limits { pes: 8, reservations: 4 };
/// const LARGE: Limits = Limits { pes: 16, reservations: 4 };
/// let (mut small, mut large) = ([0; Timeline::words(SMALL)], [0; Timeline::words(LARGE)]);
/// let mut machines = [
///     Timeline::new(PoolId(0), SMALL, &mut small[..])?,
///     Timeline::new(PoolId(1), LARGE, &mut large[..])?,
/// ];
/// let mut reserve = |pes| {
///     let request = Request::new(Instant::ZERO, Duration::from_ticks(10), pes);
///     reserve_on_one_of(
///         &mut machines,
///         |machine| machine.would_reserve(&request, &Fit::First, &Lowest),
///         |machine| machine.reserve(&request, &Fit::First, &Lowest),
///     )
/// };
/// assert_eq!(reserve(8)?.0, 0);
/// assert_eq!(reserve(8)?.0, 1); // the first machine could only from 10 on
/// assert_eq!(reserve(17), Err(Error::Refused(Refusal::TooLarge { pes: 16 })));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub fn reserve_on_one_of<M>(
    machines: &mut [M],
    mut offer: impl FnMut(&mut M) -> Result<Interval, Error>,
    reserve: impl FnOnce(&mut M) -> Result<(ReservationId, Interval), Error>,
) -> Result<(usize, ReservationId, Interval), Error> {
    let mut bids = Bids::default();
    for (number, machine) in machines.iter_mut().enumerate() {
        bids.hear(number, offer(machine))?;
    }
    let (number, _) = bids.chosen()?;
    let machine = machines.get_mut(number).ok_or(Misuse::NoRequest)?;
    let (id, at) = reserve(machine)?;
    Ok((number, id, at))
}
