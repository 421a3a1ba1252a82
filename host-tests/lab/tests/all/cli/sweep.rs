//! `locox sweep`: the script does what one call of `compare` does.

use super::bench::{Bench, INPUT, USAGE, refused};
use std::fs;
use std::process::Command;

const MODEL: [&str; 9] = [
    "compare",
    "model:ipsc",
    "--strategy",
    "buddy",
    "--queue",
    "fcfs,easy",
    "--jobs",
    "200",
    "--seeds=5",
];

/// What the manager would do with an element of the array.
fn element(bench: &Bench, script: &str, at: &str) -> bool {
    let mut shell = Command::new("sh");
    shell.arg(bench.path(script)).env("SLURM_ARRAY_TASK_ID", at).current_dir("/");
    shell.output().unwrap().status.success()
}

fn array(bench: &Bench, script: &str) -> String {
    let text = bench.read(script);
    let found = text.lines().find_map(|line| line.strip_prefix("#SBATCH --array="));
    found.unwrap().into()
}

#[test]
fn the_parts_together_are_one_run_to_the_byte() {
    let bench = Bench::new();
    bench.succeed(&[&MODEL[..], &["--out", "whole"]].concat());
    let sweep =
        [&["sweep", "--slurm", "--parts", "3"], &MODEL[..], &["--out", "in parts"]].concat();
    let told = bench.succeed(&sweep);
    assert!(told.contains("sbatch 'in parts/sweep.sh'"), "{told}");
    assert_eq!(array(&bench, "in parts/sweep.sh"), "1-3");
    assert!(element(&bench, "in parts/sweep.sh", "3") && element(&bench, "in parts/sweep.sh", "1"));
    // The second one failed: only that is left.
    bench.succeed(&sweep);
    assert_eq!(array(&bench, "in parts/sweep.sh"), "2");
    assert!(element(&bench, "in parts/sweep.sh", "2"));
    let told = bench.succeed(&sweep);
    assert!(told.contains("all runs are there"), "{told}");
    bench.succeed(&[&MODEL[..], &["--out", "in parts"]].concat());
    assert!(!bench.path("in parts/runs.jsonl").exists());
    for name in ["comparison.csv", "comparison.json"] {
        assert_eq!(bench.read(&format!("in parts/{name}")), bench.read(&format!("whole/{name}")));
    }
}

#[test]
fn options_reach_the_manager_and_the_command() {
    let bench = Bench::new();
    let sweep = [
        "sweep",
        "--slurm",
        "--sbatch=--partition=long",
        "--sbatch",
        "--time=10",
        "--script",
        "to.sh",
    ];
    bench.succeed(&[&sweep[..], &MODEL, &["--threads", "3", "--out", "o'k"]].concat());
    let text = bench.read("to.sh");
    assert!(text.contains("#SBATCH --partition=long\n#SBATCH --time=10\n"), "{text}");
    assert!(text.contains(r"--threads 3 --out 'o'\''k' --shard"), "{text}");
    assert!(!text.contains("SLURM_CPUS"), "{text}");
    // A file that it did not name itself is somebody's.
    let again = bench.run(&[&sweep[..], &MODEL, &["--out", "other"]].concat());
    assert!(!again.status.success());
    fs::write(bench.path("foreign"), "").unwrap();
    let blocked = bench.run(&[&["sweep", "--slurm"], &MODEL[..], &["--out", "foreign"]].concat());
    assert!(!blocked.status.success());
}

#[test]
fn what_cannot_run_in_parts_is_refused() {
    let bench = Bench::new();
    refused(&bench, &["sweep", "compare", "model:ipsc"], USAGE, &["--slurm"]);
    refused(&bench, &["sweep", "--slurm"], USAGE, &["COMMAND"]);
    refused(
        &bench,
        &["sweep", "--slurm", "replay", "x.swf"],
        USAGE,
        &["only `compare` runs in parts"],
    );
    refused(
        &bench,
        &["sweep", "--slurm", "compare", "model:ipsc", "--out", "-"],
        USAGE,
        &["name a directory"],
    );
    refused(
        &bench,
        &["sweep", "--slurm", "compare", "model:ipsc", "--shard", "1/2"],
        USAGE,
        &["leave it out"],
    );
    refused(&bench, &["sweep", "--slurm", "compare", "-"], USAGE, &["no standard input"]);
    refused(&bench, &["sweep", "--slurm", "compare", "model:none"], USAGE, &["unknown model"]);
    refused(&bench, &["sweep", "--slurm", "compare", "none.swf"], INPUT, &["none.swf"]);
    refused(
        &bench,
        &["sweep", "--slurm", "--parts", "0", "compare", "model:ipsc"],
        USAGE,
        &["--parts"],
    );
}

/// Each word of a script stays on its line.
#[test]
fn words_with_control_characters_are_refused() {
    let bench = Bench::new();
    for control in ["\n", "\r", "\t", "\u{1b}", "\u{85}"] {
        let word = format!("--x{control}touch P");
        let of_manager = [&["sweep", "--slurm", "--sbatch", &word], &MODEL[..], &["--out", "o"]];
        refused(&bench, &of_manager.concat(), USAGE, &["control character"]);
        let out = format!("x{control}touch P");
        let of_command = [&["sweep", "--slurm"], &MODEL[..], &["--out", &out]];
        refused(&bench, &of_command.concat(), USAGE, &["control character"]);
        assert_eq!(super::bench::names(&bench.path("")), [""; 0]);
    }
}
