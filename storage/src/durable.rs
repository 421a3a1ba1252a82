//! A coordinator and where its history is stored.

use crate::RecoveryReport;
use locox::image::Place;
use locox::time::Instant;
use locox_coordinators::coordinate::{Coordinate, Durable, EffectRecord, Record};

/// Where an image and the records behind it are stored.
pub trait Store {
    /// What can go wrong.
    type Error;

    /// Whether there is room for another record.
    fn has_room(&self) -> bool;

    /// Stores a record behind the others. It is durable at the latest when [`Store::sync`] returns.
    ///
    /// # Errors
    ///
    /// Those of the medium; the record may be durable then, or not.
    fn append(&mut self, record: &Record) -> Result<(), Self::Error>;

    /// Makes durable what was appended.
    ///
    /// # Errors
    ///
    /// Those of the medium; any of the records since the last time may be durable then, or not.
    fn sync(&mut self) -> Result<(), Self::Error>;

    /// Stores an image in place of the one before and its records. Cut at any point, it leaves
    /// the one or the other. If nothing was recovered, nothing that was there before is left, and a cut may
    /// leave nothing.
    ///
    /// # Errors
    ///
    /// Those of the medium, and of too little room.
    fn checkpoint<C: Coordinate>(&mut self, pool: &Durable<C>) -> Result<(), Self::Error>;

    /// Whether there is an image to recover. Nothing is written; of no use is what is left in `pool`.
    ///
    /// # Errors
    ///
    /// Those of [`Store::recover`], but for a missing image.
    fn has_image<C: Coordinate>(&mut self, pool: &mut Durable<C>) -> Result<bool, Self::Error>;

    /// Takes a fresh coordinator to the state that is stored. Whoever calls it stores an image next, or
    /// [resumes](Store::resume), as [`DurableCoordinator::recover`] does.
    ///
    /// # Errors
    ///
    /// Those of the medium, and whatever is wrong with what is stored.
    fn recover<C: Coordinate>(
        &mut self,
        pool: &mut Durable<C>,
    ) -> Result<RecoveryReport, Self::Error>;

    /// As [`Store::recover`], but where a record is damaged it ends, and says what it
    /// [left out](RecoveryReport::left_out). An image has to be stored next.
    ///
    /// # Errors
    ///
    /// Those of the medium, and whatever is wrong with the image.
    fn salvage<C: Coordinate>(
        &mut self,
        pool: &mut Durable<C>,
    ) -> Result<RecoveryReport, Self::Error>;

    /// After [`Store::recover`], if no image can be stored: goes on with what is stored, this record behind it.
    /// Whether it can.
    fn resume(&mut self, _record: &Record) -> bool {
        false
    }
}

/// Why a durable coordinator does not take a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApplyError<E, S> {
    /// The coordinator does not; nothing has changed.
    Coordinator(E),
    /// It is not known to be stored. The state may have it, and then an image that is stored later has it, too. Until
    /// [`DurableCoordinator::catch_up`] or another command is stored there are no effects, and whoever answers questions
    /// from the state tells of what may be lost.
    Store(S),
}

impl<E: core::fmt::Display, S: core::fmt::Display> core::fmt::Display for ApplyError<E, S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Coordinator(error) => error.fmt(f),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl<E, S> core::error::Error for ApplyError<E, S>
where
    E: core::fmt::Debug + core::fmt::Display,
    S: core::fmt::Debug + core::fmt::Display,
{
}

/// What a durable coordinator answers to a command.
pub type Answer<C, S> =
    Result<<C as Coordinate>::Answer, ApplyError<<C as Coordinate>::Error, <S as Store>::Error>>;

/// A coordinator whose commands are durable before their effects are told.
///
/// # Invariants
///
/// - Unless it is behind, what is stored leads to the present state, but for effects that were taken since.
#[derive(Clone, Debug)]
pub struct DurableCoordinator<C, S> {
    pub(crate) pool: Durable<C>,
    pub(crate) store: S,
    /// A write has failed, or a batch was not committed.
    pub(crate) behind: bool,
}

