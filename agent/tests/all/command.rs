//! The command, as somebody types it, in front of a simulated manager that is stored in a file.

use super::simulated::stops::two_against_one;
use locox_agent::agent::{Agent, Storage};
use locox_agent::config::Config;
use locox_agent::copied::Copied;
use locox_agent::cycle::CycleError;
use locox_agent::simulated::{Simulated, World};
use locox_storage::Directory;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const CONFIG: &str = "manager = \"simulated\"\nfolder = \"history\"\nmode = \"authoritative\"\npoll = 20\n\
                      [simulated]\nfile = \"cluster.json\"\nspan = 60\n";

pub(crate) struct Site(TempDir);

/// What a command answered.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) error: String,
}

impl Site {
    pub(crate) fn new(config: &str) -> Self {
        let site = Self(tempfile::tempdir().unwrap());
        fs::write(site.path("agent.toml"), config).unwrap();
        site
    }

    pub(crate) fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn say(&self, arguments: &str) -> Said {
        let mut command = Command::new(env!("CARGO_BIN_EXE_locox-agent"));
        command.current_dir(self.0.path()).args(["--config", "agent.toml"]);
        let output = command.args(arguments.split(' ')).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let code = output.status.code().unwrap();
        Said { code, out: text(&output.stdout), error: text(&output.stderr) }
    }

    pub(crate) fn good(&self, arguments: &str) -> String {
        let said = self.say(arguments);
        assert_eq!(said.code, 0, "{arguments}: {said:?}");
        said.out
    }

    /// An error of one line.
    pub(crate) fn bad(&self, arguments: &str) -> String {
        let said = self.say(arguments);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{arguments}: {said:?}");
        assert_eq!(said.error.lines().count(), 1, "{arguments}: {said:?}");
        said.error
    }

    /// The same, with standard output and errors sent there.
    #[cfg(target_os = "linux")]
    fn code(&self, arguments: &str, out: &str, error: &str) -> i32 {
        let mut command = Command::new(env!("CARGO_BIN_EXE_locox-agent"));
        command.current_dir(self.0.path()).args(["--config", "agent.toml"]);
        let to = |path| fs::File::options().write(true).open(path).unwrap();
        command.stdout(to(out)).stderr(to(error));
        command.args(arguments.split(' ')).status().unwrap().code().unwrap()
    }

    /// Changes the file of the simulated manager by hand.
    fn edit(&self, change: impl FnOnce(&mut serde_json::Value)) {
        let path = self.path("cluster.json");
        let mut cluster = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        change(&mut cluster);
        fs::write(path, cluster.to_string()).unwrap();
    }

    /// Which files there are, and what is in them.
    pub(crate) fn files(&self) -> Vec<(String, Vec<u8>)> {
        let mut files = vec![];
        for folder in [self.0.path(), &self.path("history")] {
            for file in fs::read_dir(folder).unwrap() {
                let path = file.unwrap().path();
                if path.is_file() && !path.ends_with("lock") {
                    files.push((path.display().to_string(), fs::read(&path).unwrap()));
                }
            }
        }
        files.sort();
        files
    }
}

#[test]
fn jobs_are_started_and_questions_answered() {
    let site = Site::new(CONFIG);
    let first = site.good("run --once");
    assert!(first.contains("mark `locox-agent "), "{first}");
    assert!(first.contains("start 1 on n000"), "{first}");
    site.good("run --once");
    let before = site.files();
    // What was asked for and is not seen yet would be asked for again.
    let dry = site.say("run --dry-run");
    assert!(dry.code == 0 && dry.out.contains("start "), "{dry:?}");
    assert!(dry.error.contains("is not seen running yet is here again"), "{dry:?}");
    let status = site.good("status");
    assert!(status.contains("nodes: 16 known"), "{status}");
    let json: serde_json::Value = serde_json::from_str(&site.good("status --json")).unwrap();
    let next = json["next"]["job"].as_str().unwrap().to_string();
    assert!(site.good("status --html").contains(&format!("Next: {next}, promised for ")));
    let why = site.good(&format!("why {next}"));
    assert!(why.contains("waits, place 1 in line: it asks for more nodes than"), "{why}");
    assert!(why.contains("; it is promised for "), "{why}");
    let when = site.good(&format!("when {next}"));
    assert!(when.starts_with(&format!("{next} is promised for ")), "{when}");
    let would = site.good("would --nodes 16 --limit 5m --user 1001");
    assert!(would.starts_with("as things are it would start by "), "{would}");
    let late = site.say("would --pes 16 --limit 5m --by 5m");
    assert!(late.code == 1 && late.out.starts_with("no, as things are: "), "{late:?}");
    assert_eq!(site.good("would --pes 1 --limit 1m --by 1000h").split(',').next(), Some("yes"));
    let stops = site.good("would --nodes 8 --limit 5m --user 1001 --now");
    let stops = stops.lines().nth(1).unwrap();
    assert!(
        stops.starts_with("at once by stopping ") && stops.contains(" node-hours lost)"),
        "{stops}"
    );
    let never = site.say("would --pes 17 --limit 1m --now");
    assert!(never.code == 1 && never.out.starts_with("never: "), "{never:?}");
    assert!(
        never.out.contains("it asks for more than all 16 nodes"),
        "as `why` says it: {never:?}"
    );
    let gone = site.bad("why 999");
    assert!(gone.contains("no job 999 waits or runs") && gone.contains("it may have ended"));
    let verified = site.good("verify history/history");
    assert!(verified.contains("an image and "), "{verified}");
    assert_eq!(site.files(), before, "questions and a dry run change nothing");
}

/// What lies in front of a word, as a number.
fn number_before(text: &str, word: &str) -> usize {
    let words: Vec<&str> = text.split_whitespace().collect();
    let at = words.iter().position(|one| one.trim_end_matches(',') == word).unwrap();
    words[at - 1].parse().unwrap()
}

/// A cluster whose jobs have all come: more than are named, and one that is larger than it.
fn crowded() -> Site {
    let site = Site::new(&CONFIG.replace("span = 60", "span = 1\nlongest = 100000\njobs = 60"));
    site.good("run --once");
    site.good("run --once");
    site
}

