//! What the coordinator lies in, and its parameters.

use crate::config::{Config, Ranking};
use crate::places;
use locox::dispatch::Entry;
use locox::fair::{DecayParams, TimedRow};
use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox_coordinators::manager::{
    Columns, Coordinator, JobRow, Misuse, NodeRow, Places, UserRow, cube_words, index_len, words,
};

/// Storage for a coordinator. It takes memory when the first one is made in it.
#[derive(Debug, Default)]
pub struct Rows {
    entries: Vec<Entry>,
    jobs: Vec<JobRow>,
    users: Vec<UserRow>,
    ranks: Vec<TimedRow>,
    nodes: Vec<NodeRow>,
    index: Vec<u32>,
    words: Vec<locox::bits::Word>,
}

impl Rows {
    /// A coordinator that was told nothing yet. Whatever the rows held is gone.
    ///
    /// # Errors
    ///
    /// A parameter that the kernel does not take.
    pub fn fresh(&mut self, config: &Config) -> Result<Coordinator<'_>, Misuse> {
        let (jobs, users) = (config.jobs as usize, config.users as usize);
        let nodes = config.nodes as usize;
        self.entries.resize(jobs, Entry::EMPTY);
        self.jobs.resize(jobs, JobRow::EMPTY);
        self.users.resize(users, UserRow::EMPTY);
        self.ranks.resize(users, TimedRow::EMPTY);
        self.nodes.resize(nodes, NodeRow::EMPTY);
        self.index.resize(index_len(jobs, users), 0);
        self.words.resize(words_of(&config.places, nodes), 0);
        let columns = Columns {
            entries: &mut self.entries,
            jobs: &mut self.jobs,
            users: &mut self.users,
            ranks: &mut self.ranks,
            nodes: &mut self.nodes,
            index: &mut self.index,
            words: &mut self.words,
        };
        Coordinator::new(parameters(config), columns, Instant::ZERO)
    }
}

/// Words that a coordinator of so many nodes needs.
const fn words_of(places: &places::Places, nodes: usize) -> usize {
    match places {
        places::Places::Any | places::Places::Boxes(_) | places::Places::Tree(_) => words(nodes),
        places::Places::Subcubes(_) | places::Places::Meshes(_) => cube_words(nodes),
    }
}

/// A tick is a second.
const MINUTE: Duration = Duration::from_ticks(60);

fn parameters(config: &Config) -> locox_coordinators::manager::Config {
    let usual = DecayParams::standard(MINUTE);
    let half_life = Duration::from_ticks(config.half_life.saturating_mul(60));
    locox_coordinators::manager::Config {
        ranking: match config.ranking {
            Ranking::Users => locox_coordinators::manager::Ranking::Users,
            Ranking::Priority => locox_coordinators::manager::Ranking::Priority,
        },
        places: match config.places {
            places::Places::Any | places::Places::Boxes(_) | places::Places::Tree(_) => Places::Any,
            places::Places::Subcubes(_) => Places::Subcubes,
            places::Places::Meshes(_) => Places::Meshes,
        },
        decay: DecayParams { half_life, ..usual },
        preempt: config.preempt,
        pool: PoolId(0),
    }
}
