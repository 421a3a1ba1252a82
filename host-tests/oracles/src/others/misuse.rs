//! Calls that no client should make.

use super::states::{replay, visit};
use super::subject::Held;
use super::{Block, Call, Subject, Wrong};
use std::collections::BTreeSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What is wrong with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Misuse {
    /// A block is given back that nobody holds, as by whoever gives it back twice.
    NotHeld,
    /// Part of a block is given back, where that is not allowed.
    Part,
    /// A block is given back that is larger than the one granted.
    Larger,
    /// Units are given back beyond the last.
    Outside,
    /// No units are given back.
    NothingBack,
    /// No units are asked for.
    Nothing,
    /// More units are asked for than there are.
    TooMany,
}

/// What became of one kind of misuse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MisuseRow {
    /// The kind.
    pub misuse: Misuse,
    /// How often it was tried.
    pub tried: usize,
    /// How often it was refused.
    pub refused: usize,
    /// How often the subject panicked.
    pub panicked: usize,
    /// How often it was taken for right.
    pub taken: usize,
    /// How often a unit was then granted that somebody held, or that there is none.
    pub wrongly_granted: usize,
    /// The shortest run of calls after which it was taken, or a panic.
    pub example: Option<Vec<Call>>,
}

/// What became of misuse, a row a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MisuseTable {
    name: String,
    rows: Vec<MisuseRow>,
}

impl MisuseTable {
    /// The kinds that could be tried.
    pub fn rows(&self) -> impl Iterator<Item = &MisuseRow> {
        self.rows.iter()
    }
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::NotHeld => "a block that nobody holds is given back",
            Self::Part => "part of a block is given back",
            Self::Larger => "more than was granted is given back",
            Self::Outside => "units beyond the last are given back",
            Self::NothingBack => "no units are given back",
            Self::Nothing => "no units are asked for",
            Self::TooMany => "more units than there are are asked for",
        })
    }
}

/// As rows of a Markdown table.
impl fmt::Display for MisuseTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.rows {
            let MisuseRow { misuse, tried, refused, panicked, taken, wrongly_granted, .. } = row;
            let name = &self.name;
            writeln!(
                f,
                "| {name} | {misuse} | {tried} | {refused} | {panicked} | {taken} | {wrongly_granted} |"
            )?;
        }
        Ok(())
    }
}

/// Tries each kind of misuse in every state, after the fewest calls that lead there. Panics are caught; a hook that prints
/// them is the caller's to set.
///
/// # Errors
///
/// [`Wrong`] if a call that is as it should be is answered wrongly.
pub fn misuse(subject: &mut dyn Subject) -> Result<MisuseTable, Wrong> {
    let mut states = BTreeSet::from([(0, Vec::new())]);
    let mut seen = BTreeSet::from([Held::default()]);
    visit(subject, &mut |held, path| {
        if seen.insert(held.clone()) {
            states.insert((path.len(), path.iter().map(numbered).collect::<Vec<_>>()));
        }
    })?;
    let mut rows = Vec::new();
    for (_, path) in states {
        let path: Vec<Call> = path.into_iter().map(call_of).collect();
        let held = replay(subject, &path)?;
        for (misuse, call) in calls(subject, &held) {
            replay(subject, &path)?;
            let longer = path.iter().copied().chain([call]).collect();
            judge(subject, &held, misuse, call, longer, &mut rows);
        }
    }
    rows.sort_by_key(|row| row.misuse);
    Ok(MisuseTable { name: subject.name(), rows })
}

/// A call as numbers, which have an order.
fn numbered(call: &Call) -> (u32, Option<u32>) {
    match *call {
        Call::Allocate(units) => (units, None),
        Call::Free(block) => (block.units, Some(block.begin)),
    }
}

fn call_of((units, begin): (u32, Option<u32>)) -> Call {
    begin.map_or(Call::Allocate(units), |begin| Call::Free(Block { begin, units }))
}

/// All that is wrong to say in a state.
fn calls(subject: &dyn Subject, held: &Held) -> Vec<(Misuse, Call)> {
    let (all, sizes) = (subject.units(), subject.sizes());
    let places = |units: u32| {
        let begins = (0..=all - units).filter(move |&begin| subject.may_begin(begin, units));
        begins.map(move |begin| Block { begin, units })
    };
    let blocks: Vec<_> = sizes.iter().flat_map(|&units| places(units)).collect();
    let inside =
        |outer: &Block, inner: &Block| outer.begin <= inner.begin && inner.end() <= outer.end();
    let mut calls = Vec::new();
    for &block in &blocks {
        if held.0.contains(&block) {
            continue;
        }
        let whole = held.0.iter().any(|outer| inside(outer, &block));
        let larger =
            held.0.iter().any(|inner| inner.begin == block.begin && inner.units < block.units);
        let misuse = match (held.is_free(block), whole, larger) {
            (true, ..) => Misuse::NotHeld,
            (_, true, _) if !subject.frees_parts() => Misuse::Part,
            (_, _, true) => Misuse::Larger,
            _ => continue,
        };
        calls.push((misuse, Call::Free(block)));
    }
    let outside = [(all, 1), (all, all), (u32::MAX, 1)];
    calls.extend(
        outside.map(|(begin, units)| (Misuse::Outside, Call::Free(Block { begin, units }))),
    );
    calls.push((Misuse::NothingBack, Call::Free(Block { begin: 0, units: 0 })));
    calls.push((Misuse::Nothing, Call::Allocate(0)));
    calls
        .extend([all + 1, all * 2, u32::MAX].map(|units| (Misuse::TooMany, Call::Allocate(units))));
    calls
}

fn judge(
    subject: &mut dyn Subject,
    held: &Held,
    misuse: Misuse,
    call: Call,
    longer: Vec<Call>,
    rows: &mut Vec<MisuseRow>,
) {
    let taken = catch_unwind(AssertUnwindSafe(|| match call {
        Call::Allocate(units) => subject.allocate(units).is_some(),
        Call::Free(block) => subject.free(block.begin, block.units),
    }));
    let wrongly_granted = taken.as_ref().is_ok_and(|&taken| taken) && grants_wrongly(subject, held);
    let at = rows.iter().position(|row| row.misuse == misuse).unwrap_or_else(|| {
        let (tried, refused, panicked, taken, wrongly_granted) = (0, 0, 0, 0, 0);
        rows.push(MisuseRow {
            misuse,
            tried,
            refused,
            panicked,
            taken,
            wrongly_granted,
            example: None,
        });
        rows.len() - 1
    });
    let row = &mut rows[at];
    row.tried += 1;
    row.wrongly_granted += usize::from(wrongly_granted);
    match taken {
        Ok(false) => row.refused += 1,
        Ok(true) => row.taken += 1,
        Err(_) => row.panicked += 1,
    }
    if !matches!(taken, Ok(false)) {
        row.example.get_or_insert(longer);
    }
}

/// Whether a unit is granted that somebody holds or that there is none, if all is asked for that can be had.
fn grants_wrongly(subject: &mut dyn Subject, held: &Held) -> bool {
    let Some(&least) = subject.sizes().first() else { return false };
    let mut held = held.clone();
    let all = subject.units();
    let grants = catch_unwind(AssertUnwindSafe(|| {
        (0..2 * all).any(|_| match subject.allocate(least) {
            Some(begin) => {
                let block = Block { begin, units: least };
                let is_right = block.end() <= all.into() && held.is_free(block);
                held.0.insert(block);
                !is_right
            }
            None => false,
        })
    }));
    grants.unwrap_or(false)
}
