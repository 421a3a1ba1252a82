//! Traces that are not quite what they should be: what is told, and what is read all the same.

use super::bench::{Bench, INPUT, USAGE, names, record, refused, trace};
use std::io::Write;
use std::process::Stdio;

fn small() -> String {
    trace(8, &[record(1, 0, 60, 4), record(2, 0, 30, 8)])
}

/// The replay of a trace with that content ends with one line that holds all of `parts`.
#[track_caller]
fn told(content: impl AsRef<[u8]>, parts: &[&str]) {
    let bench = Bench::new();
    bench.file("bad.swf", content);
    refused(&bench, &["replay", "bad.swf"], INPUT, parts);
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_text() {
    for text in [small(), record(1, 0, 60, 4)] {
        let bench = Bench::new();
        bench.file("t.swf", format!("\u{feff}{text}"));
        bench.succeed(&["replay", "t.swf", "--machine", "cube:3"]);
    }
}

#[test]
fn a_file_in_another_format_is_told_by_its_name() {
    let utf16: Vec<u8> = "\u{feff}; Max".encode_utf16().flat_map(u16::to_le_bytes).collect();
    told(utf16, &["bad.swf: this is text in UTF-16", "convert it to UTF-8"]);
    told(b"\xFE\xFF\0;\0 ", &["bad.swf: this is text in UTF-16"]);
    for (magic, name) in [
        (&b"BZh91AY&SY\x01\x02"[..], "a bzip2 file"),
        (b"PK\x03\x04\x14\0\0\0 1 2 3\n", "a zip archive"),
        (b"\x28\xB5\x2F\xFD\x04\0", "a zstd file"),
        (b"7z\xBC\xAF\x27\x1C\0\x04", "a 7z archive"),
    ] {
        told(magic, &["bad.swf: this is ", name, "unpack it", "plain, gzip or xz"]);
    }
}

#[test]
fn a_number_beyond_all_bounds_is_called_a_number() {
    let huge = record(1, 0, 60, 4).replace(" 900 ", " 1e30 ");
    told(trace(8, &[huge]), &["column \"requested time\": 1e30 is too large", "correct the line"]);
    let huge = record(1, 0, 60, 4).replacen('1', "99999999999999999999", 1);
    told(trace(8, &[huge]), &["column \"job number\": 99999999999999999999 is too large"]);
}

#[test]
fn a_size_of_the_machine_that_cannot_be_is_quoted() {
    for size in ["0", "-4", "99999999999", "many"] {
        let text = small().replace("MaxProcs: 8", &format!("MaxProcs: {size}"));
        let quoted = format!("the header says MaxProcs: {size}, which no machine has");
        told(&text, &["bad.swf: ", &quoted, "add --machine cube:N or pool:P"]);
        let bench = Bench::new();
        bench.file("bad.swf", text);
        refused(&bench, &["compare", "bad.swf"], INPUT, &["bad.swf: ", &quoted]);
    }
    // Unknown, as the format puts it.
    let text = small().replace("MaxProcs: 8", "MaxProcs: -1");
    told(text, &["the header names no number of processors", "add --machine"]);
}

#[test]
fn jobs_without_sizes_or_run_times_are_no_fault_of_the_format() {
    let jobs = [record(1, 0, 60, -1), record(2, 5, -1, 4)];
    let parts = ["bad.swf: each of its 2 jobs lacks a size or a run time", "columns 4, and 5 or 8"];
    told(trace(8, &jobs), &parts);
}

#[test]
fn a_job_number_stands_for_one_job() {
    let jobs = [record(7, 0, 60, 4), record(3, 1, 60, 4), record(7, 2, 60, 4)];
    told(
        trace(8, &jobs),
        &["bad.swf:5: column \"job number\": 7 stands in line 3 already", "--lenient"],
    );
    let bench = Bench::new();
    bench.file("t.swf", trace(8, &jobs));
    refused(&bench, &["replay", "t.swf", "--sort"], INPUT, &["t.swf:5: ", "in line 3 already"]);
    let printed = bench.succeed(&["replay", "t.swf", "--lenient"]);
    assert!(printed.contains("2 jobs; queue: fcfs; 1 line skipped."), "{printed}");
}

#[test]
fn a_trace_comes_from_standard_input() {
    let bench = Bench::new();
    let run = |arguments: &[&str], input: &str| {
        let mut command = bench.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr))
    };
    for options in [&["replay", "-", "--strategy", "buddy"][..], &["replay", "-", "--sort"]] {
        let (printed, _) = run(options, &small());
        assert!(printed.starts_with("standard input on a 3-cube\n"), "{printed}");
        assert!(printed.contains("2 jobs; "), "{printed}");
    }
    let (requests, _) = run(&["generate", "reservations", "--trace", "-", "--out", "-"], &small());
    assert!(requests.starts_with("# Requests from standard input, seed 1\n"), "{requests}");
    let (printed, _) = run(&["reserve", "-", "--pes", "8"], &requests);
    assert!(printed.contains("2 requests, each answered as it arrives"), "{printed}");
    let compared = ["compare", "-", "--strategy", "buddy", "--seeds", "0", "--out", "-"];
    let (printed, _) = run(&compared, &small());
    assert!(printed.starts_with("Comparison: standard input\n"), "{printed}");
    let (printed, _) = run(&["network", "-"], "src dst at\n0 3 0\n");
    assert!(printed.starts_with("Messages of standard input on a 2-cube"), "{printed}");
    let (printed, _) = run(&["stations", "-", "--days", "1", "--jobs", "1"], "0,0,86400\n");
    assert!(printed.starts_with("1 workstations and a bank of 6"), "{printed}");
    let (_, told) = run(&["replay", "-"], "1 2 3\n");
    assert!(told.starts_with("locox: standard input:1: 3 columns"), "{told}");
}

