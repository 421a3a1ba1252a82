//! What a history leads to.

use super::answer::{Done, Failure, failure, say};
use crate::agent::OpenError;
use crate::config::Config;
use crate::rows::Rows;
use locox::image::BadImage;
use locox_coordinators::coordinate::Durable;
use locox_storage::{Fnv, StoreError, read_regular, salvage_history};
use std::convert::Infallible;
use std::path::Path;

/// Replays a history as a recovery does, and checks what it leads to.
pub(super) fn verify(config: &Config, history: &Path) -> Done {
    let path = history.display();
    let bytes =
        read_regular(history, u64::MAX).map_err(|error| failure(format!("{path}: {error}")))?;
    let mut rows = Rows::default();
    let mut pool = Durable::new(rows.fresh(config)?);
    let with_path = |error: StoreError<Infallible>| -> Failure {
        match error {
            StoreError::Image(BadImage::OtherVersion) => {
                failure(format!("{path}: {}", OpenError::OtherVersion))
            }
            error => failure(format!("{path}: {error}")),
        }
    };
    let found = salvage_history(&bytes, &mut pool, |_| {}).map_err(with_path)?;
    pool.coordinator().check_invariants()?;
    let mut digest = Fnv::new();
    pool.export(&mut |word| digest.add(word));
    let (replayed, mended) = (found.replayed, found.mended);
    let (jobs, now) = (pool.coordinator().len(), pool.now().ticks());
    let (place, state) = (pool.place().commands, digest.get());
    say(format!(
        "{path}: an image and {replayed} records, {mended} mended; {place} commands lead to {jobs} jobs at {now}, state {state:016x}"
    ))?;
    if let Some(left_out) = found.left_out {
        say(format!(
            "THE HISTORY IS DAMAGED behind these records; run --salvage would leave out {left_out} records that follow, and those that are missing"
        ))?;
        return Ok(false);
    }
    if found.cut {
        say("the last write was cut: its commands are lost, nobody was told of them")?;
    }
    Ok(!found.cut)
}
