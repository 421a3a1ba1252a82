//! Configurations, good and bad.

use super::*;
use crate::condor::CondorConfig;
use crate::places::Places;
use crate::simulated::World;
use crate::slurm::SlurmConfig;
use locox::time::Duration;
use locox_coordinators::manager::Preemption;
use std::path::Path;

const LEAST: &str = "manager = \"simulated\"\nfolder = \"history\"\n";
const SECTION: &str = "[simulated]\nfile = \"c.json\"\n";

fn parse(more: &str) -> Result<Config, String> {
    let text = format!("{LEAST}{more}\n{SECTION}");
    Config::parse(Path::new("etc/a.toml"), &text).map_err(|error| error.to_string())
}

#[test]
fn the_least_that_can_be_said() {
    let config = parse("").unwrap();
    assert_eq!(config.folder, Path::new("etc/history"));
    assert_eq!((config.mode, config.poll, config.preempt), (Mode::Advisory, 5, None));
    let ManagerConfig::Simulated { file, world } = &config.manager else { panic!("simulated") };
    assert_eq!((file.as_path(), world), (Path::new("etc/c.json"), &World::default()));
}

#[test]
fn all_that_can_be_said() {
    let config = parse(
        "mode = \"authoritative\"\npartitions = [\"batch\", \"long\"]\npoll = 2\nnodes = 16\njobs = 100\n\
         users = 10\nranking = \"users\"\nhalf-life = 60\npreempt = true\nnotice = 5\nadvised = 10\n\
         [[share]]\nuser = 7\nweight = 3",
    );
    let config = config.unwrap();
    assert_eq!(config.partitions, ["batch", "long"]);
    assert_eq!((config.nodes, config.jobs, config.users), (16, 100, 10));
    let stops = Preemption { notice: Duration::from_ticks(300), ..Preemption::standard(MINUTE) };
    assert_eq!((config.preempt, config.half_life, config.advised), (Some(stops), 60, 10));
    assert_eq!(config.shares, [(7, 3)]);
    let ManagerConfig::Simulated { world, .. } = &config.manager else { panic!("simulated") };
    assert_eq!(world.poll, 2);
}

#[test]
fn nodes_have_addresses_where_jobs_get_subcubes() {
    let start = "mode = \"authoritative\"\nplaces = \"subcubes\"\n";
    let config = parse(&format!("{start}[addresses]\na = 0b0000\nb = 5")).unwrap();
    let Places::Subcubes(cube) = config.places else { panic!("subcubes") };
    assert_eq!((config.nodes, cube.addresses(), cube.most()), (8, 8, 1));
    let meshes =
        parse(&format!("{start}[addresses]\na = 0").replace("subcubes", "meshes")).unwrap();
    assert!(matches!(meshes.places, Places::Meshes(_)));
    let wrong = |text: &str| parse(text).unwrap_err();
    assert_eq!(
        wrong(&start.replace("authoritative", "advisory")),
        "etc/a.toml:1:11: places other than \"any\" need mode = \"authoritative\""
    );
    assert!(wrong(start).contains("need a section [addresses]"));
    let second = |line: &str| wrong(&format!("{start}[addresses]\na = 1\n{line}"));
    assert_eq!(second("b = 1"), "etc/a.toml:7:5: address 1 is there twice; leave one out");
    for name in ["#16", "a b\\nc", ""] {
        let found = name.replace("\\n", "?");
        let error =
            format!(": a node is `{found}`; write its name: one line that does not begin with `#`");
        assert!(second(&format!("\"{name}\" = 2")).ends_with(&error), "{name}");
    }
    for address in ["-1", "1.5", "nan", "\"one\"", "65536"] {
        let error = second(&format!("b = {address}"));
        let is_told =
            error.starts_with("etc/a.toml:7:5: ") && error.contains("a number from 0 to 65535");
        assert!(is_told, "{error}");
    }
    assert!(second("a = 2").starts_with("etc/a.toml:7:1: "), "a name that is there twice");
    let idle = parse("[addresses]\na = 0").unwrap().idle;
    assert_eq!(idle, ["[addresses]: places = \"any\" asks for none"]);
}

