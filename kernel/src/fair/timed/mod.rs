//! Up-Down by elapsed time: schedule indices that neither saturate nor depend on how often they
//! are looked at.
//!
//! A station's index rises by the time for which it holds processors, times their number and
//! divided by its weight; it falls while the station wants one and holds none; and all the time it
//! halves with a half-life. So it is a mean of what the station has had, in which the last
//! half-life counts as much as all that was before. Of the processors that come free, stations that
//! always want more get equal shares, or shares by weight where there are
//! [enough processors](TimedUpDown::set_weight); a light user is far below them and is served at
//! once. A station that holds a processor takes none from another: where jobs do not end, the first
//! to come keeps all that it got, but for one for each station that has none.
//!
//! - A free processor goes to the station that wants one and whose index would be the lowest a
//!   *quantum* from now, as things stand. With each processor that it gets it will have risen more
//!   by then, so that many processors given away at one time are spread.
//! - With none free, the lowest station that wants one and holds none takes one from the station
//!   that would be the highest a quantum from now, if even then, after the exchange, it would have
//!   the lower index of the two. So two alike exchange a processor every two quanta at the most.
//!
//! Cost: an index is not touched while its station's demand is as it is. Stations that move at the
//! same rate keep their order, so there is a heap for each rate; a change of one station's demand
//! takes it from one heap to another, and a decision compares the tops of the heaps:
//! O(log stations + rates), where n processors in use are held at no more than about
//! sqrt(2 n) rates for each weight. 64 bytes a station.
//!
//! When to choose it: by default. Deviations from [`UpDown`](super::UpDown), the printed table:
//! time instead of updates, a half-life instead of the functions h and l, and the quantum.
//!
//! Source: Mutka and Livny (1987) for rise, fall and who yields to whom; the half-life of a user's
//! priority is HTCondor's.

mod decay;
mod rate;
mod rates;
mod row;

pub use row::TimedRow;

use super::demand::count;
use super::{Demand, Exchange, Fairness, Misuse, Reason, ScheduleIndex, StaticFairness, StationId};
use crate::ground::heap::{self, HeapNode};
use crate::image::{BadImage, Stored, digest_of};
use crate::invariant::{InvariantViolation, ensure};
use crate::slices::edit;
use crate::time::{Duration, Instant};
use decay::{HalfLives, Halvings, Scale};
use fixed::types::I24F8;
use rate::{Index, Rate};
use row::Side;

crate::data::data! {
    /// How fast a [`TimedUpDown`] forgets, and how far it looks ahead.
    pub struct DecayParams {
        /// After this time half of an index is left; not zero.
        pub half_life: Duration,
        /// For about this time a station keeps a processor that it took from one like itself; not
        /// zero. As long as a scheduling interval, much longer than a transfer and a checkpoint.
        pub quantum: Duration,
    }
}

impl DecayParams {
    /// A half-life of a day and a quantum of ten minutes. A `minute` is so many ticks long.
    pub const fn standard(minute: Duration) -> Self {
        Self {
            half_life: Duration::from_ticks(minute.ticks().saturating_mul(24 * 60)),
            quantum: Duration::from_ticks(minute.ticks().saturating_mul(10)),
        }
    }

    const fn check(&self) -> Result<(), Misuse> {
        match (self.half_life.ticks(), self.quantum.ticks()) {
            (0, _) => Err(Misuse::Zero { parameter: "half_life" }),
            (_, 0) => Err(Misuse::Zero { parameter: "quantum" }),
            _ => Ok(()),
        }
    }
}

