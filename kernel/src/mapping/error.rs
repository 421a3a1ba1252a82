//! Why nothing was mapped.

/// Why the jobs cannot be mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Refusal {
    /// No machine that is present can run this job to its end within the clock; clusters do not
    /// count.
    NoMachine(usize),
    /// The times are so long that an end, or the merit, is beyond any clock.
    TooLong,
}

/// What the caller did wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Misuse {
    /// The table has other columns than the site has resources; or a resource is of a class that
    /// there is not.
    Columns,
    /// It is not said of each machine when it is free.
    Machines,
    /// The plan or the working memory is for other machines, or for fewer jobs.
    Storage,
    /// There is not a level for each job; or those who take places are no more urgent than those who
    /// lose them.
    Levels,
    /// A job that runs, or where it runs, is not in the problem, or it runs twice.
    Running,
    /// There is no such job class or resource.
    Unknown,
}

/// Why a call did nothing.
pub type Error = crate::error::Error<Refusal, Misuse>;

crate::error::error_from! { Refusal, Misuse }

crate::display::error! { Refusal:
    Self::NoMachine(job) => "no machine that is present can run job {}" (job),
    Self::TooLong => "the expected times are too long to be added up",
}

crate::display::error! { Misuse:
    Self::Columns => "the table needs a column for each machine and each cluster",
    Self::Machines => "it must be said of each machine when it is free",
    Self::Storage => "the storage is for other machines, or for fewer jobs",
    Self::Levels => "each job needs a level, and takers a more urgent one than losers",
    Self::Running => "a job that runs is not in the problem, or runs twice",
    Self::Unknown => "there is no such job class or resource",
}
