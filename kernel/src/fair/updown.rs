//! Up-Down: the schedule index table.
//!
//! Source: Mutka and Livny (1987), section 5.1. Each update trades what a station holds against
//! how long it waits; the station with the smallest index is served first, and one that waits
//! takes a processor from one with a larger index. So a light user is served at once, however
//! much a heavy one asks for, and the heavy one has all that nobody else wants.
//!
//! Cost: 4 bytes a station; an update is one pass without branches that depend on other stations.
//! When to choose it: users of unlike demand over hours or days, and jobs that can be
//! checkpointed. Deviations: an index saturates at plus and minus 2^23; ties go to the lowest
//! number unless [`Ties::Shuffled`] is asked for, as printed.

use super::{
    Condor, Demand, FairError, Fairness, IndexFunctions, Reason, ScheduleIndex, StationId,
};

/// Who comes first among stations with the same index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Ties {
    /// The one with the lowest number.
    #[default]
    LowestFirst,
    /// In an order drawn anew for each round, as in the study.
    Shuffled,
}

/// The table of schedule indices over storage `S`, moved by the functions `P`.
///
/// `S` is any storage of indices: an array in a `static`, a boxed slice, `&mut [ScheduleIndex]`.
/// At an update, with SI the index of a station:
///
/// - it holds k processors: SI rises by k * f(SI);
/// - it holds none and wants one: SI falls by g(SI);
/// - it neither holds nor wants, and SI > 0: SI falls by h(SI), to 0 at most;
/// - it neither holds nor wants, and SI < 0: SI rises by l(SI), to 0 at most.
///
/// ```
/// use locox::fair::{Condor, Fairness, ScheduleIndex, StationId, UpDown};
/// let saved = [7, -3, 7].map(ScheduleIndex::from_int);
/// let users = UpDown::new(saved, Condor::default());
/// // As a plain ranking for any other queue:
/// assert_eq!(users.first_of([StationId(0), StationId(2)]), Some(StationId(0)));
/// assert_eq!(users.first_of((0..3).map(StationId)), Some(StationId(1)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct UpDown<S, P = Condor> {
    table: S,
    functions: P,
    ties: Ties,
    draw: u32,
}

impl<S, P> UpDown<S, P> {
    /// A table that goes on from the indices in `table`; fill it with
    /// [`ScheduleIndex::ZERO`] to start afresh. Ties go to the lowest number.
    pub const fn new(table: S, functions: P) -> Self {
        Self { table, functions, ties: Ties::LowestFirst, draw: 0 }
    }

    /// The same table with ties broken as `ties` says.
    pub fn with_ties(self, ties: Ties) -> Self {
        Self { ties, ..self }
    }
}

impl<S: AsRef<[ScheduleIndex]>, P> UpDown<S, P> {
    /// The table, by station number.
    pub fn indices(&self) -> &[ScheduleIndex] {
        self.table.as_ref()
    }

    /// The index of `station`; `None` if there is no such station.
    pub fn index_of(&self, station: StationId) -> Option<ScheduleIndex> {
        self.indices().get(station.0 as usize).copied()
    }
}

impl<S, P> Fairness for UpDown<S, P>
where
    S: AsRef<[ScheduleIndex]> + AsMut<[ScheduleIndex]>,
    P: IndexFunctions,
{
    fn check(&self, stations: usize) -> Result<(), FairError> {
        let table = self.indices().len();
        if stations != table {
            let count = |len| u32::try_from(len).unwrap_or(u32::MAX);
            return Err(FairError::Stations { table: count(table), demand: count(stations) });
        }
        Ok(())
    }

    fn update(&mut self, demand: &[Demand]) -> Result<(), FairError> {
        self.check(demand.len())?;
        move_all(self.table.as_mut(), demand, &self.functions);
        Ok(())
    }

    fn begin(&mut self, draw: u32) {
        self.draw = draw;
    }

    fn key(&self, station: StationId) -> u32 {
        self.index_of(station).unwrap_or(ScheduleIndex::WORST).key()
    }

    fn tie(&self, station: StationId) -> u32 {
        match self.ties {
            Ties::LowestFirst => station.0,
            Ties::Shuffled => super::random::lot(self.draw, station),
        }
    }

    fn preempts(&self) -> bool {
        true
    }

    fn reason(&self, to: StationId, from: Option<StationId>) -> Reason {
        let index = |station| self.index_of(station).unwrap_or(ScheduleIndex::WORST);
        match from {
            None => Reason::BestIndex(index(to)),
            Some(from) => Reason::BetterIndex { to: index(to), from: index(from) },
        }
    }
}

fn move_all<P: IndexFunctions>(table: &mut [ScheduleIndex], demand: &[Demand], functions: &P) {
    for (index, one) in table.iter_mut().zip(demand) {
        *index = moved(*index, *one, functions);
    }
}

fn moved<P: IndexFunctions>(index: ScheduleIndex, one: Demand, functions: &P) -> ScheduleIndex {
    if one.holds > 0 {
        return index.raised(functions.f(index).times(u32::from(one.holds)));
    }
    if one.wants > 0 {
        return index.lowered(functions.g(index));
    }
    if index.is_positive() {
        return index.settled(functions.h(index));
    }
    if index.is_negative() {
        return index.settled(functions.l(index));
    }
    index
}
