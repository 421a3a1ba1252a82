//! Meshes in a 10-cube, over buddy; with all its `stats`.

#![no_std]
#![no_main]

use locox::mesh::words;
use locox::subcube::Buddy;

sizes::program! { [usize; words::<Buddy>(10)] = [0; words::<Buddy>(10)], sizes::mesh_with_stats::<Buddy> }
