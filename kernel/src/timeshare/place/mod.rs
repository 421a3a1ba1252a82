//! Which hosts a job gets, and at which level.

mod first_level;
mod non_interfering;

pub use first_level::FirstLevel;
pub use non_interfering::NonInterfering;

use super::{JobNumber, Level, Misuse, PlacementView, Refusal, Request};
use crate::draw::Draw;

crate::data::cases! {
    /// Why a placement chose the hosts that it chose.
    pub enum Why {
        /// No more urgent level is free on so many hosts.
        Level(Level),
        /// These hosts have no other job.
        Idle,
        /// Fewer are idle than it needs; all others, which are so many, have this job at the top.
        Beside { owner: JobNumber, shared: u32 },
        /// Fewer are idle than it needs, and no owner has enough hosts that would take it: it shares
        /// so many, with more than one owner.
        Spanning { shared: u32 },
    }
}

crate::data::data! {
    /// What a placement decided, besides the hosts that it picked.
    pub struct Choice {
        /// The level of the job on all these hosts; `None` for the first one below all others of
        /// each.
        pub level: Option<Level>,
        /// Why.
        pub why: Why,
    }
}

/// A rule that picks hosts for a job.
///
/// The hosts must be free at the level chosen: a table refuses what is not.
pub trait Placement {
    /// What is drawn for each job: `()` if nothing is left to chance.
    type Draw: Draw;

    /// The name in tables and options.
    fn name(&self) -> &'static str;

    /// Whether it can be used on a table with so many levels.
    ///
    /// # Errors
    ///
    /// [`Misuse::Levels`].
    fn check(&self, levels: u8) -> Result<(), Misuse>;

    /// Picks as many hosts as requested, of which there are at least as many.
    ///
    /// # Errors
    ///
    /// A [`Refusal`], if the job has to wait.
    fn choose(
        &self,
        view: &mut PlacementView<'_>,
        request: &Request,
        draw: Self::Draw,
    ) -> Result<Choice, Refusal>;
}

/// Whether a placement may use `used` of `levels` levels.
const fn check_degree(used: u8, levels: u8) -> Result<(), Misuse> {
    if used == 0 || used > levels { Err(Misuse::Levels { levels: used }) } else { Ok(()) }
}