/// Up-Down by elapsed time over storage `S` of [`TimedRow`]s: the ranking to start from.
///
/// A station's index rises by the time for which it holds processors, times their number and
/// divided by its weight; it falls while the station wants one and holds none; and all the time it
/// halves with a half-life. Of the processors that come free, stations that always want more get
/// equal shares, or shares by weight where there are [enough processors](Self::set_weight); a light
/// user is far below them and is served at once. A station that holds a processor takes none from
/// another: where jobs do not end, the first to come keeps all that it got, but for one for each
/// station that has none.
///
/// - A free processor goes to the station that wants one and whose index would be the lowest a
///   quantum from now, as things stand.
/// - With none free, the lowest station that wants one and holds none takes one from the station
///   that would be the highest a quantum from now, if even then, after the exchange, it would have
///   the lower index of the two.
///
/// The index is a 64-bit number of processors times half-lives, in units of 2^-40. It lies between
/// what one that waits for ever and one that holds 65,535 processors for ever come close to, -1.45
/// and 94,548, and so never reaches an end of its range.
///
/// - The `live` rates in use stand in the first rows, each once.
/// - A station is in the heap of those that want at its rate if and only if it wants, and in that
///   of those that hold if and only if it holds.
/// - `scale` and `now` are those at `elapsed`, `ahead` the halvings a quantum later.
///
/// ```
/// use locox::fair::{DecayParams, Demand, Fairness, StationId, TimedRow, TimedUpDown};
/// use locox::time::{Duration, Instant};
/// let minute = Duration::from_ticks(60);
/// let mut fair = TimedUpDown::new([TimedRow::EMPTY; 2], DecayParams::standard(minute)).unwrap();
/// fair.note(StationId(0), Demand { wants: 5, holds: 2 });
/// fair.advance(Instant::from_ticks(86_400)); // a half-life later
/// fair.note(StationId(1), Demand { wants: 1, holds: 0 });
/// assert_eq!(fair.next_claimant(), Some(StationId(1)));
/// assert_eq!(fair.exchange().map(|it| (it.from, it.to)), Some((StationId(0), StationId(1))));
/// ```
///
/// It is moved, not copied; `clone` it where a second one is wanted.
///
/// ```compile_fail,E0382
/// use locox::fair::{DecayParams, Demand, Fairness, StationId, TimedRow, TimedUpDown};
/// use locox::time::Duration;
/// let minute = Duration::from_ticks(60);
/// let mut fair = TimedUpDown::new([TimedRow::EMPTY; 2], DecayParams::standard(minute)).unwrap();
/// let other = fair;
/// fair.note(StationId(0), Demand { wants: 5, holds: 2 });
/// ```
#[derive(Clone, Debug)]
pub struct TimedUpDown<S> {
    rows: S,
    params: DecayParams,
    live: u32,
    /// The latest time told.
    told: Instant,
    /// The time that passed while it was told; it goes on where the caller's clock restarts.
    elapsed: u64,
    scale: Scale,
    now: Halvings,
    ahead: Halvings,
}

impl<S: AsRef<[TimedRow]> + AsMut<[TimedRow]>> TimedUpDown<S> {
    /// A ranking of stations that never had anything. The rows are cleared.
    ///
    /// # Errors
    ///
    /// [`Misuse::Zero`] names what must not be zero.
    pub fn new(mut rows: S, params: DecayParams) -> Result<Self, Misuse> {
        params.check()?;
        rows.as_mut().fill(TimedRow::EMPTY);
        Ok(Self::over(rows, params))
    }

    /// Gives a station a share of `weight` times that of a station of weight 1. From now on: what
    /// it had so far stays as it is.
    ///
    /// Shares of stations that always want more follow weights if there are enough processors that
    /// each of these stations holds one all the time: the smallest share must be at least one
    /// processor. With fewer, shares are nearer to equal, because the index of a station that waits
    /// falls at the same rate for every weight.
    ///
    /// # Errors
    ///
    /// [`Misuse::Zero`] for `weight`, [`Misuse::NoSuchStation`].
    pub fn set_weight(&mut self, station: StationId, weight: u16) -> Result<(), Misuse> {
        let Some(extra_weight) = u32::from(weight).checked_sub(1) else {
            return Err(Misuse::Zero { parameter: "weight" });
        };
        if self.rows.as_ref().get(station.0 as usize).is_none() {
            return Err(Misuse::NoSuchStation(station));
        }
        let demand = self.row(station).demand;
        self.change(station, demand, extra_weight);
        Ok(())
    }

    /// The weight of `station`; 0 if there is no such station.
    pub fn weight_of(&self, station: StationId) -> u16 {
        let row = self.rows.as_ref().get(station.0 as usize);
        row.map_or(0, |row| row.extra_weight.saturating_add(1) as u16)
    }

