//! Names that structures grant, as numbers of C.

use crate::fault::Answer;
use crate::interface::structures;
use crate::values::{FromC, IntoC};
use locox::handle::{Epoch, Generation, Handle, PoolId};
use locox_coordinators::coordinate::JobId;

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

impl From<Handle> for locox_handle {
    fn from(handle: Handle) -> Self {
        Self {
            index: handle.index(),
            generation: handle.generation().raw(),
            pool: handle.pool().0,
            epoch: handle.epoch().0,
        }
    }
}

impl From<locox_handle> for Handle {
    fn from(it: locox_handle) -> Self {
        let generation = Generation::from_raw(it.generation);
        Self::from_parts(PoolId(it.pool), it.index, generation, Epoch(it.epoch))
    }
}

/// Names of the kernel's as numbers, both ways.
macro_rules! names {
    ($($name:ty),* $(,)?) => {$(
        impl From<$name> for locox_handle {
            fn from(name: $name) -> Self {
                name.handle().into()
            }
        }

        impl From<locox_handle> for $name {
            fn from(it: locox_handle) -> Self {
                Self::from_handle(it.into())
            }
        }

        impl IntoC<locox_handle> for $name {
            fn into_c(self) -> locox_handle {
                self.into()
            }
        }

        impl FromC<locox_handle> for $name {
            fn from_c(it: locox_handle) -> Answer<Self> {
                Ok(it.into())
            }
        }
    )*};
}

names!(JobId, locox::dispatch::Ticket, locox::reserve::ReservationId,);