#[test]
fn pools_of_nobodys_jobs_and_endless_times_are_refused() {
    let bench = Bench::new();
    for (options, part) in [
        (["--jobs", "0"], "no user has a job"),
        (["--jobs", "3x0"], "no user has a job"),
        (["--transfer", "1e30"], " to 52560000;"),
        (["--interval", "1e30"], " to 52560000;"),
        (["--available", "1e300"], " to 52560000;"),
        (["--unavailable", "1e300"], " to 52560000;"),
        (["--service", "1e30"], " to 876000;"),
        (["--every", "1e30"], " to 876000;"),
    ] {
        let arguments = [&["stations"], &options[..]].concat();
        refused(&bench, &arguments, USAGE, &[options[0], part]);
    }
}

#[test]
fn the_help_of_reserve_names_the_columns_as_files_do_and_their_units() {
    let help = Bench::new().succeed(&["reserve", "--help"]);
    assert!(help.contains("t_a t_r t_du t_dl n"), "{help}");
    assert!(help.contains("whole units of time"), "{help}");
}

#[test]
fn a_replay_in_which_thousands_wait_says_that_conservative_takes_long() {
    let bench = Bench::new();
    let jobs = (1..=2_200).map(|id| format!("{id} 0 -1 9 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1\n"));
    bench.file("t.swf", jobs.collect::<String>());
    let replay = |queue| {
        let output = bench.run(&["replay", "t.swf", "--machine", "pool:4", "--queue", queue]);
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let told = replay("conservative");
    assert_eq!(told.matches("conservative:100").count(), 1, "{told}");
    assert_eq!(replay("conservative:100"), "");
    assert_eq!(replay("easy"), "");
}

#[test]
fn complete_recognition_on_a_big_cube_says_that_it_may_take_long() {
    let bench = Bench::new();
    bench.file("t.swf", small());
    let replay = |machine, strategy| {
        let arguments = ["replay", "t.swf", "--machine", machine, "--strategy", strategy];
        let output = bench.run(&[&arguments[..], &["--effort", "1"]].concat());
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let told = replay("cube:17", "complete");
    assert!(told.contains("complete on a 17-cube may take"), "{told}");
    assert!(told.contains("--strategy free-list") && told.contains("--effort 1"), "{told}");
    assert_eq!(replay("cube:17", "buddy"), "");
    assert_eq!(replay("cube:10", "complete"), "");
}

/// The command given an address space of 300 MB is refused with one line that holds all of `parts`.
#[cfg(target_os = "linux")]
#[track_caller]
fn lacks_memory(bench: &Bench, arguments: &str, code: i32, parts: &[&str]) {
    let binary = env!("CARGO_BIN_EXE_locox");
    let command = format!("ulimit -v 300000 && exec {binary} {arguments} --threads 1");
    let mut shell = std::process::Command::new("sh");
    let output = shell.args(["-c", &command]).current_dir(bench.path("")).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments}: {told}");
    assert_eq!(told.lines().count(), 1, "{arguments}: {told}");
    for part in parts {
        assert!(told.contains(part), "{arguments}: {told}");
    }
}

/// Far more jobs than the address space has room for.
#[cfg(target_os = "linux")]
#[test]
fn a_trace_too_large_for_the_memory_is_refused_with_an_estimate() {
    let bench = Bench::new();
    let jobs: Vec<String> = (1..700_000).map(|job| record(job, job.into(), 1, 1)).collect();
    bench.file("big.swf", trace(8, &jobs));
    for arguments in ["replay big.swf", "compare big.swf"] {
        lacks_memory(&bench, arguments, INPUT, &["locox: big.swf: ", "bytes each", "--jobs"]);
    }
}

/// What is read as a whole is estimated by the length of the file, and never begun.
#[cfg(target_os = "linux")]
#[test]
fn lists_too_large_for_the_memory_are_refused_with_an_estimate() {
    let bench = Bench::new();
    let file = std::fs::File::create(bench.path("big.txt")).unwrap();
    file.set_len(1 << 26).unwrap();
    for arguments in ["reserve big.txt --pes 8", "network big.txt", "stations big.txt"] {
        let parts = ["locox: big.txt: ", "takes up to", "is free; split it"];
        lacks_memory(&bench, arguments, INPUT, &parts);
    }
    let parts = ["--pes: 1,048,576 PEs and 400,000 requests take", "MB are free"];
    bench.file("many.txt", "0 0 10 10 6\n".repeat(400_000));
    lacks_memory(&bench, "reserve many.txt --pes 1048576", USAGE, &parts);
}

#[test]
fn lists_of_strategies_queues_and_policies_are_crossed() {
    let bench = Bench::new();
    bench.file("t.swf", small());
    let lists = ["--strategy", "buddy,free-list-plain,buddy", "--queue", "fcfs,window:4"];
    let printed = bench.succeed(&[&["replay", "t.swf"], &lists[..]].concat());
    assert!(printed.starts_with("t on a 3-cube\nOne run of each "), "{printed}");
    assert!(printed.contains(". 2 jobs; queues: fcfs, window:4.\n"), "{printed}");
    let files =
        ["buddy-fcfs", "buddy-window-4", "free-list-plain-fcfs", "free-list-plain-window-4"];
    let expected = files.map(|method| format!("jobs-{method}.csv"));
    assert_eq!(names(&bench.path("locox-report"))[1..], expected);
    for method in ["buddy/fcfs", "free-list-plain/window:4"] {
        assert!(printed.contains(&format!("│ {method} ")), "{printed}");
    }
    bench.file("r.txt", "0 0 10 10 6\n");
    let reserve = ["reserve", "r.txt", "--pes", "8", "--policy", "pe-w,ff", "--out", "r"];
    bench.succeed(&reserve);
    let expected = ["index.html", "reservations-ff.csv", "reservations-pe-w.csv"];
    assert_eq!(names(&bench.path("r")), expected);
}

#[test]
fn the_table_of_a_replay_says_what_is_bounded_and_what_is_wasted() {
    let bench = Bench::new();
    bench.file("t.swf", trace(8, &[record(1, 0, 60, 3), record(2, 0, 60, 3)]));
    let replay = |strategy: &[&str]| bench.succeed(&[&["replay", "t.swf"], strategy].concat());
    let printed = replay(&["--strategy", "buddy"]);
    assert!(printed.contains("bounded slowdown"), "{printed}");
    assert!(printed.contains("below 10 s count as 10 s"), "{printed}");
    assert!(printed.contains("25.0 %"), "{printed}");
    assert!(!replay(&["--mesh", "--strategy", "buddy"]).contains("by construction"));
    bench.file("t.swf", small());
    assert!(replay(&["--mesh", "--strategy", "buddy"]).contains("the same by construction"));
    assert!(!replay(&["--mesh", "--afl", "on"]).contains("by construction"));
}

/// The jobs of `t.swf`, under EASY with these options.
fn in_order_of_start(bench: &Bench, options: &[&str]) -> Vec<u64> {
    let replay = ["replay", "t.swf", "--queue", "easy", "--out", "r", "--force"];
    bench.succeed(&[&replay, options].concat());
    let text = bench.read("r/jobs-pool.csv");
    let mut rows = text.lines();
    let header: Vec<&str> = rows.next().unwrap().split(',').collect();
    let column = |name| header.iter().position(|&it| it == name).unwrap();
    let (id, start) = (column("job_id"), column("starting_time"));
    let mut started: Vec<(f64, u64)> = rows
        .map(|row| row.split(',').collect::<Vec<_>>())
        .map(|row| (row[start].parse().unwrap(), row[id].parse().unwrap()))
        .collect();
    started.sort_by(|a, b| a.partial_cmp(b).unwrap());
    started.into_iter().map(|(_, id)| id).collect()
}

#[test]
fn the_line_stands_in_the_order_asked_for() {
    let bench = Bench::new();
    // The group of the second and third is another one than that of the first and fourth.
    let of = |text: String, user: u32, group: u32| {
        let mut columns: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        (columns[11], columns[12]) = (user.to_string(), group.to_string());
        columns[8] = columns[3].clone();
        columns.join(" ") + "\n"
    };
    let jobs = [(1, 0, 50, 1, 1), (2, 1, 30, 1, 2), (3, 1, 20, 2, 2), (4, 1, 10, 2, 1)];
    let jobs =
        jobs.map(|(job, submit, run, user, group)| of(record(job, submit, run, 8), user, group));
    bench.file("t.swf", trace(8, &jobs));
    let order = |options: &[&str]| in_order_of_start(&bench, options);
    assert_eq!(order(&[]), [1, 2, 3, 4]);
    assert_eq!(order(&["--order", "sjf"]), [1, 4, 3, 2]);
    assert_eq!(order(&["--order", "fair-share"]), [1, 3, 4, 2]);
    assert_eq!(order(&["--order", "fair-share", "--share-by", "group"]), [1, 2, 3, 4]);
    refused(&bench, &["replay", "t.swf", "--order", "lifo"], USAGE, &["fcfs, sjf, fair-share"]);
}

#[test]
fn what_ends_in_one_second_is_decided_on_together_if_that_is_asked_for() {
    let bench = Bench::new();
    // The first two end together; by then the last one would be done before the second one need be.
    let short = record(4, 1, 30, 4).replace(" 900 ", " 60 ");
    let jobs = [record(1, 0, 60, 4), record(2, 0, 60, 4), record(3, 1, 60, 8), short];
    bench.file("t.swf", trace(8, &jobs));
    for more in [&[][..], &["--sort"]] {
        let order = |when| {
            in_order_of_start(&bench, &[&["--decide", when, "--machine", "pool:8"], more].concat())
        };
        assert_eq!(order("each-event"), [1, 2, 4, 3]);
        assert_eq!(order("each-second"), [1, 2, 3, 4]);
    }
}