    /// Makes `station` one that never had anything, of weight 1: another user comes in its place.
    ///
    /// ```
    /// use locox::fair::{DecayParams, Demand, Fairness, StationId, TimedRow, TimedUpDown};
    /// use locox::time::{Duration, Instant};
    /// let minute = Duration::from_ticks(60);
    /// let mut fair = TimedUpDown::new([TimedRow::EMPTY; 2], DecayParams::standard(minute)).unwrap();
    /// fair.note(StationId(0), Demand { wants: 0, holds: 2 });
    /// fair.advance(Instant::from_ticks(86_400));
    /// assert!(fair.index_of(StationId(0)) > Some(0));
    /// fair.renew(StationId(0));
    /// assert_eq!(fair.index_of(StationId(0)), Some(0));
    /// ```
    pub fn renew(&mut self, station: StationId) {
        self.change(station, Demand::NONE, 0);
        edit(self.rows.as_mut(), station.0, |row| (row.distance, row.whole) = (0, 0));
    }

    /// Whether `station` is as one that never had anything, of weight 1. An index that rises to 0 ends at -1.
    pub fn is_new(&self, station: StationId) -> bool {
        let row = self.row(station);
        (row.demand, row.extra_weight) == (Demand::NONE, 0)
            && matches!(row.index(&self.now).to_bits(), -1..=0)
    }

    /// Makes all as new. Forgetting, as after a restart, would keep the weights and the time told.
    pub fn clear(&mut self) {
        self.rows.as_mut().fill(TimedRow::EMPTY);
        (self.told, self.live) = (Instant::ZERO, 0);
        self.set_elapsed(0);
    }

    /// The index of `station` at the latest time told, in units of 2^-40 processors times
    /// half-lives; `None` if there is no such station. Lower is better.
    pub fn index_of(&self, station: StationId) -> Option<i64> {
        Some(self.rows.as_ref().get(station.0 as usize)?.index(&self.now).to_bits())
    }

    /// What the index of `station` would be a quantum from now, in the same units, if it wanted and held so much from now on.
    pub fn index_ahead_with(&self, station: StationId, demand: Demand) -> Option<i64> {
        let row = self.rows.as_ref().get(station.0 as usize)?;
        let rate = Rate::of(demand, row.extra_weight as u16);
        Some(self.index_ahead(row.index(&self.now), rate).to_bits())
    }

    /// Checks every invariant named at the struct; one pass over the stations.
    ///
    /// # Errors
    ///
    /// [`InvariantViolation`] says which does not hold: a defect of this crate.
    pub fn check_invariants(&self) -> Result<(), InvariantViolation> {
        let rows = self.rows.as_ref();
        let stations = || (0..).zip(rows);
        for (side, (station, row)) in
            Side::BOTH.into_iter().flat_map(|side| stations().map(move |it| (side, it)))
        {
            let is_top = rates::tops(rows, self.live, side).any(|top| top == station);
            let is_sound = match side.has(row.demand) {
                true => heap::is_sound(rows, side, station, is_top, |child: &TimedRow| {
                    child.rate_of_station() == row.rate_of_station()
                }),
                false => !is_top && *side.of(&row.nodes) == HeapNode::EMPTY,
            };
            ensure(is_sound, "a heap is not in order, or not complete")?;
        }
        ensure(rates::are_sound(rows, self.live), "the rates in use are not those of the stations")
    }
}

impl TimedUpDown<()> {
    /// Words that one for so many stations exports: those of the stations come last, by number, and are zeros of one
    /// that never had anything.
    pub const fn words_exported(stations: usize) -> usize {
        stations.saturating_mul(5).saturating_add(4)
    }
}

impl<S> TimedUpDown<S> {
    const fn over(rows: S, params: DecayParams) -> Self {
        let (scale, now, ahead) = scales(0, params);
        Self { rows, params, live: 0, told: Instant::ZERO, elapsed: 0, scale, now, ahead }
    }

    fn set_elapsed(&mut self, elapsed: u64) {
        self.elapsed = elapsed;
        (self.scale, self.now, self.ahead) = scales(elapsed, self.params);
    }

