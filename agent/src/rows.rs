//! What the coordinator lies in, and its parameters.

use crate::config::{Config, MINUTE, Ranking};
use crate::outages::ROWS;
use crate::places::Places;
use locox::dispatch::Entry;
use locox::fair::{DecayParams, TimedRow};
use locox::handle::PoolId;
use locox::machine::BadTree;
use locox::time::{Duration, Instant};
use locox_coordinators::manager::{
    self, Columns, Coordinator, JobRow, Misuse, NO_STAKE, NodeRow, OutageRow, PlanRow, StakeRow,
    Tree, UNPLANNED, UserRow, box_words, cube_words, index_len, place_words, sum_words,
};

/// What the kernel does not take of a configuration.
#[derive(Debug, thiserror::Error)]
pub enum NotTaken {
    /// A parameter.
    #[error("{0}")]
    Parameter(#[from] Misuse),
    /// The domains of nodes.
    #[error("{0}")]
    Tree(#[from] BadTree),
}

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
    plan: Vec<PlanRow>,
    outages: Vec<OutageRow>,
    boxes: Vec<u64>,
    stakes: Vec<StakeRow>,
    sums: Vec<u64>,
}

impl Rows {
    /// A coordinator that was told nothing yet. Whatever the rows held is gone.
    ///
    /// # Errors
    ///
    /// [`NotTaken`].
    pub fn fresh(&mut self, config: &Config) -> Result<Coordinator<'_>, NotTaken> {
        self.with(config, ROWS)
    }

    fn with(&mut self, config: &Config, outages: usize) -> Result<Coordinator<'_>, NotTaken> {
        let (jobs, users) = (config.jobs as usize, config.users as usize);
        let nodes = config.nodes as usize;
        self.entries.resize(jobs, Entry::EMPTY);
        self.jobs.resize(jobs, JobRow::EMPTY);
        self.users.resize(users, UserRow::EMPTY);
        self.ranks.resize(users, TimedRow::EMPTY);
        self.nodes.resize(nodes, NodeRow::EMPTY);
        self.index.resize(index_len(jobs, users), 0);
        self.words.resize(words_of(&config.places, nodes), 0);
        self.plan.resize(jobs + outages, UNPLANNED);
        self.outages.resize(outages, OutageRow::EMPTY);
        if let Places::Boxes(boxes) = &config.places {
            self.boxes.resize(box_words(boxes.grid()), 0);
        }
        let (parameters, now) = (parameters(config), Instant::ZERO);
        // Also where nobody is stopped: somebody may ask who could be.
        self.stakes.resize(jobs, NO_STAKE);
        self.sums.resize(sum_words(parameters.places, nodes), 0);
        let columns = Columns {
            entries: &mut self.entries,
            jobs: &mut self.jobs,
            users: &mut self.users,
            ranks: &mut self.ranks,
            nodes: &mut self.nodes,
            index: &mut self.index,
            words: &mut self.words,
            plan: &mut self.plan,
            outages: &mut self.outages,
            boxes: &mut self.boxes,
            stakes: &mut self.stakes,
            sums: &mut self.sums,
        };
        Ok(match &config.places {
            Places::Tree(tree) => {
                let tree = Tree::new(config.nodes, tree.kept_levels())?;
                Coordinator::in_tree(parameters, tree, columns, now)?
            }
            _ => Coordinator::new(parameters, columns, now)?,
        })
    }
}

/// Words that a coordinator of so many nodes needs.
const fn words_of(places: &Places, nodes: usize) -> usize {
    match places {
        Places::Any | Places::Boxes(_) | Places::Tree(_) => place_words(nodes),
        Places::Subcubes(_) | Places::Meshes(_) => cube_words(nodes),
    }
}

fn parameters(config: &Config) -> manager::Config {
    let usual = DecayParams::standard(MINUTE);
    let half_life = Duration::from_ticks(config.half_life.saturating_mul(60));
    manager::Config {
        ranking: match config.ranking {
            Ranking::Users => manager::Ranking::Users,
            Ranking::Priority => manager::Ranking::Priority,
        },
        places: match &config.places {
            Places::Any => manager::Places::Any,
            Places::Subcubes(_) => manager::Places::Subcubes,
            Places::Meshes(_) => manager::Places::Meshes,
            Places::Boxes(boxes) => manager::Places::Boxes(boxes.grid()),
            Places::Tree(_) => manager::Places::Tree,
        },
        decay: DecayParams { half_life, ..usual },
        preempt: config.preempt,
        pool: PoolId(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Mode;
    use crate::simulated::World;
    use locox_coordinators::manager::{Command, NodeId, Refusal};

    #[test]
    fn an_image_fits_whatever_the_number_of_rows_for_outages() {
        let config = Config::of_simulated(&World::default(), Mode::Authoritative);
        let (mut rows, mut fewer) = (Rows::default(), Rows::default());
        let mut before = fewer.with(&config, 0).unwrap();
        let (now, to) = (Instant::from_ticks(5), Instant::from_ticks(9));
        let outage = Command::Outage { first: NodeId(0), nodes: 1, from: now, to };
        before.apply(now, Command::NodeOut { first: NodeId(1), nodes: 2 }).unwrap();
        assert_eq!(before.apply(now, outage), Err(Refusal::OutagesFull.into()));
        let mut image = vec![];
        before.export(|word| image.push(word));
        let mut after = rows.fresh(&config).unwrap();
        after.load(image).unwrap();
        assert_eq!(after.node(NodeId(2)).map(|node| node.out), Some(true));
        after.apply(now, outage).unwrap();
        assert_eq!(after.outages().count(), 1);
    }
}
