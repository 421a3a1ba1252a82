//! Storage of a coordinator on a host.

use super::setup::Setup;
use locox::bits::Word;
use locox::dispatch::Entry;
use locox::fair::TimedRow;
use locox::time::Instant;
use locox_coordinators::manager::{
    Columns, Coordinator, JobRow, NO_STAKE, NodeRow, OutageRow, Places, PlanRow, StakeRow, Tree,
    UNPLANNED, UserRow, box_words, cube_words, index_len, place_words, sum_words,
};

/// As many rows as some jobs and users need.
#[derive(Debug)]
pub struct Rows {
    entries: Vec<Entry>,
    jobs: Vec<JobRow>,
    users: Vec<UserRow>,
    ranks: Vec<TimedRow>,
    nodes: Vec<NodeRow>,
    index: Vec<u32>,
    words: Vec<Word>,
    plan: Vec<PlanRow>,
    outages: Vec<OutageRow>,
    boxes: Vec<u64>,
    stakes: Vec<StakeRow>,
    sums: Vec<u64>,
}

impl Rows {
    /// For so many jobs and users at a time.
    pub fn new(setup: &Setup, jobs: usize, users: usize) -> Self {
        let (nodes, places) = (setup.nodes as usize, setup.config.places);
        let boxed = if let Places::Boxes(grid) = places { box_words(grid) } else { 0 };
        Self {
            entries: vec![Entry::EMPTY; jobs],
            jobs: vec![JobRow::EMPTY; jobs],
            users: vec![UserRow::EMPTY; users],
            ranks: vec![TimedRow::EMPTY; users],
            nodes: vec![NodeRow::EMPTY; nodes],
            index: vec![0; index_len(jobs, users)],
            words: vec![0; cube_words(nodes).max(place_words(nodes))],
            plan: vec![UNPLANNED; jobs],
            outages: vec![],
            boxes: vec![0; boxed],
            stakes: vec![NO_STAKE; jobs],
            sums: vec![0; sum_words(places, nodes)],
        }
    }

    /// A coordinator that was told nothing yet.
    ///
    /// # Panics
    ///
    /// If the configuration makes no sense.
    pub fn coordinator<'a>(
        &'a mut self,
        setup: &'a Setup,
        levels: &'a [&'a [u32]],
    ) -> Coordinator<'a> {
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
        let made = match setup.config.places {
            Places::Tree => {
                let tree = Tree::new(setup.nodes, levels).expect("levels make a tree");
                Coordinator::in_tree(setup.config, tree, columns, Instant::ZERO)
            }
            _ => Coordinator::new(setup.config, columns, Instant::ZERO),
        };
        made.expect("a configuration that makes sense")
    }
}
