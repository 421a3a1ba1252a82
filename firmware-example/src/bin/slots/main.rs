//! The downlink table of a radio gateway: a timeline alone, in 32 slots.
//!
//! After each uplink a device listens twice: a second later, and a second after that. The gateway has
//! four channels to answer on; an answer has to go out at one of these times or not at all. Its clock
//! counts microseconds in 32 bits, which wrap every 71 minutes.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use board::println;
use core::panic::PanicInfo;
use locox::bits::Word;
use locox::handle::PoolId;
use locox::reserve::{Error, Fit, Limits, Lowest, Refusal, Request, Timeline};
use locox::time::{Duration, Instant, WideCounter};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg32;
use static_cell::ConstStaticCell;

/// Channels, and answers that wait at a time: 31 slots, and one that lasts.
const LIMITS: Limits = Limits { pes: 4, reservations: 15 };
static STORAGE: ConstStaticCell<[Word; Timeline::words(LIMITS)]> =
    ConstStaticCell::new([0; Timeline::words(LIMITS)]);

const SECOND: Duration = Duration::from_ticks(1_000_000);
const UPLINKS: u32 = 20_000;

#[board::entry]
fn main() -> ! {
    board::exit(run())
}

fn run() -> Option<()> {
    let mut table = Timeline::new(PoolId(1), LIMITS, &mut STORAGE.try_take()?[..]).ok()?;
    let mut clock = WideCounter::new(32)?;
    let mut air = Pcg32::seed_from_u64(1);
    // What the counter shows; it wraps soon.
    let mut counter = 0xFF00_0000_u32;
    let mut counts = Counts::default();
    for _ in 0..UPLINKS {
        counter = counter.wrapping_add(air.next_u32() % 500_000);
        let now = clock.extend(counter.into());
        // Between 36 ms and a second and a half, by data rate.
        let airtime = Duration::from_ticks(36_000 + u64::from(air.next_u32() % 1_450_000));
        table.advance(now).ok()?;
        counts.count(answer(&mut table, now, airtime)?);
        if counts.all() % 1000 == 0 {
            table.check_invariants().ok()?;
        }
    }
    println!(
        "{} words of storage, {} answers at a time",
        Timeline::words(LIMITS),
        LIMITS.reservations
    );
    println!(
        "{} uplinks in {} s, {} wraps",
        counts.all(),
        clock.last().ticks() / 1_000_000,
        clock.last().ticks() >> 32
    );
    println!("{} answered at once, {} later", counts.first, counts.second);
    println!(
        "{} lost: {} no channel, {} no room",
        counts.busy + counts.full,
        counts.busy,
        counts.full
    );
    (clock.last().ticks() >> 32 > 0).then_some(())
}

/// What became of an answer.
enum Outcome {
    First,
    Second,
    Busy,
    Full,
}

#[derive(Default)]
struct Counts {
    first: u32,
    second: u32,
    busy: u32,
    full: u32,
}

impl Counts {
    fn count(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::First => self.first += 1,
            Outcome::Second => self.second += 1,
            Outcome::Busy => self.busy += 1,
            Outcome::Full => self.full += 1,
        }
    }

    fn all(&self) -> u32 {
        self.first + self.second + self.busy + self.full
    }
}

/// Reserves a channel for an answer to what was heard at `now`. `None` if the table says what it must not.
fn answer(table: &mut Timeline<&mut [Word]>, now: Instant, airtime: Duration) -> Option<Outcome> {
    let mut listens = now;
    for outcome in [Outcome::First, Outcome::Second] {
        listens = listens.saturating_add(SECOND);
        let request = Request::new(listens, airtime, 1).by(listens.saturating_add(airtime));
        match table.reserve(&request, &Fit::First, &Lowest) {
            Ok((_, placed)) if placed.start == listens => return Some(outcome),
            Err(Error::Refused(Refusal::Full { .. })) => return Some(Outcome::Full),
            Err(Error::Refused(Refusal::Late { .. })) => {}
            _ => return None,
        }
    }
    Some(Outcome::Busy)
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    board::panicked(info)
}
