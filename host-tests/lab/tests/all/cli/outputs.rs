//! Where results go: what is written, what is replaced, and what never is.

use super::bench::{Bench, INPUT, names, record, refused, trace};
use locox_models::swf::Strictness;
use locox_models::workload::from_swf;

const JOBS: [&str; 4] = ["generate", "lublin", "--jobs", "20"];

/// `locox generate` of a small trace into `out`.
fn generate<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&JOBS[..], &["--out", out], more].concat()
}

/// A bench with a small trace, `t.swf`.
fn with_trace() -> Bench {
    let bench = Bench::new();
    bench.file("t.swf", trace(8, &[record(1, 0, 60, 4), record(2, 0, 30, 8)]));
    bench
}

const BUDDY: [&str; 6] = ["replay", "t.swf", "--strategy", "buddy", "--out", "out"];

fn forced(arguments: &[&'static str]) -> Vec<&'static str> {
    [arguments, &["--force"]].concat()
}

#[test]
fn a_file_is_replaced_only_by_force() {
    let bench = Bench::new();
    bench.file("l.swf", "mine");
    let parts = ["l.swf: there is such a file already", "--force"];
    refused(&bench, &generate("l.swf", &[]), INPUT, &parts);
    assert_eq!(bench.read("l.swf"), "mine");
    bench.succeed(&generate("l.swf", &["--force"]));
    assert!(bench.read("l.swf").starts_with("; Version"));
    assert_eq!(names(&bench.path("")), ["l.swf"]);
}

#[test]
fn a_directory_is_no_place_for_a_file() {
    let bench = Bench::new();
    refused(&bench, &generate(".", &["--force"]), INPUT, &[".: cannot be written", "directory"]);
}

#[test]
fn a_result_goes_to_standard_output_if_that_is_asked_for() {
    for out in ["-", "/dev/stdout"] {
        let bench = Bench::new();
        let output = bench.run(&generate(out, &[]));
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.starts_with("; Version"), "{text}");
        assert_eq!(text.lines().filter(|line| !line.starts_with(';')).count(), 20, "{text}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains("20 jobs for 1,024 processors"), "{told}");
        assert_eq!(names(&bench.path("")), [""; 0]);
    }
}

#[test]
fn the_ending_of_a_name_decides_the_compression() {
    let bench = Bench::new();
    for (name, magic) in [("l.swf.gz", &[0x1F, 0x8B][..]), ("l.swf.xz", b"\xFD7zXZ"), ("l", b";")] {
        bench.succeed(&generate(name, &[]));
        let path = bench.path(name);
        assert!(std::fs::read(&path).unwrap().starts_with(magic), "{name}");
        let jobs = from_swf(&path, Strictness::Strict, None).unwrap().jobs;
        assert_eq!(jobs.len(), 20, "{name}");
    }
    for name in ["r.txt.gz", "r.txt.xz"] {
        bench.succeed(&["generate", "reservations", "--jobs", "20", "--out", name]);
        assert!(bench.succeed(&["reserve", name, "--pes", "1024"]).contains("20 requests"));
    }
}

#[test]
fn an_ending_of_another_compression_is_refused() {
    let bench = with_trace();
    bench.file("sacct.txt", "JobID|State|Submit|Start|End|AllocCPUS\n1|COMPLETED|0|5|65|4\n");
    bench.file("j.txt", "0 2 10 1 ep\n");
    for ending in ["bz2", "zst", "zip", "7z", "ZST"] {
        let out = format!("x.{ending}");
        let parts = [&format!("{out}: cannot be written"), "end its name in .gz, .xz or neither"];
        refused(&bench, &generate(&out, &[]), INPUT, &parts);
        refused(&bench, &["import", "sacct", "sacct.txt", "--out", &out], INPUT, &parts);
        refused(
            &bench,
            &["record", "elmer", "j.txt", "--count", "6", "--out", &out],
            INPUT,
            &parts,
        );
    }
    assert_eq!(names(&bench.path("")), ["j.txt", "sacct.txt", "t.swf"]);
}

#[test]
fn another_programs_page_is_replaced_only_by_force() {
    let bench = with_trace();
    std::fs::create_dir(bench.path("out")).unwrap();
    bench.file("out/index.html", "<html>my home page</html>");
    refused(&bench, &BUDDY, INPUT, &["out/index.html", "not a report of locox", "--force"]);
    assert_eq!(bench.read("out/index.html"), "<html>my home page</html>");
    bench.succeed(&forced(&BUDDY));
    bench.succeed(&BUDDY);
    assert!(bench.read("out/index.html").contains("locox replay"));
}

#[test]
fn files_of_an_earlier_report_go_with_it_and_others_stay() {
    let bench = with_trace();
    bench.succeed(&["replay", "t.swf", "--out", "out"]);
    bench.file("out/jobs-mine.csv", "mine");
    bench.succeed(&BUDDY);
    assert_eq!(names(&bench.path("out")), ["index.html", "jobs-buddy.csv", "jobs-mine.csv"]);
    assert_eq!(bench.read("out/jobs-mine.csv"), "mine");
}

#[test]
fn another_programs_table_is_replaced_only_by_force() {
    let bench = with_trace();
    std::fs::create_dir(bench.path("out")).unwrap();
    bench.file("out/jobs-buddy.csv", "mine");
    refused(&bench, &BUDDY, INPUT, &["out/jobs-buddy.csv", "there is such a file already"]);
    assert_eq!(bench.read("out/jobs-buddy.csv"), "mine");
    assert_eq!(names(&bench.path("out")), ["jobs-buddy.csv"]);
    bench.succeed(&forced(&BUDDY));
    assert!(bench.read("out/jobs-buddy.csv").starts_with("job_id"));
}

#[test]
fn a_report_to_standard_output_leaves_no_files() {
    let bench = with_trace();
    let arguments = ["replay", "t.swf", "--out", "-"];
    let printed = bench.succeed(&arguments);
    assert!(printed.contains("│ buddy ") && !printed.contains("jobs-buddy.csv"), "{printed}");
    assert!(!printed.contains("Report:"), "{printed}");
    let json = bench.succeed(&[&arguments[..], &["--format", "json"]].concat());
    assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
    assert_eq!(names(&bench.path("")), ["t.swf"]);
}

#[cfg(unix)]
mod special {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Child, Command, Stdio};
    use std::thread;

    fn is_link(bench: &Bench, name: &str) -> bool {
        fs::symlink_metadata(bench.path(name)).unwrap().file_type().is_symlink()
    }

    fn make_fifo(bench: &Bench, name: &str) {
        assert!(Command::new("mkfifo").arg(bench.path(name)).status().unwrap().success());
    }

    /// Runs the command while somebody reads the FIFO, which must stay one; says what was read.
    fn through_fifo(bench: &Bench, name: &str, arguments: &[&str]) -> String {
        let path = bench.path(name);
        // Detached: if nothing is written, the test fails instead of waiting.
        let (read, reading) = std::sync::mpsc::channel();
        let source = path.clone();
        thread::spawn(move || read.send(fs::read_to_string(source).unwrap()));
        bench.succeed(arguments);
        assert!(fs::symlink_metadata(&path).unwrap().file_type().is_fifo(), "{name}");
        reading.recv_timeout(std::time::Duration::from_secs(20)).expect("it was written to")
    }

    #[test]
    fn a_link_is_followed_and_stays() {
        let bench = Bench::new();
        fs::create_dir(bench.path("d")).unwrap();
        symlink("d/target", bench.path("second")).unwrap();
        symlink("second", bench.path("link")).unwrap();
        bench.succeed(&generate("link", &[]));
        assert!(bench.read("d/target").starts_with("; Version"));
        let parts = ["link: there is such a file already", "--force"];
        refused(&bench, &generate("link", &[]), INPUT, &parts);
        bench.file("d/target", "old");
        bench.succeed(&generate("link", &["--force"]));
        assert!(bench.read("d/target").starts_with("; Version"));
        assert!(is_link(&bench, "link") && is_link(&bench, "second"));
        assert_eq!(names(&bench.path("d")), ["target"]);
    }

    #[test]
    fn links_in_a_circle_are_refused() {
        let bench = Bench::new();
        symlink("b", bench.path("a")).unwrap();
        symlink("a", bench.path("b")).unwrap();
        refused(&bench, &generate("a", &["--force"]), INPUT, &["a: cannot be written"]);
        assert!(is_link(&bench, "a") && is_link(&bench, "b"));
    }

    #[test]
    fn a_file_without_write_permission_stays_even_under_force() {
        let bench = Bench::new();
        bench.file("l.swf", "mine");
        fs::set_permissions(bench.path("l.swf"), PermissionsExt::from_mode(0o444)).unwrap();
        let parts = ["l.swf: cannot be written", "write-protected"];
        refused(&bench, &generate("l.swf", &["--force"]), INPUT, &parts);
        assert_eq!(bench.read("l.swf"), "mine");
    }

    #[test]
    fn a_file_that_is_replaced_keeps_its_permissions() {
        let bench = Bench::new();
        bench.file("l.swf", "mine");
        fs::set_permissions(bench.path("l.swf"), PermissionsExt::from_mode(0o640)).unwrap();
        bench.succeed(&generate("l.swf", &["--force"]));
        let mode = fs::metadata(bench.path("l.swf")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }

    #[test]
    fn a_fifo_is_written_to_and_stays() {
        let bench = Bench::new();
        make_fifo(&bench, "pipe");
        symlink("pipe", bench.path("link")).unwrap();
        for (out, force) in [("pipe", false), ("link", false), ("pipe", true)] {
            let more: &[&str] = if force { &["--force"] } else { &[] };
            let read = through_fifo(&bench, "pipe", &generate(out, more));
            assert!(read.starts_with("; Version"), "{read}");
            assert!(is_link(&bench, "link"));
        }
        assert_eq!(names(&bench.path("")), ["link", "pipe"]);
    }

    #[test]
    fn a_fifo_among_the_files_of_a_report_stays() {
        let bench = with_trace();
        fs::create_dir(bench.path("out")).unwrap();
        make_fifo(&bench, "out/jobs-buddy.csv");
        let read = through_fifo(&bench, "out/jobs-buddy.csv", &BUDDY);
        assert!(read.starts_with("job_id,"), "{read}");
        assert_eq!(names(&bench.path("out")), ["index.html", "jobs-buddy.csv"]);
    }

    #[test]
    fn a_device_is_written_to_and_stays() {
        let bench = Bench::new();
        symlink("/dev/null", bench.path("null")).unwrap();
        bench.succeed(&generate("null", &["--force"]));
        assert!(is_link(&bench, "null"));
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }

    /// A shell that does this, and then is the command.
    fn under(bench: &Bench, first: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new("sh");
        let exec = format!("ulimit -c 0; {first}; exec \"$0\" \"$@\"");
        command.args(["-c", &exec, env!("CARGO_BIN_EXE_locox")]).args(arguments);
        command.current_dir(bench.path(""));
        command
    }

    /// A command that waits for a reader while it has unfinished files in `dir`.
    fn unfinished(bench: &Bench, first: &str, arguments: &[&str], dir: &str) -> Child {
        let mut child = under(bench, first, arguments).stdout(Stdio::null()).spawn().unwrap();
        let is_begun = || names(&bench.path(dir)).iter().any(|name| name.starts_with(".locox-"));
        while !is_begun() {
            assert_eq!(child.try_wait().unwrap(), None, "{arguments:?} did not wait");
            thread::yield_now();
        }
        child
    }

    fn send(signal: &str, child: &Child) {
        let kill = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
    }

    #[test]
    fn what_is_unfinished_goes_when_a_signal_ends_the_command() {
        let signals = [
            ("HUP", 1),
            ("INT", 2),
            ("QUIT", 3),
            ("USR1", 10),
            ("USR2", 12),
            ("TERM", 15),
            ("XCPU", 24),
        ];
        let bench = with_trace();
        for dir in ["out", "man1"] {
            fs::create_dir(bench.path(dir)).unwrap();
        }
        make_fifo(&bench, "out/jobs-buddy.csv");
        make_fifo(&bench, "man1/locox.1");
        for (name, number) in signals {
            for (arguments, dir, stays) in
                [(&BUDDY[..], "out", "jobs-buddy.csv"), (&["man", "man1"], "man1", "locox.1")]
            {
                let mut child = unfinished(&bench, "true", arguments, dir);
                send(name, &child);
                assert_eq!(child.wait().unwrap().signal(), Some(number), "{name}");
                assert_eq!(names(&bench.path(dir)), [stays], "{name}");
            }
        }
    }

    #[test]
    fn a_signal_that_was_ignored_stays_ignored() {
        let bench = with_trace();
        fs::create_dir(bench.path("out")).unwrap();
        make_fifo(&bench, "out/jobs-buddy.csv");
        for name in ["HUP", "INT", "TERM"] {
            let mut child = unfinished(&bench, &format!("trap '' {name}"), &BUDDY, "out");
            send(name, &child);
            assert!(bench.read("out/jobs-buddy.csv").starts_with("job_id"));
            assert!(child.wait().unwrap().success(), "{name}");
        }
    }

    #[test]
    fn pages_of_the_manual_appear_together_or_not_at_all() {
        let bench = Bench::new();
        let full = "trap '' XFSZ; ulimit -f 8";
        let output = under(&bench, full, &["man", "new/man1"]).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(INPUT), "{told}");
        assert!(told.contains("cannot be written") && !told.contains(".locox"), "{told}");
        assert_eq!(names(&bench.path("")), [""; 0]);
    }

    #[test]
    fn pages_of_the_manual_follow_no_link() {
        let bench = Bench::new();
        bench.file("mine", "mine");
        fs::create_dir(bench.path("man1")).unwrap();
        symlink("../mine", bench.path("man1/locox-replay.1")).unwrap();
        refused(
            &bench,
            &["man", "man1"],
            INPUT,
            &["man1/locox-replay.1: cannot be written", "link"],
        );
        assert_eq!(bench.read("mine"), "mine");
        assert_eq!(names(&bench.path("man1")), ["locox-replay.1"]);
    }

    /// Whatever prints: help as well.
    #[test]
    fn a_full_standard_output_is_an_error_and_one_that_is_closed_is_none() {
        let bench = with_trace();
        bench.file("sacct.txt", "JobID|State|Submit|Start|End|AllocCPUS\n1|COMPLETED|0|5|65|4\n");
        bench.file("j.txt", "0 2 10 1 ep\n");
        bench.file("m.txt", "0 1 0\n");
        bench.file("r.txt", "0 5 10 90 3\n");
        bench.file("times.csv", "1 2\n3 4\n");
        bench.succeed(&["record", "elmer", "j.txt", "--count", "6", "--out", "log"]);
        for command in [
            "--help",
            "-h",
            "--version",
            "help",
            "help replay",
            "replay --help",
            "generate lublin --help",
            "man",
            "completions bash",
            "replay t.swf --out -",
            "replay t.swf --out report",
            "replay t.swf --out - --format csv",
            "replay t.swf --out - --format json",
            "compare model:ipsc --jobs 20 --seeds 1 --out -",
            "compare model:ipsc --jobs 20 --seeds 1 --out - --format csv",
            "sweep --slurm compare model:ipsc --jobs 20 --seeds 1 --out swept",
            "network m.txt",
            "network m.txt --format csv",
            "replay-log log",
            "reserve r.txt --pes 8 --out -",
            "map times.csv --out -",
            "elmer j.txt --count 6 --out -",
            "generate lublin --jobs 5 --out -",
            "generate lublin --jobs 5 --out l.swf",
            "import sacct sacct.txt --out -",
            "import sacct sacct.txt --out s.swf",
            "record elmer j.txt --count 6 --out -",
        ] {
            let arguments: Vec<&str> = command.split(' ').collect();
            let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
            let output = bench.command(&arguments).stdout(full).output().unwrap();
            let told = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(INPUT), "{command}: {told}");
            assert!(told.contains("cannot be written: No space left"), "{command}: {told}");
        }
        for command in ["--help", "man", "replay t.swf --out -"] {
            let arguments: Vec<&str> = command.split(' ').collect();
            let mut child = bench.command(&arguments).stdout(Stdio::piped()).spawn().unwrap();
            drop(child.stdout.take());
            assert!(child.wait().unwrap().success(), "{command}");
        }
    }

    #[test]
    fn links_to_directories_and_pages_are_followed() {
        let bench = with_trace();
        fs::create_dir(bench.path("real")).unwrap();
        symlink("real", bench.path("out")).unwrap();
        symlink("../page.html", bench.path("real/index.html")).unwrap();
        refused(
            &bench,
            &BUDDY,
            INPUT,
            &["out/index.html: there is such a file already", "--force"],
        );
        bench.succeed(&forced(&BUDDY));
        bench.succeed(&BUDDY);
        assert!(is_link(&bench, "out") && is_link(&bench, "real/index.html"));
        assert!(bench.read("page.html").contains("locox replay"));
        bench.file("page.html", "mine");
        refused(&bench, &BUDDY, INPUT, &["out/index.html", "not a report of locox"]);
        assert_eq!(bench.read("page.html"), "mine");
    }

    #[test]
    fn no_escape_sequence_of_a_files_name_reaches_the_terminal() {
        let bench = Bench::new();
        let name = "a\u{1b}[31m\u{202e}.swf";
        bench.file(name, trace(8, &[record(1, 0, 60, 4)]));
        let out = "o\u{1b}]0;t";
        for arguments in [
            vec!["replay", name, "--out", out],
            vec!["replay", name, "--out", "-"],
            vec!["replay", "none\u{1b}[31m"],
            vec!["replay", "--queue", "\u{1b}[31m", name],
            vec!["generate", "reservations", "--trace", name, "--out", "\u{1b}[31m"],
        ] {
            let output = bench.run(&arguments);
            for bytes in [output.stdout, output.stderr] {
                let text = String::from_utf8(bytes).unwrap();
                assert!(!text.contains(['\u{1b}', '\u{202e}']), "{arguments:?}: {text:?}");
            }
        }
    }
}