impl<C: Coordinate, S: Store> DurableCoordinator<C, S> {
    /// Goes on from what is stored, or begins if there is nothing: how a service starts. `fresh` makes a
    /// coordinator that was told nothing yet. What was found; `None` if it begins.
    ///
    /// The store stays open between the look and the first image. To recover with one and to format with
    /// another is wrong: a process that starts at the same time may have been there in between, and what it
    /// answered would be overwritten.
    ///
    /// # Errors
    ///
    /// Those of the store; what is stored and damaged is never overwritten.
    pub fn recover_or_format(
        mut fresh: impl FnMut() -> C,
        mut store: S,
    ) -> Result<(Self, Option<RecoveryReport>), S::Error> {
        if store.has_image(&mut Durable::new(fresh()))? {
            return Self::recover(fresh(), store).map(|(durable, found)| (durable, Some(found)));
        }
        Ok((Self::format(fresh(), store)?, None))
    }

    /// Begins with a coordinator that was told nothing yet. Whatever is stored is overwritten.
    ///
    /// # Errors
    ///
    /// Those of the store.
    pub fn format(coordinator: C, mut store: S) -> Result<Self, S::Error> {
        let pool = Durable::new(coordinator);
        store.checkpoint(&pool)?;
        Ok(Self { pool, store, behind: false })
    }

    /// Goes on from what is stored, with a coordinator that was told nothing yet. Everybody is told
    /// again what he should be doing; the clock goes on from [`DurableCoordinator::now`].
    ///
    /// # Errors
    ///
    /// Those of the store.
    pub fn recover(coordinator: C, mut store: S) -> Result<(Self, RecoveryReport), S::Error> {
        let mut pool = Durable::new(coordinator);
        let recovered = store.recover(&mut pool)?;
        let told_again = pool.resync();
        // The image has that they are told again; nothing is behind it.
        match store.checkpoint(&pool) {
            Err(error) if !store.resume(&told_again) => Err(error),
            _ => Ok((Self { pool, store, behind: false }, recovered)),
        }
    }

    /// As [`DurableCoordinator::recover`], for a history that this refuses as damaged: goes on from its last good
    /// record. Commands behind it are lost although they were answered, and their effects may have been carried out:
    /// do this only on an operator's word, and say what the report says. [`RecoveryReport::left_out`] is `None` if
    /// nothing is damaged.
    ///
    /// # Errors
    ///
    /// Those of the store; without a whole image there is nothing to go on from.
    pub fn salvage(coordinator: C, mut store: S) -> Result<(Self, RecoveryReport), S::Error> {
        let mut pool = Durable::new(coordinator);
        let found = store.salvage(&mut pool)?;
        pool.resync();
        store.checkpoint(&pool)?;
        Ok((Self { pool, store, behind: false }, found))
    }

    /// The coordinator.
    pub const fn coordinator(&self) -> &C {
        self.pool.coordinator()
    }

    /// Where the history is stored.
    pub const fn store(&self) -> &S {
        &self.store
    }

    /// Ends the service and gives the store back: the folder is free when it is dropped.
    pub fn into_store(self) -> S {
        self.store
    }

    /// How far it is.
    pub const fn place(&self) -> Place {
        self.pool.place()
    }

    /// The latest time given.
    pub fn now(&self) -> Instant {
        self.pool.now()
    }

    /// When the next command is due if nothing happens before.
    pub fn wake_at(&self) -> Option<Instant> {
        self.pool.coordinator().wake_at()
    }

    /// Whether an image is stored before the next command, which then takes longer.
    pub fn wants_image(&self) -> bool {
        self.behind || !self.store.has_room()
    }

    /// Stores an image: after an error of the store, or when there is time for it.
    ///
    /// # Errors
    ///
    /// Those of the store.
    pub fn catch_up(&mut self) -> Result<(), S::Error> {
        self.store.checkpoint(&self.pool)?;
        self.behind = false;
        Ok(())
    }

    /// The next thing to be done; `None` when everything is, or while it is not stored.
    pub fn take_effect(&mut self) -> Option<EffectRecord<C::Effect>> {
        if self.behind { None } else { self.pool.take_effect() }
    }

    /// The record of an effect, as it is sent.
    pub fn record_of(&self, told: &EffectRecord<C::Effect>) -> Record {
        self.pool.record_of(told)
    }
}
