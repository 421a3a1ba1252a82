//! The Standard Workload Format: traces of real machines, and what models of workloads write.
//!
//! Text; lines that begin with `;` are comments, of which those before the first record are the
//! header (`; MaxProcs: 128`); every other line is a job of 18 columns, -1 where a value is
//! unknown. Times are seconds; fractions are rounded to the nearest second. Source: version 2.2 of
//! the format, Parallel Workloads Archive, <https://www.cs.huji.ac.il/labs/parallel/workload/swf.html>.
//!
//! Files may be plain or compressed by gzip or xz; the content decides, not the name. Reading is
//! streamed: memory does not grow with the length of the trace.

pub(crate) mod columns;
mod compression;
mod error;
mod header;
mod reader;
mod record;
mod source;
mod strictness;
mod writer;

pub use compression::Compression;
pub use error::{SwfError, SwfErrorKind};
pub use header::{Header, MOST_PROCESSORS};
pub use reader::{Reader, open, read};
pub use record::Record;
pub(crate) use source::uncompressed;
pub use strictness::Strictness;
pub(crate) use strictness::{BadLines, MOST_IN_A_ROW};
pub use writer::{compression_of, encode, write, write_record, write_under};
