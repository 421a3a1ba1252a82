//! Whose jobs are stopped so that a request has a box.

use locox::grid::{BoxRequest, Boxes, Cuboid};
use locox::machine::{Machine, MakeRoom, Stake};

/// How those who stop are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// So that the least work is lost.
    Least,
    /// The cheapest first until there is a box; then those go on, the dearest first, without whom there is one, too.
    Greedy,
}

impl Choice {
    /// Marks the stakes of those who stop beside jobs that `stay`, and says what they lose together; `None` if there would be no
    /// box even if all stopped.
    pub(super) fn make(
        self,
        machine: &Boxes,
        stay: &[Cuboid],
        request: &BoxRequest<'static>,
        stakes: &mut [Stake<Cuboid>],
    ) -> Option<u64> {
        match self {
            Self::Least => {
                let (map, mut sums) = (map(machine, stay, &[]), vec![0; machine.sums()]);
                machine.choose(&map, request, stakes, &mut sums).map(|cost| cost.sum)
            }
            Self::Greedy => greedy(machine, stay, request, stakes),
        }
    }
}

fn greedy(
    machine: &Boxes,
    stay: &[Cuboid],
    request: &BoxRequest<'static>,
    stakes: &mut [Stake<Cuboid>],
) -> Option<u64> {
    let mut room = vec![0; machine.words().room];
    let mut fits = |stakes: &[Stake<Cuboid>]| {
        machine.find(&map(machine, stay, stakes), request, &mut room).is_some()
    };
    stakes.sort_by_key(|it| it.cost);
    let needed = (0..stakes.len()).find(|&at| {
        stakes[at].yields = true;
        fits(stakes)
    })?;
    for at in (0..=needed).rev() {
        stakes[at].yields = false;
        stakes[at].yields = !fits(stakes);
    }
    Some(stakes.iter().filter(|it| it.yields).map(|it| it.cost).sum())
}

/// The nodes that are free beside jobs that stay and stakes that are not given up.
fn map(machine: &Boxes, stay: &[Cuboid], stakes: &[Stake<Cuboid>]) -> Vec<u64> {
    let mut map = vec![0; machine.words().map];
    machine.open(&mut map);
    let held = stakes.iter().filter(|it| !it.yields).map(|it| it.place);
    stay.iter().copied().chain(held).for_each(|place| machine.take(&mut map, &place));
    map
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox::cube::Node;
    use locox::grid::{Anchors, Grid, Placement};

    #[test]
    fn the_cheapest_first_may_lose_more_than_the_least() {
        // Rows of a torus of 4x4: one of one job, another of two, and two of others who must not be stopped.
        let torus = Grid::torus(&[4, 4]).unwrap();
        let machine = Boxes::new(torus, Placement::Corner, Anchors::Any).unwrap();
        let at =
            |node, sides: &str| Cuboid::new(torus, Node(node), sides.parse().unwrap()).unwrap();
        let row = BoxRequest::Fixed("4x1".parse().unwrap());
        let stay = [at(8, "4x1"), at(12, "4x1")];
        let chosen = |by: Choice| {
            let held = [("4x1", 0, 50), ("2x1", 4, 10), ("2x1", 6, 45)];
            let mut stakes =
                held.map(|(sides, node, cost)| Stake::new(at(node, sides), node, cost));
            let lost = by.make(&machine, &stay, &row, &mut stakes);
            (lost, stakes.iter().filter(|it| it.yields).map(|it| it.of).collect::<Vec<_>>())
        };
        assert_eq!(chosen(Choice::Least), (Some(50), vec![0]));
        assert_eq!(chosen(Choice::Greedy), (Some(55), vec![4, 6]));
    }
}
