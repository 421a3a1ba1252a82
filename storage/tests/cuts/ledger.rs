//! A coordinator that notes tickets: what was answered can be told from what is stored.

use locox::handle::PoolId;
use locox::image::{BadImage, Identity, Stored};
use locox::time::Instant;
use locox_coordinators::coordinate::{Coordinate, Snapshot};

/// Which of 64 tickets were noted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    tickets: u64,
    now: u64,
}

impl Ledger {
    pub(crate) fn has(&self, ticket: Ticket) -> bool {
        self.tickets >> ticket.0 & 1 == 1
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ticket(pub(crate) u32);

impl Stored for Ticket {
    fn store(&self, put: &mut impl FnMut(u32)) {
        put(1);
        put(self.0);
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        take()?;
        take().map(Self)
    }
}

/// It was noted already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Twice;

impl Snapshot for Ledger {
    type Kept = Instant;

    fn identity(&self) -> Identity {
        Identity { kind: *b"NOTE", version: 1, pool: PoolId(1), configuration: 0 }
    }

    fn kept(&self) -> Instant {
        Instant::from_ticks(self.now)
    }

    fn store(&self, put: &mut dyn FnMut(u32)) {
        for number in [self.tickets, self.now] {
            put(number as u32);
            put((number >> 32) as u32);
        }
    }

    fn load_contents(
        &mut self,
        take: &mut dyn FnMut() -> Result<u32, BadImage>,
    ) -> Result<(), BadImage> {
        let mut number = || Ok(u64::from(take()?) | u64::from(take()?) << 32);
        (self.tickets, self.now) = (number()?, number()?);
        Ok(())
    }

    fn reset(&mut self, now: Instant) {
        (self.tickets, self.now) = (0, now.ticks());
    }
}

impl Coordinate for Ledger {
    type Command = Ticket;
    type Effect = Ticket;
    type Answer = ();
    type Error = Twice;
    type Draw = ();

    fn apply_drawn(&mut self, now: Instant, ticket: Ticket, (): ()) -> Result<(), Twice> {
        if self.has(ticket) {
            return Err(Twice);
        }
        self.tickets |= 1 << ticket.0;
        self.now = now.ticks();
        Ok(())
    }

    fn peek_effect(&self) -> Option<Ticket> {
        None
    }

    fn take_effect(&mut self) -> Option<Ticket> {
        None
    }

    fn resync(&mut self) {}
}
