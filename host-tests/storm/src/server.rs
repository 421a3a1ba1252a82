//! What workstations talk to: a coordinator of their own, or a bank.

use crate::context::Context;
use locox::image::Identity;
use locox::time::Duration;
use locox_coordinators::coordinate::EffectRecord;
use locox_coordinators::station::{Effect, Error, JobId, Message, Status};

/// What a coordinator says to a message.
#[derive(Debug)]
pub(crate) enum Said {
    Taken(Option<JobId>),
    Refused(Error),
    /// Nothing: it is down, or cannot store it.
    Nothing,
}

/// Whoever coordinates a network of workstations.
pub(crate) trait Server {
    fn say(&mut self, context: &mut Context, message: Message) -> Said;

    /// The number of the last effect that was told.
    fn told(&self) -> u64;

    fn take_effect(&mut self, context: &mut Context) -> Option<EffectRecord<Effect>>;

    /// Where a job is; `None` if it has ended, or nobody answers.
    fn status(&self, job: JobId) -> Option<Status>;

    /// Whether it answers.
    fn is_up(&self) -> bool;

    /// Whether nobody wants or has anything.
    fn is_idle(&self) -> bool;

    /// For how long a host may be silent.
    fn lease(&self) -> Option<Duration>;

    /// With what its records are sealed.
    fn identity(&self) -> Identity;
}
