//! Takes over the history of an older version.

use super::answer::{Done, say};
use super::folder;
use crate::config::Config;
use crate::migrate;

/// Takes it over; no if there is nothing to take over. The folder is locked meanwhile.
pub(super) fn migrate(config: &Config) -> Done {
    let path = config.folder.display();
    let taken = match config.folder.exists() {
        true => migrate::migrate(config, folder::open(&config.folder)?)?,
        false => None,
    };
    match &taken {
        Some(taken) => say(taken)?,
        None => say(format!("nothing to migrate: {path} has no history of an older version"))?,
    }
    Ok(taken.is_some())
}
