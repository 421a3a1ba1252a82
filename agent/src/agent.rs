//! The agent: a coordinator whose history is stored, the names of its nodes, and what it remembers of its acts.

use crate::backend::JobKnown;
use crate::changed::{self, Changed};
use crate::config::Config;
use crate::facts::Room;
use crate::gone::{self, Gone};
use crate::memory::{self, Memory, Said};
use crate::names::{self, Names};
use crate::promises::Promises;
use crate::rows::{NotTaken, Rows};
use crate::shared::Shared;
use locox::image::BadImage;
use locox_coordinators::manager::{Coordinator, Job, Status};
use locox_storage::{DurableCoordinator, FileError, Files, Folder, RecoveryReport, StoreError};
use std::collections::HashSet;
use std::convert::Infallible;
use std::fmt;
use std::io;

/// The file of the folder that has the history.
pub const HISTORY: &str = "history";
/// The files of the folder, to be read in this order: a node has a number before the history names it.
pub const FILES: [&str; 5] = [HISTORY, names::FILE, gone::FILE, changed::FILE, memory::FILE];
/// What a history that cannot be read is called from then on; the next ones get this name and `.2`, `.3` and so on.
pub const LOST: &str = "history.lost";
/// What a history is called that was damaged, and from whose last good record an agent goes on.
pub const DAMAGED: &str = "history.damaged";

/// Storage for an agent.
#[derive(Debug, Default)]
pub struct Storage {
    rows: Rows,
    /// For the one that is begun anew when what was stored cannot be read; else it takes no memory.
    spare: Rows,
}

/// An agent that has recovered. It acts on nothing before its first [cycle](Agent::cycle).
pub struct Agent<'a, F: Folder> {
    pub(crate) config: Config,
    /// Its name in the manager.
    pub(crate) who: String,
    pub(crate) durable: DurableCoordinator<Coordinator<'a>, Files<Shared<F>>>,
    pub(crate) folder: Shared<F>,
    pub(crate) names: Names,
    /// The most nodes that a job can have while nothing runs.
    pub(crate) most: u32,
    pub(crate) memory: Memory,
    /// Its lines as they are stored.
    pub(crate) memory_stored: Vec<String>,
    /// What of jobs' requests is changed, as it is stored; `None` if the file is damaged.
    pub(crate) changed: Option<Vec<Changed>>,
    /// Jobs that have left of late, as they are stored; `None` if the file is damaged.
    pub(crate) gone: Option<Vec<Gone>>,
    /// Whether it began with nothing, and has not seen the manager yet.
    pub(crate) is_new: bool,
    /// Whether it was said that the kernel is not told of all planned outages.
    pub(crate) has_lacked: bool,
    /// Whether the manager has been told what is known from before.
    pub(crate) has_reminded: bool,
}

/// How an agent began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Began {
    /// There was nothing.
    New,
    /// It goes on from its history; after a salvage perhaps from the last good record of it.
    Recovered(RecoveryReport),
    /// What it knew is lost: the first snapshot says what there is; who had how much in the past nobody says.
    Lost {
        /// Why.
        why: String,
        /// What the history is called from now on, if there is one.
        kept: Option<String>,
    },
}

impl Began {
    /// Whether something of what it knew is lost.
    pub const fn has_lost(&self) -> bool {
        matches!(
            self,
            Self::Lost { .. } | Self::Recovered(RecoveryReport { left_out: Some(_), .. })
        )
    }
}

impl fmt::Display for Began {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::New => f.write_str("begins with an empty history"),
            Self::Recovered(RecoveryReport { replayed, left_out: Some(left_out), .. }) => write!(
                f,
                "THE HISTORY IS DAMAGED: the agent goes on from its last good record, {replayed} records behind the image; {left_out} records behind that are left out, and {DAMAGED} is a copy of all. Jobs and nodes come from the next snapshot; what users have had since that record is forgotten"
            ),
            Self::Recovered(RecoveryReport { replayed, mended, cut, .. }) => {
                write!(f, "recovered, {replayed} records behind the image")?;
                if *mended > 0 {
                    write!(f, ", {mended} of them mended")?;
                }
                f.write_str(if *cut { ", the last write was cut" } else { "" })
            }
            Self::Lost { why, kept } => {
                write!(
                    f,
                    "THE HISTORY IS LOST: {why}. Jobs and nodes come from the next snapshot; what users have had in the past is forgotten"
                )?;
                let Some(kept) = kept else { return Ok(()) };
                write!(
                    f,
                    ". It is kept as {kept}. To go on from it: stop the agent, call {kept} {HISTORY} again, and change back what was changed in the configuration; or, if it is damaged, start with run --salvage to keep what is sound in it"
                )
            }
        }
    }
}

