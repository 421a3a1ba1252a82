//! `locox completions` and `locox man`: what the command line says of itself. Both follow from it alone, so
//! the same program always writes the same.

use crate::cli::{Cli, Completions, Man};
use crate::output::{Stdout, unprintable, write_files};
use clap::{Command, CommandFactory};
use locox_report::failure::Failure;
use std::io::Write;

/// Prints the script by which a shell completes what is typed behind `locox`.
pub(super) fn completions(Completions { shell }: &Completions) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(*shell, &mut Cli::command(), "locox", &mut script);
    print(&script)
}

/// Prints the page of the manual, or writes all pages.
pub(super) fn man(Man { dir }: &Man) -> Result<(), Failure> {
    let pages = pages();
    match dir {
        Some(dir) => write_files(dir, &pages),
        None => print(&pages[0].1),
    }
}

fn print(text: &[u8]) -> Result<(), Failure> {
    let mut out = Stdout::lock();
    out.write_all(text).and_then(|()| out.flush()).map_err(|error| unprintable(&error))
}

/// The pages by the names of their files, that of `locox` first.
fn pages() -> Vec<(String, Vec<u8>)> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    add_pages(&command, &mut pages);
    pages
}

/// The page of a command and those of the commands below it.
fn add_pages(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) {
    let man = clap_mangen::Man::new(command.clone()).manual("locox");
    let mut page = Vec::new();
    man.render(&mut page).expect("memory can be written");
    pages.push((man.get_filename(), page));
    command.get_subcommands().for_each(|below| add_pages(below, pages));
}
