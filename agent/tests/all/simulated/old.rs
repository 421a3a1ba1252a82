//! Histories of older versions are taken over. `tests/version4/` has some that the agent stored before there were boxes, and what it
//! knew then; `tests/version6/` some from before room was made for jobs, one of them with a job that is to be stopped.

use super::disk::{Cut, Disk};
use locox_agent::agent::{Agent, Began, HISTORY, OpenError, Storage};
use locox_agent::config::Config;
use locox_agent::copied::Copied;
use locox_agent::migrate::{TakenOver, migrate};
use locox_agent::old::Old;
use locox_agent::rows::Rows;
use locox_coordinators::coordinate::Durable;
use locox_coordinators::manager::Coordinator;
use locox_storage::Folder;
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// Histories, and how many of their decisions are others today: until version 6 other jobs were stopped.
const FOLDERS: [(&str, u32); 4] =
    [("version4/any", 3), ("version4/meshes", 1), ("version6/any", 0), ("version6/boxes", 0)];
const FIRST: &str = FOLDERS[0].0;

/// The version of a history, and what it is called when it is taken over.
fn version(name: &str) -> (u16, String) {
    let version = name.trim_start_matches("version").split('/').next().unwrap();
    (version.parse().unwrap(), format!("history.{version}"))
}

fn config(name: &str) -> Config {
    Config::open(&path(name).join("agent.toml")).unwrap()
}

fn folder(name: &str) -> Copied {
    Copied::of(&path(name), &[HISTORY, "nodes", "memory"]).unwrap()
}

fn disk_of(files: &Copied) -> Disk {
    let disk = Disk::default();
    disk.spoil(|empty| *empty = files.clone());
    disk
}

/// Users and what they have had, jobs and where they run: in the words of the file `knew`.
fn knows(manager: &Coordinator<'_>) -> String {
    let mut text = String::new();
    for it in manager.users() {
        let (user, weight, index) = (it.id, it.weight, it.index);
        let (jobs, waiting, nodes) = (it.jobs, it.waiting, it.nodes);
        writeln!(
            text,
            "user {user}: weight {weight}, index {index}, {jobs} jobs, {waiting} wait, {nodes} nodes"
        )
        .unwrap();
    }
    let mut jobs: Vec<_> = manager.jobs().collect();
    jobs.sort_by_key(|it| it.key.id);
    for it in jobs {
        let nodes: Vec<_> = manager.nodes(it.key).collect();
        let (limit, needs, priority) = (it.limit.ticks(), it.needs, it.priority);
        writeln!(
            text,
            "{:?} {} {} {:?} {needs} {limit} {priority} {} {:?} {} {:?} {:?} {nodes:?}",
            it.key,
            it.user,
            it.nodes,
            it.sides,
            it.held,
            it.status,
            it.attempt,
            it.since,
            it.deadline
        )
        .unwrap();
    }
    text
}

/// What does not depend on decisions: users with their weights, and jobs with what they ask for.
fn lasting(knows: &str) -> Vec<&str> {
    let lasting = |line| str::split(line, ", index").next()?.split(" false ").next();
    knows.lines().filter_map(lasting).collect()
}

/// What an agent knows that begins on this disk.
fn known_on(disk: &Disk, config: &Config) -> Result<String, OpenError> {
    let mut storage = Storage::default();
    let (agent, began) = Agent::open(&mut storage, config, "agent".into(), disk.clone())?;
    assert!(matches!(began, Began::Recovered(_)), "{began}");
    agent.manager().check_invariants().unwrap();
    Ok(knows(agent.manager()))
}

#[test]
fn what_the_agent_of_then_knew_is_known() {
    for (name, differing) in FOLDERS {
        let (config, files) = (config(name), folder(name));
        let disk = disk_of(&files);
        assert!(matches!(known_on(&disk, &config), Err(OpenError::OtherVersion)));
        let taken = migrate(&config, disk.clone()).unwrap().unwrap();
        // For whom a job was to be stopped then is not known: it runs on.
        let knew = std::fs::read_to_string(path(name).join("knew")).unwrap();
        let knew = knew.replace("Stopping", "Running");
        let (version, kept) = version(name);
        let jobs = knew.lines().filter(|line| line.starts_with("Key")).count() as u32;
        let expected = TakenOver { version, kept, users: 3, jobs, nodes: 16, differing };
        assert_eq!(taken, expected, "{name}");
        let kept = taken.kept;
        assert_eq!(disk.clone().read(&kept).unwrap().as_ref(), files.0.get(HISTORY));
        let known = known_on(&disk, &config).unwrap();
        match differing {
            0 => assert_eq!(known, knew, "{name}"),
            _ => assert_eq!(lasting(&known), lasting(&knew), "{name}"),
        }
        let writes = disk.writes();
        assert_eq!(migrate(&config, disk.clone()).unwrap(), None);
        assert_eq!(disk.writes(), writes, "there is nothing to do");
    }
}

