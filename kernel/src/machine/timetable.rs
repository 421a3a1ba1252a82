//! What holds places of a machine from when until when, and when a request can have one.

use super::{Machine, Words};
use crate::reserve::Interval;
use crate::time::{Duration, Instant};

/// A place that is held for some time: by a job that runs or is promised it, or because it is out of service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held<P> {
    /// Where.
    pub place: P,
    /// From when until when.
    pub at: Interval,
    /// Whose it is, for queues.
    pub(crate) by: u32,
    /// Whether it is left out.
    pub(crate) off: bool,
}

impl<P> Held<P> {
    /// A place, from when until when.
    pub const fn new(place: P, at: Interval) -> Self {
        Self { place, at, by: 0, off: false }
    }
}

/// The places of a machine that are held, now and later.
///
/// It works on the caller's rows, sorted by their ends, and on [`Timetable::words`] words. It keeps nothing from one call to the
/// next.
///
/// ```
/// use locox::grid::{Anchors, Boxes, BoxRequest, Cuboid, Grid, Placement};
/// use locox::cube::Node;
/// use locox::machine::{Held, Timetable};
/// use locox::reserve::Interval;
/// use locox::time::{Duration, Instant};
///
/// let grid = Grid::torus(&[4, 4]).unwrap();
/// let machine = Boxes::new(grid, Placement::First, Anchors::Any).unwrap();
/// let from = |start, end| Interval {
///     start: Instant::from_ticks(start),
///     end: Instant::from_ticks(end),
/// };
/// // A job runs in half of the machine, and a node is to be repaired from 50 to 60.
/// let held = [
///     Held::new(Cuboid::new(grid, Node(0), "4x2".parse()?).unwrap(), from(0, 10)),
///     Held::new(Cuboid::new(grid, Node(5), "1x1".parse()?).unwrap(), from(50, 60)),
/// ];
/// let mut words = vec![0; Timetable::words(&machine)];
/// let mut timetable = Timetable::new(&machine, &held, &mut words)?;
/// let mut earliest = |nodes, ticks| {
///     let found = timetable.earliest(&BoxRequest::Nodes(nodes), Instant::ZERO, Duration::from_ticks(ticks));
///     found.map(|(start, _)| start.ticks())
/// };
/// assert_eq!(earliest(8, 40), Some(0));
/// assert_eq!(earliest(16, 40), Some(10));
/// // It would still run while the node is repaired.
/// assert_eq!(earliest(16, 41), Some(60));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Timetable<'a, M: Machine> {
    machine: &'a M,
    held: &'a [Held<M::Place>],
    map: &'a mut [M::Word],
    other: &'a mut [M::Word],
    room: &'a mut [M::Word],
}

crate::display::errors! {
    /// Why there is no such timetable.
    pub enum BadTimetable {
        /// Fewer words than it takes.
        StorageTooSmall { needed: usize } => "too few words: {needed} are needed",
        /// The rows are not sorted by their ends.
        Unsorted => "what is held must be sorted by its ends",
    }
}

impl<'a, M: Machine> Timetable<'a, M> {
    /// Words that timetables of a machine take: two maps, and the room for a search.
    pub fn words(machine: &M) -> usize {
        let Words { map, room } = machine.words();
        map.wrapping_mul(2).wrapping_add(room)
    }

    /// What these hold; what the words were does not matter. Cost: a look at each of them.
    ///
    /// # Errors
    ///
    /// [`BadTimetable`] says what is wrong.
    pub fn new(
        machine: &'a M,
        held: &'a [Held<M::Place>],
        words: &'a mut [M::Word],
    ) -> Result<Self, BadTimetable> {
        let needed = Self::words(machine);
        if words.len() < needed {
            return Err(BadTimetable::StorageTooSmall { needed });
        }
        if !held.is_sorted_by_key(|it| it.at.end) {
            return Err(BadTimetable::Unsorted);
        }
        Ok(Self::over(machine, held, words))
    }

    /// The same of rows that are sorted, in words that are enough.
    pub(crate) fn over(
        machine: &'a M,
        held: &'a [Held<M::Place>],
        words: &'a mut [M::Word],
    ) -> Self {
        let length = machine.words().map;
        let (map, rest) = words.split_at_mut_checked(length).unwrap_or_default();
        let (other, room) = rest.split_at_mut_checked(length).unwrap_or_default();
        Self { machine, held, map, other, room }
    }

