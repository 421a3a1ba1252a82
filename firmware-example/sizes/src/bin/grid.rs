//! Boxes in a torus of 8x8x8.

#![no_std]
#![no_main]

sizes::program! { [u64; sizes::TORUS_WORDS] = [0; sizes::TORUS_WORDS], sizes::grid }
