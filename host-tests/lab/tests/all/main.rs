//! The command `locox`: one binary, because each costs a link.

mod cli;
