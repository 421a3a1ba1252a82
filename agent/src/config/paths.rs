//! Whether two paths mean the same.

use crate::agent::{FILES, HISTORY};
use std::path::{Component, Path, PathBuf};

/// Whether a file, or what it is called while it is written, is the folder of the history or one of its files.
pub(super) fn is_of_history(file: &Path, folder: &Path) -> bool {
    let folder = plain(folder);
    let own = FILES.into_iter();
    let own = own.flat_map(|name| [name.to_string(), format!("{name}.new")]);
    let own = own.chain(["lock".into()]);
    let own: Vec<PathBuf> = own.map(|name| folder.join(name)).collect();
    [plain(file), plain(&file.with_extension("new"))]
        .iter()
        .any(|path| *path == folder || own.contains(path) || is_kept(path, &folder))
}

/// Whether it is what a history of the folder is called that is lost, damaged, or of an older version.
fn is_kept(file: &Path, folder: &Path) -> bool {
    let name = file.strip_prefix(folder).ok().and_then(Path::to_str);
    let number = name.and_then(|name| name.strip_prefix(HISTORY));
    number.is_some_and(|it| it.is_empty() || it.starts_with('.'))
}

/// Without links, as far as the system knows it, and without steps back.
fn plain(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.into());
    if let Ok(known) = path.canonicalize() {
        return known;
    }
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    // What is not there yet lies in a folder that may be.
    match (plain.parent().and_then(|it| it.canonicalize().ok()), plain.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => plain,
    }
}
