//! Why nothing was mapped.

crate::display::errors! {
    /// Why the jobs cannot be mapped.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub enum Refusal {
        /// No machine that is present can run this job to its end within the clock; clusters do not
        /// count.
        NoMachine(job: usize) => "no machine that is present can run job {job}",
        /// The times are so long that an end, or the merit, is beyond any clock.
        TooLong => "the expected times are too long to be added up",
    }

    /// What the caller did wrong.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub enum Misuse {
        /// The table has other columns than the site has resources; or a resource is of a class that
        /// there is not.
        Columns => "the table needs a column for each machine and each cluster",
        /// It is not said of each machine when it is free.
        Machines => "it must be said of each machine when it is free",
        /// The plan or the working memory is for other machines, or for fewer jobs.
        Storage => "the storage is for other machines, or for fewer jobs",
        /// There is not a level for each job; or those who take places are no more urgent than those who
        /// lose them.
        Levels => "each job needs a level, and takers a more urgent one than losers",
        /// A job that runs, or where it runs, is not in the problem, or it runs twice.
        Running => "a job that runs is not in the problem, or runs twice",
        /// There is no such job class or resource.
        Unknown => "there is no such job class or resource",
    }
}

/// Why a call did nothing.
pub type Error = crate::error::Error<Refusal, Misuse>;

crate::error_from! { Refusal, Misuse }
