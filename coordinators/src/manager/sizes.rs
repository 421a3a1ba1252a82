//! How long columns are.

use super::layout::{self, cube_room, dims_of};
use super::map::Owners;
use super::{config, places};
use locox::bits::words_for;
use locox::grid::Grid;
use locox::machine::{Machine, MakeRoom, Words};
use locox::subcube::{Complete, Subcubes};

/// Entries of the index for so many jobs and users. More make it faster.
pub const fn index_len(jobs: usize, users: usize) -> usize {
    jobs.saturating_add(users).saturating_mul(2)
}

/// Words for so many nodes, any of which a job can have.
pub const fn words(nodes: usize) -> usize {
    words_for(nodes)
}

/// Words for so many nodes with [`Places::Subcubes`](super::Places::Subcubes) or meshes; of a number that is none of a cube as
/// [`words`].
pub const fn cube_words(nodes: usize) -> usize {
    match dims_of(nodes) {
        Some(dims) => {
            let of = Words { map: Owners::of(dims).end, room: cube_room(dims) };
            words(nodes).saturating_add(places::words(words(nodes), of))
        }
        None => words(nodes),
    }
}

/// Words for so many nodes with [`Places::Boxes`](super::Places::Boxes) or a tree, or with planned outages and any nodes.
pub const fn place_words(nodes: usize) -> usize {
    let map = words(nodes);
    let of = Words { map, room: map.saturating_mul(2) };
    map.saturating_add(places::words(map, of))
}

/// Words of [`Columns::sums`](super::Columns::sums) for so many nodes.
pub fn sum_words(places: config::Places, nodes: usize) -> usize {
    let counted = nodes.saturating_add(1).saturating_mul(2);
    match places {
        config::Places::Any | config::Places::Tree => counted,
        config::Places::Subcubes | config::Places::Meshes => {
            dims_of(nodes).and_then(Subcubes::<Complete>::new).map_or(0, |cubes| cubes.sums())
        }
        config::Places::Boxes(grid) => layout::boxes(grid).map_or(0, |boxes| boxes.sums()),
    }
}

/// Words of [`Columns::boxes`](super::Columns::boxes) for [`Places::Boxes`](super::Places::Boxes) of a machine.
pub fn box_words(grid: Grid) -> usize {
    layout::boxes(grid).map_or(0, |boxes| {
        let Words { map, room } = boxes.words();
        map.saturating_add(room)
    })
}