    /// Where an index is a quantum from now, if it moves at `rate` until then.
    fn index_ahead(&self, index: Index, rate: Rate) -> Index {
        let target = rate.target();
        let distance = self.scale.scaled(index.saturating_sub(target));
        target.saturating_add(self.ahead.unscaled(distance, self.now.whole))
    }
}

const fn scales(elapsed: u64, params: DecayParams) -> (Scale, Halvings, Halvings) {
    let passed = HalfLives::after(elapsed, params.half_life);
    let ahead = elapsed.saturating_add(params.quantum.ticks());
    let ahead = HalfLives::after(ahead, params.half_life);
    (Scale::of(passed), Halvings::of(passed), Halvings::of(ahead))
}

impl<S: AsRef<[TimedRow]> + AsMut<[TimedRow]>> TimedUpDown<S> {
    /// Changes how a station moves; its index stays where it is. Who moves as before stays in those
    /// heaps that it was in.
    fn change(&mut self, station: StationId, demand: Demand, extra_weight: u32) {
        let was = self.row(station).demand;
        let (station, rate) = (station.0, Rate::of(demand, extra_weight as u16));
        let Self { rows, live, scale, now, .. } = self;
        let rows = rows.as_mut();
        let Some(row) = rows.get(station as usize) else { return };
        let moves_as_before = row.rate_of_station() == rate;
        let stays = |side: Side| moves_as_before && side.has(was) && side.has(demand);
        rates::leave(rows, live, station, Side::BOTH.map(|side| side.has(was) && !stays(side)));
        if let Some(row) = rows.get_mut(station as usize) {
            if !moves_as_before {
                row.distance = scale.scaled(row.index(now).saturating_sub(rate.target()));
                row.whole = scale.whole;
            }
            (row.demand, row.extra_weight) = (demand, extra_weight);
        }
        rates::enter(rows, live, station, Side::BOTH.map(|side| side.has(demand) && !stays(side)));
    }

    /// The index that decides where a station stands: a quantum from now.
    fn claim(&self, station: StationId) -> Option<Index> {
        self.rows.as_ref().get(station.0 as usize).map(|row| row.index(&self.ahead))
    }

    /// As [`Fairness::key`], of the whole index, where that one tells stations apart by 1/256 of a processor for a
    /// half-life.
    pub fn exact_key(&self, station: StationId) -> u64 {
        self.claim(station).map_or(u64::MAX, |index| index.to_bits().cast_unsigned() ^ (1 << 63))
    }

    /// The station on top of a rate's heap that comes first by its index a quantum from now.
    fn first(&self, side: Side) -> Option<u32> {
        let order = |&station: &u32| {
            let index = self.row(StationId(station)).index(&self.ahead);
            (if side == Side::Wants { index } else { index.saturating_neg() }, station)
        };
        rates::tops(self.rows.as_ref(), self.live, side).min_by_key(order)
    }

    /// The first of those that want one and hold none: they all move at the same rate.
    fn first_without(&self) -> Option<u32> {
        let without = |&top: &u32| self.row(StationId(top)).demand.holds == 0;
        rates::tops(self.rows.as_ref(), self.live, Side::Wants).find(without)
    }

    /// That of an idle station if there is no such one.
    fn row(&self, station: StationId) -> &TimedRow {
        self.rows.as_ref().get(station.0 as usize).unwrap_or(&TimedRow::EMPTY)
    }
}

impl<const N: usize> StaticFairness<N> for TimedUpDown<[TimedRow; N]> {
    /// With standard parameters for ticks that are seconds.
    const FRESH: Self =
        Self::over([TimedRow::EMPTY; N], DecayParams::standard(Duration::from_ticks(60)));
}

impl<S: AsRef<[TimedRow]> + AsMut<[TimedRow]>> Fairness for TimedUpDown<S> {
    type Draw = ();

    const KEEPS_ORDER: bool = true;

    fn check(&self, stations: usize) -> Result<(), Misuse> {
        Misuse::check_stations(self.rows.as_ref().len(), stations)
    }

