//! PEs that lie together on a machine.

use super::choice::{Choice, FreePes};
use super::limits::SetupError;
use crate::machine::{Numbered, Words};
use core::cell::Cell;

/// The PEs of a place that a request has on a machine: of a box, of a subcube, in one rack. PEs are the nodes of the machine.
///
/// What is asked of the timeline has to be as many PEs as each place of the machine's request has nodes
/// ([`Machine::size`](crate::machine::Machine::size)). With any other number, and on a timeline of more PEs or fewer, nothing
/// suits. Required PEs ([`Mask::with`](super::Mask::with)) are not part of the place.
///
/// Cost, at each start that the search looks at with enough PEs free: a map is drawn, and the machine searches it.
///
/// ```
/// use locox::cube::Dim;
/// use locox::handle::PoolId;
/// use locox::machine::Machine;
/// use locox::reserve::{Fit, Limits, Lowest, Request, Timeline, Together};
/// use locox::subcube::{Complete, Subcubes};
/// use locox::time::{Duration, Instant};
///
/// const LIMITS: Limits = Limits { pes: 8, reservations: 7 };
/// let mut timeline = Timeline::new(PoolId(0), LIMITS, [0; Timeline::words(LIMITS)])?;
/// let machine = Subcubes::<Complete>::new(Dim::new(3).unwrap()).unwrap();
/// let mut words = vec![0; Together::words(&machine)];
///
/// let request = |pes, ticks| Request::new(Instant::ZERO, Duration::from_ticks(ticks), pes);
/// timeline.reserve(&request(1, 10), &Fit::First, &Lowest)?;
/// // Node 0 is busy. A first square lies in the others, and a second one has to wait for that node.
/// let square = Dim::new(2).unwrap();
/// let choice = Together::new(&machine, square, &mut words)?;
/// let (first, at) = timeline.reserve(&request(machine.size(&square), 20), &Fit::First, &choice)?;
/// assert!(timeline.pes_of(first)?.iter().eq([4, 5, 6, 7]));
/// assert_eq!(at.start, Instant::ZERO);
/// let (_, at) = timeline.reserve(&request(machine.size(&square), 20), &Fit::First, &choice)?;
/// assert_eq!(at.start, Instant::from_ticks(10));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub struct Together<'a, M: Numbered> {
    machine: &'a M,
    request: M::Request,
    /// A map and the room for a search; nothing while one is under way.
    words: Cell<&'a mut [M::Word]>,
}

impl<'a, M: Numbered> Together<'a, M> {
    /// Words that searches of a machine take: a map, and room.
    pub fn words(machine: &M) -> usize {
        let Words { map, room } = machine.words();
        map.wrapping_add(room)
    }

    /// The places of a request. What the words were does not matter.
    ///
    /// # Errors
    ///
    /// [`SetupError::StorageTooSmall`] if they are fewer than [`Together::words`].
    pub fn new(
        machine: &'a M,
        request: M::Request,
        words: &'a mut [M::Word],
    ) -> Result<Self, SetupError> {
        let needed = Self::words(machine);
        if words.len() < needed {
            return Err(SetupError::StorageTooSmall { needed });
        }
        Ok(Self { machine, request, words: Cell::new(words) })
    }

    /// The place of the request in a set of nodes.
    fn find(&self, free: &FreePes<'_>, words: &mut [M::Word]) -> Option<M::Place> {
        let Words { map, room } = self.machine.words();
        let (map, rest) = words.split_at_mut_checked(map)?;
        self.machine.draw(map, free.words());
        self.machine.find(map, &self.request, rest.get_mut(..room)?)
    }
}

impl<M: Numbered> Choice for Together<'_, M> {
    fn choose(&self, free: &mut FreePes<'_>, count: u32) -> bool {
        if free.len() != self.machine.nodes() {
            return false;
        }
        let words = self.words.take();
        let place = self.find(free, words);
        self.words.set(words);
        let Some(place) = place else { return false };
        free.keep(self.machine.nodes_of(&place).map(|node| node.0)) && free.count() == count
    }
}