#[test]
fn wherever_it_is_killed_there_is_the_old_history_or_the_new_one() {
    for (name, _) in FOLDERS {
        let (config, files) = (config(name), folder(name));
        let whole = disk_of(&files);
        migrate(&config, whole.clone()).unwrap().unwrap();
        let (_, kept) = version(name);
        let new = known_on(&whole.after_cut(), &config).unwrap();
        let [mut had_old, mut had_new] = [0; 2];
        for write in 1..=whole.writes() {
            for cut in [Cut::Lost, Cut::Torn, Cut::Done] {
                let disk = disk_of(&files);
                disk.cuts(cut);
                disk.fail_after(Some(write));
                migrate(&config, disk.clone()).unwrap_err();
                let disk = disk.after_cut();
                match known_on(&disk.after_cut(), &config) {
                    Ok(known) => {
                        assert_eq!(known, new, "{name}: write {write}, {cut:?}");
                        had_new += 1;
                    }
                    Err(OpenError::OtherVersion) => {
                        let taken = migrate(&config, disk.clone()).unwrap().unwrap();
                        assert_eq!(taken.kept, kept, "what was cut takes no name");
                        assert_eq!(known_on(&disk, &config).unwrap(), new);
                        had_old += 1;
                    }
                    Err(error) => panic!("{name}: write {write}, {cut:?}: {error}"),
                }
                assert_eq!(disk.clone().read(&kept).unwrap().as_ref(), files.0.get(HISTORY));
            }
        }
        assert!(had_old > 0 && had_new > 0, "{name}: {had_old} and {had_new}");
    }
}

#[test]
fn another_history_that_was_kept_is_left() {
    let (config, mut files) = (config(FIRST), folder(FIRST));
    let (_, kept) = version(FIRST);
    files.0.insert(kept.clone(), b"of an earlier time".to_vec());
    let disk = disk_of(&files);
    let taken = migrate(&config, disk.clone()).unwrap().unwrap();
    assert_eq!(taken.kept, "history.4.2");
    assert_eq!(disk.clone().read(&kept).unwrap().unwrap(), b"of an earlier time");
}

/// The history of an agent that is newer than this one.
fn of_another_version(config: &mut Config, files: &mut Copied) {
    let mut rows = Rows::default();
    let mut manager = rows.fresh(config).unwrap();
    let mut bytes = vec![];
    let pool = Durable::new(Old::new(&mut manager, u16::MAX));
    pool.export(&mut |word: u32| bytes.extend(word.to_le_bytes()));
    bytes.extend([0xFF; 64]);
    files.0.insert(HISTORY.into(), bytes);
}

#[test]
fn what_is_damaged_or_foreign_is_refused_and_left() {
    type Change = fn(&mut Config, &mut Copied);
    let changes: [(Change, &str); 7] = [
        (|_, files| files.0.get_mut(HISTORY).unwrap()[100] ^= 0xFF, "the image is damaged"),
        (|_, files| files.0.get_mut(HISTORY).unwrap().truncate(80), "the image ends too early"),
        (of_another_version, "of a version that this locox-agent does not know"),
        (|it, _| it.half_life += 1, "the image is of another configuration"),
        (|_, files| drop(files.0.remove("nodes")), "the list of nodes is missing"),
        (|_, files| drop(files.0.insert(HISTORY.into(), vec![7; 400])), "the words are no image"),
        (
            |_, files| {
                let bytes = files.0.get_mut(HISTORY).unwrap();
                let end = bytes.len() - 64;
                bytes.truncate(end);
            },
            "a record before the last is damaged",
        ),
    ];
    for (change, why) in changes {
        let (mut config, mut files) = (config(FIRST), folder(FIRST));
        change(&mut config, &mut files);
        let disk = disk_of(&files);
        let error = migrate(&config, disk.clone()).unwrap_err().to_string();
        assert!(error.contains(why) && error.contains("nothing was changed"), "{error}");
        assert_eq!((disk.writes(), error.lines().count()), (0, 1));
    }
}
