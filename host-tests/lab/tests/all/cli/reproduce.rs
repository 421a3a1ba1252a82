//! `locox reproduce`: its archive.

use super::bench::{Bench, names};
use super::errors::{INPUT, USAGE, refused};
use std::io::Read;

const RUN: [&str; 6] = ["reproduce", "subcube-recognition", "--quick", "--out", "-", "--archive"];

fn archive(bench: &Bench, name: &str) -> Vec<u8> {
    bench.succeed(&[&RUN[..], &[name]].concat());
    std::fs::read(bench.path(name)).unwrap()
}

#[test]
fn an_archive_that_is_made_twice_is_the_same_to_the_byte() {
    for name in ["a.tar.zst", "a.tar.xz"] {
        let [first, second] = [(); 2].map(|()| archive(&Bench::new(), name));
        assert!(first == second, "{name}");
    }
}

/// Neither does it depend on where else results go, nor on how many threads make it.
#[test]
fn an_archive_does_not_depend_on_its_name_or_on_threads() {
    let bench = Bench::new();
    let made = |name: &str, more: &[&str]| {
        let run = ["reproduce", "subcube-recognition", "--quick", "--archive", name];
        bench.succeed(&[&run[..], more].concat());
        std::fs::read(bench.path(name)).unwrap()
    };
    let first = made("a.tar", &["--out", "-"]);
    assert!(first == made("other.tar", &["--out", "report", "--json", "--threads", "1"]));
    let told = String::from_utf8_lossy(&first);
    assert!(told.contains("locox reproduce subcube-recognition --quick --archive FILE"));
}

#[test]
fn an_archive_has_the_checksums_of_all_its_files() {
    let bytes = archive(&Bench::new(), "a.tar");
    let mut files = std::collections::BTreeMap::new();
    for entry in tar::Archive::new(&bytes[..]).entries().unwrap() {
        let mut entry = entry.unwrap();
        let path = entry.path().unwrap().to_string_lossy().into_owned();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).unwrap();
        files.insert(path.strip_prefix("locox-reproduction/").unwrap().to_owned(), content);
    }
    let sums = String::from_utf8(files.remove("SHA256SUMS").unwrap()).unwrap();
    let told: Vec<_> = sums.lines().map(|line| line.split_once("  ").unwrap()).collect();
    let there: Vec<_> = files.keys().collect();
    assert_eq!(told.iter().map(|(_, name)| *name).collect::<Vec<_>>(), there);
    for (sum, name) in told {
        use sha2::{Digest, Sha256};
        let found: String =
            Sha256::digest(&files[name]).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(sum, found, "{name}");
    }
    for name in ["index.html", "verdicts.json", "tables/subcube-recognition-1.csv"] {
        assert!(files.contains_key(name), "{name}");
    }
}

#[test]
fn a_file_that_is_there_is_refused_before_the_work() {
    let bench = Bench::new();
    bench.file("mine.tar", "mine");
    // In full it would take minutes.
    let run = ["reproduce", "--all", "--out", "-", "--archive", "mine.tar"];
    refused(&bench, &run, INPUT, &["mine.tar", "--force"]);
    refused(&bench, &[&RUN[..], &["-"]].concat(), USAGE, &["--archive", "name a file"]);
    refused(&bench, &[&RUN[..], &["none/a.tar"]].concat(), INPUT, &["none/a.tar"]);
    assert_eq!(bench.read("mine.tar"), "mine");
    assert_eq!(names(&bench.path(".")), ["mine.tar"]);
}

#[test]
fn a_variant_that_a_statement_does_not_have_is_refused() {
    let bench = Bench::new();
    let id = "turner-1995/p20/free-list-complete";
    let wrong = format!("{id}@nonsense");
    let run = ["reproduce", &wrong, "--quick", "--out", "-"];
    refused(&bench, &run, USAGE, &["no variant", &wrong, &format!("`locox reproduce {id}`")]);
    let right = format!("{id}@searched");
    bench.succeed(&["reproduce", &right, "--quick", "--out", "-"]);
}

/// Two experiments judge the statement, and one of them has the variant. Each of the two has a page; the next
/// report, of one, takes them away.
#[test]
fn a_variant_of_a_shared_statement_runs_what_has_it_and_says_what_runs() {
    let bench = Bench::new();
    let id = "collins-george-2001/3/mapped-anew";
    let told = |id: &str, quick: &[&str]| {
        let run = bench.run(&[&["reproduce", id, "--json", "--out", "out"], quick].concat());
        assert!(run.status.success(), "{run:?}");
        let rows: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
        let count = rows.as_array().unwrap().len();
        (count, String::from_utf8(run.stderr).unwrap())
    };
    let (both, notice) = told(id, &["--quick"]);
    assert_eq!(both, 2);
    let pages = ["index.html", "pjs-performance.html", "pjs-preemption.html"];
    assert_eq!(names(&bench.path("out")), pages);
    let index = bench.read("out/index.html");
    assert!(
        index.contains(&format!("href=\"pjs-preemption.html#{id}@")),
        "verdicts lead to their pages"
    );
    assert!(bench.read("out/pjs-preemption.html").contains(&format!("id=\"{id}@")));
    assert_eq!(notice, format!("locox: {id} is judged by pjs-performance, pjs-preemption\n"));
    let one = format!("{id}@all-come-at-once");
    assert_eq!(told(&one, &[]), (1, format!("locox: {one} is judged by pjs-performance\n")));
    assert_eq!(names(&bench.path("out")), ["index.html"]);
}

#[test]
fn without_the_logs_that_it_is_judged_on_a_statement_is_told_what_it_needs() {
    let bench = Bench::new();
    let run = bench.command(&["reproduce", "pyss", "--out", "-"]).env_remove("LOCOX_DATA").output();
    let run = run.unwrap();
    let told = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(INPUT), "{told}");
    assert!(told.starts_with("locox: pyss: no verdict of this name"), "{told}");
    assert!(told.contains("set LOCOX_DATA") && !told.contains("`locox reproduce"), "{told}");
}
