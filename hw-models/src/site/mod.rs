//! Sites of unlike machines: what a file says of one, and of the times that jobs are expected to take
//! there.

mod decimal;
mod file_error;
mod site_file;
mod times_file;

pub use decimal::{Decimal, NoTime};
pub use file_error::{Fault, FileError};
pub use site_file::{Group, Machine, SiteFile};
pub use times_file::{Layout, TimesFile};
