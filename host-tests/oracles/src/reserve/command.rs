//! Calls of a timeline, written down without knowledge of its state.

use super::naive::{Entry, Which};
use super::speeds::Paces;
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
    /// Takes the place among some PEs: those allowed, those required.
    ReserveAmong(Request, Fit, Which, u128, u128),
    /// Takes the place on PEs of unlike speed, of which some are required.
    ReserveAtSpeeds(Request, Fit, Which, Paces, u128),
    /// Takes the place of the alternative that ends first.
    ReserveOneOf(Vec<Request>, Which),
    /// Takes so many places, one a period.
    ReserveSeries(Request, u64, usize, Which),
    /// Makes changes and keeps them, or does not.
    Attempt(Vec<Trial>, bool),
    /// Time passes; going back is refused.
    Advance(u64),
    /// From now on these PEs are out of service.
    Out(u128),
    /// Asks what is free, from and for how long.
    Free(u64, u64),
    /// Another epoch begins, perhaps after a restart.
    Restart(Restart),
}

/// How a restart goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    /// Another epoch begins without one.
    Begin,
    /// Something fresh takes the state of an image exactly.
    Load,
    /// Something fresh goes on from an image in another epoch.
    Restore,
}

impl Restart {
    pub(crate) fn decode(digits: &mut Digits) -> Self {
        match digits.below(3) {
            0 => Self::Begin,
            1 => Self::Load,
            _ => Self::Restore,
        }
    }
}

/// A change within an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trial {
    /// Takes the place.
    Reserve(Request, Fit, Which),
    /// Gives one back.
    Cancel(usize),
    /// Starts one sooner or later.
    MoveTo(usize, u64),
}

/// Steps that an attempt has room for; now and then one has more.
pub(super) const STEPS: usize = 4;

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
pub const EVEN: Weights =
    Weights::new([5, 5, 2, 1, 2, 1, 2, 2, 1, 1, 2, 1, 1, 2, 2, 2, 1, 2, 1, 2]);

/// A mixture in which many reservations stand at a time.
pub const CROWDED: Weights =
    Weights::new([15, 15, 2, 1, 2, 1, 2, 2, 1, 1, 2, 1, 1, 2, 2, 2, 1, 2, 1, 2]);

/// A mixture of what concerns several requests, of masks and of speeds.
pub const TOGETHER: Weights =
    Weights::new([1, 1, 0, 0, 2, 1, 0, 0, 0, 0, 0, 3, 1, 0, 8, 8, 8, 8, 1, 8]);

/// Weights of the kinds of commands.
pub type Weights = crate::Weights<20>;

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
            13 => Self::Free(digits.below(scale.span), 1 + digits.below(39)),
            14 => {
                let (request, fit, which) = asked(digits, scale);
                let (allowed, required) = mask(digits);
                Self::ReserveAmong(request, fit, which, allowed, required)
            }
            15 => {
                let alternatives =
                    (0..digits.below(4)).map(|n| request(&mut part(digits, n), scale));
                Self::ReserveOneOf(alternatives.collect(), which(&mut part(digits, 4)))
            }
            16 => {
                let (first, period, times) =
                    (request(digits, scale), digits.below(60), digits.below(5));
                Self::ReserveSeries(first, period, times as usize, which(digits))
            }
            18 => Self::Restart(Restart::decode(digits)),
            19 => {
                let (request, fit, which) = asked(digits, scale);
                let digits = &mut part(digits, 5);
                let paces = paces(digits);
                let required = if digits.one_in(4) { mask(digits).1 } else { 0 };
                Self::ReserveAtSpeeds(request, fit, which, paces, required)
            }
            _ => {
                let kept = digits.one_in(2);
                let count = 1 + digits.below(STEPS as u64 + 1);
                let trials = (0..count).map(|n| trial(&mut part(digits, n), scale));
                Self::Attempt(trials.collect(), kept)
            }
        }
    }
}

pub(super) fn asked(digits: &mut Digits, scale: Scale) -> (Request, Fit, Which) {
    let request = request(digits, scale);
    let fit = Fit::ALL[digits.below(Fit::ALL.len() as u64) as usize];
    (request, fit, which(digits))
}

fn which(digits: &mut Digits) -> Which {
    let all = [Which::Lowest, Which::Contiguous, Which::Aligned, Which::Even];
    all[digits.below(4) as usize]
}

/// About half of the PEs, of which few or none are required, seldom one that is not allowed.
fn mask(digits: &mut Digits) -> (u128, u128) {
    let allowed = scattered(digits) | scattered(digits);
    let required = scattered(digits) & scattered(digits) & scattered(digits);
    match digits.below(9) {
        0..4 => (allowed, 0),
        8 => (allowed, required),
        _ => (allowed, required & allowed),
    }
}

/// Up to three classes, the last of which often has all PEs; seldom none, or such as make no sense.
fn paces(digits: &mut Digits) -> Paces {
    let standard = if digits.one_in(40) { 0 } else { 1 + digits.below(4) as u32 };
    let (mut speed, mut pes) = (5 + digits.below(3) as u32, 0);
    let count = if digits.one_in(40) { 0 } else { 1 + digits.below(3) };
    let class = |n| {
        speed -= if digits.one_in(40) { 0 } else { 1 + digits.below(2) as u32 };
        pes = if digits.one_in(40) { 0 } else { pes } | scattered(digits);
        if n + 1 == count && digits.one_in(2) {
            pes = u128::MAX;
        }
        (speed, pes)
    };
    Paces { standard, classes: (0..count).map(class).collect() }
}

fn trial(digits: &mut Digits, scale: Scale) -> Trial {
    match digits.below(4) {
        0 => Trial::Cancel(digits.pick()),
        1 => Trial::MoveTo(digits.pick(), digits.below(scale.span)),
        _ => {
            let (request, fit, which) = asked(digits, scale);
            Trial::Reserve(request, fit, which)
        }
    }
}

/// Digits for one of several parts of a command, for which one number has too few.
fn part(digits: &Digits, number: u64) -> Digits {
    let mixed = (digits.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    Digits((mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9))
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
