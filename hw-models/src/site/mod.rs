//! Sites of unlike machines: what a file says of one, and of the times that jobs are expected to take
//! there; the site of a study, and the coordinator that ships in the loop with a model of it.

mod computed;
mod decimal;
mod file_error;
mod jobs;
mod site_file;
mod specification;
mod swil;
mod times_file;

pub use decimal::{Decimal, NoTime};
pub use file_error::{Fault, FileError};
pub use jobs::{batch, poisson};
pub use locox_recorded::{SECOND, Study};
pub use site_file::{Group, MOST_MACHINES, Machine, SiteFile};
pub use specification::{Abilities, Kind, Wire};
pub(crate) use swil::history;
pub use swil::{Done, Rules, Submission, run};
pub use times_file::{Layout, TimesFile};
