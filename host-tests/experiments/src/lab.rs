//! What an experiment is, what it is given, and what comes of it.

use locox_report::failure::Failure;
use locox_report::parallel;
use locox_report::progress::Progress;
use locox_report::report::{Block, Claim, Fact, Section};
use std::path::PathBuf;

/// What is known of an experiment before it is run.
pub struct Experiment {
    /// Lower case and hyphens; the name on the command line.
    pub name: &'static str,
    pub title: &'static str,
    /// The publication that it follows, and where in it.
    pub source: &'static str,
    /// What it does, in a few sentences.
    pub about: &'static str,
    /// Fails only on traces that cannot be read.
    pub run: fn(&Lab) -> Result<Findings, Failure>,
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
}

impl Lab {
    pub fn new(effort: Effort, seed: u64, progress: Progress) -> Self {
        Self { effort, seed, progress }
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
        let data = std::env::var_os("LOCOX_DATA")?;
        Some(PathBuf::from(data).join("traces").join(format!("{name}.swf.xz")))
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

impl Experiment {
    /// Runs it; the result is a section of a report.
    pub fn section(&self, lab: &Lab) -> Result<Section, Failure> {
        let findings = (self.run)(lab)?;
        let mut blocks = vec![Block::Text(self.about.into())];
        let mut facts = vec![Fact::new("source", self.source)];
        facts.extend(findings.parameters);
        blocks.push(Block::Facts(facts));
        blocks.push(Block::Claims(findings.claims));
        blocks.extend(findings.results);
        Ok(Section { id: self.name.into(), title: self.title.into(), blocks })
    }
}
