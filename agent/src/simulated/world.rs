//! What a simulated manager is to be: its cluster, the jobs that come, and how much goes wrong.

use super::job::{Doing, Job};
use super::numbers::Numbers;
use serde::{Deserialize, Serialize};

/// The latest time, and the longest: sums of a few do not overflow.
pub(super) const LATEST: u64 = 1 << 40;

/// A simulated manager and what comes to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct World {
    /// Everything else comes from this.
    pub seed: u64,
    /// Nodes of the cluster.
    pub nodes: u32,
    /// Jobs that are submitted.
    pub jobs: u32,
    /// Of so many users.
    pub users: u32,
    /// Seconds in which they are submitted; 0: all at once.
    pub span: u64,
    /// The longest limit, in seconds.
    pub longest: u64,
    /// When it begins, in seconds since 1970.
    pub begin: u64,
    /// Seconds that pass from one snapshot to the next.
    pub poll: u64,
    /// Whether the gate is installed.
    pub gate: bool,
    /// Of a thousand jobs so many have a deadline.
    pub deadlines: u16,
    /// Of a thousand jobs so many say of which sides the mesh is to be.
    pub meshes: u16,
    /// Of a thousand jobs so many may have certain nodes only.
    pub constraints: u16,
    /// Of a thousand jobs so many may have certain nodes only, and nobody is told.
    pub hidden: u16,
    /// Of a thousand jobs so many would not wait again if they were stopped.
    pub firm: u16,
    /// As many jobs of a user may run at once; 0: any number.
    pub limit: u32,
    /// So many seconds after the beginning half of the nodes have a planned outage; 0: never.
    pub outage: u64,
    /// Seconds for which that lasts.
    pub lasts: u64,
    /// How much goes wrong.
    pub trouble: Trouble,
}

impl Default for World {
    fn default() -> Self {
        Self {
            seed: 1,
            nodes: 16,
            jobs: 40,
            users: 3,
            span: 600,
            longest: 300,
            begin: 1_000_000_000,
            poll: 5,
            gate: true,
            deadlines: 0,
            meshes: 0,
            constraints: 0,
            hidden: 0,
            firm: 0,
            limit: 0,
            outage: 0,
            lasts: 0,
            trouble: Trouble::NONE,
        }
    }
}

/// How often in a thousand snapshots, or acts, something goes wrong. If anything does, nodes are told in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Trouble {
    /// Somebody cancels a job.
    pub cancel: u16,
    /// Somebody holds a job, or lets it go.
    pub hold: u16,
    /// Somebody changes the terms of a job.
    pub change: u16,
    /// A node is lost, and what runs there is queued again with its gate open.
    pub node: u16,
    /// The controller is killed and goes back to what it stored last.
    pub controller: u16,
    /// It does not answer.
    pub silent: u16,
    /// It answers with what was true the last time.
    pub stale: u16,
    /// Its clock is behind.
    pub clock: u16,
    /// It refuses an act.
    pub refuse: u16,
    /// It says that it has acted, and has not.
    pub forget: u16,
    /// It opens the gate of a job and leaves out which nodes were chosen.
    pub half: u16,
    /// It stops answering in the middle of a batch of acts.
    pub cut: u16,
    /// A job of another partition comes.
    pub foreign: u16,
}

impl Trouble {
    /// Nothing goes wrong.
    pub const NONE: Self = Self {
        cancel: 0,
        hold: 0,
        change: 0,
        node: 0,
        controller: 0,
        silent: 0,
        stale: 0,
        clock: 0,
        refuse: 0,
        forget: 0,
        half: 0,
        cut: 0,
        foreign: 0,
    };
    /// All of it, often.
    pub const HOSTILE: Self = Self {
        cancel: 30,
        hold: 60,
        change: 60,
        node: 40,
        controller: 20,
        silent: 60,
        stale: 40,
        clock: 40,
        refuse: 60,
        forget: 60,
        half: 40,
        cut: 40,
        foreign: 30,
    };
}

impl Default for Trouble {
    fn default() -> Self {
        Self::NONE
    }
}

const YEAR: u64 = 366 * 24 * 3600;

