//! Recorded runs: files that were written once, and what they must lead to ever since, on every
//! target and in every profile.
//!
//! `LOCOX_RECORD=1 cargo test -p locox-models --test all recorded::` writes them anew, for a change of what
//! coordinators do or of how histories are stored.

use locox::handle::PoolId;
use locox::mapping::Basis;
use locox::time::{Duration, Instant};
use locox::timeshare::{NonInterfering, Threshold};
use locox_coordinators::site::{
    Algorithm, Claim, Config as SiteConfig, Learning, Policy as SitePolicy, Remap,
};
use locox_coordinators::station::Config;
use locox_models::recorded::{BadRun, Rule, record_cluster, record_site, record_stations, replay};
use locox_models::site::{Rules, poisson};
use locox_models::timeshare::fluid::{Loss, Setup};
use locox_models::timeshare::lists::Mix;
use locox_models::workstation::{Functions, Policy, Pool};
use std::fs;
use std::path::{Path, PathBuf};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../host-tests/recorded/tests/corpus")
}

/// A day of a small pool, or as much of it as has room in a few KB.
fn record() {
    let pool = Pool { bank: 2, span: Duration::from_ticks(86_400), ..Pool::study(3) };
    let standard = Config::standard(Duration::from_ticks(60));
    let busy = Pool { config: Config { recall: true, ..standard }, ..pool.clone() };
    let study = Policy::UpDown(Functions::Condor);
    let runs = [
        ("timed-updown", &busy, Policy::TimedUpDown),
        ("updown", &pool, study),
        ("updown-recall", &busy, study),
        ("round-robin", &pool, Policy::RoundRobin),
        ("random", &busy, Policy::Random),
    ];
    for (name, pool, policy) in runs {
        keep(name, &record_stations(pool, policy, 1, 60).unwrap());
    }
    for (name, rule) in
        [("cluster-first-level", rules()[1]), ("cluster-non-interfering", rules()[4])]
    {
        keep(name, &of_cluster(rule, 90));
    }
    for (name, config) in [("site", sites()[0]), ("site-learning", sites()[1])] {
        keep(name, &of_site(config, 260));
    }
}

fn keep(name: &str, bytes: &[u8]) {
    let digest = replay(bytes).unwrap().to_string();
    fs::write(corpus().join(format!("{name}.run")), bytes).unwrap();
    fs::write(corpus().join(format!("{name}.digest")), digest).unwrap();
}

/// Each placement, by lot and in order.
fn rules() -> [Rule; 5] {
    let threshold = Threshold::from_thousandths(700).unwrap();
    let believed = Duration::from_ticks(60_000);
    let settled = Duration::from_ticks(1_000);
    [
        Rule::FirstLevel { degree: 3, lots: false },
        Rule::FirstLevel { degree: 3, lots: true },
        Rule::FirstCalmLevel { degree: 3, lots: false, threshold, believed },
        Rule::FirstCalmLevel { degree: 3, lots: true, threshold, believed },
        Rule::NonInterfering(NonInterfering { degree: 3, threshold, believed, settled }),
    ]
}

/// Jobs on six hosts of three levels, of which one is lost for a while.
fn of_cluster(rule: Rule, most: u64) -> Vec<u8> {
    let jobs = Mix { jobs: 20, hosts: 6, load: 0.9, alone: 30.0 }.generate(1, 0);
    let losses = [Loss { host: 1, from: 40.0, until: 70.0 }];
    record_cluster(Setup { losses: &losses, ..Setup::new(&jobs, 6, 3) }, rule, 1, most)
}

