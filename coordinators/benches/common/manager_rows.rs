//! Rows of a coordinator for resource managers, and what is told of a job that it started.

use locox::bits::Word;
use locox::dispatch::Entry;
use locox::fair::TimedRow;
use locox::grid::Grid;
use locox::time::Instant;
use locox_coordinators::manager::{
    Columns, Command, Config, Coordinator, JobRow, Key, NO_STAKE, NodeRow, OutageRow, Places,
    PlanRow, StakeRow, UNPLANNED, UserRow, box_words, cube_words, index_len, place_words,
    sum_words,
};

pub(crate) struct Rows {
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
    pub(crate) fn new(jobs: usize, users: usize, nodes: usize) -> Self {
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
            boxes: vec![],
            stakes: vec![],
            sums: vec![],
        }
    }

    pub(crate) fn of_boxes(mut self, grid: Grid) -> Self {
        self.boxes.resize(box_words(grid), 0);
        self
    }

    /// With room for stops.
    pub(crate) fn with_stops(mut self, places: Places) -> Self {
        self.stakes.resize(self.jobs.len(), NO_STAKE);
        self.sums.resize(sum_words(places, self.nodes.len()), 0);
        self
    }

    #[allow(dead_code, reason = "for tests")]
    pub(crate) fn with_outages(mut self, outages: usize) -> Self {
        self.outages.resize(outages, OutageRow::EMPTY);
        self.plan.resize(self.jobs.len() + outages, UNPLANNED);
        self
    }

    pub(crate) fn columns(&mut self) -> Columns<'_> {
        Columns {
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
        }
    }

    pub(crate) fn manager(&mut self, config: Config) -> Coordinator<'_> {
        Coordinator::new(config, self.columns(), Instant::ZERO).unwrap()
    }
}

/// Tells that a job runs where it was to be started; in how many facts.
pub(crate) fn confirm(manager: &mut Coordinator<'_>, now: Instant, key: Key) -> u64 {
    let ranges: Vec<_> = manager.nodes(key).collect();
    for (number, range) in ranges.iter().enumerate() {
        let (first, nodes) = (range.first, range.nodes);
        let fact = match number {
            0 => Command::Runs { key, since: now, first, nodes },
            _ => Command::RunsAlso { key, first, nodes },
        };
        manager.apply(now, fact).unwrap();
    }
    ranges.len() as u64
}
