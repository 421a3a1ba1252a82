//! Recorded runs of [`locox_coordinators::site`], on the site of the study, which a file names and does not
//! hold; its image tells whether it is still the same.

use crate::head::{Head, name_of};
use crate::{BadRun, Store, Study};
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt::Display;
use locox::handle::PoolId;
use locox::mapping::{Basis, Best, Site, Times};
use locox::time::{Duration, Instant};
use locox_coordinators::site::{Config, Coordinator, Learning, Remap, SiteModel};
use locox_storage::{BadHistory, ReplaySummary, replay_history};

const WORDS: [&str; 13] = [
    "coordinator",
    "site",
    "queues",
    "jobs",
    "quantum",
    "remap",
    "best",
    "memory",
    "basis",
    "preemptions",
    "gain",
    "pool",
    // Only where there is one: files are older than it.
    "patience",
];

/// The most jobs that a file may ask for.
const MOST: usize = 1 << 20;
/// The most queues.
const QUEUES: usize = 254;

const REMAPS: [(&str, Remap); 2] = [("waiting", Remap::Waiting), ("new", Remap::New)];
const BESTS: [(&str, Best); 2] = [("completion", Best::Completion), ("execution", Best::Execution)];
const BASES: [(&str, Basis); 3] =
    [("resource", Basis::Resource), ("class", Basis::Class), ("anywhere", Basis::Anywhere)];

pub(crate) fn replay(
    head: &mut Head<'_>,
    bytes: &[u8],
) -> Result<Result<ReplaySummary, BadHistory>, BadRun> {
    let MadeOf { config, queues, jobs } = MadeOf::read(head)?;
    let study = Study::new();
    let clusters = study.clusters();
    let site = Site::new(study.machines(), &clusters).expect("members are machines");
    let times = Times::new(study.cells(), site.resources()).expect("rows are whole");
    let known = SiteModel { site, times, classes: study.classes() };
    let mut store = Store::new(&study, &config, queues, jobs);
    let coordinator = Coordinator::new(config, known, store.columns(), Instant::ZERO);
    let coordinator = coordinator.map_err(|misuse| head.wrong("site", misuse.to_string()))?;
    Ok(replay_history(bytes, coordinator))
}

/// What a coordinator is made of.
#[derive(Clone, Copy, Debug)]
pub struct MadeOf {
    /// Its parameters.
    pub config: Config,
    /// Queues.
    pub queues: usize,
    /// Rows of jobs.
    pub jobs: usize,
}

impl MadeOf {
    /// What a file begins with, up to the history.
    pub fn head(&self) -> Vec<u8> {
        let Self { config, queues, jobs } = self;
        let dash = |it: Option<u64>| it.map_or("-".into(), |it| it.to_string());
        let learning = config.learning;
        let values: [&dyn Display; WORDS.len()] = [
            &"site",
            &"study",
            queues,
            jobs,
            &config.quantum.ticks(),
            &name_of(&REMAPS, config.remap),
            &name_of(&BESTS, config.best),
            &dash(learning.map(|it| it.memory.into())),
            &learning.map_or("-", |it| name_of(&BASES, it.basis)),
            &dash(config.preemptions.map(u64::from)),
            &dash(config.gain.map(Duration::ticks)),
            &config.pool.0,
            &dash(config.patience.map(u64::from)),
        ];
        let count = WORDS.len() - usize::from(config.patience.is_none());
        let lines: Vec<(&str, &dyn Display)> = WORDS.into_iter().zip(values).take(count).collect();
        Head::write(&lines)
    }

    fn read(head: &Head<'_>) -> Result<Self, BadRun> {
        head.has_only(&WORDS)?;
        let site = head.text("site")?;
        if site != "study" {
            return Err(head.wrong("site", format!("there is no site {site:?}")));
        }
        let rows = |word, most| {
            let rows = head.value(word)?;
            if rows <= most { Ok(rows) } else { Err(head.wrong(word, format!("more than {most}"))) }
        };
        let learning = match head.optional("memory")? {
            Some(memory) => {
                Some(Learning { memory, basis: head.one_of("basis", &BASES)?, risk: 0 })
            }
            None => None,
        };
        let patience = if head.has("patience") { head.optional("patience")? } else { None };
        let config = Config {
            quantum: Duration::from_ticks(head.value("quantum")?),
            remap: head.one_of("remap", &REMAPS)?,
            best: head.one_of("best", &BESTS)?,
            learning,
            preemptions: head.optional("preemptions")?,
            gain: head.optional("gain")?.map(Duration::from_ticks),
            patience,
            pool: PoolId(head.value("pool")?),
        };
        Ok(Self { config, queues: rows("queues", QUEUES)?, jobs: rows("jobs", MOST)? })
    }
}
