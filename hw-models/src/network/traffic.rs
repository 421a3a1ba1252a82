//! What the nodes of a job have to say to each other.

use locox::cube::Node;
use rand::{Rng, RngExt};
use rand_distr::Exp1;

/// From one node of a job to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// The node that sends it.
    pub source: Node,
    /// The node that it is for.
    pub target: Node,
    /// When the node has it ready to be sent, in cycles.
    pub at: u64,
}

/// A job as its programmer sees it: a mesh of nodes.
///
/// # Invariants
///
/// - `nodes` are in the order of their coordinates, the last axis fastest, and are as many as the
///   product of the sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mesh {
    sides: [u32; 3],
    nodes: Vec<Node>,
}

/// Who talks to whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// Each node to its neighbours along each axis, downwards first: iterative solvers.
    Neighbours,
    /// Each node to all others, in the order that begins behind it: a total exchange.
    AllToAll,
    /// Each node as many messages as it has neighbours at most, to nodes drawn at random.
    RandomPairs,
    /// Node (x, y) to the place of (y, x) in the matrix turned over; 3-D meshes count their two
    /// last axes as one.
    Transpose,
}

impl Pattern {
    /// All of them, those with the most local traffic first.
    pub const ALL: [Self; 4] =
        [Self::Neighbours, Self::Transpose, Self::RandomPairs, Self::AllToAll];

    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Neighbours => "neighbours",
            Self::AllToAll => "all to all",
            Self::RandomPairs => "random pairs",
            Self::Transpose => "transpose",
        }
    }
}

/// Messages of each node in [`Pattern::RandomPairs`], as many as a node of a 2-D mesh has
/// neighbours.
const RANDOM_MESSAGES: usize = 4;

impl Mesh {
    /// A mesh of these sides on these nodes.
    ///
    /// # Panics
    ///
    /// Unless there are as many nodes as places.
    pub fn new(sides: [u32; 3], nodes: Vec<Node>) -> Self {
        let places: u32 = sides.iter().product();
        assert_eq!(nodes.len(), places as usize, "a mesh of sides {sides:?} has {places} nodes");
        Self { sides, nodes }
    }

    /// Its nodes, in the order of their coordinates.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The messages of one round of `pattern`, all ready at once. Those of one node stand in the
    /// order in which it sends them; nobody writes to themselves.
    pub fn messages(&self, pattern: Pattern, random: &mut impl Rng) -> Vec<Message> {
        let places = 0..self.nodes.len();
        places.flat_map(|from| self.round(from, pattern, random)).collect()
    }

    /// The messages that become ready within `cycles`: those of a node at random intervals that are
    /// exponential with mean `interval`, to the targets of its rounds of `pattern`, one after the
    /// other. They are in the order of their times.
    ///
    /// # Panics
    ///
    /// Unless `interval` is positive.
    pub fn offered(
        &self,
        pattern: Pattern,
        interval: f64,
        cycles: u64,
        random: &mut impl Rng,
    ) -> Vec<Message> {
        assert!(interval > 0.0, "an interval of {interval} cycles");
        let mut messages = Vec::new();
        for from in 0..self.nodes.len() {
            let mut round = Vec::new().into_iter();
            let mut at = 0.0;
            loop {
                at += interval * random.sample::<f64, _>(Exp1);
                if at >= cycles as f64 {
                    break;
                }
                let next = round.next().or_else(|| {
                    round = self.round(from, pattern, random).into_iter();
                    round.next()
                });
                messages.extend(next.map(|message| Message { at: at as u64, ..message }));
            }
        }
        messages.sort_by_key(|message| message.at);
        messages
    }

    /// What the node at place `from` sends in a round.
    fn round(&self, from: usize, pattern: Pattern, random: &mut impl Rng) -> Vec<Message> {
        let count = self.nodes.len();
        let targets: Vec<usize> = match pattern {
            Pattern::Neighbours => self.neighbours(from).collect(),
            Pattern::AllToAll => (1..count).map(|step| (from + step) % count).collect(),
            Pattern::RandomPairs if count == 1 => vec![],
            Pattern::RandomPairs => {
                let other = |_| (from + random.random_range(1..count)) % count;
                (0..RANDOM_MESSAGES).map(other).collect()
            }
            Pattern::Transpose => vec![self.turned_over(from)],
        };
        let message = |to| Message { source: self.nodes[from], target: self.nodes[to], at: 0 };
        targets.into_iter().filter(|&to| to != from).map(message).collect()
    }

