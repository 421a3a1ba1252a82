//! What an experiment is, what it is given, and what comes of it.

use locox_report::failure::Failure;
use locox_report::parallel;
use locox_report::progress::Progress;
use locox_report::report::{Block, Claim, Fact, Section, Statement};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The variable that names the folder with logs of real machines.
const DATA: &str = "LOCOX_DATA";

/// What is known of an experiment before it is run.
pub struct Experiment {
    /// Lower case and hyphens; the name on the command line.
    pub name: &'static str,
    pub title: &'static str,
    /// The publication that it follows, and where in it.
    pub source: &'static str,
    /// What it does, in a few sentences.
    pub about: &'static str,
    /// What it judges.
    pub statements: &'static [&'static Statement],
    /// Fails only on traces that cannot be read.
    pub run: fn(&Lab) -> Result<Findings, Failure>,
    /// What comes of short runs of its models as they are, and with a wrong rule in one of them.
    #[cfg(test)]
    pub(crate) planted: fn() -> [Vec<Claim>; 2],
}

/// What came of an experiment.
pub struct Findings {
    /// What it was run with, the seed aside.
    pub parameters: Vec<Fact>,
    /// Published statements with the verdict on each.
    pub claims: Vec<Claim>,
    /// Tables, plots, pictures and words, in the order of reading.
    pub results: Vec<Block>,
}

/// How much of an experiment to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Seconds: enough to see the shape.
    Quick,
    /// As published, or more.
    Full,
}

/// What an experiment is given.
pub struct Lab {
    pub effort: Effort,
    pub seed: u64,
    progress: Progress,
    /// Logs that were asked for.
    read: Mutex<BTreeSet<PathBuf>>,
    /// Whether one was that is not there.
    lacks: AtomicBool,
}

impl Lab {
    pub fn new(effort: Effort, seed: u64, progress: Progress) -> Self {
        let (read, lacks) = (Mutex::default(), AtomicBool::new(false));
        Self { effort, seed, progress, read, lacks }
    }

    /// Whether anybody says where logs of real machines are.
    pub fn has_logs() -> bool {
        std::env::var_os(DATA).is_some()
    }

    /// Whether the experiment leaves something out, since it asked for a log and nobody says where they are.
    pub fn lacks_logs(&self) -> bool {
        self.lacks.load(Ordering::Relaxed)
    }

    /// The logs that the experiment asked for.
    pub fn logs(self) -> BTreeSet<PathBuf> {
        self.read.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// One value for a quick run, another for a full one.
    pub fn either<T>(&self, quick: T, full: T) -> T {
        match self.effort {
            Effort::Quick => quick,
            Effort::Full => full,
        }
    }

    /// Where the trace of that name lies: in `traces/` of the folder that the variable `LOCOX_DATA`
    /// names. `None` without that variable; the experiment then says what it leaves out.
    pub fn trace(&self, name: &str) -> Option<PathBuf> {
        self.file(&format!("traces/{name}.swf.xz"))
    }

    /// The same of any file of that folder.
    pub fn file(&self, name: &str) -> Option<PathBuf> {
        let Some(data) = std::env::var_os(DATA) else {
            self.lacks.store(true, Ordering::Relaxed);
            return None;
        };
        let path = PathBuf::from(data).join(name);
        self.read.lock().unwrap_or_else(PoisonError::into_inner).insert(path.clone());
        Some(path)
    }

    /// The results of `work` on all items, in the order of the items, however many threads there
    /// are. Replications go through here as well: an item is then the number of a replication,
    /// from which its streams of random numbers follow.
    pub fn parallel<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
        self.progress.expect(items.len());
        let run = |item: &T| {
            let result = work(item);
            self.progress.done(1);
            result
        };
        parallel::map(items, run)
    }
}

/// Whether a name of a statement, with a variant or not, is that one or begins with it: `turner-1995/p120`
/// names all of that page.
pub fn is_of(id: &str, asked: &str) -> bool {
    let behind = id.strip_prefix(asked).and_then(|rest| rest.chars().next());
    id == asked || matches!(behind, Some('/' | '@'))
}

impl Experiment {
    /// Whether it judges statements of that name; of one with a variant, whether it may.
    pub fn judges(&self, asked: &str) -> bool {
        let without_variant = asked.split('@').next().unwrap_or(asked);
        self.statements.iter().any(|statement| is_of(statement.id, without_variant))
    }

    /// Runs it; the result is a section of a report. The first picture and the first table stand in
    /// front, then the verdicts, then what was run, then all other results.
    pub fn section(&self, lab: &Lab) -> Result<Section, Failure> {
        let Findings { parameters, claims, mut results } = (self.run)(lab)?;
        let mut blocks: Vec<Block> = take(&mut results, Block::is_picture).into_iter().collect();
        blocks.extend(take(&mut results, |block| matches!(block, Block::Table(_))));
        blocks.extend([Block::Claims(claims), Block::Text(self.about.into())]);
        let source = Fact::new("source", self.source);
        blocks.push(Block::Facts([vec![source], parameters].concat()));
        blocks.append(&mut results);
        Ok(Section { id: self.name.into(), title: self.title.into(), blocks })
    }
}

/// The first block of a kind, which is no longer among the others then.
fn take(blocks: &mut Vec<Block>, is_it: impl Fn(&Block) -> bool) -> Option<Block> {
    let at = blocks.iter().position(is_it)?;
    Some(blocks.remove(at))
}
