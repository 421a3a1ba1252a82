//! Nodes with quantities: all sets of leases of a few kinds, on any of the nodes that have them.

use super::Counts;
use super::walk::{State, walk};
use crate::Mismatch;
use crate::machine::nodes::{Cluster, Rule, Wish};
use crate::nodes::{Command, Lockstep, Setup};
use locox::nodes::Outage;

/// Those that lead to other states, and after them those that are only asked for.
struct Wishes {
    leading: Vec<Wish>,
    asked: Vec<Wish>,
}

fn wish(amounts: &[u32]) -> Wish {
    Wish {
        nodes: 1..=1,
        tasks: false,
        amounts: amounts.to_vec(),
        part: 0,
        common: vec![],
        allowed: vec![0, 1, 2],
        exclusive: false,
    }
}

impl Wishes {
    /// Four requests, each for any of the nodes, and for each set of them.
    fn of_three_nodes() -> Self {
        let requests = [
            wish(&[1, 1]),
            Wish { nodes: 1..=2, ..wish(&[1, 0, 1]) },
            Wish { part: 1, common: vec![1], ..wish(&[1]) },
            Wish { exclusive: true, ..wish(&[1]) },
        ];
        let others = [
            Wish { tasks: true, nodes: 4..=4, ..wish(&[1]) },
            Wish { nodes: 3..=3, ..wish(&[1, 1]) },
            Wish { part: 1, ..wish(&[1, 0, 1]) },
            wish(&[1, 0, 3]),
        ];
        let on = |wish: &Wish, set: u32| {
            let allowed: Vec<_> = (0..3).filter(|node| set >> node & 1 == 1).collect();
            let fits = wish.nodes.contains(&allowed.len());
            fits.then(|| Wish { nodes: allowed.len()..=allowed.len(), allowed, ..wish.clone() })
        };
        let sets = |wish: &Wish| (1..8).filter_map(|set| on(wish, set)).collect::<Vec<_>>();
        let leading = requests.iter().flat_map(sets).collect();
        Self { leading, asked: [&requests[..], &others].concat() }
    }
}

/// Two unlike nodes with devices in two parts each and one without, something in common, and room for so many leases.
pub fn three_nodes(rule: Rule, rows: usize) -> Setup {
    let cluster = Cluster {
        nodes: vec![vec![3, 3, 2], vec![4, 2, 1], vec![2, 3]],
        common: vec![3],
        devices: Some((2, 2)),
    };
    let Wishes { leading, asked } = Wishes::of_three_nodes();
    Setup { cluster, rule, wishes: [leading, asked].concat(), rows }
}

#[derive(Clone)]
struct Leased {
    run: Lockstep,
    leading: usize,
    /// How many nodes may be out of service.
    out: usize,
}

impl State for Leased {
    type Operation = Vec<Command>;

    fn key(&self) -> impl std::hash::Hash + std::fmt::Debug {
        self.run.model().key()
    }

    /// What is only asked for is given back at once.
    fn operations(&self) -> Vec<Vec<Command>> {
        let model = self.run.model();
        let (live, setup) = (model.live().len(), model.setup());
        let nodes = setup.cluster.nodes.len();
        let mut single = vec![Command::Restart, Command::ReleaseForeign];
        single.push(Command::Withdraw(nodes, Outage::Failed));
        single.extend((0..self.leading).map(Command::Allocate));
        single.extend((0..live).map(Command::Release));
        single.extend((0..3).map(Command::ReleaseGone));
        if self.out > 0 {
            single.extend((0..nodes).map(Command::Repair));
        }
        if model.out().len() < self.out {
            single.extend((0..nodes).map(|node| Command::Withdraw(node, Outage::Failed)));
        }
        let asked = self.leading..setup.wishes.len();
        single.extend(asked.clone().map(|at| Command::MakeRoom(at, live as u64)));
        let asks = asked.map(|at| vec![Command::Allocate(at), Command::Release(live)]);
        single.into_iter().map(|it| vec![it]).chain(asks).collect()
    }

    fn after(&self, commands: &Vec<Command>) -> Result<Self, Mismatch> {
        let mut next = self.clone();
        commands.iter().try_for_each(|it| next.run.step(it))?;
        Ok(next)
    }
}

/// The states of [three nodes](three_nodes) of which so many may be out, beside a model of others, which should be the same.
pub fn nodes(setup: Setup, beside: Setup, out: usize) -> Counts {
    let leading = Wishes::of_three_nodes().leading.len();
    let mut learn = (0..setup.wishes.len()).map(Command::Learn);
    let mut run = Lockstep::beside(setup, beside);
    let learnt = learn.try_for_each(|it| run.step(&it));
    learnt.map_or_else(
        |mismatch| Counts { violations: 1, first: Some(mismatch.to_string()), ..Counts::default() },
        |()| walk(Leased { run, leading, out }),
    )
}
