//! Rankings of stations by themselves, and rounds of allocation under them.

use crate::image;
use crate::prelude::*;
use crate::station::{
    LOCOX_NOBODY, Printed, Timed, locox_contender, locox_timed_row, printed, timed,
};
use core::mem::offset_of;
use locox::fair::*;

told! {
    Reason => locox_decision.reason {
        /// Why a station was chosen: none that wants a processor has a better index.
        LOCOX_REASON_BEST_INDEX = 0: Reason::BestIndex(to) => { to_index: to };
        /// See `LOCOX_REASON_BEST_INDEX`: its index is better than that of the one that yields.
        LOCOX_REASON_BETTER_INDEX = 1: Reason::BetterIndex { to, from } => { to_index: to, from_index: from };
        /// See `LOCOX_REASON_BEST_INDEX`: it was its turn.
        LOCOX_REASON_TURN = 2: Reason::Turn => {};
        /// See `LOCOX_REASON_BEST_INDEX`: the lot fell on it.
        LOCOX_REASON_LOT = 3: Reason::Lot => {};
    }
}

opaque! {
    /// A ranking of stations, and what it remembers of them. Opaque, small, and may be moved; its rows
    /// may not.
    locox_ranking: [u64; LOCOX_RANKING_LENGTH], locox_size_of_ranking, as Body, b"RANK";
}

structures! {
    /// What a station asks of the others.
    pub struct locox_demand {
        /// Jobs that wait for a processor.
        pub wants: u16,
        /// Processors of others that it holds.
        pub holds: u16,
    }

    /// What a round decides: one processor changes hands.
    pub struct locox_decision {
        /// The station that gets it.
        pub to: u32,
        /// The station that yields it; `LOCOX_NOBODY` if it was free.
        pub from: u32 = LOCOX_NOBODY,
        /// `LOCOX_REASON_...`.
        pub reason: u32,
        /// The index of the one that gets it, in 256ths, if that is the reason.
        pub to_index: i32,
        /// The index of the one that yields it.
        pub from_index: i32,
    }
}

callbacks! {
    /// Called for each decision of a round, in its order.
    pub type locox_decision_fn(decision: *const locox_decision);
}

type PrintedShuffled = UpDown<&'static mut [ScheduleIndex], Condor, u32>;

/// What only some rankings have.
pub(crate) trait Table {
    fn index(&self, _station: StationId) -> Option<i64> {
        None
    }

    fn set_weight(&mut self, _station: StationId, _weight: u16) -> Answer {
        Err(LOCOX_BAD_ARGUMENT.into())
    }

    fn check_invariants(&self) -> Result<(), InvariantViolation> {
        Ok(())
    }
}

impl Table for Timed {
    forward! { look |it| it => fn check_invariants() -> Result<(), InvariantViolation>; }

    fn index(&self, station: StationId) -> Option<i64> {
        self.index_of(station)
    }

    fn set_weight(&mut self, station: StationId, weight: u16) -> Answer {
        Ok(self.set_weight(station, weight)?)
    }
}

impl<D: Draw> Table for UpDown<&'static mut [ScheduleIndex], Condor, D> {
    fn index(&self, station: StationId) -> Option<i64> {
        self.index_of(station).map(|index| index.bits().into())
    }
}

impl Table for RoundRobin {}
impl Table for Random {}

/// A ranking of any kind, as the functions below see it.
pub(crate) trait Ranking: Table {
    /// How many stations it has; `None` if it is for any.
    fn stations(&self) -> Option<usize>;
    fn advance(&mut self, now: Instant);
    fn note(&mut self, station: StationId, demand: Demand);
    fn update(&mut self, demand: &[Demand]) -> Result<(), Misuse>;
    fn round(
        &mut self,
        demand: &[Demand],
        capacity: Capacity,
        draw: u32,
        scratch: &mut [Contender],
        decided: &mut dyn FnMut(Decision),
    ) -> Result<(), Misuse>;
    fn first_of(&mut self, draw: u32, candidates: &[u32]) -> Option<StationId>;
    fn served(&mut self, station: StationId);
    fn export(&self, put: &mut dyn FnMut(u32));
    fn restore(&mut self, words: &mut dyn Iterator<Item = u32>) -> Option<()>;
    fn forget(&mut self);
}

impl<F: Fairness + Table> Ranking for F {
    fn stations(&self) -> Option<usize> {
        // No table is of so many, and a ranking that has one says how long it is.
        match self.check(usize::MAX) {
            Err(Misuse::Stations { table, .. }) => Some(table as usize),
            _ => None,
        }
    }

    fn advance(&mut self, now: Instant) {
        Fairness::advance(self, now);
    }

    fn note(&mut self, station: StationId, demand: Demand) {
        Fairness::note(self, station, demand);
    }

