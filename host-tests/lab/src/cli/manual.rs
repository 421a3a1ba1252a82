//! `locox completions` and `locox man`.

use clap::Args;
use clap_complete::Shell;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct Completions {
    /// The shell.
    pub shell: Shell,
}

#[derive(Debug, Args)]
pub struct Man {
    /// Directory for a page of each command, `locox.1`, `locox-replay.1` and so on, which replace older
    /// ones; it is made if it is not there [default: the page of `locox` alone, printed].
    pub dir: Option<PathBuf>,
}