    fn update(&mut self, demand: &[Demand]) -> Result<(), Misuse> {
        self.check(demand.len())?;
        (0..).map(StationId).zip(demand).for_each(|(station, &one)| self.note(station, one));
        Ok(())
    }

    fn advance(&mut self, now: Instant) {
        let passed = now.since(self.told).map_or(0, Duration::ticks);
        self.told = now;
        if passed > 0 {
            self.set_elapsed(self.elapsed.saturating_add(passed));
        }
    }

    fn note(&mut self, station: StationId, demand: Demand) {
        let row = self.row(station);
        let extra_weight = row.extra_weight;
        if row.demand != demand {
            self.change(station, demand, extra_weight);
        }
    }

    fn key(&self, station: StationId) -> u32 {
        self.claim(station).map_or(ScheduleIndex::WORST, shown).key()
    }

    fn preempts(&self) -> bool {
        true
    }

    fn next_claimant(&self) -> Option<StationId> {
        self.first(Side::Wants).map(StationId)
    }

    fn exchange(&self) -> Option<Exchange> {
        let to = StationId(self.first_without()?);
        let from = StationId(self.first(Side::Holds)?);
        let (gets, yields) = (self.row(to), self.row(from));
        let one = Rate::of(Demand { wants: 0, holds: 1 }, gets.extra_weight as u16);
        let holds = yields.demand.holds.saturating_sub(1);
        let less = Rate::of(Demand { wants: 1, holds }, yields.extra_weight as u16);
        let low = self.index_ahead(gets.index(&self.now), one);
        let high = self.index_ahead(yields.index(&self.now), less);
        let reason = Reason::BetterIndex { to: shown(low), from: shown(high) };
        (low < high).then_some(Exchange { from, to, reason })
    }

    fn served(&mut self, station: StationId) {
        let Demand { wants, holds } = self.row(station).demand;
        let (wants, holds) = (wants.saturating_sub(1), holds.saturating_add(1));
        self.note(station, Demand { wants, holds });
    }

    fn yielded(&mut self, station: StationId) {
        let Demand { wants, holds } = self.row(station).demand;
        let (wants, holds) = (wants.saturating_add(1), holds.saturating_sub(1));
        self.note(station, Demand { wants, holds });
    }

    fn reason(&self, to: StationId, from: Option<StationId>) -> Reason {
        let index = |station| shown(self.row(station).index(&self.ahead));
        Reason::of_indices(index(to), from.map(index))
    }

    fn identity(&self) -> u32 {
        digest_of(&[2, self.params.half_life.ticks(), self.params.quantum.ticks()])
    }

    fn weight(&self, station: StationId) -> Option<u16> {
        Some(self.weight_of(station)).filter(|&weight| weight > 0)
    }

    fn weigh(&mut self, station: StationId, weight: u16) {
        let changed = self.set_weight(station, weight);
        debug_assert!(changed.is_ok(), "the station is there, and the weight not zero");
    }

    fn export(&self, put: &mut dyn FnMut(u32)) {
        let mut put = put;
        self.told.store(&mut put);
        self.elapsed.store(&mut put);
        for row in self.rows.as_ref() {
            row.distance.cast_unsigned().store(&mut put);
            row.whole.store(&mut put);
            row.extra_weight.store(&mut put);
            row.demand.store(&mut put);
        }
    }

    fn restore(&mut self, words: &mut dyn Iterator<Item = u32>) -> Option<()> {
        let mut take = || words.next().ok_or(BadImage::TooShort);
        self.told = Instant::load(&mut take).ok()?;
        let elapsed = u64::load(&mut take).ok()?;
        self.live = 0;
        self.set_elapsed(elapsed);
        for row in self.rows.as_mut() {
            *row = restored(&mut take, &self.now)?;
        }
        let Self { rows, live, .. } = self;
        let rows = rows.as_mut();
        for station in 0..count(rows.len()) {
            let demand = rows.get(station as usize).map_or(Demand::NONE, |row| row.demand);
            rates::enter(rows, live, station, Side::BOTH.map(|side| side.has(demand)));
        }
        Some(())
    }