#[test]
fn nodes_have_coordinates_where_jobs_get_boxes() {
    let start = "mode = \"authoritative\"\nplaces = \"boxes\"\n";
    let torus = format!("{start}machine = \"torus:8x4x2\"\n");
    let config = parse(&format!("{torus}[addresses]\na = [0, 3, 1]\nb = [7, 0, 0]")).unwrap();
    let Places::Boxes(boxes) = &config.places else { panic!("boxes") };
    assert_eq!((config.nodes, boxes.grid().to_string().as_str()), (64, "torus:8x4x2"));
    let names = config.places.names().unwrap();
    let numbers = ["a", "b"].map(|name| names.number(name).map(|it| it.0));
    assert_eq!((numbers, names.len()), ([Some(56), Some(7)], 64));
    let flat = parse(&format!("{start}machine = \"mesh:4x1\"\n[addresses]\na = [3, 0]")).unwrap();
    assert_eq!(flat.nodes, 4, "sides of one node have a coordinate too");
    let wrong = |text: &str| parse(text).unwrap_err();
    assert_eq!(
        wrong(start),
        "etc/a.toml:1:11: places = \"boxes\" needs a machine, as in machine = \"torus:8x8x8\""
    );
    assert_eq!(
        wrong(&torus),
        "etc/a.toml:1:11: places = \"boxes\" needs a section [addresses] with a line for each node, as in node1 = [0, 3, 1]"
    );
    for machine in
        ["cube:4", "tree:4x4", "8x8", "torus:", "torus:65", "mesh:2x2x2x2x2", "mesh:64x64x64"]
    {
        let error = wrong(&format!("{start}machine = \"{machine}\"\n[addresses]\na = [0]"));
        let expected = format!(
            "etc/a.toml:5:11: machine is `{machine}`; a machine is written as torus:16x16x16 or mesh:16x4r: one to four axes of 1 to 64 nodes, 65536 in all"
        );
        assert_eq!(error, expected);
    }
    let second = |line: &str| wrong(&format!("{torus}[addresses]\na = [1, 0, 0]\n{line}"));
    for address in [
        "[8, 0, 0]",
        "[0, 0]",
        "[0, 0, 0, 0]",
        "[]",
        "[-1, 0, 0]",
        "[0, 0, 300]",
        "[0.5, 0, 0]",
        "3",
        "\"0,3,1\"",
    ] {
        assert_eq!(
            second(&format!("b = {address}")),
            "etc/a.toml:8:5: this is no address in torus:8x4x2; write one from [0, 0, 0] to [7, 3, 1]"
        );
    }
    assert_eq!(
        second("b = [1, 0, 0]"),
        "etc/a.toml:8:5: address [1, 0, 0] is there twice; leave one out"
    );
    assert_eq!(
        second("\"#b\" = [0, 0, 0]"),
        "etc/a.toml:8:8: a node is `#b`; write its name: one line that does not begin with `#`"
    );
    let idle = parse(&format!("{torus}nodes = 3\n[addresses]\na = [1, 0, 0]")).unwrap().idle;
    assert_eq!(idle, ["nodes: machine says how many"]);
    let idle = parse("machine = \"torus:4\"").unwrap().idle;
    assert_eq!(idle, ["machine: only places = \"boxes\" needs it"]);
}

#[test]
fn nodes_lie_in_domains_where_jobs_get_those_of_one() {
    let start = "mode = \"authoritative\"\nplaces = \"tree\"\n";
    let config = parse(&format!(
        "{start}nodes = 9\n[domains]\n\"b2/r1\" = [\"x\", \"node 3\"]\n\"b1/r2\" = \"n[3-4]\"\n\"b1/r1\" = \"n[1-2],n5\""
    ));
    let config = config.unwrap();
    let Places::Tree(tree) = &config.places else { panic!("tree") };
    assert_eq!(tree.levels(), [vec![0, 3, 5], vec![0, 5]]);
    let names = config.places.names().unwrap();
    let numbers = ["n1", "n5", "n3", "x"].map(|name| names.number(name).map(|it| it.0));
    assert_eq!(numbers, [Some(0), Some(2), Some(3), Some(5)]);
    assert_eq!((config.nodes, names.len(), config.places.most()), (9, 9, Some(7)));
    let wrong = |text: &str| parse(text).unwrap_err();
    assert_eq!(
        wrong(start),
        "etc/a.toml:1:11: places = \"tree\" needs a section [domains] with a line for each domain of the lowest level, as in \"block1/rack1\" = \"n[1-16]\""
    );
    let second = |line: &str| wrong(&format!("{start}[domains]\n\"a/r1\" = \"n[1-16]\"\n{line}"));
    assert_eq!(
        second("\"b\" = \"m1\""),
        "etc/a.toml:7:1: domain `b` is not as deep as `a/r1`; write the domains of the lowest level alone, each with all that it lies in"
    );
    for path in ["", "/", "a/", "/r2", "a//r2", "a/r\\n2"] {
        let error = second(&format!("\"{path}\" = \"m1\""));
        let is_told = error.starts_with("etc/a.toml:7:1: a domain is `")
            && !error.contains('\n')
            && error
                .ends_with("`; write its path from the highest level down, as in \"block1/rack1\"");
        assert!(is_told, "{error}");
    }
    for (nodes, why) in [
        ("\"m[1-\"", "`m[1-`: a bracket is not closed"),
        ("\"\"", "``: `` is no name of a node"),
        ("[]", "a domain has a node"),
        ("[\"m1\", 2]", "not all of these are names"),
        ("16", "this is no list of nodes"),
        ("{ r = \"m1\" }", "this is no list of nodes"),
    ] {
        assert_eq!(
            second(&format!("\"a/r2\" = {nodes}")),
            format!(
                "etc/a.toml:7:10: {why}; write the nodes of the domain, as in \"n[1-16]\" or [\"n1\", \"n2\"]"
            )
        );
    }
    assert_eq!(
        second("\"a/r2\" = \"m1,n16\""),
        "etc/a.toml:7:10: node `n16` is there twice; leave one out"
    );
    assert_eq!(
        second("\"a/r2\" = [\"#1\"]"),
        "etc/a.toml:7:10: a node is `#1`; write its name: one line that does not begin with `#`"
    );
    assert_eq!(
        second("\"a/r2\" = \"m[1-985]\""),
        "etc/a.toml:7:10: [domains] names more than nodes = 1000; write a larger number for nodes, up to 65536"
    );
    assert!(
        second("\"a/r1\" = \"m1\"").starts_with("etc/a.toml:7:1: "),
        "a domain that is there twice"
    );
    assert_eq!(
        wrong(&format!("{start}nodes = 70000\n[domains]\na = \"n1\"")),
        "etc/a.toml:5:9: nodes = 70000; write a number from 1 to 65536"
    );
    let idle = |text: &str| parse(text).unwrap().idle;
    assert_eq!(idle("[domains]\na = \"n1\""), ["[domains]: only places = \"tree\" needs it"]);
    assert_eq!(
        idle(&format!("{start}[domains]\na = \"n1\"\n[addresses]\nn1 = 3")),
        ["[addresses]: places = \"tree\" asks for none"]
    );
}

