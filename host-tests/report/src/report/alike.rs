//! Which curves lie on each other: those are drawn in turns, so that each can be seen.

/// A place in the picture.
pub(super) type Place = (f64, f64);

/// So near to each other, across and down, two places look the same: about a pixel.
const NEAR: Place = (10.0, 1.0);

/// A curve among those on the same places: the first is drawn through, the others dashed over it in turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) at: usize,
    pub(super) of: usize,
}

impl Turn {
    /// Lengths of dash and gap, and how far the dashes are moved, as attributes of SVG; `None`: drawn through.
    pub(super) fn dashes(self, dash: usize) -> Option<(String, String)> {
        let Self { at, of } = self;
        // Those after it are drawn over the rest of its own turn.
        let pattern = || (format!("{} {}", dash * (of - at), dash * at), format!("-{}", dash * at));
        (at > 0).then(pattern)
    }
}

/// The turn of each curve; those that share at least half of their places with an earlier one join it. Places
/// are in rising order from left to right.
pub(super) fn turns(curves: &[Vec<Place>]) -> Vec<Turn> {
    let mut leaders: Vec<usize> = Vec::new();
    for (at, curve) in curves.iter().enumerate() {
        let first = (0..at)
            .find(|&earlier| leaders[earlier] == earlier && is_alike(curve, &curves[earlier]));
        leaders.push(first.unwrap_or(at));
    }
    let count =
        |until: usize, leader| leaders[..until].iter().filter(|&&other| other == leader).count();
    let turn = |(at, &leader): (usize, &usize)| Turn {
        at: count(at, leader),
        of: count(leaders.len(), leader),
    };
    leaders.iter().enumerate().map(turn).collect()
}

fn is_alike(curve: &[Place], other: &[Place]) -> bool {
    let mut rest = other;
    let is_shared = |&&(x, y): &&Place| {
        rest = &rest[rest.partition_point(|place| place.0 < x - NEAR.0)..];
        rest.iter()
            .take_while(|place| place.0 <= x + NEAR.0)
            .any(|place| (place.1 - y).abs() <= NEAR.1)
    };
    let shared = curve.iter().filter(is_shared).count();
    curve.len() > 1 && 2 * shared >= curve.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(heights: [f64; 4]) -> Vec<Place> {
        heights.into_iter().enumerate().map(|(at, y)| (100.0 * at as f64, y)).collect()
    }

    #[test]
    fn curves_on_each_other_take_turns_and_others_do_not() {
        let curves = [
            curve([10.0, 20.0, 30.0, 40.0]),
            curve([90.0, 20.0, 80.0, 70.0]), // one place in common
            curve([10.5, 20.0, 33.0, 44.0]), // two
            vec![],
            curve([10.0, 20.0, 30.0, 40.0]),
        ];
        let all = turns(&curves).into_iter().map(|turn| (turn.at, turn.of));
        assert_eq!(all.collect::<Vec<_>>(), [(0, 3), (0, 1), (1, 3), (0, 1), (2, 3)]);
    }

    #[test]
    fn the_first_is_drawn_through_and_the_dashes_of_the_others_alternate() {
        assert_eq!(Turn { at: 0, of: 3 }.dashes(8), None);
        assert_eq!(Turn { at: 1, of: 3 }.dashes(8), Some(("16 8".into(), "-8".into())));
        assert_eq!(Turn { at: 2, of: 3 }.dashes(8), Some(("8 16".into(), "-16".into())));
    }
}