    fn update(&mut self, demand: &[Demand]) -> Result<(), Misuse> {
        Fairness::update(self, demand)
    }

    fn round(
        &mut self,
        demand: &[Demand],
        capacity: Capacity,
        draw: u32,
        scratch: &mut [Contender],
        decided: &mut dyn FnMut(Decision),
    ) -> Result<(), Misuse> {
        let draw = F::Draw::from_source(|| draw);
        let mut round = Round::new(self, demand, capacity, draw, scratch)?;
        while let Some(decision) = round.next(self, demand) {
            decided(decision);
        }
        Ok(())
    }

    fn first_of(&mut self, draw: u32, candidates: &[u32]) -> Option<StationId> {
        self.begin(F::Draw::from_source(|| draw));
        Fairness::first_of(self, candidates.iter().copied().map(StationId))
    }

    fn served(&mut self, station: StationId) {
        Fairness::served(self, station);
    }

    fn export(&self, put: &mut dyn FnMut(u32)) {
        Fairness::export(self, put);
    }

    fn restore(&mut self, words: &mut dyn Iterator<Item = u32>) -> Option<()> {
        Fairness::restore(self, words)
    }

    fn forget(&mut self) {
        Fairness::forget(self);
    }
}

pub(crate) enum AnyRanking {
    Timed(Timed),
    Printed(Printed),
    Shuffled(PrintedShuffled),
    RoundRobin(RoundRobin),
    Random(Random),
}

type Body = ErasedBody<AnyRanking, dyn Ranking>;

methods! { ranking: locox_ranking |it| it.get() =>
    /// Starts a ranking by Up-Down over elapsed time, the one to start from, of as many stations as
    /// `rows`, which may have any content. After `half_life` half of an index is left; for about a
    /// `quantum` a station keeps a processor that it took from one like itself. Neither is zero.
    start fn locox_ranking_start_timed(
        rows: *mut locox_timed_row, stations: usize, half_life: u64, quantum: u64
    ) -> (; detail) { erased!(AnyRanking::Timed as Ranking)(timed((rows, stations), stations, half_life, quantum)?) }

    /// Starts a ranking by the printed table of Up-Down, of as many stations as `indices`, which may
    /// have any content. At each update it moves by `step`, in 256ths; not zero: 2560 in the study. With
    /// `shuffled` not zero stations of one index come in an order drawn for each round, else by number.
    start fn locox_ranking_start_updown(indices: *mut i32, stations: usize, step: u32, shuffled: u32) -> (; detail) {
        let printed = printed((indices, stations), stations, step)?;
        match shuffled {
            0 => erased!(AnyRanking::Printed as Ranking)(printed),
            _ => erased!(AnyRanking::Shuffled as Ranking)(printed.shuffled()),
        }
    }

    /// Starts a ranking under which stations take turns, from station `first` on.
    start fn locox_ranking_start_round_robin(first: u32) {
        erased!(AnyRanking::RoundRobin as Ranking)(RoundRobin::starting_at(StationId(first)))
    }

    /// Starts a ranking that draws lots.
    start fn locox_ranking_start_random() { erased!(AnyRanking::Random as Ranking)(Random::new()) }

    /// It is `now`: for Up-Down over elapsed time. A time before the one told last begins another count
    /// of time.
    act fn locox_ranking_advance(now: u64) { it.advance(at(now)) }

    /// From now on a station wants and holds so much: for Up-Down over elapsed time.
    act fn locox_ranking_note(station: u32, demand: *const locox_demand) {
        known(it, station)?;
        it.note(StationId(station), FromC::from_c(demand)?)
    }

    /// Takes note of what all stations want and hold: one step of the printed table. `LOCOX_WRONG_TABLE`
    /// if the ranking has more or fewer stations, so many (detail).
    raw_act fn locox_ranking_update(demand: *const locox_demand, stations: usize) -> (; detail) {
        let demand = inputs(demand, stations)?;
        on(ranking, |it| {
            fits(it.get(), stations)?;
            Ok(it.get().update(demand_of(demand))?)
        })
    }

    /// A round of allocation over what the stations want and hold: the `free` ones of `nodes` processors
    /// are granted, and then processors change hands. `draw` is for rankings by lot. `decided` is called
    /// for each decision. The room is for four contenders at least; its content does not matter.
    ///
    /// `LOCOX_WRONG_TABLE` if the ranking has more or fewer stations, so many (detail), or if they hold
    /// more processors than there are, so many (detail). Nothing is decided then.
    /// While `decided` runs, every call on this ranking, `const` ones too, answers `LOCOX_REENTERED`.
    raw_act fn locox_ranking_round(
        demand: *const locox_demand, stations: usize, nodes: u32, free: u32, draw: u32, scratch: *mut locox_contender,
        scratch_count: usize, decided: locox_decision_fn, user: *mut c_void
    ) -> (; detail) {
        let demand = inputs(demand, stations)?;
        let room = storage::<Contender, _>(scratch, scratch_count, 4)?;
        on(ranking, |it| {
            fits(it.get(), stations)?;
            let (scratch, capacity) = (room.cleared(Contender::EMPTY), Capacity { nodes, free });
            let mut decided = |decision: Decision| tell(decided, decision, user);
            Ok(it.get().round(demand_of(demand), capacity, draw, scratch, &mut decided)?)
        })
    }

    /// Which of these stations is served first; `LOCOX_NONE` if there are none. `draw` is for rankings
    /// by lot.
    act fn locox_ranking_first_of(draw: u32, candidates: *const u32, count: usize) -> (station: u32) {
        it.first_of(draw, inputs(candidates, count)?).ok_or(LOCOX_NONE)?.0
    }

    /// Outside of a round a station was given a processor.
    act fn locox_ranking_served(station: u32) {
        known(it, station)?;
        it.served(StationId(station))
    }

    /// The index of a station; the lower, the better. Of the printed table in 256ths; of Up-Down over
    /// elapsed time in units of 2^-40 processors times half-lives. `LOCOX_NONE` where there are none.
    look fn locox_ranking_index(station: u32) -> (index: i64) {
        known(it, station)?;
        it.index(StationId(station)).ok_or(LOCOX_NONE)?
    }

    /// Gives a station a share of `weight` times that of a station of weight 1, under Up-Down over
    /// elapsed time; under others `LOCOX_BAD_ARGUMENT`. Shares follow weights if there are enough processors
    /// that each station that always wants more holds one all the time; with fewer they are nearer to equal.
    act fn locox_ranking_set_weight(station: u32, weight: u16) { it.set_weight(StationId(station), weight)? }

    /// Writes what the ranking remembers from round to round, without a checksum, and how many words
    /// that are to `written`. `LOCOX_TOO_SHORT` says how many there must be; what is in `words` is of no
    /// use then.
    look fn locox_ranking_export(words: *mut u32, len: usize) -> (written: usize; detail) {
        image::write((words, len), |put| it.export(put))?
    }

    /// Remembers what was exported by a ranking of the same kind and parameters and as many stations.
    /// `LOCOX_OTHER_IMAGE` if there are more or fewer words than it exports; after `LOCOX_BAD_IMAGE`,
    /// for words that make no sense, it has forgotten all.
    act fn locox_ranking_restore(words: *const u32, len: usize) {
        let (words, mut exported) = (inputs(words, len)?, 0usize);
        it.export(&mut |_| exported = exported.saturating_add(1));
        if exported != len {
            return Err(LOCOX_OTHER_IMAGE.into());
        }
        if it.restore(&mut words.iter().copied()).is_none() {
            it.forget();
            return Err(LOCOX_BAD_IMAGE.into());
        }
    }

    /// Forgets everything but weights, as if no round had been.
    act fn locox_ranking_forget() { it.forget() }

    /// Recomputes all that is derived and compares, for tests: `LOCOX_INVARIANT_VIOLATION` should never
    /// be seen.
    look fn locox_ranking_check() { it.check_invariants()? }
}