#[test]
fn jobs_are_stopped_by_each_ranking_after_the_times_that_are_said() {
    for ranking in ["users", "priority"] {
        let start = format!("mode = \"authoritative\"\nranking = \"{ranking}\"\npreempt = true\n");
        let stops = |more: &str| parse(&format!("{start}{more}")).unwrap().preempt.unwrap();
        assert_eq!(stops(""), Preemption::standard(MINUTE));
        let minutes = |minutes: u64| Duration::from_ticks(minutes * 60);
        let said = stops("patience = 1\nleast-run = 2\nprotection = 3\nnotice = 4");
        let expected = Preemption {
            patience: minutes(1),
            least_run: minutes(2),
            protection: minutes(3),
            notice: minutes(4),
        };
        assert_eq!(said, expected);
    }
}

#[test]
fn each_fault_is_one_sentence_with_its_place() {
    let faults = [
        ("poll = 0", "etc/a.toml:3:8: poll = 0; write a number from 1 to 3600"),
        ("advised = 2000", "etc/a.toml:3:11: advised = 2000; write a number from 1 to 1000"),
        (
            "partitions = [\"a\", \"b c\"]",
            "etc/a.toml:3:20: partitions is `b c`; write the name of a partition: letters, digits, `_`, `-` and `.`",
        ),
        (
            "partitions = [\"a\", \"a\"]",
            "etc/a.toml:3:20: partition `a` is there twice; leave one out",
        ),
        ("preempt = true", "etc/a.toml:3:11: preempt = true needs mode = \"authoritative\""),
        (
            "least-run = 5",
            "etc/a.toml:3:13: least-run needs preempt = true; write that, or leave least-run out",
        ),
        (
            "preempt = false\npatience = 5\nnotice = 0",
            "etc/a.toml:4:12: patience needs preempt = true; write that, or leave patience out",
        ),
        (
            "mode = \"authoritative\"\npreempt = true\nnotice = -1",
            "etc/a.toml:5:10: notice = -1; write a number from 0 to 527040",
        ),
        (
            "[[share]]\nuser = 1\nweight = 0",
            "etc/a.toml:5:10: weight = 0; write a number from 1 to 65535",
        ),
        (
            "[[share]]\nuser = 1\nweight = 1\n[[share]]\nuser = 1\nweight = 1",
            "etc/a.toml:7:8: the share of user 1 is there twice; leave one out",
        ),
        (
            "users = 1\n[[share]]\nuser = 1\nweight = 1\n[[share]]\nuser = 2\nweight = 1",
            "etc/a.toml:8:8: there are 2 shares, and users = 1; write a larger number for users",
        ),
    ];
    for (text, expected) in faults {
        assert_eq!(parse(text).unwrap_err(), expected);
    }
}

