//! Commands that become durable, one by one or together.

use crate::{Answer, ApplyError, DurableCoordinator, Store};
use locox::time::Instant;
use locox_coordinators::coordinate::Coordinate;

/// Commands of which none is durable before [`Batch::commit`] returns: answer nobody earlier.
///
/// A cut before that loses any number of the last ones, never one in between. Without a commit there are no
/// effects, and an image is stored before the next command.
///
/// ```
/// # use locox::fair::{DecayParams, StationId, TimedRow, TimedUpDown};
/// # use locox_coordinators::station::{Arrays, Command, Config, Coordinator};
/// # use locox::time::{Duration, Instant};
/// # use locox_storage::{Directory, DurableCoordinator, Files};
/// # let minute = Duration::from_ticks(60);
/// # let ranking = TimedUpDown::new([TimedRow::EMPTY; 2], DecayParams::standard(minute))?;
/// # let rows = Arrays::<2, 3, 8, 8>::EMPTY;
/// # let network = Coordinator::new(Config::standard(minute), rows, ranking, Instant::ZERO)?;
/// # let folder = tempfile::tempdir()?;
/// # let files = Files::new(Directory::open(folder.path())?);
/// # let mut durable = DurableCoordinator::format(network, files)?;
/// let now = Instant::from_ticks(5);
/// let mut batch = durable.batch();
/// for serial in 1..=3 {
///     batch.apply(now, Command::Submit { home: StationId(1), serial }.into())?;
/// }
/// batch.commit()?; // one sync
/// assert_eq!(durable.place().commands, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "nothing is durable before the commit"]
pub struct Batch<'a, C, S> {
    durable: &'a mut DurableCoordinator<C, S>,
    /// Whether what was appended since the last sync or image leads from there to the present state.
    open: bool,
}

impl<C: Coordinate, S: Store> Batch<'_, C, S> {
    /// The coordinator, with the commands of this batch.
    pub const fn coordinator(&self) -> &C {
        self.durable.coordinator()
    }

    /// Takes a command and stores it. An image is stored first if there is no room.
    ///
    /// # Errors
    ///
    /// [`ApplyError`]. Other commands may follow, also after one of the store.
    pub fn apply_drawn(
        &mut self,
        now: Instant,
        command: C::Command,
        draw: C::Draw,
    ) -> Answer<C, S> {
        let DurableCoordinator { pool, store, behind } = &mut *self.durable;
        if !store.has_room() || (*behind && !self.open) {
            store.checkpoint(pool).map_err(ApplyError::Store)?;
            (*behind, self.open) = (false, false);
        }
        let taken = pool.apply_in_batch(now, command, draw, self.open);
        let (answer, record) = taken.map_err(ApplyError::Coordinator)?;
        // Until the commit; and if it is not stored, until an image is.
        *behind = true;
        let stored = store.append(&record);
        self.open = stored.is_ok();
        stored.map(|()| answer).map_err(ApplyError::Store)
    }

    /// As [`Batch::apply_drawn`], for coordinators that draw no lots.
    ///
    /// # Errors
    ///
    /// Those of [`Batch::apply_drawn`].
    pub fn apply(&mut self, now: Instant, command: C::Command) -> Answer<C, S>
    where
        C: Coordinate<Draw = ()>,
    {
        self.apply_drawn(now, command, ())
    }

    /// Makes all commands of this batch durable.
    ///
    /// # Errors
    ///
    /// Those of the store; any number of the commands may be durable then, and there will be no effects
    /// until [`DurableCoordinator::catch_up`].
    pub fn commit(self) -> Result<(), S::Error> {
        if !self.open {
            return if self.durable.behind { self.durable.catch_up() } else { Ok(()) };
        }
        self.durable.store.sync()?;
        self.durable.behind = false;
        Ok(())
    }
}

impl<C: Coordinate, S: Store> DurableCoordinator<C, S> {
    /// Takes a command and stores it. An image is stored first if there is no room.
    ///
    /// # Errors
    ///
    /// [`ApplyError`].
    pub fn apply_drawn(
        &mut self,
        now: Instant,
        command: C::Command,
        draw: C::Draw,
    ) -> Answer<C, S> {
        let mut batch = self.batch();
        let answer = batch.apply_drawn(now, command, draw)?;
        batch.commit().map_err(ApplyError::Store)?;
        Ok(answer)
    }

    /// Begins commands that become durable together: a file is synced once for all of them.
    pub fn batch(&mut self) -> Batch<'_, C, S> {
        Batch { durable: self, open: false }
    }

    /// As [`DurableCoordinator::apply_drawn`], for coordinators that draw no lots.
    ///
    /// # Errors
    ///
    /// Those of [`DurableCoordinator::apply_drawn`].
    pub fn apply(&mut self, now: Instant, command: C::Command) -> Answer<C, S>
    where
        C: Coordinate<Draw = ()>,
    {
        self.apply_drawn(now, command, ())
    }
}
