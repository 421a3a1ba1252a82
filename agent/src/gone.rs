//! Jobs that have left the manager of late, and their file: a manager that goes back in time may bring them back, and an
//! agent that was begun anew in between is to know them.

use crate::lines;
use locox_storage::Folder;
use std::io;

/// The file of the folder that has them: number, submission and departure, a job a line.
pub const FILE: &str = "gone";
const THINGS: &str = "jobs";

/// A job that has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gone {
    /// Its number.
    pub id: u64,
    /// When it was submitted, as the manager said last, in seconds since 1970.
    pub submitted: u32,
    /// Since when it is not there any more, by the manager's clock.
    pub since: u64,
}

/// Those that a folder has; `None` if the file is damaged.
///
/// # Errors
///
/// Those of the system.
pub fn load(folder: &mut impl Folder) -> io::Result<Option<Vec<Gone>>> {
    lines::load(folder, FILE, THINGS, one)
}

/// Stores them in a folder. When this returns they are durable; cut at any point, the one or the other list is there.
///
/// # Errors
///
/// Those of the system.
pub fn store(gone: &[Gone], folder: &mut impl Folder) -> io::Result<()> {
    let line = |&Gone { id, submitted, since }: &Gone| format!("{id} {submitted} {since}");
    lines::store(folder, FILE, &gone.iter().map(line).collect::<Vec<_>>(), THINGS)
}

fn one(line: &str) -> Option<Gone> {
    let [id, submitted, since] = line.split(' ').collect::<Vec<_>>().try_into().ok()?;
    Some(Gone {
        id: id.parse().ok()?,
        submitted: submitted.parse().ok()?,
        since: since.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copied::Copied;

    #[test]
    fn what_is_stored_is_loaded_and_what_is_damaged_is_not() {
        let mut folder = Copied::default();
        assert_eq!(load(&mut folder).unwrap(), Some(vec![]));
        let largest = Gone { id: u64::MAX, submitted: u32::MAX, since: u64::MAX };
        let gone = [Gone { id: 7, submitted: 100, since: 200 }, largest];
        store(&gone, &mut folder).unwrap();
        assert_eq!(load(&mut folder).unwrap(), Some(gone.to_vec()));
        for damaged in ["7 100\n# 1 jobs\n", "7 100 x\n# 1 jobs\n", "7 100 200 3\n# 1 jobs\n"] {
            folder.write(FILE, damaged.as_bytes()).unwrap();
            assert_eq!(load(&mut folder).unwrap(), None, "{damaged}");
        }
    }
}
