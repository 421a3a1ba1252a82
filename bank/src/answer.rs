//! What a command is answered with.

use crate::Name;
use crate::command::name;
use crate::size::DIMS;
use locox::cube::{Dim, Node, Subcube};
use locox::image::{BadImage, Stored};
use serde::{Deserialize, Serialize};

/// What a command that was taken is answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// It is done.
    Done,
    /// A subcube was granted.
    Leased {
        /// What to call it.
        lease: Name,
        /// Its nodes.
        cube: Subcube,
    },
    /// PEs were reserved.
    Reserved {
        /// What to call it.
        reservation: Name,
        /// From this tick on.
        start: u64,
        /// Up to this tick.
        end: u64,
        /// Which PEs: a bit each.
        pes: u32,
    },
    /// A job waits.
    Job {
        /// What to call it.
        job: Name,
    },
}

impl Stored for Answer {
    fn store(&self, put: &mut impl FnMut(u32)) {
        let mut put_name = |variant: u32, name: &Name| {
            [variant, name.index, name.generation].into_iter().for_each(&mut *put);
        };
        match self {
            Self::Done => put(0),
            Self::Leased { lease, cube } => {
                put_name(1, lease);
                [cube.base().0, cube.mask()].into_iter().for_each(put);
            }
            Self::Reserved { reservation, start, end, pes } => {
                put_name(2, reservation);
                start.store(put);
                end.store(put);
                put(*pes);
            }
            Self::Job { job } => put_name(3, job),
        }
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        Ok(match take()? {
            0 => Self::Done,
            1 => Self::Leased { lease: name(take)?, cube: cube(take()?, take()?)? },
            2 => Self::Reserved {
                reservation: name(take)?,
                start: Stored::load(take)?,
                end: Stored::load(take)?,
                pes: take()?,
            },
            3 => Self::Job { job: name(take)? },
            _ => return Err(BadImage::Contradiction("no such answer")),
        })
    }
}

fn cube(base: u32, mask: u32) -> Result<Subcube, BadImage> {
    let cube = Dim::new(DIMS).and_then(|dims| Subcube::new(dims, Node(base), mask));
    cube.ok_or(BadImage::Contradiction("no such subcube"))
}
