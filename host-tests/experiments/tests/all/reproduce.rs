//! The program `locox-reproduce`, with the arguments that follow `locox reproduce`.

use super::bench::{Bench, INPUT, USAGE, begins_with, names, refused};
use std::io::Read;
use std::process::Stdio;

const RUN: [&str; 5] = ["subcube-recognition", "--quick", "--out", "-", "--archive"];

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
        let run = ["subcube-recognition", "--quick", "--archive", name];
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
    let run = ["--all", "--out", "-", "--archive", "mine.tar"];
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
    let run = [&wrong, "--quick", "--out", "-"];
    refused(&bench, &run, USAGE, &["no variant", &wrong, &format!("`locox reproduce {id}`")]);
    let right = format!("{id}@searched");
    bench.succeed(&[&right, "--quick", "--out", "-"]);
}

/// Two experiments judge the statement, and one of them has the variant. Each of the two has a page; the next
/// report, of one, takes them away.
#[test]
#[ignore = "takes long: ci/verdicts runs it, optimised"]
fn a_variant_of_a_shared_statement_runs_what_has_it_and_says_what_runs() {
    let bench = Bench::new();
    let id = "collins-george-2001/3/mapped-anew";
    let told = |id: &str, quick: &[&str]| {
        let run = bench.run(&[&[id, "--json", "--out", "out"], quick].concat());
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
    let run = bench.command(&["pyss", "--out", "-"]).env_remove("LOCOX_DATA").output();
    let run = run.unwrap();
    let told = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(INPUT), "{told}");
    assert!(told.starts_with("locox: pyss: no verdict of this name"), "{told}");
    assert!(told.contains("set LOCOX_DATA") && !told.contains("`locox reproduce"), "{told}");
}

#[test]
#[ignore = "takes long: ci/verdicts runs it, optimised"]
fn results_do_not_depend_on_the_number_of_threads() {
    let bench = Bench::new();
    let run = |experiment, threads| {
        let command = [experiment, "--quick", "--format", "json", "--threads", threads];
        let output = bench.command(&command).output().unwrap();
        assert!(output.status.success());
        let printed = String::from_utf8(output.stdout).unwrap();
        // The command line is in both.
        let told = format!("--threads {threads}");
        [printed, bench.read("locox-report/index.html")].map(|text| {
            assert!(text.contains(&told));
            text.replace(&told, "--threads N")
        })
    };
    // One of each system, of those that take little; `ci/verdicts seeds` compares all of them.
    for experiment in ["afl-constant", "queue-matters", "updown-scale", "elmer-same", "ar-load"] {
        assert!(run(experiment, "1") == run(experiment, "5"), "{experiment}");
    }
}

#[test]
fn verdicts_alone_are_data_with_a_schema() {
    let bench = Bench::new();
    let options = ["updown-scale", "--quick", "--json", "--out", "-"];
    let rows: serde_json::Value = serde_json::from_str(&bench.succeed(&options)).unwrap();
    assert_eq!(rows[0]["schema"], "locox-verdicts/2");
    assert_eq!(rows[0]["answer"], "holds");
    let command = "locox reproduce updown-slides/24/coordinator --quick";
    assert_eq!(rows[0]["command"], command);
}

#[test]
fn experiments_are_listed_and_give_verdicts() {
    let bench = Bench::new();
    assert!(bench.succeed(&["--list"]).starts_with("subcube-recognition\n"));
    let printed = bench.succeed(&["subcube-recognition", "--quick"]);
    assert!(printed.contains("HOLDS: The buddy system recognises 2^(n-k)"), "{printed}");
    assert!(bench.path("locox-report/index.html").exists());
}

/// What the runs of seconds show already of the study of reservations.
#[test]
#[ignore = "takes long: ci/verdicts runs it, optimised"]
fn quick_runs_of_the_study_of_reservations_find_its_main_results() {
    let bench = Bench::new();
    for (name, found, not_denied) in [
        (
            "ar-sizes",
            &[
                "fig2/acceptance-falls@on-the-model",
                "fig2/four-beat-ff@on-the-model-at-all",
                "fig2/much-better-than-ff@on-the-model",
                "fig2/two-do-not-beat-ff@on-the-model",
                "fig3/ff-lowest@on-the-model",
            ][..],
            // Likeness, and what is the best of seven, take more replications than a quick run has.
            &[
                "fig2/pe-w-du-b-alike@on-the-model",
                "fig2/pe-b-du-w-alike@on-the-model",
                "fig2/pe-w-du-b-best@on-the-model",
                "7/pe-w-highest@sizes-on-the-model",
            ][..],
        ),
        (
            "ar-load",
            &["7/ff-lowest@loads-on-the-model"],
            &["fig4/same-order@on-the-model", "7/pe-w-highest@loads-on-the-model"],
        ),
        (
            "ar-flexibility",
            &["fig7/slowdown-rises@on-the-model", "fig7/ff-lowest@on-the-model"],
            &["fig7/same-order@on-the-model"],
        ),
    ] {
        let mut command = bench.command(&[name, "--quick", "--json"]);
        let output = command.env_remove("LOCOX_DATA").output().unwrap();
        let rows: Vec<serde_json::Value> = serde_json::from_slice(&output.stdout).unwrap();
        let report = bench.read("locox-report/index.html");
        assert!(report.contains("The log is left out: set the variable LOCOX_DATA"));
        let answer = |statement: &str| -> &str {
            let id = format!("li-et-al/{statement}");
            let row = rows.iter().find(|row| row["id"] == id.as_str());
            row.unwrap_or_else(|| panic!("{name}: nobody judges {id}"))["answer"].as_str().unwrap()
        };
        for statement in found {
            assert!(answer(statement).starts_with("holds"), "{name}: {statement}");
        }
        for statement in not_denied {
            assert_ne!(answer(statement), "does not hold", "{name}: {statement}");
        }
    }
}

#[test]
fn a_report_begins_with_the_picture_and_the_table() {
    let bench = Bench::new();
    for experiment in ["subcube-recognition", "pjs-overhead"] {
        bench.succeed(&[experiment, "--quick", "--out", "out", "--force"]);
        begins_with(&bench.read("out/index.html"), "<figure");
    }
}

#[test]
fn an_experiment_or_an_ending_that_is_not_known_is_refused() {
    let bench = Bench::new();
    let unknown = ["perpetual-motion", "--quick"];
    refused(&bench, &unknown, USAGE, &["perpetual-motion", "subcube-recognition"]);
    let archive = ["subcube-recognition", "--quick", "--archive", "x.tar.bz2"];
    refused(&bench, &archive, INPUT, &["x.tar.bz2: cannot be written", ".tar.zst"]);
    assert_eq!(names(&bench.path("")), [""; 0]);
}

#[cfg(unix)]
#[test]
fn a_list_that_cannot_be_written_is_an_error_and_a_reader_that_goes_away_is_none() {
    let bench = Bench::new();
    for command in ["--list", "--help", "--version"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = bench.command(&[command]).stdout(full).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(INPUT), "{command}: {told}");
        assert!(told.contains("cannot be written: No space left"), "{command}: {told}");
        let mut child = bench.command(&[command]).stdout(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        assert!(child.wait().unwrap().success(), "{command}");
    }
}
