//! What a careless placement costs a program with barriers, in seconds.
//!
//! The program computes, then every process sends a message to the barrier process, which answers
//! each when the last has come; and so on. Beside it another job sends at random times.

use super::contention::{Placed, figure_3_1, interval, smallest};
use super::load::DRAWS;
use crate::Lab;
use locox::cube::{Dim, Node};
use locox_models::network::traffic::{Mesh, Message, Pattern};
use locox_models::network::wormhole::{Router, Simulation};
use locox_models::stats::Estimate;
use locox_models::streams::stream;
use locox_report::report::{Cell, Table};

/// Second version of the program: work in seconds of one processor, phases.
const WORK: f64 = 164.0;
const PHASES: f64 = 1_250.0;
/// A message of 800 bytes over a channel of 2.2 MB a second.
const MESSAGE: f64 = 800.0 / 2.2e6;
/// Phases that are simulated, of those of the program.
const SIMULATED: u32 = 20;
const LOADS: [f64; 3] = [0.2, 0.5, 0.8];

/// Seconds that the program takes, by draw of the other job's messages.
pub(super) struct Cost {
    program: &'static str,
    other: &'static str,
    load: f64,
    alone: f64,
    pub(super) lost: Vec<f64>,
}

pub(super) fn measure(lab: &Lab) -> Vec<Cost> {
    let jobs = [("2 x 3", "2 x 5"), ("5 x 1", "1*1")];
    let swapped = |(a, b)| (b, a);
    let cases: Vec<(usize, bool, f64)> = (0..2)
        .flat_map(|pair| [false, true].map(|second| (pair, second)))
        .flat_map(|(pair, second)| LOADS.map(|load| (pair, second, load)))
        .collect();
    lab.parallel(&cases, |&(pair, second, load)| {
        let Placed { dims, mut meshes } = if pair == 0 { figure_3_1() } else { smallest() };
        let names = if second { swapped(jobs[pair]) } else { jobs[pair] };
        let program = meshes.remove(usize::from(second));
        let alone = seconds(dims, program.nodes(), &[]);
        let lost = |draw| {
            let mut random = stream(lab.seed, "barrier", draw);
            let enough = (3.0 * alone * f64::from(SIMULATED) / PHASES / cycle()) as u64;
            let other: &Mesh = &meshes[0];
            let messages = other.offered(Pattern::RandomPairs, interval(load), enough, &mut random);
            seconds(dims, program.nodes(), &messages) - alone
        };
        let lost = (0..DRAWS).map(lost).collect();
        Cost { program: names.0, other: names.1, load, alone, lost }
    })
}

/// Seconds of a cycle.
fn cycle() -> f64 {
    MESSAGE / f64::from(Router::default().length)
}

/// Seconds that the whole program takes on these nodes while `others` are sent.
fn seconds(dims: Dim, nodes: &[Node], others: &[Message]) -> f64 {
    let compute = (WORK / PHASES / nodes.len() as f64 / cycle()) as u64;
    let mut network = Simulation::new(&Router::default(), dims);
    others.iter().for_each(|&message| _ = network.send(message));
    let (barrier, processes) = nodes.split_first().expect("a program has a process");
    let mut now = 0;
    for _ in 0..SIMULATED {
        now += compute;
        let reports = processes.iter().map(|&node| (node, *barrier));
        now = exchange(&mut network, others.len(), reports, now);
        let answers = processes.iter().map(|&node| (*barrier, node));
        now = exchange(&mut network, others.len(), answers, now);
    }
    now as f64 / f64::from(SIMULATED) * PHASES * cycle()
}

/// Sends all of these at `at`, and says when the last has arrived. Messages from number `first` on
/// are the program's.
fn exchange(
    network: &mut Simulation,
    first: usize,
    pairs: impl Iterator<Item = (Node, Node)>,
    at: u64,
) -> u64 {
    let send = |(source, target)| _ = network.send(Message { source, target, at });
    let mut missing = pairs.map(send).count();
    let mut last = at;
    while missing > 0 {
        let arrival = network.next_arrival().expect("what was sent arrives");
        if arrival.number >= first {
            missing -= 1;
            last = arrival.at;
        }
    }
    last
}

pub(super) fn table(costs: &[Cost]) -> Table {
    let columns = [
        ("program", "program on"),
        ("other", "beside a job on"),
        ("load", "load of that"),
        ("alone", "alone (s)"),
        ("lost", "lost (s)"),
        ("most", "most of a draw (s)"),
    ];
    let title = format!(
        "A program of {PHASES} barriers, 800 bytes a message, channels of 2.2 MB/s; {DRAWS} draws"
    );
    let mut table = Table::new(title, &columns);
    for cost in costs {
        table.push(vec![
            Cell::text(cost.program),
            Cell::text(cost.other),
            Cell::Number(cost.load, 1),
            Cell::Number(cost.alone, 1),
            Cell::Estimate(Estimate::of(&cost.lost), 2),
            Cell::Number(cost.lost.iter().copied().fold(0.0, f64::max), 2),
        ]);
    }
    table
}

/// The greatest mean loss, in words.
pub(super) fn worst(costs: &[Cost]) -> String {
    let mean = |cost: &&Cost| Estimate::of(&cost.lost).mean;
    let worst = costs.iter().max_by(|a, b| mean(a).total_cmp(&mean(b)));
    worst.map_or(String::new(), |cost| {
        format!(
            "A program of {PHASES} barriers on {} that takes {:.1} s alone loses {:.2} s beside a \
             job on {} at a load of {}",
            cost.program,
            cost.alone,
            Estimate::of(&cost.lost),
            cost.other,
            cost.load
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_is_the_work_and_two_messages_when_there_is_one_process_beside_the_barriers() {
        let one = Dim::new(1).unwrap();
        let each = seconds(one, &[Node(0), Node(1)], &[]) / PHASES / cycle();
        let compute = (WORK / PHASES / 2.0 / cycle()).floor();
        assert!((each - compute - 2.0 * 55.0).abs() < 1e-6, "{each}");
    }

    #[test]
    fn another_job_on_channels_of_its_own_costs_nothing() {
        let three = Dim::new(3).unwrap();
        let program: Vec<Node> = (0..4).map(Node).collect();
        let other = Mesh::new([4, 1, 1], (4..8).map(Node).collect());
        let mut random = stream(1, "barrier", 0);
        let messages = other.offered(Pattern::RandomPairs, interval(0.9), 500_000, &mut random);
        assert_eq!(seconds(three, &program, &messages), seconds(three, &program, &[]));
    }
}