/// Whether a ranking has a station.
fn known(ranking: &dyn Ranking, station: u32) -> Answer {
    match ranking.stations() {
        Some(stations) if station as usize >= stations => Err(LOCOX_NO_SUCH_STATION.with(station)),
        _ => Ok(()),
    }
}

/// Whether a ranking is of so many stations.
fn fits(ranking: &dyn Ranking, stations: usize) -> Answer {
    match ranking.stations() {
        Some(table) if table != stations => Err(LOCOX_WRONG_TABLE.with_len(table)),
        _ => Ok(()),
    }
}

fn demand_of(demand: &[locox_demand]) -> &[Demand] {
    const {
        assert!(size_of::<Demand>() == size_of::<locox_demand>());
        assert!(align_of::<Demand>() == align_of::<locox_demand>());
        assert!(offset_of!(Demand, wants) == offset_of!(locox_demand, wants));
        assert!(offset_of!(Demand, holds) == offset_of!(locox_demand, holds));
    }
    // SAFETY: both are two numbers of 16 bits at the same places.
    unsafe { core::slice::from_raw_parts(demand.as_ptr().cast(), demand.len()) }
}

mirrors! { locox_demand = Demand { wants, holds } }

values! {
    ScheduleIndex as i32: |it| it.bits();
    Decision as locox_decision: |it| match it {
        Self::Grant { to, reason } => locox_decision { to: to.0, ..reason.into_c() },
        Self::Preempt { from, to, reason } => locox_decision { to: to.0, from: from.0, ..reason.into_c() },
    };
}
