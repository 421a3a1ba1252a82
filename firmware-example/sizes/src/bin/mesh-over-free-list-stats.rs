//! Meshes in a 10-cube, over the free list; with all its `stats`.

#![no_std]
#![no_main]

use locox::mesh::words;
use locox::subcube::FreeList;

sizes::program! { [usize; words::<FreeList>(10)] = [0; words::<FreeList>(10)], sizes::mesh_with_stats::<FreeList> }