#[test]
fn a_cluster_that_is_recorded_is_replayed_under_every_placement() {
    for rule in rules() {
        let bytes = of_cluster(rule, 150);
        assert_eq!(bytes, of_cluster(rule, 150));
        let digest = replay(&bytes).unwrap();
        assert!(digest.to_string().starts_with("commands 150\n"), "{rule:?}: {digest}");
    }
    let bytes = of_cluster(rules()[4], 150);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let head = text[..text.find("history\n").unwrap()].to_owned();
    for (from, to, expected) in [
        ("placement non-interfering", "placement v4", "line 3: there is no placement \"v4\""),
        ("threshold 700", "threshold 1000", "line 7: a threshold of 1000 thousandths"),
        ("retry always", "retry soon", "line 12: there is no retry \"soon\""),
        ("levels 3", "levels 9", "line 5: 9 levels are none, or too many"),
        ("settled 1000", "settled -", "line 9: \"-\" is no settled"),
    ] {
        let changed = [head.replace(from, to).as_bytes(), &bytes[head.len()..]].concat();
        let told = replay(&changed).unwrap_err().to_string();
        assert!(told.starts_with(expected), "{told}");
    }
}

fn sites() -> [SiteConfig; 2] {
    let config = SiteConfig::new(Duration::from_ticks(10_000), PoolId(1));
    let learning = Some(Learning { memory: 50, basis: Basis::Class, risk: 0 });
    let gain = Some(Duration::from_ticks(2_000));
    let learns = SiteConfig { remap: Remap::New, learning, preemptions: Some(1), gain, ..config };
    [config, learns]
}

/// Jobs of three priorities on the site of the study, the high ones taking the low ones' places.
fn of_site(config: SiteConfig, most: u64) -> Vec<u8> {
    let claims = [Claim::Takes, Claim::Neither, Claim::Loses];
    let algorithms = [Algorithm::Pjs, Algorithm::Sjs, Algorithm::Sufferage];
    let queue =
        |((level, claim), algorithm)| SitePolicy { algorithm, level, claim, ..SitePolicy::EMPTY };
    let queues = (0..).zip(claims).zip(algorithms).map(queue).collect();
    let jobs = poisson(80, 8.0, &[1, 1, 2], 0.3, 1, 0);
    let outage = (0, Instant::from_ticks(20_000), Instant::from_ticks(90_000));
    let rules = Rules { queues, outages: vec![outage], ..Rules::new(config, SitePolicy::EMPTY) };
    record_site(&rules, &jobs, most)
}

#[test]
fn a_site_that_is_recorded_is_replayed() {
    for config in sites() {
        let bytes = of_site(config, 300);
        assert_eq!(bytes, of_site(config, 300));
        let digest = replay(&bytes).unwrap();
        assert!(digest.to_string().starts_with("commands 300\n"), "{digest}");
    }
    let bytes = of_site(sites()[1], 300);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let head = text[..text.find("history\n").unwrap()].to_owned();
    for (from, to, expected) in [
        ("site study", "site moon", "line 3: there is no site \"moon\""),
        ("queues 3", "queues 255", "line 4: more than 254"),
        ("remap new", "remap old", "line 7: there is no remap \"old\""),
        ("basis class", "basis -", "line 10: there is no basis \"-\""),
        ("quantum 10000", "quantum 0", "line 3: quantum must not be zero"),
    ] {
        let changed = [head.replace(from, to).as_bytes(), &bytes[head.len()..]].concat();
        let told = replay(&changed).unwrap_err().to_string();
        assert!(told.starts_with(expected), "{told}");
    }
}

