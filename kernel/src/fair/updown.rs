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
//! number unless they are [shuffled](UpDown::shuffled), as printed. By table 4 of the paper an index rises
//! only while its station wants a node; here, as in the paper's worked example, while it holds one.

use super::{
    Condor, Demand, Fairness, IndexFunctions, Misuse, Reason, ScheduleIndex, StaticFairness,
    StationId,
};
use crate::draw::Draw;
use crate::image::digest_of;
use crate::permute::permute;

/// The table of schedule indices over storage `S`, moved by the functions `P`.
///
/// Of equal indices the lowest number comes first, and nothing is drawn (`D` is `()`); or they come
/// in an order that is drawn anew for each round (`u32`), as in the study: by the lots of
/// [`Random`](super::Random).
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
#[derive(Clone, Debug)]
pub struct UpDown<S, P = Condor, D = ()> {
    table: S,
    functions: P,
    draw: D,
}

impl<S, P> UpDown<S, P> {
    /// A table that goes on from the indices in `table`; fill it with
    /// [`ScheduleIndex::ZERO`] to start afresh. Ties go to the lowest number.
    pub const fn new(table: S, functions: P) -> Self {
        Self { table, functions, draw: () }
    }

    /// This table, with ties shuffled anew for each round.
    pub fn shuffled(self) -> UpDown<S, P, u32> {
        UpDown { table: self.table, functions: self.functions, draw: u32::NOT_DRAWN }
    }
}

impl<const N: usize, D: Draw> StaticFairness<N> for UpDown<[ScheduleIndex; N], Condor, D> {
    const FRESH: Self =
        Self { table: [ScheduleIndex::ZERO; N], functions: Condor::study(), draw: D::NOT_DRAWN };
}

impl<S: AsRef<[ScheduleIndex]>, P, D: Draw> UpDown<S, P, D> {
    /// The table, by station number.
    pub fn indices(&self) -> &[ScheduleIndex] {
        self.table.as_ref()
    }

    /// The index of `station`; `None` if there is no such station.
    pub fn index_of(&self, station: StationId) -> Option<ScheduleIndex> {
        self.indices().get(station.0 as usize).copied()
    }
}

impl<S, P, D> Fairness for UpDown<S, P, D>
where
    S: AsRef<[ScheduleIndex]> + AsMut<[ScheduleIndex]>,
    P: IndexFunctions,
    D: Draw,
{
    type Draw = D;

    fn check(&self, stations: usize) -> Result<(), Misuse> {
        Misuse::check_stations(self.indices().len(), stations)
    }

    fn update(&mut self, demand: &[Demand]) -> Result<(), Misuse> {
        self.check(demand.len())?;
        for (index, one) in self.table.as_mut().iter_mut().zip(demand) {
            *index = moved(*index, *one, &self.functions);
        }
        Ok(())
    }

    fn begin(&mut self, draw: D) {
        self.draw = draw;
    }

    fn key(&self, station: StationId) -> u32 {
        self.index_of(station).unwrap_or(ScheduleIndex::WORST).key()
    }

    fn tie(&self, station: StationId) -> u32 {
        self.draw.lot().map_or(station.0, |draw| permute(draw, station.0))
    }

    fn preempts(&self) -> bool {
        true
    }

    fn reason(&self, to: StationId, from: Option<StationId>) -> Reason {
        let index = |station| self.index_of(station).unwrap_or(ScheduleIndex::WORST);
        Reason::of_indices(index(to), from.map(index))
    }

    fn identity(&self) -> u32 {
        digest_of(&[1, self.functions.identity().into(), self.draw.lot().is_some().into()])
    }

    fn export(&self, put: &mut dyn FnMut(u32)) {
        self.indices().iter().for_each(|index| put(index.bits().cast_unsigned()));
    }

    fn restore(&mut self, words: &mut dyn Iterator<Item = u32>) -> Option<()> {
        for index in self.table.as_mut() {
            *index = ScheduleIndex::from_bits(words.next()?.cast_signed());
        }
        Some(())
    }

    fn forget(&mut self) {
        self.table.as_mut().fill(ScheduleIndex::ZERO);
    }
}

/// An index that is zero stays so where the station neither holds nor wants.
fn moved<P: IndexFunctions>(index: ScheduleIndex, one: Demand, functions: &P) -> ScheduleIndex {
    match () {
        () if one.holds > 0 => index.raised(functions.f(index).times(one.holds.into())),
        () if one.wants > 0 => index.lowered(functions.g(index)),
        () if index.is_positive() => index.decayed(functions.h(index)),
        () => index.decayed(functions.l(index)),
    }
}
