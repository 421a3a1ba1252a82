//! Slurm's accounting: what `sacct -P` prints, as jobs of a trace.
//!
//! `sacct` is asked for [`FORMAT`]; its output is a header with the names of the columns and a line
//! for each job, step and run, with `|` between the fields. [`import`] keeps what ran and ended, says
//! what it dropped and why, and [`Accounting::write`] writes the rest in the Standard Workload Format.
//!
//! - **Steps** (`123.batch`, `123.0`) are parts of a job that has a line of its own.
//! - **Arrays**: each task (`123_4`) is a job.
//! - **Requeued jobs** have a line for each run if `sacct` is told `-D`. Each run is a job, submitted
//!   when the last one ended.
//! - **Heterogeneous jobs**: components (`123+0`, `123+1`) that were submitted together are one job, with
//!   the processors of all.
//! - **What jobs ask for** of nodes is what `AllocTRES` says or, where that is empty, `ReqTRES`; no component of a heterogeneous job has any.
//! - **Suspended time** does not count: the run time is what `Elapsed` says or, where that is missing, the
//!   time from start to end without the suspended one.
//!
//! Source of names, formats and states: the manual page of `sacct`.

mod clock;
mod columns;
mod error;
mod format;
mod id;
mod lines;
mod names;
mod options;
mod reading;
mod report;
mod resources;
mod row;
mod run;
mod unit;
mod value;
mod write;

pub use error::{SacctError, SacctErrorKind};
pub use format::FORMAT;
pub use options::Options;
pub use reading::{Accounting, import};
pub use report::{Drop, Dropped, Kept, Report};
pub use unit::Unit;
