//! Two writers on one folder, and a history that somebody else replaces.

use crate::run::pool;
use locox::fair::StationId;
use locox::station::Command;
use locox::time::Instant;
use locox_storage::{Directory, DurableCoordinator, Files};
use std::io::ErrorKind;

#[test]
fn a_second_writer_is_refused_and_told_who_the_first_is() {
    let folder = tempfile::tempdir().unwrap();
    let first = Directory::open(folder.path()).unwrap();
    let refused = Directory::open(folder.path()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::ResourceBusy);
    let holder = format!("is in use by process {}", std::process::id());
    assert!(refused.to_string().ends_with(&holder), "{refused}");
    drop(first);
    Directory::open(folder.path()).unwrap();
}

/// What a second writer did that knew of no lock: the first one wrote to a file without a name.
#[test]
#[cfg(unix)]
fn a_command_is_not_answered_once_the_history_was_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let files = Files::new(Directory::open(folder.path()).unwrap());
    let mut durable = DurableCoordinator::format(pool(), files).unwrap();
    let submit = |serial| Command::Submit { home: StationId(1), serial };
    durable.apply_drawn(Instant::from_ticks(5), submit(1).into(), 0).unwrap();
    let history = folder.path().join("history");
    std::fs::copy(&history, folder.path().join("other")).unwrap();
    std::fs::rename(folder.path().join("other"), &history).unwrap();
    durable.apply_drawn(Instant::from_ticks(6), submit(2).into(), 0).unwrap_err();
}