#[test]
fn status_says_how_many_it_leaves_out_and_which_never_fit() {
    let site = crowded();
    let status = site.good("status");
    assert!(status.starts_with("authoritative, locox-agent "), "{status}");
    let json: serde_json::Value = serde_json::from_str(&site.good("status --json")).unwrap();
    let more = json["line_more"].as_u64().unwrap();
    assert!(json["line"].as_array().unwrap().len() == 20 && more > 0);
    assert!(status.ends_with(&format!("     and {more} more in line\n")), "{status}");
    assert!(site.good("status --html").contains(&format!("And {more} more in line.")));
    let cluster: serde_json::Value =
        serde_json::from_slice(&fs::read(site.path("cluster.json")).unwrap()).unwrap();
    let jobs = cluster["cluster"]["jobs"].as_array().unwrap();
    let asking = |nodes: u32| jobs.iter().filter(move |job| job[1]["nodes"] == nodes);
    let (large, one) =
        (asking(17).next().unwrap()[0].clone(), asking(1).next().unwrap()[0].clone());
    assert_eq!(number_before(&status, "never"), asking(17).count());
    let why = site.good(&format!("why {large}"));
    assert!(
        why.contains("17 nodes") && why.contains("it asks for more than all 16 nodes"),
        "{why}"
    );
    let when = site.say(&format!("when {large}"));
    assert!(when.code == 1 && when.out.contains("never starts: it asks for more than all 16"));
    let why = site.good(&format!("why {one}"));
    assert!(why.contains(" 1 node,"), "{why}");
}

#[test]
fn a_mark_that_is_only_renewed_is_no_news() {
    let site = Site::new(CONFIG);
    let marks = |text: &str| text.lines().filter(|line| line.contains("Z mark ")).count();
    let left = || {
        let stored = fs::read_to_string(site.path("cluster.json")).unwrap();
        let mark = stored.split_once("\"mark\":\"").unwrap().1;
        mark.split_once('"').unwrap().0.to_string()
    };
    assert_eq!(marks(&site.good("run --once")), 1);
    let first = left();
    (0..3).for_each(|_| assert_eq!(marks(&site.good("run --once")), 0));
    assert_eq!(left(), first);
    // Now it is due: it is 60 seconds old.
    fs::write(site.path("agent.toml"), CONFIG.replace("poll = 20", "poll = 15")).unwrap();
    assert_eq!(marks(&site.good("run --dry-run")), 1, "a dry run is complete");
    assert_eq!(marks(&site.good("run --once")), 0);
    assert_ne!(left(), first, "it was renewed");
}

#[test]
fn a_manager_that_needs_no_gate_says_so_and_not_on_standard_output() {
    let said = Site::new(CONFIG).say("gate");
    assert_eq!((said.code, said.out.as_str()), (1, ""));
    assert_eq!(said.error, "locox-agent: this manager needs no gate\n");
}

#[test]
fn doctor_names_the_mode_as_the_configuration_does() {
    for mode in ["advisory", "authoritative"] {
        let doctor = Site::new(&CONFIG.replace("authoritative", mode)).good("doctor");
        assert!(doctor.contains(&format!("what mode = \"{mode}\" needs")), "{doctor}");
    }
}

/// What the page of the guide says, in its blocks of commands.
fn blocks() -> Vec<String> {
    let page = include_str!("../../../docs/guide/agent.md");
    let blocks = page.split("```").skip(1).step_by(2);
    blocks.filter_map(|block| block.strip_prefix("sh\n")).map(str::to_string).collect()
}

