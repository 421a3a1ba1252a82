//! How the command is used: its manual, and what was wrong with its arguments.

use super::answer::{Failure, failure};
use super::args::Args;
use clap::CommandFactory;
use std::io;

/// What is wrong with arguments: one line.
pub(super) fn one_line(error: &clap::Error) -> Failure {
    let rendered = error.render().to_string();
    let told = rendered.lines().take_while(|line| !line.starts_with("Usage:"));
    let parts = told.map(|line| line.trim().trim_start_matches("error: "));
    let kept = parts.filter(|line| !line.is_empty() && !line.starts_with("For more information"));
    // A line that announces a list ends in a colon already.
    let text = kept.collect::<Vec<_>>().join("; ").replace(":;", ":");
    failure(format!("{text}; see locox-agent --help"))
}

/// The page of the manual. It is the only one: commands are named as they are typed, not as pages of their own.
pub(super) fn manual() -> io::Result<String> {
    let mut page = vec![];
    clap_mangen::Man::new(Args::command()).render(&mut page)?;
    let page = String::from_utf8(page).map_err(io::Error::other)?;
    let lines = page.lines().map(|line| match line.strip_suffix("(1)") {
        Some(command) => command.replacen("locox\\-agent\\-", "locox\\-agent ", 1) + "\n",
        None => format!("{line}\n"),
    });
    Ok(lines.collect())
}
