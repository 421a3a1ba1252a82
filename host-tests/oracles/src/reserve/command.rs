//! Calls of a timeline, written down without knowledge of its state.

use super::naive::{Entry, Which};
use super::subject::at;
use crate::digits::Digits;
use locox::reserve::{Fit, Request};
use locox::time::Duration;

/// One call. Reservations are named by the order in which they were made, modulo their number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Asks for a place.
    Find(Request, Fit, Which),
    /// Asks for all starts and rectangles.
    Candidates(Request),
    /// Takes the place.
    Reserve(Request, Fit, Which),
    /// Takes PEs and an interval of its own choice.
    Add(Entry),
    /// Gives one back.
    Cancel(usize),
    /// So many, one after the other.
    CancelMany(usize, usize),
    /// Ends sooner or later.
    SetEnd(usize, u64),
    /// Starts sooner or later, for as long.
    MoveTo(usize, u64),
    /// Takes another interval and other PEs instead.
    Replace(usize, Entry),
    /// Asks for a place as if it were not there.
    FindInstead(usize, Request, Fit, Which),
    /// Starts as early as can be.
    BringForward(usize),
    /// Time passes; going back is refused.
    Advance(u64),
    /// From now on these PEs are out of service.
    Out(u128),
    /// Asks what is free, from and for how long.
    Free(u64, u64),
}

/// How large commands are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// PEs of the machine.
    pub pes: u32,
    /// Ready times and starts are below.
    pub span: u64,
    /// At most so many are cancelled at once.
    pub cancelled: u64,
}

/// A mixture in which the timeline fills up, changes, and is misused sometimes.
pub const EVEN: Weights = Weights::new([5, 5, 2, 1, 2, 1, 2, 2, 1, 1, 2, 1, 1, 2]);

/// A mixture in which many reservations stand at a time.
pub const CROWDED: Weights = Weights::new([15, 15, 2, 1, 2, 1, 2, 2, 1, 1, 2, 1, 1, 2]);

/// Weights of the kinds of commands.
pub type Weights = crate::Weights<14>;

impl Command {
    /// The command that `number` stands for.
    pub fn decode(scale: Scale, number: u64, weights: &Weights) -> Self {
        let digits = &mut Digits(number);
        match weights.kind(digits) {
            0 => {
                let (request, fit, which) = asked(digits, scale);
                Self::Reserve(request, fit, which)
            }
            1 => Self::Add(entry(digits, scale)),
            2 => {
                let (request, fit, which) = asked(digits, scale);
                Self::Find(request, fit, which)
            }
            3 => Self::Candidates(request(digits, scale)),
            4 => Self::Cancel(digits.pick()),
            5 => Self::CancelMany(digits.pick(), digits.below(scale.cancelled) as usize),
            6 => Self::SetEnd(digits.pick(), digits.below(scale.span)),
            7 => Self::MoveTo(digits.pick(), digits.below(scale.span)),
            8 => Self::Replace(digits.pick(), entry(digits, scale)),
            9 => {
                let (request, fit, which) = asked(digits, scale);
                Self::FindInstead(digits.pick(), request, fit, which)
            }
            10 => Self::BringForward(digits.pick()),
            11 => Self::Advance(digits.below(8)),
            12 => Self::Out(scattered(digits) & scattered(digits)),
            _ => Self::Free(digits.below(scale.span), 1 + digits.below(39)),
        }
    }
}

fn asked(digits: &mut Digits, scale: Scale) -> (Request, Fit, Which) {
    let which = [Which::Lowest, Which::Contiguous, Which::Aligned, Which::Even];
    let request = request(digits, scale);
    let fit = Fit::ALL[digits.below(Fit::ALL.len() as u64) as usize];
    (request, fit, which[digits.below(4) as usize])
}

/// A request that makes sense most of the time.
fn request(digits: &mut Digits, scale: Scale) -> Request {
    let (ready, length) = (digits.below(scale.span), digits.below(25));
    let pes = match digits.below(5) {
        4 => digits.below(u64::from(scale.pes) + 2),
        _ => 1 + digits.below(u64::from(scale.pes.div_ceil(3))),
    };
    let request = Request::new(at(ready), Duration::from_ticks(length), pes as u32);
    if digits.one_in(2) {
        return request;
    }
    if digits.one_in(20) {
        return request.by(at((ready + length).saturating_sub(1)));
    }
    request.by(at(ready + length + digits.below(40)))
}

/// PEs and an interval; a long one passes over whole leaves.
fn entry(digits: &mut Digits, scale: Scale) -> Entry {
    let start = digits.below(scale.span);
    let longest = if digits.one_in(9) { scale.span / 2 } else { 30 };
    let length = digits.below(longest);
    let set = if digits.one_in(2) {
        scattered(digits)
    } else {
        let (first, count) = (digits.below(u64::from(scale.pes)), digits.below(12));
        ((1u128 << count) - 1) << first
    };
    (start, start + length, set, 0)
}

/// A set of PEs that lie apart; about one in four.
fn scattered(digits: &mut Digits) -> u128 {
    let mixed = u128::from(digits.below(1 << 24) + 1)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
    mixed & mixed.rotate_right(53)
}
