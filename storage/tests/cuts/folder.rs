//! Two writers on one folder, and a history that somebody else replaces.

use crate::run::{Pool, pool};
use locox::fair::StationId;
use locox::time::Instant;
use locox_coordinators::station::Command;
use locox_storage::{Directory, DurableCoordinator, Files};
use std::io::ErrorKind;
use std::path::Path;

#[test]
fn a_second_writer_is_refused_and_told_who_the_first_is() {
    let folder = tempfile::tempdir().unwrap();
    let first = Directory::open(folder.path()).unwrap();
    let refused = Directory::open(folder.path()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::ResourceBusy);
    let holder = format!("is in use by process {}: ", std::process::id());
    assert!(refused.to_string().contains(&holder), "{refused}");
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

/// A service of a folder, which has answered a command.
#[cfg(unix)]
fn service(folder: &Path, serial: u32) -> DurableCoordinator<Pool, Files> {
    let files = Files::new(Directory::open(folder).unwrap());
    let mut durable = DurableCoordinator::recover_or_format(pool, files).unwrap().0;
    submit(&mut durable, serial).unwrap();
    durable
}

#[cfg(unix)]
fn submit(durable: &mut DurableCoordinator<Pool, Files>, serial: u32) -> Result<(), String> {
    let command = Command::Submit { home: StationId(1), serial };
    let answer = durable.apply_drawn(Instant::from_ticks(5), command.into(), 0);
    answer.map(drop).map_err(|error| error.to_string())
}

/// The first writer holds a lock that keeps nobody out any more, and a second one came: the first one's
/// commands are not answered, and nothing of the second one is lost, also if the first one stores an image.
#[cfg(unix)]
fn the_first_writer_is_out(change: impl Fn(&Path)) {
    for stores_image in [false, true] {
        for answered_since_image in [false, true] {
            let above = tempfile::tempdir().unwrap();
            let folder = above.path().join("folder");
            drop(service(&folder, 1));
            let files = Files::new(Directory::open(&folder).unwrap());
            let (mut first, _) = DurableCoordinator::recover(pool(), files).unwrap();
            if answered_since_image {
                submit(&mut first, 2).unwrap();
            }
            change(&folder);
            let files = Files::new(Directory::open(&folder).unwrap());
            let (mut second, _) = DurableCoordinator::recover_or_format(pool, files).unwrap();
            let found = second.place().commands;
            second.apply_drawn(Instant::from_ticks(6), Command::Tick.into(), 0).unwrap();
            if stores_image {
                first.catch_up().unwrap_err();
            }
            let error = submit(&mut first, if answered_since_image { 3 } else { 2 }).unwrap_err();
            assert!(error.contains("moved or replaced"), "{error}");
            first.catch_up().unwrap_err();
            second.apply_drawn(Instant::from_ticks(7), Command::Tick.into(), 0).unwrap();
            drop((first, second));
            let files = Files::new(Directory::open(&folder).unwrap());
            let (last, _) = DurableCoordinator::recover(pool(), files).unwrap();
            // Both commands, and the restart itself.
            assert_eq!(last.place().commands, found + 3);
        }
    }
}

#[test]
#[cfg(unix)]
fn a_writer_whose_folder_was_moved_is_out() {
    the_first_writer_is_out(|folder| {
        std::fs::rename(folder, folder.with_extension("old")).unwrap()
    });
}

#[test]
#[cfg(unix)]
fn a_writer_in_whose_folder_s_place_a_copy_was_put_is_out() {
    the_first_writer_is_out(|folder| {
        let old = folder.with_extension("old");
        std::fs::rename(folder, &old).unwrap();
        std::fs::create_dir(folder).unwrap();
        std::fs::copy(old.join("history"), folder.join("history")).unwrap();
    });
}

#[test]
#[cfg(unix)]
fn a_writer_whose_lock_was_deleted_is_out() {
    the_first_writer_is_out(|folder| std::fs::remove_file(folder.join("lock")).unwrap());
}

/// A folder that is new for both: to recover and to format was two steps, and the lock was free between them.
#[test]
fn nobody_comes_in_between_the_look_for_an_image_and_the_first_one() {
    let folder = tempfile::tempdir().unwrap();
    let files = Files::new(Directory::open(folder.path()).unwrap());
    let mut looks = 0;
    let fresh = || {
        looks += 1;
        let refused = Directory::open(folder.path()).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::ResourceBusy);
        pool()
    };
    let (durable, found) = DurableCoordinator::recover_or_format(fresh, files).unwrap();
    assert_eq!((found, looks), (None, 2));
    drop(durable);
    let files = Files::new(Directory::open(folder.path()).unwrap());
    let (_, found) = DurableCoordinator::recover_or_format(pool, files).unwrap();
    assert!(found.is_some());
}

#[test]
fn what_is_damaged_is_not_formatted() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("history"), [7; 300]).unwrap();
    let files = Files::new(Directory::open(folder.path()).unwrap());
    assert!(DurableCoordinator::recover_or_format(pool, files).is_err());
    assert_eq!(std::fs::read(folder.path().join("history")).unwrap(), [7; 300]);
}

#[test]
fn an_error_of_the_system_is_one_line_with_the_path() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let error = Directory::open(&file).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{}", file.display())) && !error.contains('{'), "{error}");
    let files = Files::new(Directory::open(folder.path().join("new")).unwrap());
    std::fs::remove_dir_all(folder.path().join("new")).unwrap();
    let error = DurableCoordinator::format(pool(), files).unwrap_err().to_string();
    assert!(error.contains("new") && !error.contains("Custom"), "{error}");
}
