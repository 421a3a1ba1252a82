//! Prints how many nodes and jobs there are, who runs and who is next.

use super::answer::{Done, say, say_lines};
use super::html;
use super::summary::Status;
use super::view::View;
use crate::agent::Storage;
use crate::config::Config;

/// Prints it.
pub(super) fn status(config: &Config, json: bool, html: bool) -> Done {
    let mut storage = Storage::default();
    let view = View::open(&mut storage, config)?;
    let status = Status::of(&view)?;
    if json {
        say_lines(&serde_json::to_string_pretty(&status)?)?;
    } else if html {
        say(html::page(&status))?;
    } else {
        status.lines().iter().try_for_each(say)?;
    }
    Ok(true)
}