    /// The nodes that are free at each instant of an interval. Cost: a look at each row, and its place taken; where nodes
    /// are only counted, so for each start in the interval.
    pub fn free(&mut self, during: Interval) -> &[M::Word] {
        let Self { machine, held, map, other, .. } = self;
        let draw = |map: &mut [M::Word], during: Interval| {
            machine.open(map);
            let meets = |it: &&Held<M::Place>| {
                !it.off && it.at.start < during.end && during.start < it.at.end
            };
            held.iter().filter(meets).for_each(|it| machine.take(map, &it.place));
        };
        if !M::COUNTS {
            draw(map, during);
            return map;
        }
        let at =
            |start: Instant| Interval { start, end: start.saturating_add(Duration::from_ticks(1)) };
        draw(map, at(during.start));
        for it in *held {
            if !it.off && during.start < it.at.start && it.at.start < during.end {
                draw(other, at(it.at.start));
                machine.meet(map, other);
            }
        }
        map
    }

    /// Whether this place is free at each instant of an interval.
    pub fn has(&mut self, place: &M::Place, during: Interval) -> bool {
        self.free(during);
        self.machine.has(self.map, place)
    }

    /// A place that is free at each instant of an interval. Cost: [`Timetable::free`], and a search.
    pub fn place(&mut self, of: &M::Request, during: Interval) -> Option<M::Place> {
        self.free(during);
        self.find(of)
    }

    /// A place where the last call found what it asked for free.
    pub(crate) fn find(&mut self, of: &M::Request) -> Option<M::Place> {
        self.machine.find(self.map, of, self.room)
    }

    /// The earliest start from `ready` on at which a place is free for so long, and that place; `None` if there is none
    /// that ends before the end of time.
    ///
    /// It is exact. From one instant on at which a start of what is held comes into the interval until the next one what is free
    /// throughout only grows, as ends pass. So such a stretch is looked at where most have ended, and if that is enough it is halved;
    /// one without an end from the front, by doubling.
    ///
    /// Cost: a look for each stretch before the one with the start, and there the logarithm of the rows in looks. A look is
    /// [`Timetable::place`]. There is one stretch more than there are starts to come.
    pub fn earliest(
        &mut self,
        of: &M::Request,
        ready: Instant,
        duration: Duration,
    ) -> Option<(Instant, M::Place)> {
        self.earliest_up_to(of, [ready, Instant::MAX], duration)
    }

    /// The same, but none after the second instant. Cost: less than that, as it ends there: where nothing begins in between a single look says
    /// that there is none.
    pub fn earliest_up_to(
        &mut self,
        of: &M::Request,
        [ready, latest]: [Instant; 2],
        duration: Duration,
    ) -> Option<(Instant, M::Place)> {
        let endless = latest == Instant::MAX;
        let latest = Instant::MAX.checked_sub(duration)?.min(latest);
        let mut from = ready;
        while from <= latest {
            let next = self.next_stretch(from, duration);
            let last = next.map_or(latest, |next| latest.min(before(next)));
            if let Some(found) =
                self.earliest_within(of, duration, [from, last], endless && next.is_none())
            {
                return Some(found);
            }
            from = next?;
        }
        None
    }

    /// The first instant after `from` at which something held begins within so long that did not at `from`.
    fn next_stretch(&self, from: Instant, duration: Duration) -> Option<Instant> {
        let entry = |it: &Held<M::Place>| {
            it.at.start.checked_sub(duration)?.checked_add(Duration::from_ticks(1))
        };
        self.held.iter().filter_map(entry).filter(|&at| from < at).min()
    }

    /// The earliest start in a stretch, which ends before the end of time by as much: at its first instant or at one of the
    /// ends in it. Where there nearly always is one, in a stretch without an end, it is looked for from the front by doubling.
    fn earliest_within(
        &mut self,
        of: &M::Request,
        duration: Duration,
        [first, last]: [Instant; 2],
        endless: bool,
    ) -> Option<(Instant, M::Place)> {
        let ended = |by: Instant| self.held.partition_point(|it| it.at.end <= by);
        let ends = self.held.get(ended(first)..ended(last)).unwrap_or_default();
        let start = |ended: usize| match ended.checked_sub(1).and_then(|last| ends.get(last)) {
            Some(it) => it.at.end,
            None => first,
        };
        let (mut low, mut high) = (0, ends.len().wrapping_add(1));
        let (mut ended, mut best) = (if endless { 0 } else { ends.len() }, None);
        while low < high {
            let start = start(ended);
            match self.place(of, Interval { start, end: start.saturating_add(duration) }) {
                Some(place) => (best, high) = (Some((start, place)), ended),
                None => low = ended.wrapping_add(1),
            }
            ended = match best {
                None => low.wrapping_mul(2).min(ends.len()),
                Some(_) => low.midpoint(high),
            };
        }
        best
    }
}

/// The tick before; of the first one itself.
pub(crate) fn before(at: Instant) -> Instant {
    Instant::from_ticks(at.ticks().saturating_sub(1))
}
