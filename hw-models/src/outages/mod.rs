//! The Standard Outage Format: when processors of a real machine were out of service.
//!
//! Text; lines that begin with `;` are comments; every other line is an outage, in whole numbers with
//! blanks between, -1 where a value is unknown:
//!
//! | column | what it is | here |
//! |---|---|---|
//! | announced time | when users or scheduler learned of it | heeded by queues that plan with places |
//! | start time | when it began | needed |
//! | end time | when it ended | -1: it never does |
//! | type | failure of a processor or of the network, maintenance, … | read, and not heeded |
//! | nodes affected | how many | from 1 to those of the machine |
//! | affected nodes | the number of each, or a single -1 | numbers from 0 |
//!
//! Times are seconds of the trace that the file goes with. The format is a proposal of S. J. Chapin and
//! others, *Benchmarks and Standards for the Evaluation of Parallel Job Schedulers*, 1999, beside that
//! of traces ([`crate::swf`]). The columns are as we remember them from that paper: we had no copy to
//! compare them with. How nodes are numbered is our choice.
//!
//! Files may be plain or compressed by gzip or xz; the content decides, not the name.

mod error;
mod outage;
mod reader;

pub use error::{OutageFileError, OutageFileErrorKind};
pub use outage::Outage;
pub use reader::{OutageFile, open, read};