/// Why an agent does not begin, or does not take over a history.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder cannot be read or written.
    #[error("{0}; check the disk and the rights of `folder`")]
    Folder(#[from] io::Error),
    /// The history cannot be written.
    #[error("the history: {0}; check the disk and the rights of `folder`")]
    Store(#[from] StoreError<FileError>),
    /// The kernel does not take the configuration.
    #[error("the configuration: {0}")]
    Config(#[from] NotTaken),
    /// The history is of another version.
    #[error(
        "the history is of another version: run `locox-agent migrate`, which takes over that of an older one"
    )]
    OtherVersion,
    /// It is of a version that cannot be taken over.
    #[error(
        "the history is of a version that this locox-agent does not know: nothing was changed; use the locox-agent that wrote it"
    )]
    UnknownVersion,
    /// It cannot be taken over as it is.
    #[error(
        "the history cannot be taken over: {0}; nothing was changed. If the configuration was changed, change it back; if the history is damaged, put back a copy, or have the locox-agent that wrote it run --salvage"
    )]
    NotTakenOver(StoreError<Infallible>),
    /// There is no room for its jobs and users.
    #[error(
        "the history cannot be taken over: it has more jobs or users than the configuration; nothing was changed. Write larger numbers for jobs and users"
    )]
    NoRoom,
    /// It cannot be taken over without the names of its nodes.
    #[error(
        "the history cannot be taken over: the list of nodes is missing or damaged; nothing was changed. Put back a copy of the file `{}` of the folder",
        names::FILE
    )]
    NoNames,
}

/// What the small files of a folder have.
struct Kept {
    gone: Option<Vec<Gone>>,
    changed: Option<Vec<Changed>>,
    memory: Memory,
}

