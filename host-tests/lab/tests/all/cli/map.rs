//! `locox map`.

use super::bench::{Bench, INPUT, USAGE, names, refused};

const SITE: &str = include_str!("../../../data/map-site.toml");
const TIMES: &str = include_str!("../../../data/map-times.csv");

fn example() -> Bench {
    let bench = Bench::new();
    bench.file("site.toml", SITE);
    bench.file("times.csv", TIMES);
    bench
}

/// Numbers of a column of the comparison, by algorithm.
fn column(csv: &str, key: &str) -> Vec<(String, f64)> {
    let table = csv.split("\n\n").next().unwrap();
    let lines: Vec<&str> = table.lines().filter(|line| !line.starts_with('#')).collect();
    let mut reader = csv::Reader::from_reader(lines.join("\n").leak().as_bytes());
    let at = reader.headers().unwrap().iter().position(|name| name == key).unwrap();
    let row = |row: csv::StringRecord| Some((row[0].to_owned(), row[at].parse().ok()?));
    reader.records().filter_map(|record| row(record.unwrap())).collect()
}

#[test]
fn all_algorithms_stand_beside_the_bound_and_pjs_is_never_worse_than_duplex() {
    let bench = example();
    let printed = bench.run(&["map", "times.csv", "--site", "site.toml", "--format", "csv"]);
    let printed = String::from_utf8(printed.stdout).unwrap();
    let merits = column(&printed, "merit");
    let of = |name: &str| merits.iter().find(|(of, _)| of == name).unwrap().1;
    let named: Vec<&str> = merits.iter().map(|(name, _)| name.as_str()).collect();
    let all = ["olb", "best-assignment", "min-min", "max-min", "sufferage", "duplex", "pjs"];
    assert_eq!(named[..7], all);
    assert_eq!(of("duplex"), of("min-min").min(of("max-min")));
    assert!(of("pjs") < of("duplex"), "{printed}");
    assert!(merits.iter().all(|(_, merit)| *merit >= of("lower bound")), "{printed}");
    assert_eq!(names(&bench.path("locox-report")).len(), 8);
    let pjs = bench.read("locox-report/map-pjs.csv");
    assert!(
        pjs.starts_with(
            "job,resource,start,end\nmatrix-1,pc2,20.0,110.0\nintegral-1,suns,0.0,42.5\n"
        ),
        "{pjs}"
    );
}

#[test]
fn genetic_search_is_only_there_if_asked_for_never_worse_than_pjs_and_the_same_for_a_seed() {
    let bench = example();
    let run = |more: &[&str]| {
        let of = [&["map", "times.csv", "--site", "site.toml", "--format", "csv"], more].concat();
        let printed = String::from_utf8(bench.run(&of).stdout).unwrap();
        (column(&printed, "merit"), names(&bench.path("locox-report")).len())
    };
    let (merits, files) = run(&["--algorithm", "pjs,genetic", "--seed", "5"]);
    let of = |name: &str| merits.iter().find(|(of, _)| of == name).unwrap().1;
    assert!(of("genetic") <= of("pjs"), "{merits:?}");
    assert_eq!(files, 3);
    let plan = bench.read("locox-report/map-genetic.csv");
    run(&["--algorithm", "genetic", "--seed", "5"]);
    assert_eq!(bench.read("locox-report/map-genetic.csv"), plan);
    let bench = Bench::new();
    bench.file("t.txt", "2 6\n2 3\n5 3\n6 4\n");
    let printed = bench.succeed(&[
        "map",
        "t.txt",
        "--algorithm",
        "pjs,genetic",
        "--seed",
        "1",
        "--out",
        "-",
        "--format",
        "csv",
    ]);
    let merits = column(&printed, "merit");
    assert_eq!(merits[..2], [("pjs".to_owned(), 19.0), ("genetic".to_owned(), 17.0)]);
}

#[test]
fn kinds_of_jobs_give_the_times_that_no_column_has() {
    let bench = Bench::new();
    let site = "[[machine]]\nname = \"slow\"\nspeed = 1\nmemory = 512\n\
                [[machine]]\nname = \"fast\"\nspeed = 3\nmemory = 64\n\
                [[interconnect]]\nname = \"bus\"\nlatency = 0.01\n\
                [[cluster]]\nname = \"both\"\nmembers = [\"slow\", \"fast\"]\ninterconnect = \"bus\"\n\
                [[kind]]\nname = \"sort\"\nwork = 60\nparallel = true\nmessages = 100\n\
                [[kind]]\nname = \"large\"\nwork = 5\nmemory = 128\n";
    bench.file("site.toml", site);
    // 60 by 4, and a second for messages; the other one needs memory.
    for (kind, run) in [("sort", "both,0,16"), ("large", "slow,0,5")] {
        bench.file("jobs.csv", format!("job,kind\nfirst,{kind}\n"));
        bench.succeed(&["map", "jobs.csv", "--site", "site.toml", "--algorithm", "pjs"]);
        let plan = bench.read("locox-report/map-pjs.csv");
        assert!(plan.ends_with(&format!("first,{run}\n")), "{plan}");
    }
    let bench = Bench::new();
    bench.file("site.toml", site);
    bench.file("jobs.csv", "job,kind\nfirst,sorts\n");
    let parts = ["jobs.csv:2:7: ", "`sorts` is no kind of jobs"];
    refused(&bench, &["map", "jobs.csv", "--site", "site.toml"], INPUT, &parts);
}