#[test]
fn what_the_guide_does_with_a_simulated_cluster_can_be_copied() {
    let folder = tempfile::tempdir().unwrap();
    let agent = folder.path().join("target/release/locox-agent");
    fs::create_dir_all(agent.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_locox-agent"), agent).unwrap();
    let blocks = blocks();
    let at = blocks.iter().position(|block| block.contains("cargo build")).unwrap();
    let begins = blocks[at].lines().filter(|line| !line.starts_with("cargo build"));
    let begins: String = begins.map(|line| format!("{line}\n")).collect();
    // Both say what `agent` is; in a terminal the second follows the first.
    let slurm = blocks.iter().find(|block| block.contains("slurm.toml")).unwrap();
    let again = slurm.lines().find(|line| line.starts_with("agent()")).unwrap();
    let places = ["cube.toml", "torus.toml", "racks.toml"];
    let named = |file| blocks.iter().find(|block| block.contains(file)).unwrap().as_str();
    let places = places.map(named).join("\n");
    let questions = &blocks[at + 1];
    let script = format!("set -e\n{begins}{questions}\nagent release-all\n{places}\n{again}\n");
    assert!(!script.contains("alias"), "an alias breaks the function of the same name");
    let mut shell = Command::new("sh");
    let output = shell.current_dir(folder.path()).args(["-c", &script]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// Twelve nodes at the addresses 0 to 11: no subcube has more than eight.
fn cube() -> Site {
    let start = CONFIG.replace("[simulated]", "places = \"subcubes\"\n[simulated]");
    let nodes = (0..12).map(|node| format!("n{node:05} = {node}\n")).collect::<String>();
    Site::new(&format!("{start}nodes = 12\ndeadlines = 400\nseed = 4\n[addresses]\n{nodes}"))
}

#[test]
fn jobs_on_subcubes_are_told_of_in_those_terms() {
    let site = cube();
    site.good("run --once");
    site.good("run --once");
    let json: serde_json::Value = serde_json::from_str(&site.good("status --json")).unwrap();
    assert_eq!(
        (json["nodes"]["known"].as_u64(), json["nodes"]["out"].as_u64()),
        (Some(12), Some(0))
    );
    let late = json["late"].as_array().unwrap().first().unwrap();
    assert!(late["ends"].as_u64() > late["deadline"].as_u64(), "{late}");
    let text = site.good("status");
    assert!(text.contains(&format!("late: {} ends ", late["job"].as_str().unwrap())), "{text}");
    assert!(site.good("status --html").contains("Late: "));
    assert!(json["jobs"]["never"].as_u64() > Some(0), "{json}");
    let line = json["line"].as_array().unwrap();
    let large = line.iter().find(|job| job["nodes"].as_u64() > Some(8)).unwrap();
    let name = large["job"].as_str().unwrap();
    let why = site.good(&format!("why {name}"));
    assert!(why.contains("more than the largest subcube, of 8 nodes"), "{why}");
    let when = site.say(&format!("when {name}"));
    assert!(when.code == 1 && when.out.contains("never starts: "), "{when:?}");
    let would = site.say("would --nodes 9 --limit 10m --user 1001");
    assert!(would.code == 1 && would.out.contains("never: "), "{would:?}");
    let would = site.good("would --nodes 5 --limit 10m --user 1001");
    assert!(would.contains("it would start by "), "{would}");
}

#[test]
fn what_is_said_of_a_job_is_said_once_also_by_agents_that_begin_again() {
    let site = cube();
    let log: String = (0..8).map(|_| site.good("run --once")).collect();
    let of = |what: &str| -> Vec<&str> {
        log.lines()
            .filter(|line| line.contains(what))
            .filter_map(|it| it.split(' ').nth(2))
            .collect()
    };
    let (never, late) =
        (of(" waits for ever: the largest subcube has 8 nodes"), of(" after its deadline"));
    for said in [&never, &late] {
        let once: std::collections::HashSet<_> = said.iter().collect();
        assert!(!said.is_empty() && once.len() == said.len(), "{log}");
    }
    let json: serde_json::Value = serde_json::from_str(&site.good("status --json")).unwrap();
    assert_eq!(json["jobs"]["never"], never.len());
    let is_late = |job: &&str| json["late"].as_array().unwrap().iter().any(|it| it["job"] == **job);
    for job in never {
        assert!(!late.contains(&job) && !is_late(&job), "{job}: {log}");
        let why = site.good(&format!("why {job}"));
        assert!(
            why.contains(" waits for ever: it asks for more than the largest subcube"),
            "{why}"
        );
    }
}

/// Twelve nodes, with what says where they are.
fn placed(places: &str, section: &str) -> Site {
    let start = CONFIG.replace("[simulated]", &format!("{places}\n[simulated]"));
    Site::new(&format!("{start}nodes = 12\nseed = 4\n{section}"))
}

/// A mesh of three rows of five columns, of which the first row has five nodes, the second four, and the third three.
fn mesh() -> Site {
    let address = |node: u32| format!("n{node:05} = [{}, {}]\n", node % 4, node / 4);
    let nodes: String = (0..11).map(address).collect();
    let section = format!("[addresses]\n{nodes}n00011 = [4, 0]\n");
    placed("places = \"boxes\"\nmachine = \"mesh:5x3\"", &section)
}

#[test]
fn jobs_on_boxes_are_told_of_in_those_terms() {
    let site = mesh();
    let log: String = (0..4).map(|_| site.good("run --once")).collect();
    let never = log.lines().find(|line| line.contains(" waits for ever: ")).unwrap();
    assert!(never.ends_with(" waits for ever: the largest box has 9 nodes"), "{never}");
    let job = never.split(' ').nth(2).unwrap();
    let why = site.good(&format!("why {job}"));
    assert!(why.contains("it asks for more than the largest box, of 9 nodes"), "{why}");
    assert!(site.good("would --nodes 9 --limit 10m --user 1001").contains("it would start by "));
    assert!(site.good("status").contains("nodes: 12 known, "));
    site.good("doctor");
}

#[test]
fn jobs_in_racks_are_told_of_in_those_terms() {
    let racks = "[domains]\n\"b1/r1\" = \"n[00000-00003]\"\n\"b1/r2\" = \"n[00004-00010]\"\n";
    let site = placed("places = \"tree\"", racks);
    let doctor = site.say("doctor");
    let foreign =
        "BAD 1 nodes are not governed: [domains] does not name them; name them and restart";
    assert!(doctor.code == 1 && doctor.out.contains(foreign), "{doctor:?}");
    let config = fs::read_to_string(site.path("agent.toml")).unwrap();
    fs::write(site.path("agent.toml"), format!("{config}\"b2/r1\" = \"n00011,nosuch\"\n")).unwrap();
    let doctor = site.say("doctor");
    let missing = "BAD [domains] names nodes that the manager does not have: nosuch; check";
    assert!(doctor.code == 1 && doctor.out.contains(missing), "{doctor:?}");
    fs::write(site.path("agent.toml"), format!("{config}\"b2/r1\" = \"n00011\"\n")).unwrap();
    site.good("doctor");
    site.good("run --once");
    let would = site.say("would --nodes 13 --limit 10m --user 1001");
    let never = "never: it asks for more than all 12 nodes";
    assert!(would.code == 1 && would.out.contains(never), "{would:?}");
    assert!(site.good("would --nodes 12 --limit 10m --user 1001").contains("it would start by "));
    assert!(site.good("status").contains("nodes: 12 known, "));
}

#[test]
fn an_address_whose_node_is_not_there_is_told_by_the_doctor() {
    let site = cube();
    assert!(!site.good("doctor").contains("[addresses]"));
    let config = fs::read_to_string(site.path("agent.toml")).unwrap();
    fs::write(site.path("agent.toml"), format!("{config}nosuch = 20\n")).unwrap();
    let doctor = site.say("doctor");
    let expected = "BAD [addresses] names nodes that the manager does not have: nosuch; ";
    assert!(doctor.code == 1 && doctor.out.contains(expected), "{doctor:?}");
    assert!(site.good("status").contains("nodes: 12 known, 12 free, 0 out"));
}

#[test]
fn a_simulated_clock_may_run_away_from_the_hosts() {
    let site = Site::new(CONFIG);
    site.good("run --once");
    site.edit(|cluster| {
        let now = cluster["cluster"]["now"].as_u64().unwrap();
        cluster["cluster"]["now"] = (now + 3 * 24 * 3600).into();
    });
    for command in ["run --once", "status", "doctor"] {
        site.good(command);
    }
}

#[test]
fn an_agent_that_was_killed_before_its_first_look_has_lost_nothing() {
    let site = Site::new(CONFIG);
    site.good("run --once");
    let again = || {
        fs::remove_file(site.path("history/history")).unwrap();
        site.say("run --once --despite-warnings").error.contains("LOST")
    };
    assert!(again(), "the mark says that there was a history");
    fs::remove_file(site.path("cluster.json")).unwrap();
    assert!(!again(), "it did not get as far as that");
}

#[test]
fn a_second_agent_on_the_folder_is_refused() {
    let site = Site::new(CONFIG);
    site.good("run --once");
    let _held = Directory::open(site.path("history")).unwrap();
    assert!(site.bad("run --once").contains("is in use by process"));
    assert!(site.bad("release-all").contains("is in use by process"));
    // Questions need no lock.
    site.good("status");
    let doctor = site.good("doctor");
    assert!(doctor.contains("ok  an agent runs: "), "{doctor}");
}

#[test]
fn a_second_agent_that_is_refused_at_once_leaves_nothing() {
    let site = Site::new(CONFIG);
    site.good("run --once");
    fs::write(site.path("agent.toml"), CONFIG.replace("\"history\"", "\"other\"")).unwrap();
    assert!(site.bad("run --once").contains("governs this manager, it said so "));
    assert!(!site.path("other").exists());
}

#[test]
fn a_second_agent_on_another_folder_is_refused_by_the_mark() {
    let mut manager = Simulated::new(World::default());
    let site = Site::new(CONFIG);
    let config = Config::open(&site.path("agent.toml")).unwrap();
    let (mut one, mut other) = (Storage::default(), Storage::default());
    let open = |storage, who: &str| {
        Agent::open(storage, &config, who.into(), Copied::default()).unwrap().0
    };
    let mut first = open(&mut one, "host:/a");
    first.cycle(&mut manager, u64::MAX >> 1).unwrap();
    let mut second = open(&mut other, "host:/b");
    let refused = second.cycle(&mut manager, u64::MAX >> 1).unwrap_err();
    assert!(
        refused.is_final() && matches!(&refused, CycleError::Other { who, .. } if who == "host:/a")
    );
    // The first one is gone: after a while the second one governs.
    manager.pass(24 * 20);
    second.cycle(&mut manager, u64::MAX >> 1).unwrap();
    let refused = first.cycle(&mut manager, u64::MAX >> 1).unwrap_err();
    assert!(matches!(refused, CycleError::Other { who, .. } if who == "host:/b"));
}

#[test]
fn a_clock_that_is_far_ahead_is_not_believed() {
    let mut manager = Simulated::new(World::default());
    let site = Site::new(CONFIG);
    let config = Config::open(&site.path("agent.toml")).unwrap();
    let mut storage = Storage::default();
    let (mut agent, _) = Agent::open(&mut storage, &config, "a".into(), Copied::default()).unwrap();
    let day = 24 * 3600;
    let now = manager.truth().now;
    assert!(matches!(agent.cycle(&mut manager, now - day - 100), Err(CycleError::Ahead(_))));
    agent.cycle(&mut manager, now - day + 100).unwrap();
}

#[test]
fn a_history_that_is_lost_is_said_loudly_and_made_anew() {
    let site = Site::new(CONFIG);
    site.good("run --once");
    site.good("run --once");
    let history = site.path("history/history");
    let mut bytes = fs::read(&history).unwrap();
    bytes[40] ^= 0xff;
    fs::write(&history, &bytes).unwrap();
    assert!(site.say("doctor").out.contains("BAD the history cannot be read: "));
    let before = site.files();
    let refused = site.bad("run --once");
    assert!(refused.contains("nothing is done: the history cannot be read: "), "{refused}");
    assert!(refused.ends_with("; mend that, or say --despite-warnings\n"), "{refused}");
    assert_eq!(site.files(), before);
    let said = site.say("run --once --despite-warnings");
    assert!(said.code == 0 && said.error.contains("THE HISTORY IS LOST: "), "{said:?}");
    assert!(said.error.contains("It is kept as history.lost. "), "{said:?}");
    assert_eq!(fs::read(site.path("history/history.lost")).unwrap(), bytes);
    let again = site.say("run --once");
    assert!(again.error.contains("recovered"), "{again:?}");
}

/// A half-life that is changed and changed back costs nothing that cannot be had again.
#[test]
fn no_lost_history_takes_the_place_of_another() {
    let site = Site::new(CONFIG);
    let other = CONFIG.replace("[sim", "half-life = 7\n[sim");
    site.good("run --once");
    let mut lost = vec![];
    for (config, name) in
        [(other.as_str(), "history.lost"), (CONFIG, "history.lost.2"), (&other, "history.lost.3")]
    {
        lost.push((name, fs::read(site.path("history/history")).unwrap()));
        fs::write(site.path("agent.toml"), config).unwrap();
        assert!(
            site.bad("run --once").contains("if the configuration was changed, change it back")
        );
        let said = site.say("run --once --despite-warnings");
        assert!(said.code == 0 && said.error.contains(&format!("It is kept as {name}. ")));
        assert!(said.error.contains(&format!("call {name} history again")), "{said:?}");
    }
    for (name, bytes) in &lost {
        assert_eq!(fs::read(site.path(&format!("history/{name}"))).unwrap(), *bytes, "{name}");
    }
    fs::write(site.path("agent.toml"), CONFIG).unwrap();
    fs::rename(site.path("history/history.lost"), site.path("history/history")).unwrap();
    assert!(site.say("run --once").error.contains("recovered"));
    // The next one that is lost takes the first name that is free.
    fs::write(site.path("agent.toml"), &other).unwrap();
    let said = site.say("run --once --despite-warnings");
    assert!(said.error.contains("It is kept as history.lost. "), "{said:?}");
    assert!(site.path("history/history.lost.2").exists());
}

#[test]
fn release_all_gives_everything_back() {
    let site = Site::new(CONFIG);
    (0..4).for_each(|_| drop(site.good("run --once")));
    let released = site.good("release-all");
    assert!(released.contains("take the agent's mark away") && released.contains("release "));
    let cluster = fs::read_to_string(site.path("cluster.json")).unwrap();
    assert!(cluster.contains("\"gated\":false") && cluster.contains("\"mark\":\"\""));
    assert!(site.good("release-all").starts_with("all jobs are the manager's"));
}

#[test]
fn a_mode_that_the_manager_cannot_do_is_refused() {
    let site = Site::new(&format!("{CONFIG}gate = false\n"));
    assert!(site.bad("run --once").contains("needs a gate"));
    assert!(!Path::new(&site.path("history")).exists(), "nothing was done");
}

#[test]
fn a_wrong_configuration_is_one_line() {
    let site = Site::new(&CONFIG.replace("poll = 20", "poll = 0"));
    let error = site.bad("run --once");
    assert_eq!(error, "locox-agent: agent.toml:4:8: poll = 0; write a number from 1 to 3600\n");
}

#[test]
fn the_manual_has_the_configuration_and_the_commands() {
    let manual = Site::new("").good("man");
    for word in [".TH locox-agent", "release\\-all", "half\\-life", "Exit codes"] {
        assert!(manual.contains(word), "{word}");
    }
}

#[test]
fn jobs_of_another_agent_that_lives_are_given_back_by_force_only() {
    let site = Site::new(CONFIG);
    site.good("run --once");
    fs::write(site.path("agent.toml"), CONFIG.replace("\"history\"", "\"other\"")).unwrap();
    let error = site.bad("release-all");
    assert!(error.contains("governs this manager, it said so "), "{error}");
    assert!(!site.path("other").exists(), "nothing is left");
    assert!(error.ends_with("; run release-all there, or give --force\n"), "{error}");
    let cluster = fs::read_to_string(site.path("cluster.json")).unwrap();
    assert!(cluster.contains("\"gated\":true") && cluster.contains("\"mark\":\"locox-agent "));
    assert!(site.good("release-all --force").contains("take the agent's mark away"));
}

#[test]
fn jobs_are_given_back_without_a_lock_if_the_disk_has_none_to_give() {
    let site = Site::new(CONFIG);
    site.good("run --once");
    fs::remove_file(site.path("history/lock")).unwrap();
    fs::create_dir(site.path("history/lock")).unwrap();
    let said = site.say("release-all");
    assert!(said.error.contains("; goes on, as nothing has to be written"), "{said:?}");
    assert!(said.code == 0 && said.out.contains("take the agent's mark away"), "{said:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error_of_one_line_and_stops_nothing() {
    let site = Site::new(CONFIG);
    assert_eq!(site.code("run --once", "/dev/null", "/dev/full"), 0);
    assert_eq!(site.code("run --once", "/dev/full", "/dev/full"), 2);
    for question in ["status", "status --json", "man", "--help"] {
        assert_eq!(site.code(question, "/dev/full", "/dev/null"), 2, "{question}");
    }
    let error = site.path("error");
    fs::write(&error, "").unwrap();
    site.code("status", "/dev/full", error.to_str().unwrap());
    let error = fs::read_to_string(error).unwrap();
    assert!(error.starts_with("locox-agent: standard output: No space left"), "{error}");
    assert_eq!(site.code("release-all", "/dev/full", "/dev/null"), 2);
    assert!(site.good("release-all").starts_with("all jobs are the manager's"), "they were");
}

#[test]
fn a_cluster_that_was_edited_badly_is_one_line() {
    let site = Site::new(CONFIG);
    site.good("run --once");
    site.good("run --once");
    let good = fs::read(site.path("cluster.json")).unwrap();
    let far = serde_json::json!(u64::MAX);
    let edits: [(&[&str], serde_json::Value, &str); 5] = [
        (&["cluster", "now"], far.clone(), "cluster.now: 18446744073709551615 is no time"),
        (&["world", "poll"], far.clone(), "world.poll = 18446744073709551615; it is a number"),
        (&["world", "begin"], far, "world.begin = 18446744073709551615; it is a number"),
        (&["world", "nodes"], 17.into(), "names has 16 entries; world.nodes says 17"),
        (&["cluster", "out"], serde_json::json!([]), "cluster.out has 0 entries"),
    ];
    for (at, to, expected) in edits {
        site.edit(|cluster| *at.iter().fold(cluster, |it, field| &mut it[*field]) = to);
        for command in ["run --once", "status", "release-all"] {
            let error = site.bad(command);
            assert!(
                error.starts_with("locox-agent: ./cluster.json: ")
                    || error.starts_with("locox-agent: cluster.json: "),
                "{error}"
            );
            assert!(error.contains(expected), "{error}");
            assert!(
                error.ends_with("; mend it, or remove it to begin a cluster anew\n"),
                "{error}"
            );
        }
        fs::write(site.path("cluster.json"), &good).unwrap();
    }
    site.edit(|cluster| {
        let jobs = cluster["cluster"]["jobs"].as_array_mut().unwrap();
        let runs = jobs.iter_mut().find(|job| job[1]["doing"]["Runs"].is_object()).unwrap();
        runs[1]["doing"]["Runs"]["nodes"] = serde_json::json!([99]);
    });
    let error = site.bad("status");
    assert!(error.contains(": there is no node 99; the last one is 15"), "{error}");
    fs::write(site.path("cluster.json"), "").unwrap();
    assert!(site.bad("status").ends_with("; mend it, or remove it to begin a cluster anew\n"));
    fs::write(site.path("cluster.json"), &good).unwrap();
    // Numbers of jobs are given again, and there are fewer of them than jobs.
    site.edit(|cluster| cluster["world"]["jobs"] = 0.into());
    site.good("run --once");
}

#[cfg(target_os = "linux")]
#[test]
fn what_has_no_end_is_not_read() {
    use std::os::unix::fs::symlink;
    let site = Site::new(CONFIG);
    site.good("run --once");
    fs::rename(site.path("history/history"), site.path("kept")).unwrap();
    symlink("/dev/zero", site.path("history/history")).unwrap();
    for command in ["run --once", "status", "verify history/history"] {
        assert!(site.bad(command).contains("history: it is no regular file"), "{command}");
    }
    fs::remove_file(site.path("history/history")).unwrap();
    symlink("../kept", site.path("history/history")).unwrap();
    site.good("run --once");
    fs::write(site.path("agent.toml"), CONFIG.replace("cluster.json", "/dev/zero")).unwrap();
    assert!(site.bad("status").contains("/dev/zero: it is no regular file"));
    fs::remove_file(site.path("agent.toml")).unwrap();
    symlink("/dev/zero", site.path("agent.toml")).unwrap();
    assert!(site.bad("status").contains("agent.toml: cannot be read: it is no regular file"));
}

#[test]
fn the_cluster_is_not_stored_where_the_history_is() {
    for file in [
        "history/history",
        "history/x/../gone",
        "history",
        "history/nodes.json",
        "history/history.lost",
        "history/history.lost.2",
        "history/history.4",
    ] {
        let site = Site::new(&CONFIG.replace("cluster.json", file));
        let error = site.bad("run --once");
        assert!(error.contains("agent.toml:6:8: file is the history's"), "{error}");
        assert!(!site.path("history").exists() && !site.path("history.new").exists());
    }
    let site = Site::new(&CONFIG.replace("cluster.json", "history/cluster.json"));
    fs::create_dir(site.path("history")).unwrap();
    site.good("run --once");
}

#[test]
fn a_folder_that_is_none_is_one_line_that_says_what_to_do() {
    let site = Site::new(CONFIG);
    fs::write(site.path("history"), "").unwrap();
    let expected = "; `folder` names a folder that can be written\n";
    assert!(site.bad("run --once").ends_with(expected));
    fs::remove_file(site.path("history")).unwrap();
    fs::create_dir_all(site.path("history/lock")).unwrap();
    assert!(site.bad("run --once").ends_with(expected));
    assert!(site.say("doctor").out.contains(expected));
}

#[test]
fn nothing_is_left_by_a_start_that_failed() {
    let site = Site::new(&CONFIG.replace("cluster.json", "taken"));
    fs::create_dir(site.path("taken")).unwrap();
    site.bad("run --once");
    assert!(!site.path("taken.new").exists() && !site.path("history").exists());
}

/// By a whole record, as a file that was copied in part is.
#[test]
fn a_history_that_lost_its_end_is_salvaged_on_purpose_and_said_loudly() {
    let site = Site::new(CONFIG);
    site.good("run --once");
    site.good("run --once");
    let history = site.path("history/history");
    let bytes = fs::read(&history).unwrap();
    let blank = bytes.iter().rev().take_while(|byte| **byte == 0xFF).count();
    let short = &bytes[..bytes.len() - blank / 64 * 64 - 64];
    fs::write(&history, short).unwrap();
    let said = site.say("verify history/history");
    assert!(said.code == 1 && said.out.contains("THE HISTORY IS DAMAGED"), "{said:?}");
    assert!(site.say("doctor").out.contains("BAD the history cannot be read: "));
    assert!(site.bad("run --once").contains("run --salvage keeps what is sound in it"));
    let said = site.say("run --once --salvage");
    assert!(said.code == 0 && said.error.contains("THE HISTORY IS DAMAGED: "), "{said:?}");
    assert_eq!(fs::read(site.path("history/history.damaged")).unwrap(), short);
    let again = site.say("run --once");
    assert!(again.error.contains("recovered") && !again.error.contains("DAMAGED"), "{again:?}");
}

#[test]
fn a_history_that_was_removed_is_said_loudly() {
    let site = Site::new(CONFIG);
    assert!(!site.say("run --once").error.contains("LOST"));
    fs::remove_dir_all(site.path("history")).unwrap();
    assert!(site.say("doctor").out.contains("BAD the history is not there: "));
    assert!(site.bad("run --once").contains("nothing is done: the history is not there: "));
    assert!(!site.path("history").exists());
    let said = site.say("run --once --despite-warnings");
    assert!(said.code == 0 && said.error.contains("THE HISTORY IS LOST: "), "{said:?}");
    assert!(!site.say("run --once").error.contains("LOST"), "once");
}

#[test]
fn arguments_that_are_wrong_are_one_line() {
    let site = Site::new(CONFIG);
    for arguments in ["fly", "run --onc", "would --nodes 3", "would --nodes 1 --limit 8000y", "why"]
    {
        let error = site.bad(arguments);
        assert!(error.ends_with("; see locox-agent --help\n"), "{error}");
    }
    assert!(site.good("--version").starts_with("locox-agent "));
}

#[test]
fn what_others_wrote_moves_no_terminal() {
    let site = Site::new(CONFIG);
    site.good("run --once");
    site.edit(|cluster| {
        cluster["cluster"]["mark"] = "locox-agent a\u{1b}[2J\n\0 1".into();
        cluster["names"][0] = "n\u{1b}[2J\n0".into();
    });
    // A list of names, one a line, has no room for this one.
    let text = "1 nodes are not governed: the name of a node is ";
    assert!(site.bad("run --once").contains(text));
    assert!(site.good("run --once --despite-warnings").contains(text));
    assert!(!site.say("run --once --despite-warnings").error.contains("LOST"));
    for command in ["status", "status --json", "status --html", "run --dry-run", "why 1"] {
        let said = site.say(command);
        let raw = |text: &str| text.chars().any(|it| it.is_control() && it != '\n');
        assert!(!raw(&said.out) && !raw(&said.error), "{command}: {said:?}");
        assert!(!said.out.contains("[2J\n"), "{command}: {said:?}");
    }
}

#[test]
fn what_has_no_effect_is_told_by_the_doctor() {
    let site = Site::new(&format!("advised = 5\npartitions = [\"a\"]\n{CONFIG}[slurm]\n"));
    let told = site.good("doctor");
    for what in ["partitions", "[slurm]", "advised"] {
        assert!(told.contains(&format!("ok  has no effect: {what}: ")), "{told}");
    }
    let site = Site::new(CONFIG);
    site.good("run --once");
    assert!(!site.good("doctor").contains("no effect"));
    fs::write(site.path("agent.toml"), format!("{CONFIG}nodes = 17\n")).unwrap();
    let expected = "ok  has no effect: what [simulated] or poll say differently since ";
    assert!(site.good("doctor").contains(expected));
}

#[test]
fn a_job_that_waits_for_ever_is_said_once() {
    let site = Site::new(&format!("nodes = 16\n{CONFIG}jobs = 400\n"));
    let never = || site.good("run --once").matches("waits for ever").count();
    let said: Vec<usize> = (0..6).map(|_| never()).collect();
    assert!(said.iter().sum::<usize>() > 0, "{said:?}");
    let jobs = site.good("status --json");
    let jobs: serde_json::Value = serde_json::from_str(&jobs).unwrap();
    assert_eq!(jobs["jobs"]["never"], said.iter().sum::<usize>(), "{said:?}");
}

#[test]
fn each_command_has_a_page_in_a_folder() {
    let site = Site::new("");
    assert_eq!(site.good("man share/man1"), "");
    let page = |name| fs::read_to_string(site.path("share/man1").join(name)).unwrap();
    assert_eq!(page("locox-agent.1"), site.good("man"));
    assert!(page("locox-agent-would.1").contains("\\-\\-limit"));
    fs::write(site.path("file"), "").unwrap();
    assert!(site.bad("man file").contains("file: the pages cannot be written"));
}

#[test]
fn shells_complete_the_commands() {
    let site = Site::new("");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = site.good(&format!("completions {shell}"));
        for word in ["why", "would", "release-all", "dry-run"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn a_user_for_whom_there_is_no_row_is_told_so_by_all_who_are_asked() {
    let site = Site::new(&CONFIG.replace("[sim", "users = 1\nhalf-life = 1\n[sim"));
    let log = site.good("run --once");
    let note = "jobs are not governed: all rows for users are in use; write a larger number for users and restart, or wait: ";
    assert!(log.contains(note), "{log}");
    let status = site.good("status");
    assert!(status.lines().any(|line| line.starts_with("note: ") && line.contains(note)));
    assert!(site.good("status --html").contains(note));
    let cluster: serde_json::Value =
        serde_json::from_slice(&fs::read(site.path("cluster.json")).unwrap()).unwrap();
    let jobs = cluster["cluster"]["jobs"].as_array().unwrap();
    let first = &jobs[0][1]["user"];
    let other = jobs.iter().find(|job| job[1]["user"] != *first).unwrap();
    let why = site.good(&format!("why {}", other[0]));
    let says = "is not governed: all rows for users are in use; write";
    assert!(why.starts_with(&format!("{} {says}", other[0])), "{why}");
}

/// Each setting, changed alone: whether a history that an agent has written can be read, and goes on with it.
#[test]
fn a_history_survives_the_changes_of_the_configuration_that_the_guide_names() {
    let usual = "manager = \"simulated\"\nfolder = \"history\"\nmode = \"authoritative\"\npoll = 20\nnodes = 20\n\
                 jobs = 100\nusers = 10\nranking = \"users\"\nhalf-life = 60\npreempt = false\n\
                 [simulated]\nfile = \"cluster.json\"\nspan = 60\n[[share]]\nuser = 1001\nweight = 2\n";
    let survives = [
        ("poll = 20", "poll = 7"),
        ("jobs = 100", "jobs = 500"),
        ("jobs = 100", "jobs = 60"),
        ("users = 10", "users = 11"),
        ("users = 10", "users = 3"),
        ("weight = 2", "weight = 3"),
        ("[[share]]\nuser = 1001\nweight = 2\n", ""),
        ("mode = \"authoritative\"", "mode = \"advisory\""),
        ("nodes = 20\n", "nodes = 20\nadvised = 3\n"),
        ("span = 60", "span = 90"),
    ];
    let does_not = [
        ("nodes = 20", "nodes = 21"),
        ("nodes = 20", "nodes = 19"),
        ("half-life = 60", "half-life = 61"),
        ("ranking = \"users\"", "ranking = \"priority\""),
        ("preempt = false", "preempt = true"),
        // Fewer rows than were in use.
        ("users = 10", "users = 1"),
        ("jobs = 100", "jobs = 1"),
    ];
    let site = Site::new(usual);
    (0..6).for_each(|_| drop(site.good("run --once")));
    let before = site.files();
    let try_it = |config: &str| {
        before.iter().for_each(|(name, bytes)| fs::write(name, bytes).unwrap());
        fs::write(site.path("agent.toml"), config).unwrap();
        let doctor = site.say("doctor").out;
        let run = site.say("run --once");
        (doctor.contains("the history: recovered, "), run.error.contains("recovered, "))
    };
    for (survives, changes) in [(true, &survives[..]), (false, &does_not)] {
        for (from, to) in changes {
            let config = usual.replacen(from, to, 1);
            assert_ne!(config, usual);
            assert_eq!(try_it(&config), (survives, survives), "{from} to {to}");
        }
    }
    assert_eq!(try_it(usual), (true, true), "as it was");
    // Places: in subcubes, and as meshes.
    let addresses: String = (0..16).map(|node| format!("n{node:05} = {node}\n")).collect();
    let named = |places: &str| {
        let usual = usual.replace("nodes = 20\n", &format!("places = \"{places}\"\n"));
        format!("{usual}[addresses]\n{addresses}")
    };
    assert_eq!(try_it(&named("subcubes")), (false, false));
    site.good("run --once --despite-warnings");
    let history = site.path("history/history");
    let bytes = fs::read(&history).unwrap();
    for (places, survives) in [("meshes", false), ("subcubes", true)] {
        fs::write(&history, &bytes).unwrap();
        fs::write(site.path("agent.toml"), named(places)).unwrap();
        assert_eq!(site.say("run --once").error.contains("recovered, "), survives, "{places}");
    }
    // An address of another node: its name goes with the number.
    let other = named("subcubes").replace("n00003 = 3\n", "n00003 = 19\n");
    fs::write(&history, &bytes).unwrap();
    fs::write(site.path("agent.toml"), other).unwrap();
    assert!(!site.say("run --once").error.contains("recovered, "), "a larger cube");
}

#[test]
fn the_log_status_and_why_say_who_stops_for_whom() {
    let site = Site::new(
        "manager = \"simulated\"\nfolder = \"history\"\nmode = \"authoritative\"\npoll = 20\npreempt = true\n\
         patience = 1\nleast-run = 1\nnotice = 1\n[simulated]\nfile = \"cluster.json\"\nnodes = 8\njobs = 3\nusers = 2\n",
    );
    fs::write(site.path("cluster.json"), serde_json::to_vec(&two_against_one([false; 2])).unwrap())
        .unwrap();
    let says = " will be stopped at ";
    let log = (0..90).map(|_| site.good("run --once")).find(|log| log.contains(says)).unwrap();
    let note = log.lines().find(|line| line.contains(says)).unwrap();
    let (_, note) = note.split_once("note: ").unwrap();
    let (job, rest) = note.split_once(' ').unwrap();
    let (_, reason) = rest.split_once(" for ").unwrap();
    let (of, reason) = reason.split_once(" of ").unwrap();
    assert!(reason.contains("who has no nodes and has waited "), "{note}");
    let told = format!("{says}{}", rest.split(' ').nth(4).unwrap());
    assert!(site.good("status").contains(&format!("\nstops: {job}:{told}")), "{note}");
    assert!(site.good(&format!("why {job}")).contains(&format!(", and{told}")), "{note}");
    let waits = site.good(&format!("why {of}"));
    assert!(
        waits.contains(") waits: it starts when ") && waits.contains(" stopped for it"),
        "{waits}"
    );
    assert!(waits.contains(job), "{waits}");
    assert!(site.good(&format!("when {of}")).contains("is expected to start by "));
    assert!(site.good("status --html").contains("<caption>Stops</caption>"));
}

#[test]
fn each_line_of_the_log_has_the_managers_time() {
    let site = Site::new(CONFIG);
    for arguments in ["run --once", "run --once", "run --dry-run"] {
        let log = site.good(arguments);
        let cluster: serde_json::Value =
            serde_json::from_slice(&fs::read(site.path("cluster.json")).unwrap()).unwrap();
        let now = cluster["cluster"]["now"].as_u64().unwrap();
        let (first, _) = log.split_once(' ').unwrap();
        let time = humantime::parse_rfc3339(first).unwrap();
        assert!(log.contains(" start ") || log.contains(" note: "), "{log}");
        assert!(log.lines().all(|line| line.starts_with(&format!("{first} "))), "{log}");
        let time = time.duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
        assert!(first.ends_with('Z') && time.abs_diff(now) <= 20, "{first} at {now}");
    }
}

/// Slurm's `UNLIMITED`, and what HTCondor has without an allowed duration.
#[test]
fn a_job_without_a_limit_is_given_no_time_anywhere() {
    let site = Site::new(&CONFIG.replace("span = 60", "span = 1\nlongest = 100000\njobs = 60"));
    site.good("run --once");
    let mut ids: Vec<u64> = vec![];
    site.edit(|cluster| {
        for job in cluster["cluster"]["jobs"].as_array_mut().unwrap() {
            ids.push(job[0].as_u64().unwrap());
            job[1]["limit"] = (u64::from(u32::MAX) * 60).into();
            job[1]["patience"] = 1_000_000.into();
        }
    });
    let mut told = site.good("run --once") + &site.good("run --once");
    assert!(told.contains(" may end after its deadline: a job runs without a limit"), "{told}");
    told += &site.good("status");
    assert!(told.contains(", without a limit: ") && !told.contains("next: "), "{told}");
    let late = "ends at no known time, as a job runs without a limit, and is to end by 20";
    assert!(told.contains(late), "{told}");
    let json: serde_json::Value = serde_json::from_str(&site.good("status --json")).unwrap();
    assert!(json["line"][0]["limit"].is_null() && json["late"][0]["ends"].is_null(), "{json}");
    assert!(site.good("status --html").contains("<td>without a limit</td>"));
    let (mut runs, mut waits) = (0, 0);
    for id in ids {
        let when = site.say(&format!("when {id}")).out;
        runs += usize::from(when.contains(", runs without a limit"));
        let text = "has no time here: jobs without a limit run or stand before it";
        waits += usize::from(when.contains(text));
        told += &when;
        told += &site.good(&format!("why {id}"));
    }
    assert!(runs > 0 && waits > 10, "{runs} {waits}");
    let would = site.say("would --nodes 16 --limit 1h");
    let text = "no time is known: jobs without a limit run or stand before it\n";
    assert_eq!((would.code, would.out.as_str()), (1, text));
    for wrong in ["316224000", "years", "at the latest", "230584"] {
        assert!(!told.contains(wrong), "{wrong}: {told}");
    }
    let site = cube();
    site.good("run --once");
    let mut ids: Vec<u64> = vec![];
    site.edit(|cluster| {
        for job in cluster["cluster"]["jobs"].as_array_mut().unwrap() {
            ids.push(job[0].as_u64().unwrap());
            job[1]["limit"] = (u64::from(u32::MAX) * 60).into();
        }
    });
    site.good("run --once");
    let mut asked = 0;
    for id in ids {
        let when = site.say(&format!("when {id}"));
        if when.error.contains("no job") {
            continue;
        }
        let has_end = ["ends by", "to end by"].iter().any(|ends| when.out.contains(ends));
        assert!(when.code < 2 && !has_end, "subcubes: {when:?}");
        asked += 1;
    }
    assert!(asked > 1, "{asked}");
}

#[test]
fn who_is_left_to_the_manager_or_set_aside_is_told_with_the_reason() {
    let more = |settings: &str| Site::new(&format!("{CONFIG}{settings}"));
    let site = more("nodes = 4\nconstraints = 1000\n");
    let log = site.good("run --once");
    assert!(log.contains(" is left to the manager: it asks for "), "{log}");
    assert!(log.contains(": it is left to the manager, as it asks for "), "{log}");
    let status = site.good("status");
    let left = status.lines().find(|line| line.starts_with("left to the manager: ")).unwrap();
    let job = left.split(": ").nth(1).unwrap();
    let why = site.good(&format!("why {job}"));
    assert!(why.contains("the manager, to which it is left: it asks for "), "{why}");
    let when = site.say(&format!("when {job}"));
    assert!(when.code == 1 && when.out.contains("it is left to the manager"), "{when:?}");
    assert!(site.good("status --html").contains("Left to the manager"));
    assert!(site.good("run --once").lines().all(|line| !line.contains(&format!(" {job} is left"))));

    // Nobody is told which nodes these may have, and the manager holds them on others.
    let site = more("nodes = 4\njobs = 5\nusers = 1\nlimit = 1\n");
    let told = (0..20).map(|_| site.good("run --once") + &site.good("status"));
    let told: String = told.collect();
    assert!(told.contains("waits for a limit of the manager: 1 with user=1000 run"), "{told}");
    assert!(told.contains(": a limit of the manager leaves no room for it"), "{told}");
}