    fn neighbours(&self, place: usize) -> impl Iterator<Item = usize> {
        let [_, y, z] = self.sides.map(|side| side as usize);
        let strides = [y * z, z, 1];
        let axes = strides.into_iter().zip(self.sides.map(|side| side as usize));
        axes.flat_map(move |(stride, side)| {
            let at = place / stride % side;
            let down = (at > 0).then(|| place - stride);
            let up = (at + 1 < side).then(|| place + stride);
            down.into_iter().chain(up)
        })
    }

    fn turned_over(&self, place: usize) -> usize {
        let rows = self.sides[0] as usize;
        let columns = self.nodes.len() / rows;
        place % columns * rows + place / columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::stream;

    /// The place of each node is its address, to read the messages easily.
    fn mesh(sides: [u32; 3]) -> Mesh {
        Mesh::new(sides, (0..sides.iter().product()).map(Node).collect())
    }

    fn pairs(sides: [u32; 3], pattern: Pattern) -> Vec<(u32, u32)> {
        let messages = mesh(sides).messages(pattern, &mut stream(1, "traffic", 0));
        messages.into_iter().map(|message| (message.source.0, message.target.0)).collect()
    }

    #[test]
    fn neighbours_differ_by_one_in_one_coordinate() {
        // 0 1 2
        // 3 4 5
        let both_ways = |pairs: &[(u32, u32)]| {
            let mut all: Vec<_> = pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
            all.sort_unstable();
            all
        };
        let mut found = pairs([2, 3, 1], Pattern::Neighbours);
        found.sort_unstable();
        assert_eq!(found, both_ways(&[(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)]));
        // A box of a x b x c has abc * 3 - ab - bc - ca edges.
        let edges = 2 * 3 * 4 * 3 - 6 - 12 - 8;
        assert_eq!(pairs([2, 3, 4], Pattern::Neighbours).len(), 2 * edges);
    }

    #[test]
    fn all_to_all_has_every_pair_once() {
        let mut found = pairs([2, 3, 1], Pattern::AllToAll);
        assert_eq!(found[..5], [(0, 1), (0, 2), (0, 3), (0, 4), (0, 5)]);
        assert_eq!(found[5], (1, 2));
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), 6 * 5);
    }

    /// 0 1 2      0 3
    /// 3 4 5  →   1 4   read in rows.
    ///            2 5
    #[test]
    fn a_transposition_turns_the_matrix_over() {
        let found = pairs([2, 3, 1], Pattern::Transpose);
        assert_eq!(found, [(1, 2), (2, 4), (3, 1), (4, 3)]);
        assert!(pairs([5, 1, 1], Pattern::Transpose).is_empty());
    }

    #[test]
    fn random_pairs_are_the_same_for_the_same_seed_and_never_to_oneself() {
        let found = pairs([4, 4, 1], Pattern::RandomPairs);
        assert_eq!(found, pairs([4, 4, 1], Pattern::RandomPairs));
        assert!(found.len() > 48 && found.iter().all(|(from, to)| from != to));
    }

    #[test]
    fn offered_messages_follow_the_rounds_at_random_times_of_the_right_mean() {
        let mesh = mesh([2, 3, 1]);
        let offered = mesh.offered(Pattern::AllToAll, 50.0, 100_000, &mut stream(1, "traffic", 0));
        assert!(offered.is_sorted_by_key(|message| message.at));
        assert!(offered.iter().all(|message| message.at < 100_000));
        // 12,000 of a Poisson process, standard deviation 110.
        assert!(offered.len().abs_diff(12_000) < 400, "{}", offered.len());
        let of_4 = offered.iter().filter(|message| message.source == Node(4));
        let targets: Vec<u32> = of_4.map(|message| message.target.0).take(7).collect();
        assert_eq!(targets, [5, 0, 1, 2, 3, 5, 0]);
        let lonely = Mesh::new([1, 1, 1], vec![Node(9)]);
        for pattern in Pattern::ALL {
            let offered = lonely.offered(pattern, 1.0, 100, &mut stream(1, "traffic", 0));
            assert!(offered.is_empty());
        }
    }

    #[test]
    #[should_panic = "has 6 nodes"]
    fn a_mesh_has_a_node_at_each_place() {
        Mesh::new([2, 3, 1], vec![Node(0)]);
    }
}
