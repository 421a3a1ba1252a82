//! A line with or without a limit of how many jobs of a user run at once.

use super::line::{AnyLine, Line};
use crate::pool::Words;
use crate::prelude::*;
use core::num::NonZeroU32;
use locox::dispatch::{Ticket, UserLimit, UserOf, UserRow};
use locox::reserve::{Interval, Profile, Request};

callbacks! {
    /// Called with the number of a job: the number of its user, always the same.
    pub type locox_user_fn(id: u32) -> u32;
}

/// What says whose a job is, with what the caller named.
pub(crate) struct Users {
    pub(crate) user_of: unsafe extern "C" fn(id: u32, user: *mut c_void) -> u32,
    pub(crate) user: *mut c_void,
}

impl UserOf for Users {
    fn user_of(&self, id: u32) -> u32 {
        // SAFETY: the callback keeps the contract of `memory` as long as the limit lasts.
        unsafe { (self.user_of)(id, self.user) }
    }
}

type Limited = UserLimit<Line, Users, &'static mut [UserRow]>;

pub(crate) enum Front {
    Open(Line),
    Limited(Limited),
}

impl Front {
    fn line(&self) -> &Line {
        match self {
            Self::Open(line) => line,
            Self::Limited(limit) => limit.queue(),
        }
    }

    fn line_mut(&mut self) -> &mut Line {
        match self {
            Self::Open(line) => line,
            Self::Limited(limit) => limit.queue_mut(),
        }
    }

    fn into_line(self) -> Line {
        match self {
            Self::Open(line) => line,
            Self::Limited(limit) => limit.into_queue(),
        }
    }
}

/// The limit is linked only where one is set.
pub(crate) type Body = ErasedBody<Front, dyn AnyLine>;

/// A line without a limit.
pub(crate) fn open(line: Line) -> Body {
    Body::new(|front| front.line().look(), |front| front.line_mut().get(), Front::Open(line))
}

/// How many rows a limit needs.
pub(crate) fn rows(body: &Body) -> usize {
    body.any.line().rows
}

/// The line under this limit from now on, in place of the one that it had.
pub(crate) fn limit(
    body: &mut Body,
    now: Instant,
    most: NonZeroU32,
    users: Users,
    rows: Storage<UserRow>,
) {
    fn look(front: &Front) -> &(dyn AnyLine + 'static) {
        match front {
            Front::Limited(limit) => limit,
            Front::Open(line) => line.look(),
        }
    }
    fn act(front: &mut Front) -> &mut (dyn AnyLine + 'static) {
        match front {
            Front::Limited(limit) => limit,
            Front::Open(line) => line.get(),
        }
    }
    replace(body, |body| {
        // They may be those of the limit before, which is gone now.
        let line = body.any.into_line();
        let limit = UserLimit::new(line, rows.cleared(UserRow::EMPTY), most, users, now);
        Body::new(look, act, Front::Limited(limit))
    });
}

impl AnyLine for Limited {
    forward! {
        look |it| it.queue().look() =>
            fn export(put: &mut dyn FnMut(u32));
            fn estimate(ticket: Ticket, scratch: &mut Profile<Words>) -> Answer<Option<Interval>>;
        act |it| it.queue_mut().get() =>
            fn begin(epoch: Epoch);
            fn reserve(now: Instant, id: u32, asked: &Request) -> Answer<(Ticket, Interval)>;
            fn withdraw(now: Instant, pes: u32) -> Answer;
            fn repair(now: Instant, pes: u32) -> Answer;
    }

    fn load(&mut self, image: &mut dyn Iterator<Item = u32>) -> Result<(), BadImage> {
        let loaded = self.queue_mut().get().load(image);
        self.recount(Instant::ZERO);
        loaded
    }
}
