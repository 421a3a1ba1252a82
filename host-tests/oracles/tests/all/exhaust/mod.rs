//! Everything of a small size; `ci/deep/exhaust` does the same for larger ones.

mod planted;
mod quick;
mod reach;
mod symmetry;
