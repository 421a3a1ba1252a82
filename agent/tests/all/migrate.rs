//! An update, as somebody types it: the folder is one that an agent of version 4 has stored.

use super::command::Site;
use locox_storage::Directory;
use std::fs;
use std::path::Path;

const LINE: &str = "the history is of another version: run `locox-agent migrate`, which takes over that of an older one\n";

/// A site as the old agent left it.
fn site() -> Site {
    let of = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/version4/any");
    let site = Site::new(&fs::read_to_string(of.join("agent.toml")).unwrap());
    fs::create_dir(site.path("history")).unwrap();
    fs::copy(of.join("cluster.json"), site.path("cluster.json")).unwrap();
    for file in ["history", "nodes", "memory"] {
        fs::copy(of.join(file), site.path("history").join(file)).unwrap();
    }
    site
}

#[test]
fn an_older_history_is_named_and_left_by_all_who_would_read_it() {
    let site = site();
    let before = site.files();
    for command in [
        "run",
        "run --once",
        "run --once --despite-warnings",
        "run --once --salvage",
        "run --dry-run",
        "status",
        "why 5",
        "when 5",
        "would --nodes 1 --limit 5m",
        "verify history/history",
        "release-all",
    ] {
        assert!(site.bad(command).ends_with(LINE), "{command}");
        assert_eq!(site.files(), before, "{command}");
    }
    let doctor = site.say("doctor");
    assert!(doctor.code == 1 && doctor.out.contains(&format!("BAD {LINE}")), "{doctor:?}");
}

#[test]
fn an_older_history_is_taken_over_once_and_the_agent_goes_on() {
    let site = site();
    let old = fs::read(site.path("history/history")).unwrap();
    let said = site.good("migrate");
    assert_eq!(
        said,
        "took over the history of version 4: what 3 users have had, 9 jobs, 16 nodes. Promises are made anew at the next look. The old history is kept as history.4. 3 decisions or facts behind its image are others by today's rules: the next look says what is so\n"
    );
    assert_eq!(fs::read(site.path("history/history.4")).unwrap(), old);
    let before = site.files();
    let again = site.say("migrate");
    assert!(again.code == 1 && again.out.starts_with("nothing to migrate: "), "{again:?}");
    assert_eq!(site.files(), before);
    assert!(site.good("verify history/history").contains("lead to 9 jobs at 1796008966"));
    // The first in line is the one that the old agent had promised a time.
    assert!(site.good("when 5").starts_with("5 is promised for "));
    let run = site.say("run --once");
    assert!(run.code == 0 && run.error.contains("recovered"), "{run:?}");
    site.good("run --once");
    site.good("status");
}

#[test]
fn what_cannot_be_migrated_is_one_line_and_nothing_is_changed() {
    let site = site();
    let held = Directory::open(site.path("history")).unwrap();
    assert!(site.bad("migrate").contains("is in use by process"));
    drop(held);
    let config = site.path("agent.toml");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, text.replace("users = 8", "users = 2")).unwrap();
    let before = site.files();
    let error = site.bad("migrate");
    assert!(error.contains("Write larger numbers for jobs and users"), "{error}");
    assert_eq!(site.files(), before);
    fs::write(&config, text).unwrap();
    let history = site.path("history/history");
    let mut bytes = fs::read(&history).unwrap();
    bytes[100] ^= 0xFF;
    fs::write(&history, &bytes).unwrap();
    let before = site.files();
    let error = site.bad("migrate");
    assert!(error.contains("the history cannot be taken over: the image is damaged; "), "{error}");
    assert_eq!(site.files(), before);
    fs::remove_dir_all(site.path("history")).unwrap();
    let none = site.say("migrate");
    assert!(none.code == 1 && none.out.starts_with("nothing to migrate: "), "{none:?}");
    assert!(!site.path("history").exists());
}
