//! Names that structures grant, as numbers of C.

use crate::interface::structures;
use crate::values::{IntoC, values};
use locox::handle::{Epoch, Generation, Handle, PoolId};

structures! {
    /// A name that was granted, as plain numbers.
    pub struct locox_handle {
        /// The row that it names.
        pub index: u32,
        /// Tells it from others that named this row.
        pub generation: u32,
        /// The structure that granted it.
        pub pool: u16,
        /// Since which restart.
        pub epoch: u16,
    }
}

impl From<locox_handle> for Handle {
    fn from(it: locox_handle) -> Self {
        let generation = Generation::from_raw(it.generation);
        Self::from_parts(PoolId(it.pool), it.index, generation, Epoch(it.epoch))
    }
}

impl IntoC<locox_handle> for Handle {
    fn into_c(self) -> locox_handle {
        let (generation, pool, epoch) = (self.generation().raw(), self.pool().0, self.epoch().0);
        locox_handle { index: self.index(), generation, pool, epoch }
    }
}

/// Names of the kernel's as numbers, both ways.
macro_rules! names {
    ($($name:ty),*) => {
        $(impl From<locox_handle> for $name {
            fn from(it: locox_handle) -> Self {
                Self::from_handle(it.into())
            }
        })*
        values! { $($name as locox_handle: |it| it.handle().into_c(), else it.into();)* }
    };
}
names!(
    locox_coordinators::coordinate::JobId,
    locox::dispatch::Ticket,
    locox::reserve::ReservationId
);