#[test]
fn a_bare_matrix_and_a_list_of_numbers_give_the_same_plan() {
    let bench = Bench::new();
    bench.file("rows.txt", "4 7\n5 3\n6 6.25\n");
    bench.file("list.txt", "4\n7\n5\n3\n6\n6.25\n");
    let plan = |arguments: &[&str]| {
        let of = [&["map"], arguments, &["--algorithm", "min-min", "--format", "csv"]].concat();
        assert!(bench.run(&of).status.success());
        bench.read("locox-report/map-min-min.csv")
    };
    let rows = plan(&["rows.txt"]);
    assert_eq!(rows, "job,resource,start,end\n0,0,0.00,4.00\n1,1,0.00,3.00\n2,1,3.00,9.25\n");
    assert_eq!(plan(&["list.txt", "--size", "3x2"]), rows);
}

#[test]
fn the_factor_is_stated_and_can_be_chosen() {
    let bench = Bench::new();
    bench.file("t.txt", "0.125 2\n");
    let exact = bench.succeed(&["map", "t.txt", "--out", "-"]);
    assert!(exact.contains("1,000 ticks are a unit of time."), "{exact}");
    let rounded = bench.succeed(&["map", "t.txt", "--out", "-", "--ticks", "10"]);
    assert!(rounded.contains("10 ticks are a unit of time, to which times were rounded."));
}

#[test]
fn the_page_draws_each_job() {
    let bench = example();
    bench.succeed(&["map", "times.csv", "--site", "site.toml"]);
    let page = bench.read("locox-report/index.html");
    assert_eq!(page.matches("<title>job ").count(), 4);
    assert!(page.contains("Machines over time under pjs."));
}

/// The command fails for what is in `times.csv`, and writes nothing.
#[track_caller]
fn refused_times(content: &str, arguments: &[&str], parts: &[&str]) {
    let bench = example();
    bench.file("times.csv", content);
    refused(&bench, &[&["map", "times.csv"], arguments].concat(), INPUT, parts);
}

#[test]
fn bad_times_are_told_with_file_and_line() {
    refused_times("1 2\n3 -4\n", &[], &["times.csv:2:3: ", "job 1 on 1: `-4` is negative"]);
    refused_times("1 2\n3 inf\n", &[], &["times.csv:2:3: ", "is not finite"]);
    refused_times("1 2\nNaN 4\n", &[], &["times.csv:2:1: ", "is not finite"]);
    refused_times("1 2\n3\n", &[], &["times.csv:2:1: ", "1 values where 2 belong"]);
    refused_times("1 2\n- -\n", &[], &["times.csv:2:1: ", "no machine can run job 1"]);
    refused_times("1 2 3\n", &["--size", "2x2"], &["times.csv: ", "3 numbers where 2 x 2"]);
    refused_times("", &[], &["times.csv: ", "no times"]);
    let with_site = ["--site", "site.toml"];
    refused_times("job,sun,pc\na,1,2\n", &with_site, &["times.csv:1:1: ", "no column for `old`"]);
    refused_times("job,sun,cray\n", &with_site, &["times.csv:1:9: ", "column `cray`"]);
    refused(&Bench::new(), &["map", "none.txt"], INPUT, &["none.txt: ", "check the name"]);
}

#[test]
fn a_bad_site_is_told_with_file_and_line() {
    let bench = example();
    let wrong = |site: String, parts: &[&str]| {
        bench.file("site.toml", site);
        refused(&bench, &["map", "times.csv", "--site", "site.toml"], INPUT, parts);
    };
    let unknown = SITE.replace("\"pc1\", \"pc2\"]", "\"pc1\", \"pc3\"]");
    wrong(unknown, &["site.toml:33:19: ", "cluster pcs names machine `pc3`"]);
    wrong(SITE.replace("least = 2", "least = 3"), &["site.toml:34:9: ", "cluster pcs needs 1"]);
    wrong(SITE.replace("free = 20", "free = -20"), &["site.toml:18:8: ", "is negative"]);
    wrong("[[machine]]\n".into(), &["site.toml:1:", "name"]);
}

#[test]
fn a_job_that_only_machines_that_are_away_can_run() {
    let bench = example();
    let away = SITE.replace("class = \"sun\"", "class = \"sun\"\naway = true");
    bench.file("site.toml", away.replace("class = \"pc\"", "class = \"pc\"\naway = true"));
    let parts = ["no machine that is present can run job integral-1"];
    refused(&bench, &["map", "times.csv", "--site", "site.toml"], INPUT, &parts);
}

#[test]
fn unusable_options() {
    let bench = example();
    let with = |more: &[&str], part: &str| {
        refused(&bench, &[&["map", "times.csv"], more].concat(), USAGE, &[part]);
    };
    with(&["--size", "3"], "JOBSxMACHINES");
    with(&["--size", "3x0"], "JOBSxMACHINES");
    with(&["--algorithm", "best"], "possible values");
    with(&["--ticks", "0"], "--ticks");
    with(&["--chromosomes", "1"], "--chromosomes");
    with(&["--seed", "4294967296"], "--seed");
    with(&["--site", "site.toml", "--size", "1x1"], "--size");
}