/// What a recovery gives.
type Recovered<'a, F> = Result<
    (DurableCoordinator<Coordinator<'a>, Files<Shared<F>>>, RecoveryReport),
    StoreError<FileError>,
>;

impl<'a, F: Folder> Agent<'a, F> {
    /// Goes on from what a folder has, or begins. `who` is its name in the manager.
    ///
    /// # Errors
    ///
    /// [`OpenError`]. What cannot be read although the disk answers is no error: it is kept as `history.lost`, and a
    /// history begins.
    pub fn open(
        storage: &'a mut Storage,
        config: &Config,
        who: String,
        folder: F,
    ) -> Result<(Self, Began), OpenError> {
        Self::open_by(storage, config, who, folder, DurableCoordinator::recover)
    }

    /// As [`Agent::open`], but from the last good record of a history that is damaged.
    ///
    /// # Errors
    ///
    /// [`OpenError`].
    pub fn salvage(
        storage: &'a mut Storage,
        config: &Config,
        who: String,
        folder: F,
    ) -> Result<(Self, Began), OpenError> {
        Self::open_by(storage, config, who, folder, DurableCoordinator::salvage)
    }

    fn open_by(
        storage: &'a mut Storage,
        config: &Config,
        who: String,
        folder: F,
        recover: impl FnOnce(Coordinator<'a>, Files<Shared<F>>) -> Recovered<'a, F>,
    ) -> Result<(Self, Began), OpenError> {
        let mut folder = Shared::new(folder);
        let names = Names::load(&mut folder)?;
        let kept = Kept {
            gone: gone::load(&mut folder)?,
            changed: changed::load(&mut folder)?,
            memory: memory::load(&mut folder)?,
        };
        let has_history = folder.read(HISTORY)?.is_some();
        let why = match (has_history, names.is_some()) {
            (true, true) => None,
            (true, false) => Some("the list of nodes is missing or damaged"),
            // One that was killed before its first cycle has stored no more. If it governed, the manager's mark says so.
            (false, _) => Some(""),
        };
        let Storage { rows, spare } = storage;
        let files = Files::new(folder.clone());
        let why = match why {
            Some(why) => why.to_string(),
            None => match recover(rows.fresh(config)?, files) {
                Ok((durable, found)) => {
                    let mut names = names.unwrap_or_default();
                    if let Some(given) = config.places.names()
                        && given != names
                    {
                        given.store(&mut folder)?;
                        names = given;
                    }
                    let agent = Self::of(config, who, durable, folder, names, kept);
                    return Ok((agent, Began::Recovered(found)));
                }
                Err(StoreError::Image(BadImage::OtherVersion)) => {
                    return Err(OpenError::OtherVersion);
                }
                Err(StoreError::Medium(error)) => return Err(StoreError::Medium(error).into()),
                Err(error) => error.to_string(),
            },
        };
        let lost = if has_history { Some(free_name(&mut folder, LOST, |_| true)?) } else { None };
        if let Some(lost) = &lost {
            folder.rename(HISTORY, lost)?;
        }
        let names = config.places.names().or(names).unwrap_or_default();
        // Before the history: a history without names is one that is lost.
        names.store(&mut folder)?;
        let files = Files::new(folder.clone());
        let durable = DurableCoordinator::format(spare.fresh(config)?, files)?;
        let began = if why.is_empty() { Began::New } else { Began::Lost { why, kept: lost } };
        let mut agent = Self::of(config, who, durable, folder, names, kept);
        agent.is_new = began == Began::New;
        Ok((agent, began))
    }

    fn of(
        config: &Config,
        who: String,
        durable: DurableCoordinator<Coordinator<'a>, Files<Shared<F>>>,
        folder: Shared<F>,
        names: Names,
        Kept { gone, changed, memory }: Kept,
    ) -> Self {
        let most = config.places.most().unwrap_or(config.nodes);
        let said = said(durable.coordinator(), most);
        Self {
            config: config.clone(),
            who,
            durable,
            folder,
            names,
            most,
            memory: memory.of(said),
            memory_stored: vec![],
            changed,
            gone,
            is_new: false,
            has_lacked: false,
            has_reminded: false,
        }
    }

    /// What is to be said of jobs, each once.
    pub(crate) fn to_say(&self) -> HashSet<Said> {
        said(self.manager(), self.most)
    }

    /// The coordinator.
    pub fn manager(&self) -> &Coordinator<'a> {
        self.durable.coordinator()
    }

    /// The jobs that it knows, for a manager's backend that is begun anew.
    pub fn jobs_known(&self) -> Vec<JobKnown> {
        let known =
            |job: Job| JobKnown { id: job.key.id, born: job.key.born, priority: job.priority };
        self.manager().jobs().map(known).collect()
    }

    /// What of jobs' requests it has changed and not given back, for a manager's backend that is begun anew; `None` if
    /// that cannot be read.
    pub fn changed(&self) -> Option<&[Changed]> {
        self.changed.as_deref()
    }

    /// What the first in line was promised.
    pub const fn promises(&self) -> &Promises {
        &self.memory.promises
    }

    /// What there is room for.
    pub(crate) const fn room(&self) -> Room {
        Room { jobs: self.config.jobs as usize, users: self.config.users as usize }
    }

    /// Its nodes.
    pub const fn names(&self) -> &Names {
        &self.names
    }

    /// What it was told to do.
    pub const fn config(&self) -> &Config {
        &self.config
    }
}

/// A name for a history that is not read any more: this one, or with `.2`, `.3` and so on if that of a file is `taken`.
pub(crate) fn free_name(
    folder: &mut impl Folder,
    name: &str,
    taken: impl Fn(&[u8]) -> bool,
) -> io::Result<String> {
    let numbered = (2..).map(|number: u64| format!("{name}.{number}"));
    for name in std::iter::once(name.to_string()).chain(numbered) {
        if folder.read(&name)?.is_none_or(|bytes| !taken(&bytes)) {
            return Ok(name);
        }
    }
    Ok(name.into())
}

/// What is said of jobs once: who needs more than `most` nodes waits for ever.
fn said(manager: &Coordinator<'_>, most: u32) -> HashSet<Said> {
    let of = |job: Job| {
        let never = matches!(job.status, Status::Waiting | Status::Never) && job.needs > most;
        let late = job.deadline.filter(|_| job.late.is_some());
        let never = never.then_some(Said::Never(job.key));
        let stop = manager.stop(job.key).filter(|(at, _)| *at > manager.now());
        let stop = stop.map(|(at, _)| Said::Stop(job.key, at));
        never.into_iter().chain(stop).chain(late.map(|by| Said::Late(job.key, by)))
    };
    manager.jobs().flat_map(of).collect()
}
