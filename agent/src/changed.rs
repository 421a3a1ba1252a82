//! What the agent has changed of jobs' requests and is to give back, and its file: nobody else knows what their owners had
//! asked for.

use crate::lines;
use locox_storage::Folder;
use std::io;

/// The file of the folder that has it: a job a line, with its number and what it had.
pub const FILE: &str = "changed";
const THINGS: &str = "jobs";

/// A job whose request the agent has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// Its number.
    pub id: u64,
    /// When it was submitted first, in seconds since 1970: a manager that goes back in time gives a number again.
    pub born: u32,
    /// The nodes that the agent has named for it, as the manager takes them; empty if none.
    pub places: String,
    /// As many nodes as it had asked for, as the manager takes that, if the agent has changed that; else empty.
    pub nodes: String,
    /// What its owner had said of its urgency, as the manager takes that, if a rank stands in place of it.
    pub nice: i64,
}

/// Those that a folder has; `None` if the file is damaged.
///
/// # Errors
///
/// Those of the system.
pub fn load(folder: &mut impl Folder) -> io::Result<Option<Vec<Changed>>> {
    lines::load(folder, FILE, THINGS, one)
}

/// Stores them in a folder. When this returns they are durable; cut at any point, the one or the other list is there.
///
/// # Errors
///
/// Those of the system.
pub fn store(changed: &[Changed], folder: &mut impl Folder) -> io::Result<()> {
    let line = |Changed { id, born, places, nodes, nice }: &Changed| {
        let [places, nodes] = [places, nodes].map(|it| if it.is_empty() { NONE } else { it });
        format!("{id} {born} {places} {nodes} {nice}")
    };
    lines::store(folder, FILE, &changed.iter().map(line).collect::<Vec<_>>(), THINGS)
}

/// Nothing of that was changed.
const NONE: &str = "-";

fn one(line: &str) -> Option<Changed> {
    let [id, born, places, nodes, nice] = line.split(' ').collect::<Vec<_>>().try_into().ok()?;
    let [places, nodes] = [places, nodes].map(|it| if it == NONE { "" } else { it });
    Some(Changed {
        id: id.parse().ok()?,
        born: born.parse().ok()?,
        places: places.into(),
        nodes: nodes.into(),
        nice: nice.parse().ok()?,
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
        let one = |id, places: &str, nice| Changed {
            id,
            born: 9,
            places: places.into(),
            nodes: "2-4".into(),
            nice,
        };
        let ranked = Changed { nodes: String::new(), ..one(8, "", 5) };
        let changed = [one(7, "", -9), ranked, one(u64::MAX, "gpu1,node[3-4]", i64::MAX)];
        store(&changed, &mut folder).unwrap();
        assert_eq!(load(&mut folder).unwrap(), Some(changed.to_vec()));
        for damaged in ["7 9 - 1\n# 1 jobs\n", "x 9 - 1 0\n# 1 jobs\n", "7 9 - 1 0 3\n# 1 jobs\n"] {
            folder.write(FILE, damaged.as_bytes()).unwrap();
            assert_eq!(load(&mut folder).unwrap(), None, "{damaged}");
        }
    }
}
