//! What can be said to the command.

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::time::Duration;

/// Governs a cluster through its resource manager: the kernel locox decides which job runs where and when, and the
/// manager acts.
#[derive(Debug, Parser)]
#[command(name = "locox-agent", version, about, max_term_width = 100)]
#[command(after_long_help = concat!(
    "Exit codes: 0 done, or yes; 1 no, or not well; 2 an error, which is one line.\n\n",
    "A configuration has, and the paths in it start at its folder:\n\n",
    include_str!("../../locox-agent.toml"),
))]
pub(super) struct Args {
    /// The configuration
    #[arg(long, short, global = true, default_value = "/etc/locox-agent.toml")]
    pub(super) config: PathBuf,
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Looks, decides and acts, again and again; prints a line for each act
    Run {
        /// Once only
        #[arg(long)]
        once: bool,
        /// Once only; prints what would be done, does nothing and stores nothing
        #[arg(long)]
        dry_run: bool,
        /// Goes on from the last good record of a damaged history; what came later is forgotten
        #[arg(long, conflicts_with = "dry_run")]
        salvage: bool,
        /// Even if `doctor` finds something that is to be mended first
        #[arg(long, conflicts_with = "dry_run")]
        despite_warnings: bool,
    },
    /// Says why a job waits
    Why {
        /// The job, as the manager prints it
        job: String,
    },
    /// Says when a job is expected to start and to end, if all run for as long as they may
    When {
        /// The job, as the manager prints it
        job: String,
    },
    /// Says when a job would start if it were submitted now; 1 if not in time
    Would {
        /// Nodes that it would ask for
        #[arg(long, alias = "pes")]
        nodes: u32,
        /// For how long it might run, such as 30m or 2h
        #[arg(long, value_parser = super::times::length)]
        limit: Duration,
        /// When it should have ended: 8h for in eight hours, or 2026-11-25T18:00:00Z
        #[arg(long)]
        by: Option<String>,
        /// Whose it would be, by number; left out: yours
        #[arg(long)]
        user: Option<u32>,
        /// Say also which jobs would have to stop so that it starts at once, and what they would lose
        #[arg(long)]
        now: bool,
    },
    /// Says how many nodes and jobs there are and who is next
    Status {
        /// As JSON
        #[arg(long)]
        json: bool,
        /// As a page in HTML
        #[arg(long, conflicts_with = "json")]
        html: bool,
    },
    /// Prints what is to be installed in the manager so that jobs wait for the agent; 1 if nothing is
    Gate,
    /// Looks whether all is as it should be; 1 if not
    Doctor,
    /// Replays a history and says what it leads to; 1 if its end was cut or it is damaged
    Verify {
        /// A file `history` of an agent with this configuration
        history: PathBuf,
    },
    /// Takes over the history of an older version, which `run` does not read; 1 if there is none. Stop the agent first
    Migrate,
    /// Gives all jobs back to the manager: no gates, no ranks. Stop the agent first, and take
    /// the gate out of the manager's configuration
    ReleaseAll {
        /// Even if the manager's mark says that another agent governs
        #[arg(long)]
        force: bool,
    },
    /// Prints the script by which a shell completes commands and options
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Prints the page of the manual, or writes a page of each command
    Man {
        /// Folder for the pages, which replace older ones; it is made if it is not there. Left out: the page of
        /// locox-agent alone, printed
        folder: Option<PathBuf>,
    },
}
