//! The command `locox`, and its verdicts: one binary, because each costs a link.

mod cli;
mod verdicts;
