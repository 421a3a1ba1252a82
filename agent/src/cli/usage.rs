//! What is wrong with arguments.

use super::answer::{Failure, failure};

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
