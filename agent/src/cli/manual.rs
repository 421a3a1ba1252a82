//! What the command line says of itself.

use super::answer::{Done, failure, print};
use super::args::Args;
use clap::CommandFactory;
use clap_complete::Shell;
use std::fs;
use std::path::Path;

const NAME: &str = "locox-agent";

/// Prints the script by which a shell completes what is typed behind the command.
pub(super) fn completions(shell: Shell) -> Done {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), NAME, &mut script);
    print(&script)?;
    Ok(true)
}

/// Prints the page of the manual, or writes a page of each command into a folder.
pub(super) fn man(folder: Option<&Path>) -> Done {
    let Some(folder) = folder else {
        let mut page = Vec::new();
        let command = Args::command().disable_help_subcommand(true);
        clap_mangen::Man::new(command).render(&mut page)?;
        print(&page)?;
        return Ok(true);
    };
    let written =
        fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Args::command(), folder));
    written.map_err(|error| {
        let folder = folder.display();
        failure(format!("{folder}: the pages cannot be written: {error}; name another folder"))
    })?;
    Ok(true)
}
