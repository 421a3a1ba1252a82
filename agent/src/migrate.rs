//! Takes over a history that an older version of the agent has stored.

use crate::agent::{HISTORY, OpenError, free_name};
use crate::config::Config;
use crate::names::Names;
use crate::old::Old;
use crate::rows::Rows;
use locox::image::BadImage;
use locox_coordinators::coordinate::{Durable, Snapshot};
use locox_coordinators::manager::Coordinator;
use locox_storage::{DurableCoordinator, Files, Folder, StoreError, read_history};
use std::convert::Infallible;
use std::fmt;

/// What was taken over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenOver {
    /// The version of the history.
    pub version: u16,
    /// What the old history is called from now on.
    pub kept: String,
    /// How many users are known.
    pub users: usize,
    /// How many jobs are known.
    pub jobs: u32,
    /// How many nodes are known.
    pub nodes: usize,
    /// Decisions that are others by today's rules, and facts that were left out for that.
    pub differing: u32,
}

impl fmt::Display for TakenOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { version, kept, users, jobs, nodes, differing } = self;
        write!(
            f,
            "took over the history of version {version}: what {users} users have had, {jobs} jobs, {nodes} nodes. Promises are made anew at the next look. The old history is kept as {kept}"
        )?;
        if *differing > 0 {
            write!(
                f,
                ". {differing} decisions or facts behind its image are others by today's rules: the next look says what is so"
            )?;
        }
        Ok(())
    }
}

/// Stores the history of a folder as one of today, and keeps the old one under another name; `None`, with nothing changed, if it is
/// one of today, or if there is none. Cut at any point, it leaves the old history or the new one.
///
/// # Errors
///
/// [`OpenError`]; the history is as it was then.
pub fn migrate(config: &Config, mut folder: impl Folder) -> Result<Option<TakenOver>, OpenError> {
    let Some(bytes) = folder.read(HISTORY)? else { return Ok(None) };
    let mut rows = Rows::default();
    match Durable::new(rows.fresh(config)?).load(&mut words(&bytes)) {
        Ok(()) => return Ok(None),
        Err(BadImage::OtherVersion) => {}
        Err(bad) => return Err(OpenError::NotTakenOver(StoreError::Image(bad))),
    }
    let names = Names::load(&mut folder)?.ok_or(OpenError::NoNames)?;
    for version in Coordinator::OLDER {
        let mut coordinator = rows.fresh(config)?;
        let Some(differing) = read(&bytes, &mut coordinator, version)? else { continue };
        let kept = keep(&mut folder, version, &bytes)?;
        let (users, jobs) = (coordinator.users().count(), coordinator.len());
        DurableCoordinator::format(coordinator, Files::new(folder))?;
        let nodes = names.len();
        return Ok(Some(TakenOver { version, kept, users, jobs, nodes, differing }));
    }
    Err(OpenError::UnknownVersion)
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let (words, _) = bytes.as_chunks::<4>();
    words.iter().map(|word| u32::from_le_bytes(*word))
}

/// Takes a coordinator to where a history of this version leads. What [differs](Old::differing); `None` if the history is of
/// another version.
fn read(
    bytes: &[u8],
    coordinator: &mut Coordinator<'_>,
    version: u16,
) -> Result<Option<u32>, OpenError> {
    let mut pool = Durable::new(Old::new(coordinator, version));
    match read_history::<_, Infallible>(bytes, &mut pool, |_| {}) {
        Err(StoreError::Image(BadImage::OtherVersion)) => return Ok(None),
        read => read.map_err(OpenError::NotTakenOver)?,
    };
    if pool.coordinator().is_full() {
        return Err(OpenError::NoRoom);
    }
    let differing = pool.coordinator().differing();
    // It is never stored broken: an image of that would be refused.
    let sound = pool.coordinator().check_invariants();
    let broken = |it: locox::invariant::InvariantViolation| BadImage::Contradiction(it.0);
    sound.map_err(|it| OpenError::NotTakenOver(StoreError::Image(broken(it))))?;
    Ok(Some(differing))
}

/// Stores the old history under a name of its own, unless an attempt that was cut did. That name.
fn keep(folder: &mut impl Folder, version: u16, bytes: &[u8]) -> Result<String, OpenError> {
    let kept = free_name(folder, &format!("{HISTORY}.{version}"), |other| other != bytes)?;
    if folder.read(&kept)?.is_none() {
        let new = format!("{kept}.new");
        folder.write(&new, bytes)?;
        folder.rename(&new, &kept)?;
        folder.sync_names()?;
    }
    Ok(kept)
}
