//! Boxes in a torus of 8x8x8, with plans of moves.

#![no_std]
#![no_main]

sizes::program! { [u64; sizes::TORUS_WORDS] = [0; sizes::TORUS_WORDS], sizes::grid_with_plans }
