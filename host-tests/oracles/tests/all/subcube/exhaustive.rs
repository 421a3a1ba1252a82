//! All states that a small machine can get into, and all operations in each of them.

use super::common::dim;
use locox::cube::{Dim, Node, Subcube};
use locox::handle::PoolId;
use locox::subcube::Outage;
use locox_oracles::subcube::{Client, Command, Lockstep, Model, Pick, Rule, Subcubes, subcubes};
use std::collections::{HashSet, VecDeque};

/// A pool, its client and its model in agreement.
struct State<R: Rule> {
    pool: Subcubes<R>,
    client: Client,
    model: Model<R>,
}

impl<R: Rule> State<R> {
    fn start(dims: Dim) -> Self {
        let id = PoolId(6);
        let model = Model::new(id, dims, R::new(dims));
        Self { pool: R::pool(id, dims), client: Client::new(id, dims), model }
    }

    fn after(&self, command: &Command) -> Self {
        let mut pool = self.pool.clone();
        let mut run = Lockstep::resume(&mut pool, self.client.clone(), self.model.clone());
        run.step(command).unwrap_or_else(|mismatch| panic!("{:?}: {mismatch}", self.model));
        let (client, model) = run.into_parts();
        Self { pool, client, model }
    }
}

/// Operations that may lead to another state. Nodes go out of service for the reasons given, and at
/// most `out` are out at a time.
fn moves<R: Rule>(state: &State<R>, dims: Dim, reasons: &[Outage], out: u32) -> Vec<Command> {
    let nodes = || (0..dims.nodes()).map(Node);
    let is_out = |node: &Node| state.model.state(*node).unwrap().outage.is_some();
    let release = (0..state.client.live().len()).map(|at| Command::Release(Pick::Live(at)));
    let mut commands: Vec<_> = dims.up_to().map(Command::Allocate).chain(release).collect();
    commands.push(Command::Restart);
    if dims.get() < 3 {
        let claims = dims.up_to().flat_map(|dim| subcubes(dims, dim));
        commands.extend(claims.map(Command::Claim));
    }
    let several: Vec<_> = nodes().filter(|node| node.0 % 3 != 1).collect();
    for &why in reasons {
        let more =
            nodes().filter(|node| nodes().filter(is_out).count() < out as usize || is_out(node));
        commands.extend(more.map(|node| Command::Withdraw(vec![node], why)));
        if out == dims.nodes() {
            commands.push(Command::Withdraw(several.clone(), why));
        }
    }
    if !reasons.is_empty() {
        commands.extend(nodes().map(|node| Command::Repair(vec![node])));
        commands.push(Command::Repair(several));
    }
    commands
}

/// Operations that must not lead anywhere; all that the pool shows is compared after each.
fn futile(dims: Dim) -> Vec<Command> {
    let stranger = Node(dims.nodes());
    let misuse = (0..6).map(Pick::Foreign).chain([Pick::Gone(0), Pick::Gone(1)]);
    let mut commands: Vec<_> = misuse.map(Command::Release).collect();
    commands.push(Command::Observe);
    commands.push(Command::Allocate(dims.up().unwrap()));
    commands.push(Command::Claim(Subcube::new(dims.up().unwrap(), stranger, 0).unwrap()));
    commands.push(Command::Withdraw(vec![Node(0), stranger], Outage::Failed));
    commands.push(Command::Repair(vec![Node(0), stranger]));
    commands
}

/// Visits every state, breadth first; returns how many there are.
fn explore<R: Rule>(dims: Dim, reasons: &[Outage], out: u32) -> usize {
    let start = State::<R>::start(dims);
    let empty = start.model.key();
    let mut known = HashSet::from([empty.clone()]);
    let mut frontier = VecDeque::from([start]);
    while let Some(state) = frontier.pop_front() {
        if state.model.free().len() == dims.nodes() {
            assert_eq!(state.model.key(), empty, "an empty machine remembers nothing");
        }
        for command in futile(dims) {
            state.after(&command);
        }
        for command in moves(&state, dims, reasons, out) {
            let next = state.after(&command);
            if known.insert(next.model.key()) {
                frontier.push_back(next);
            }
        }
    }
    println!("{dims} dimensions: {} states", known.len());
    known.len()
}

fn up_to_two_dimensions_with_any_nodes_out<R: Rule>() {
    let reasons = [Outage::Failed, Outage::Drained];
    // A single node is free or leased, and in service, failed or drained.
    assert_eq!(explore::<R>(dim(0), &reasons, 1), 6);
    // Two nodes are leased together or each by itself.
    assert_eq!(explore::<R>(dim(1), &reasons, 2), (2 * 2 + 1) * 3 * 3);
    // At least, any nodes may be leased one by one.
    assert!(explore::<R>(dim(2), &reasons, 4) > 6 * 6 * 6 * 6);
}

fn three_dimensions_with_all_nodes_in_service<R: Rule>() {
    assert!(explore::<R>(dim(3), &[], 0) > 256);
}

fn three_dimensions_with_a_node_drained<R: Rule>() {
    assert!(explore::<R>(dim(3), &[Outage::Drained], 1) > 256 * (1 + 8));
}

locox_oracles::for_each_strategy!(
    up_to_two_dimensions_with_any_nodes_out,
    three_dimensions_with_all_nodes_in_service,
    three_dimensions_with_a_node_drained,
);
