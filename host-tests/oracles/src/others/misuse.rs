//! Calls that no client should make.

use super::held::{Held, blocks, caught};
use super::limits::{self, MOST_WALKED};
use super::run::Run;
use super::states::{visit, walk};
use super::subject::listed;
use super::{Block, Call, Subject, Wrong};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What is wrong with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Misuse {
    /// A block is given back that nobody holds, as by whoever gives it back twice.
    NotHeld,
    /// Part of a block is given back, where that is not allowed.
    Part,
    /// A block is given back that is larger than the one granted.
    Larger,
    /// Units are given back on both sides of the end of a block, or of the begin of one.
    Across,
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
///
/// After each try, whatever the answer, units are asked for and given back as it should be, as if the misuse had not been.
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
    /// How often something else was then wrong: units are lost, what is held is not taken back, a panic, the count.
    pub otherwise_wrong: usize,
    /// The shortest run of calls after which it was not refused, or something was wrong.
    pub example: Option<Vec<Call>>,
}

impl MisuseRow {
    fn new(misuse: Misuse) -> Self {
        Self {
            misuse,
            tried: 0,
            refused: 0,
            panicked: 0,
            taken: 0,
            wrongly_granted: 0,
            otherwise_wrong: 0,
            example: None,
        }
    }

    fn count(&mut self, trial: Trial) {
        self.tried += 1;
        let is_refused = trial.answer == Ok(false);
        match trial.answer {
            Ok(false) => self.refused += 1,
            Ok(true) => self.taken += 1,
            Err(_) => self.panicked += 1,
        }
        self.wrongly_granted += usize::from(trial.grants_wrongly);
        self.otherwise_wrong += usize::from(trial.is_wrong && !trial.grants_wrongly);
        if !is_refused || trial.is_wrong {
            self.example.get_or_insert(trial.calls);
        }
    }
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
            Self::Across => "units across a border of what was granted are given back",
            Self::Outside => "units beyond the last are given back",
            Self::NothingBack => "no units are given back",
            Self::Nothing => "no units are asked for",
            Self::TooMany => "more units than there are are asked for",
        })
    }
}

/// As a Markdown table.
impl fmt::Display for MisuseTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.replace('|', "\\|").replace(['\n', '\r'], " ");
        writeln!(
            f,
            "| {name}: misuse | tried | refused | panics | taken | then granted wrongly | then otherwise wrong | for example |"
        )?;
        writeln!(f, "|---|---|---|---|---|---|---|---|")?;
        for row in &self.rows {
            let MisuseRow { misuse, tried, refused, panicked, taken, .. } = row;
            let (granted, otherwise) = (row.wrongly_granted, row.otherwise_wrong);
            let example = row.example.as_deref().map(listed).unwrap_or_default();
            writeln!(
                f,
                "| {misuse} | {tried} | {refused} | {panicked} | {taken} | {granted} | {otherwise} | {example} |"
            )?;
        }
        Ok(())
    }
}

/// Tries each kind of misuse in every state, after the fewest calls that lead there, and whether all is then as before. Panics
/// are caught; a hook that prints them is the caller's to set.
///
/// # Errors
///
/// [`Wrong`] as of [`walk`]: without misuse the subject must be right.
pub fn misuse(subject: &mut dyn Subject) -> Result<MisuseTable, Wrong> {
    let sizes = limits::sizes(subject, MOST_WALKED)?;
    walk(subject)?;
    let mut rows = BTreeMap::new();
    for (_, path) in states(subject, &sizes)? {
        let held = Run::after(subject, &path)?.held;
        for (misuse, call) in calls(subject, &sizes, &held) {
            let trial = tried(subject, &sizes, &path, call)?;
            rows.entry(misuse).or_insert_with(|| MisuseRow::new(misuse)).count(trial);
        }
    }
    Ok(MisuseTable { name: subject.name(), rows: rows.into_values().collect() })
}

/// A path to each state, the shortest ones first.
fn states(subject: &mut dyn Subject, sizes: &[u32]) -> Result<BTreeSet<(usize, Vec<Call>)>, Wrong> {
    let mut states = BTreeSet::from([(0, Vec::new())]);
    let mut seen = BTreeSet::from([Held::default()]);
    visit(subject, sizes, &mut |run| {
        if seen.insert(run.held.clone()) {
            states.insert((run.calls.len(), run.calls.clone()));
        }
        Ok(())
    })?;
    Ok(states)
}

/// All that is wrong to say in a state.
fn calls(subject: &dyn Subject, sizes: &[u32], held: &Held) -> Vec<(Misuse, Call)> {
    let all = subject.units();
    let of_block = |block| Some((wrong_release(subject, held, block)?, Call::Free(block)));
    let mut calls: Vec<_> = blocks(subject, sizes).into_iter().filter_map(of_block).collect();
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

/// What is wrong with giving back a block; `None`: nothing.
fn wrong_release(subject: &dyn Subject, held: &Held, block: Block) -> Option<Misuse> {
    if held.is_free(block) {
        return Some(Misuse::NotHeld);
    }
    if let Some(around) = held.around(block) {
        return (around != block && !subject.frees_parts()).then_some(Misuse::Part);
    }
    let is_larger = held.0.iter().any(|inner| inner.begin == block.begin);
    Some(if is_larger { Misuse::Larger } else { Misuse::Across })
}

/// What became of a call.
struct Trial {
    /// Whether it was taken, or how it panicked.
    answer: Result<bool, String>,
    /// Whether a call as it should be was then answered wrongly.
    is_wrong: bool,
    grants_wrongly: bool,
    calls: Vec<Call>,
}

fn tried(
    subject: &mut dyn Subject,
    sizes: &[u32],
    path: &[Call],
    call: Call,
) -> Result<Trial, Wrong> {
    let mut run = Run::after(subject, path)?;
    let answer = misused(run.subject, call);
    let is_wrong = run.fill_and_empty(sizes).is_err();
    let mut grants_wrongly = false;
    if is_wrong {
        let run = Run::after(subject, path)?;
        _ = misused(run.subject, call);
        grants_wrongly =
            caught(|| grants_one_wrongly(run.subject, run.held, sizes)).unwrap_or(false);
    }
    let calls = path.iter().copied().chain([call]).collect();
    Ok(Trial { answer, is_wrong, grants_wrongly, calls })
}

fn misused(subject: &mut dyn Subject, call: Call) -> Result<bool, String> {
    caught(|| match call {
        Call::Allocate(units) => subject.allocate(units).is_some(),
        Call::Free(block) => subject.free(block.begin, block.units),
    })
}

/// Whether a unit is granted that somebody holds or that there is none, if all is asked for that can be had, and, when all of it
/// was given back, the largest size. Unlike the run of right calls this goes on after other wrong answers.
fn grants_one_wrongly(subject: &mut dyn Subject, mut held: Held, sizes: &[u32]) -> bool {
    let all = subject.units();
    let grants = |subject: &mut dyn Subject, held: &mut Held, units: u32| {
        let Some(begin) = subject.allocate(units) else { return false };
        let block = Block { begin, units };
        let is_right = block.end() <= u64::from(all) && held.is_free(block);
        held.0.insert(block);
        !is_right
    };
    if (0..2 * all).any(|_| grants(subject, &mut held, sizes[0])) {
        return true;
    }
    for block in std::mem::take(&mut held.0) {
        subject.free(block.begin, block.units);
    }
    grants(subject, &mut held, sizes[sizes.len() - 1])
}