fn names() -> Vec<String> {
    let entries = fs::read_dir(corpus()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut runs: Vec<_> =
        names.filter_map(|name| name.strip_suffix(".run").map(str::to_owned)).collect();
    runs.sort();
    runs
}

fn run(name: &str) -> Vec<u8> {
    fs::read(corpus().join(format!("{name}.run"))).unwrap()
}

#[test]
fn recorded_runs_lead_to_the_same_effects_and_states_as_ever() {
    if std::env::var_os("LOCOX_RECORD").is_some() {
        record();
    }
    let names = names();
    assert!(names.len() >= 4, "{names:?}");
    for name in names {
        let digest = fs::read_to_string(corpus().join(format!("{name}.digest"))).unwrap();
        let found = replay(&run(&name)).map(|it| it.to_string());
        let anew = "if that is right, record it anew: see the head of this file";
        assert_eq!(found.as_deref(), Ok(digest.as_str()), "{name}; {anew}");
    }
}

#[test]
fn a_run_that_is_recorded_is_replayed_under_every_ranking() {
    let pool = Pool { bank: 2, span: Duration::from_ticks(86_400), ..Pool::study(3) };
    let up_down = Functions::ALL.map(Policy::UpDown);
    let others = [Policy::TimedUpDown, Policy::RoundRobin, Policy::Random];
    for policy in up_down.into_iter().chain(others) {
        let bytes = record_stations(&pool, policy, 1, 200).unwrap();
        assert_eq!(bytes, record_stations(&pool, policy, 1, 200).unwrap());
        let digest = replay(&bytes).unwrap();
        assert!(digest.to_string().starts_with("commands 200\n"), "{digest}");
        assert_eq!(digest.mended(), 0);
    }
}

/// Each bit: it is said what is wrong, or the run is what it was.
#[test]
fn a_bit_that_turned_is_found_or_turned_back() {
    let (name, mut bytes) = ("round-robin", run("round-robin"));
    let digest = fs::read_to_string(corpus().join(format!("{name}.digest"))).unwrap();
    let head = bytes.windows(8).position(|it| it == b"history\n").unwrap() + 8;
    for bit in (8 * head..8 * bytes.len()).step_by(97) {
        bytes[bit / 8] ^= 1 << (bit % 8);
        match replay(&bytes) {
            Ok(same) => assert_eq!(same.to_string(), digest, "bit {bit}"),
            Err(BadRun::History(bad)) => assert!(bad.offset <= bit as u64 / 8, "bit {bit}: {bad}"),
            Err(other) => panic!("bit {bit}: {other}"),
        }
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_its_place() {
    let told = |bytes: &[u8]| replay(bytes).unwrap_err().to_string();
    let bytes = run("round-robin");
    let head = bytes.windows(8).position(|it| it == b"history\n").unwrap() + 8;
    assert_eq!(told(b""), "line 1: it is no recorded run; make one with locox record");
    assert_eq!(told(b"\x7fELF\n"), told(b""));
    let text = |from: &str, to: &str| {
        let lines = String::from_utf8(bytes[..head].to_vec()).unwrap().replace(from, to);
        [lines.as_bytes(), &bytes[head..]].concat()
    };
    let wrong = [
        ("coordinator station", "coordinator cabin", "line 2: there is no coordinator \"cabin\""),
        ("round-robin", "square", "line 3: there is no ranking \"square\""),
        ("interval 600", "interval soon", "line 7: \"soon\" is no interval"),
        ("interval 600", "interval 0", "line 7: interval must not be zero"),
        ("interval 600", "span 600", "line 7: \"span\" is not known"),
        ("nodes ", "nodes 99999999", "line 5: more than 1048576"),
        ("pool 0\n", "", "line 18: there is no pool before"),
        ("pool 0\n", "pool 0\npool 0\n", "line 19: there was such a line before"),
        ("pool 0\n", "pool\n", "line 18: it has no value"),
    ];
    for (from, to, expected) in wrong {
        assert_eq!(told(&text(from, to)), format!("{expected}; record the run again"));
    }
    let anew = "copy the file anew, or record the run again";
    // Another configuration than that of the image.
    let other = told(&text("interval 600", "interval 700"));
    assert!(other.starts_with(&format!("the image at byte {head}: ")), "{other}");
    let image = bytes.len() - head - 64 * 60;
    let third = head + image + 2 * 64;
    let cut = told(&bytes[..third + 63]);
    assert_eq!(cut, format!("record 3 at byte {third}: it is cut or damaged; {anew}"));
    let mut flipped = bytes.clone();
    flipped[third + 9] ^= 1;
    flipped[third + 19] ^= 1;
    assert_eq!(told(&flipped), cut);
    let missing = [&bytes[..third], &bytes[third + 64..]].concat();
    assert!(told(&missing).starts_with(&format!("record 3 at byte {third}: ")));
}
