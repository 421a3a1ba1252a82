//! The folder of the history, also one that was made in vain.

use locox_storage::Directory;
use std::fs::{self, DirEntry};
use std::io;
use std::path::Path;

/// Opens it, and keeps others out.
pub(super) fn open(folder: &Path) -> io::Result<Directory> {
    Directory::open(folder).map_err(|error| match error.kind() {
        io::ErrorKind::ResourceBusy => error,
        kind => {
            io::Error::new(kind, format!("{error}; `folder` names a folder that can be written"))
        }
    })
}

/// Takes away a folder that was made in vain, if it has nothing but the lock and these files.
pub(super) fn leave(folder: &Path, files: &[&str]) {
    let files = || files.iter().chain(&["lock"]);
    let is_known = |entry: io::Result<DirEntry>| {
        entry.is_ok_and(|it| files().any(|name| it.file_name() == *name))
    };
    if fs::read_dir(folder).is_ok_and(|mut entries| entries.all(is_known)) {
        files().for_each(|name| _ = fs::remove_file(folder.join(name)));
        let _ = fs::remove_dir(folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_was_made_in_vain_is_left_if_it_has_a_history() {
        let around = tempfile::tempdir().unwrap();
        let folder = around.path().join("h");
        let make = |names: &[&str]| {
            fs::create_dir(&folder).unwrap();
            names.iter().for_each(|name| fs::write(folder.join(name), "").unwrap());
            leave(&folder, &["nodes"]);
        };
        make(&[]);
        assert!(!folder.exists());
        make(&["lock"]);
        assert!(!folder.exists());
        make(&["lock", "nodes"]);
        assert!(!folder.exists());
        make(&["lock", "history"]);
        assert!(folder.join("lock").exists() && folder.join("history").exists());
    }
}