#[test]
fn what_is_not_known_is_refused_with_its_place() {
    let unknown = parse("pol = 5").unwrap_err();
    assert!(unknown.starts_with("etc/a.toml:3:1: unknown field `pol`"), "{unknown}");
    let mode = parse("mode = \"sharp\"").unwrap_err();
    assert!(mode.starts_with("etc/a.toml:3:8: unknown variant `sharp`"), "{mode}");
    for (text, words) in [
        ("mode = 0", "\"advisory\" or \"authoritative\""),
        ("ranking = true", "\"users\" or \"priority\""),
    ] {
        assert!(parse(text).unwrap_err().contains(&format!("expected {words}")), "{text}");
    }
    for (text, told) in [
        ("poll = -1", "3:8: poll = -1; write a number from 1 to 3600"),
        ("poll = \"5\"", "3:8: poll = \"5\"; write a number from 1 to 3600"),
        ("jobs = 1.5", "3:8: jobs = 1.5; write a number from 1 to 1048576"),
        ("nodes = 2026-01-01", "3:9: nodes = (datetime); write a number from 1 to 1048576"),
        ("users = [\n1]", "3:9: users = (array); write a number from 1 to 1048576"),
        (
            "[[share]]\nuser = \"ann\"\nweight = 1",
            "4:8: user = \"ann\"; write a number from 0 to 4294967295",
        ),
        ("preempt = \"yes\"", "3:11: invalid type: string \"yes\"; write true or false"),
        ("partitions = \"a\"", "3:14: invalid type: string \"a\"; write a list, as in [\"batch\"]"),
        ("partitions = [1]", "3:15: invalid type: integer `1`; write a text in quotes"),
        (
            "poll = 99999999999999999999",
            "3:8: invalid type: integer `99999999999999999999`; write a smaller number",
        ),
        ("slurm = 1", "3:9: invalid type: integer `1`; write a section"),
        ("addresses = 1", "3:13: invalid type: integer `1`; write a section"),
        (
            "[share]\nuser = 1",
            "3:1: invalid type: a section of its own; write [[...]] in place of [...]",
        ),
        ("[[share]]\nuser = 1", "3:1: add the missing field `weight`"),
        ("poll = 5\npoll = 6", "4:1: this is there twice; leave one out"),
    ] {
        let error = parse(text).unwrap_err();
        assert!(error.starts_with(&format!("etc/a.toml:{told}")), "{error}");
        assert!(!error.contains('\n'), "{error}");
    }
    let broken = parse("poll =").unwrap_err();
    assert!(broken.starts_with("etc/a.toml:3:"), "{broken}");
}

#[test]
fn a_manager_needs_its_section() {
    let wrong = |text: &str| Config::parse(Path::new("a"), text).unwrap_err().to_string();
    assert_eq!(wrong(LEAST), "a:1:11: add a section [simulated] with its file");
    let other = wrong(&LEAST.replace("simulated", "pbs"));
    assert_eq!(other, "a:1:11: manager is `pbs`; write `slurm`, `htcondor` or `simulated`");
    let nothing = wrong(&format!("{LEAST}{}", SECTION.replace("c.json", "")));
    assert_eq!(nothing, "a:4:8: file is ``; write a path");
}

#[test]
fn real_managers_need_little() {
    let manager =
        |text: &str| Config::parse(Path::new("etc/a.toml"), text).map(|config| config.manager);
    let slurm = "manager = \"slurm\"\nfolder = \"h\"\npartitions = [\"main\"]\n";
    let usual = SlurmConfig::new(vec!["main".into()]);
    assert_eq!(manager(slurm).unwrap(), ManagerConfig::Slurm(usual.clone()));
    let conf = manager(&format!("{slurm}[slurm]\nconf = \"s.conf\"\npatience = 3\n")).unwrap();
    let (path, patience) = (Some("etc/s.conf".into()), std::time::Duration::from_secs(3));
    assert_eq!(conf, ManagerConfig::Slurm(SlurmConfig { conf: path, patience, ..usual }));
    let all = manager(&slurm.replace("[\"main\"]", "[]")).unwrap_err().to_string();
    assert_eq!(all, "etc/a.toml:1:11: name what is governed, as in partitions = [\"batch\"]");
    let condor = manager("manager = \"htcondor\"\nfolder = \"h\"\n").unwrap();
    assert_eq!(condor, ManagerConfig::Condor(CondorConfig::default()));
}

#[test]
fn a_file_that_is_not_there() {
    let error = Config::open(Path::new("nowhere/a.toml")).unwrap_err().to_string();
    assert!(error.starts_with("nowhere/a.toml: cannot be read: "), "{error}");
}

#[test]
fn the_configuration_in_the_manual_is_one() {
    let config = Config::parse(Path::new("a"), include_str!("../../locox-agent.toml")).unwrap();
    assert_eq!((config.mode, config.jobs, config.advised), (Mode::Authoritative, 10_000, 100));
    let ManagerConfig::Simulated { world, .. } = &config.manager else { panic!("simulated") };
    assert_eq!(*world, World::default(), "what may be left out");
}