impl World {
    /// What is out of its range: of which field, what it is, the least and the most.
    pub(super) fn fault(&self) -> Option<(&'static str, u64, u64, u64)> {
        let ranges = [
            ("nodes", self.nodes.into(), 1, 1 << 20),
            ("jobs", self.jobs.into(), 0, 1 << 20),
            ("users", self.users.into(), 1, 1 << 20),
            ("span", self.span, 0, YEAR),
            ("longest", self.longest, 1, YEAR),
            ("begin", self.begin, 0, LATEST),
            ("poll", self.poll, 1, 3600),
            ("deadlines", self.deadlines.into(), 0, 1000),
            ("meshes", self.meshes.into(), 0, 1000),
            ("constraints", self.constraints.into(), 0, 1000),
            ("hidden", self.hidden.into(), 0, 1000),
            ("firm", self.firm.into(), 0, 1000),
            ("limit", self.limit.into(), 0, 1 << 20),
            ("outage", self.outage, 0, YEAR),
            ("lasts", self.lasts, 0, YEAR),
        ];
        ranges.into_iter().find(|(_, found, least, most)| !(least..=most).contains(&found))
    }

    /// All jobs that come and when, the last one first.
    pub(crate) fn submissions(&self, numbers: &mut Numbers) -> Vec<(u64, Job)> {
        let mut times: Vec<_> = (0..self.jobs).map(|_| numbers.between(0, self.span)).collect();
        times.sort_unstable();
        let come = (1..).zip(times).map(|(serial, at)| (at, self.job(serial, numbers)));
        let mut come: Vec<_> = come.collect();
        come.reverse();
        come
    }

    /// A job; a few want more nodes than there are, or run into their limit.
    pub(crate) fn job(&self, serial: u64, numbers: &mut Numbers) -> Job {
        let most = u64::from(self.nodes);
        let nodes = match numbers.below(20) {
            0 => most,
            1 => most + numbers.below(2),
            2..8 => numbers.between(1, most),
            _ => numbers.between(1, most.div_ceil(4)),
        };
        let limit = numbers.between(1, self.longest);
        let runtime = if numbers.chance(200) { limit + 1 } else { numbers.between(1, limit) };
        let priority = if numbers.chance(200) { numbers.below(4) as u32 } else { 0 };
        let is_urgent = numbers.chance(self.deadlines);
        let is_mesh = numbers.chance(self.meshes);
        let sides = if is_mesh { [0; 3].map(|_| numbers.between(1, 3) as u32) } else { [0; 3] };
        let nodes =
            if is_mesh { sides.iter().map(|side| u64::from(*side)).product() } else { nodes };
        let is_hidden = numbers.chance(self.hidden);
        let is_bound = is_hidden || numbers.chance(self.constraints);
        let allowed = if is_bound { self.some_of(nodes, numbers) } else { vec![] };
        let patience = if is_urgent { Some(numbers.between(limit, limit * 3)) } else { None };
        Job {
            serial,
            born: 0,
            user: 1000 + numbers.below(u64::from(self.users.max(1))) as u32,
            nodes: nodes as u32,
            sides,
            limit,
            patience,
            runtime,
            priority,
            rank: priority,
            governed: true,
            gated: self.gate,
            held: false,
            chosen: vec![],
            asked: 0,
            allowed,
            is_hidden,
            is_bad: false,
            is_firm: numbers.chance(self.firm),
            doing: Doing::Waits,
        }
    }

    /// As many nodes, or more, in order.
    fn some_of(&self, nodes: u64, numbers: &mut Numbers) -> Vec<u32> {
        let mut some: Vec<u32> = (0..self.nodes).collect();
        let keeps = numbers.between(nodes.min(self.nodes.into()), self.nodes.into());
        while some.len() as u64 > keeps {
            some.remove(numbers.below(some.len() as u64) as usize);
        }
        some
    }

    /// The planned outage: from when to when, and which nodes, those below.
    pub(super) const fn window(&self) -> (u64, u64, u32) {
        let from = self.begin + self.outage;
        if self.outage == 0 { (0, 0, 0) } else { (from, from + self.lasts, self.nodes.div_ceil(2)) }
    }
}