    fn forget(&mut self) {
        for row in self.rows.as_mut() {
            *row = TimedRow { extra_weight: row.extra_weight, ..TimedRow::EMPTY };
        }
        self.live = 0;
        self.set_elapsed(0);
    }
}

/// What no station can have comes from no image of this ranking.
fn restored(take: &mut impl FnMut() -> Result<u32, BadImage>, now: &Halvings) -> Option<TimedRow> {
    let distance = u64::load(take).ok()?.cast_signed();
    let (whole, extra_weight) = (take().ok()?, take().ok()?);
    let demand = Demand::load(take).ok()?;
    let sound = whole <= now.whole
        && extra_weight < u32::from(u16::MAX)
        && distance.unsigned_abs() <= FARTHEST;
    sound.then_some(TimedRow { distance, whole, demand, extra_weight, ..TimedRow::EMPTY })
}

/// Above twice what lies between the lowest and the highest that an index can tend to.
const FARTHEST: u64 = 1 << 58;

/// An index as a reason tells it: in processors times half-lives, with fewer bits.
fn shown(index: Index) -> ScheduleIndex {
    ScheduleIndex::from_bits(I24F8::wrapping_from_num(index).to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::vec::Vec;

    /// A station that held two for a half-life and wants a third, and an idle one of weight 3.
    fn used() -> TimedUpDown<[TimedRow; 2]> {
        let params = DecayParams::standard(Duration::from_ticks(60));
        let mut fair = TimedUpDown::new([TimedRow::EMPTY; 2], params).unwrap();
        fair.set_weight(StationId(1), 3).unwrap();
        fair.note(StationId(0), Demand { wants: 1, holds: 2 });
        fair.advance(Instant::from_ticks(86_400));
        fair
    }

    fn exported(fair: &impl Fairness) -> Vec<u32> {
        let mut words = Vec::new();
        fair.export(&mut |word| words.push(word));
        words
    }

    #[test]
    fn it_exports_as_many_words_as_it_says() {
        assert_eq!(exported(&used()).len(), TimedUpDown::words_exported(2));
    }

    #[test]
    fn all_is_forgotten_but_the_weights() {
        let mut fair = used();
        fair.forget();
        assert_eq!([0, 1].map(|at| fair.index_of(StationId(at))), [Some(0); 2]);
        assert_eq!([0, 1].map(|at| fair.weight_of(StationId(at))), [1, 3]);
        assert_eq!(fair.next_claimant(), None);
        assert_eq!(fair.check_invariants(), Ok(()));
    }

    #[test]
    fn the_key_is_higher_for_who_has_had_more_and_the_highest_for_nobody() {
        let fair = used();
        assert!(fair.key(StationId(0)) > fair.key(StationId(1)));
        assert_eq!(fair.key(StationId(2)), u32::MAX);
    }

    #[test]
    fn what_no_station_can_have_is_not_restored() {
        let good = exported(&used());
        let restored = |changes: &[(usize, u32)]| {
            let mut words = good.clone();
            changes.iter().for_each(|&(at, word)| words[at] = word);
            used().restore(&mut words.into_iter()).is_some()
        };
        // Of the first station: both words of its distance, whole half-lives, weight.
        assert!(restored(&[]));
        assert!(!restored(&[(4, 1 << 27), (5, 1 << 27)]), "too far from where it tends to");
        assert!(!restored(&[(6, u32::MAX)]), "scaled in times to come");
        assert!(!restored(&[(7, 65_535)]), "no weight is so large");
        assert!(restored(&[(7, 65_534)]));
    }

    #[test]
    fn a_check_finds_what_is_out_of_place() {
        let faults: [fn(&mut [TimedRow; 2]); 3] = [
            |rows| rows[0].nodes[0].rank = 9,
            |rows| rows[1].nodes[0].rank = 1,
            |rows| rows[1].rate = rows[0].rate,
        ];
        for (at, fault) in faults.iter().enumerate() {
            let mut fair = used();
            assert_eq!(fair.check_invariants(), Ok(()));
            fault(&mut fair.rows);
            assert!(fair.check_invariants().is_err(), "fault {at}");
        }
    }
}
