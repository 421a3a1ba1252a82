//! `locox reserve`.

use super::bench::{Bench, INPUT, USAGE, names, refused};

/// The file that ships, with the numbers of the source's example.
const EXAMPLE: &str = include_str!("../../../data/reservations.txt");

fn csv_rows(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let row = |row: csv::StringRecord| row.iter().map(str::to_owned).collect();
    reader.records().map(|record| row(record.unwrap())).collect()
}

#[test]
fn the_example_starts_at_t3_under_pe_w_and_du_b_as_the_source_says() {
    let bench = Bench::new();
    bench.file("requests.txt", EXAMPLE);
    let printed = bench.succeed(&["reserve", "requests.txt", "--pes", "16", "--policy", "all"]);
    let last = printed.lines().find(|line| line.starts_with("│   12 ")).unwrap();
    let starts: Vec<_> =
        last.split('┆').skip(6).map(|cell| cell.trim_matches([' ', '│'])).collect();
    //                  FF    PE_B  PE_W  Du_B  Du_W  PEDu_B PEDu_W
    assert_eq!(starts, ["20", "70", "30", "30", "70", "20", "70"], "{printed}");
    assert_eq!(names(&bench.path("locox-report")).len(), 8);
}

#[test]
fn an_answer_has_start_and_pes_or_the_reason() {
    let bench = Bench::new();
    bench.file("r.csv", "t_a,t_r,t_du,t_dl,n\n0,0,10,10,6\n0,5,10,15,3\n3,5,10,-,3\n4,4,4,9,9\n");
    let printed = bench.succeed(&["reserve", "r.csv", "--pes", "8", "--out", "out"]);
    assert!(printed.contains("refused: not before the deadline; the earliest finish is 20"));
    assert!(printed.contains("refused: the machine has 8 PEs only"), "{printed}");
    assert_eq!(names(&bench.path("out")), ["index.html", "reservations-ff.csv"]);
    assert_eq!(
        bench.read("out/reservations-ff.csv"),
        "request,t_a,t_r,t_du,t_dl,n,accepted,start,end,pes,reason\n\
         2,0,0,10,10,6,1,0,10,0-5,\n\
         3,0,5,10,15,3,0,,,,not before the deadline; the earliest finish is 20\n\
         4,3,5,10,,3,1,10,20,0-2,\n\
         5,4,4,4,9,9,0,,,,the machine has 8 PEs only\n"
    );
}

#[test]
fn a_choice_decides_which_pes_are_taken() {
    let bench = Bench::new();
    bench.file("r.txt", "0 0 100 100 1\n0 0 10 10 1\n0 0 100 100 1\n10 10 10 20 2\n");
    let pes = |choice| {
        bench.run(&["reserve", "r.txt", "--pes", "8", "--choice", choice, "--format", "csv"]);
        csv_rows(&bench.read("locox-report/reservations-ff.csv"))[3][9].clone()
    };
    assert_eq!([pes("lowest"), pes("contiguous"), pes("subcube")], ["1 3", "3-4", "4-5"]);
}

#[test]
fn the_page_shows_each_reservation_and_its_times_on_hover() {
    let bench = Bench::new();
    bench.file("requests.txt", EXAMPLE);
    bench.succeed(&["reserve", "requests.txt", "--pes", "16", "--policy", "pe-w"]);
    let page = bench.read("locox-report/index.html");
    assert_eq!(page.matches("<path").count(), 4);
    let hover = "<title>request 12: 30 to 50 on 6 PEs (0-5); made 0, ready 20, deadline 90</title>";
    assert!(page.contains(hover));
}

#[test]
fn data_has_the_same_columns_in_every_row() {
    let bench = Bench::new();
    bench.file("requests.txt", EXAMPLE);
    let run = |format| {
        let arguments =
            ["reserve", "requests.txt", "--pes", "16", "--policy", "all", "--format", format];
        String::from_utf8(bench.run(&arguments).stdout).unwrap()
    };
    let csv = run("csv");
    let (summary, answers) = csv.split_once("\n\n").unwrap();
    assert_eq!(csv_rows(summary).len(), 7);
    assert_eq!(csv_rows(answers)[3][5..8], ["6", "20", "70"]);
    let json: serde_json::Value = serde_json::from_str(&run("json")).unwrap();
    assert!(json["title"].as_str().unwrap().contains("on 16 PEs"));
}

#[test]
fn bad_lines_are_told_with_line_and_column_or_skipped() {
    let bench = Bench::new();
    bench.file("r.txt", "0 0 10 10 6\n0 5 1o 15 3\n");
    let parts = ["r.txt:2:5: t_du: `1o` is not a whole number", "--lenient"];
    refused(&bench, &["reserve", "r.txt", "--pes", "8"], INPUT, &parts);
    let printed = bench.succeed(&["reserve", "r.txt", "--pes", "8", "--lenient"]);
    assert!(printed.contains("Bad lines skipped: 1. The first of them: r.txt:2:5"), "{printed}");
}

#[test]
fn files_and_options_that_will_not_do_are_refused_in_one_line() {
    let bench = Bench::new();
    bench.file("few.txt", "1 2 3\n");
    bench.file("empty.txt", "# nothing\n");
    bench.file("good.txt", "0 0 10 10 6\n");
    let reserve = |rest: &[&'static str]| [&["reserve"], rest].concat();
    for (arguments, code, part) in [
        (reserve(&["none.txt", "--pes", "8"]), INPUT, "none.txt: cannot be read"),
        (reserve(&["few.txt", "--pes", "8"]), INPUT, "few.txt:1:1: 3 values where 5 belong"),
        (reserve(&["empty.txt", "--pes", "8"]), INPUT, "empty.txt: no request"),
        (reserve(&["good.txt"]), USAGE, "--pes"),
        (reserve(&["good.txt", "--pes", "0"]), USAGE, "--pes"),
        (reserve(&["good.txt", "--pes", "8", "--policy", "best"]), USAGE, "pedu-w, all"),
        (reserve(&["good.txt", "--pes", "8", "--choice", "high"]), USAGE, "contiguous"),
    ] {
        refused(&bench, &arguments, code, &[part]);
    }
}

/// Two requests that both go first to the fast machine, one for which only the large one will do, and one that
/// nobody can keep.
const ASKED: &str = "0 0 10 - 4\n0 0 10 - 4\n0 0 10 - 6\n0 0 10 4 8\n";

#[test]
fn speeds_and_machines_are_told_in_table_and_file() {
    let bench = Bench::new();
    bench.file("r.txt", ASKED);
    let options = ["--machines", "8,4", "--speeds", "8x0.5,4x2", "--out", "out"];
    let printed = bench.succeed(&[&["reserve", "r.txt"], &options[..]].concat());
    assert!(printed.contains("on 12 PEs of 2 machines"), "{printed}");
    assert!(printed.contains("machine") && printed.contains("end"), "{printed}");
    assert_eq!(
        bench.read("out/reservations-ff.csv"),
        "request,t_a,t_r,t_du,t_dl,n,accepted,start,end,pes,reason,machine\n\
         1,0,0,10,,4,1,0,5,8-11,,2\n\
         2,0,0,10,,4,1,5,10,8-11,,2\n\
         3,0,0,10,,6,1,0,20,0-5,,1\n\
         4,0,0,10,4,8,0,,,,not before the deadline; the earliest finish is 40,\n"
    );
}

#[test]
fn pes_of_one_machine_are_as_many_as_have_speeds() {
    let bench = Bench::new();
    bench.file("r.txt", "0 0 10 - 3\n0 0 10 - 3\n0 0 10 - 8\n");
    bench.succeed(&["reserve", "r.txt", "--speeds", "4x1,4x2.5"]);
    assert_eq!(
        bench.read("locox-report/reservations-ff.csv"),
        "request,t_a,t_r,t_du,t_dl,n,accepted,start,end,pes,reason\n\
         1,0,0,10,,3,1,0,4,4-6,\n\
         2,0,0,10,,3,1,4,8,4-6,\n\
         3,0,0,10,,8,1,8,18,0-7,\n"
    );
}

#[test]
fn standard_pes_answer_as_without_speeds() {
    let bench = Bench::new();
    bench.file("requests.txt", EXAMPLE);
    let answers = |options: &[&str]| {
        let all =
            [&["reserve", "requests.txt", "--policy", "all", "--out", "out"], options].concat();
        bench.succeed(&all);
        let policies = ["ff", "pe-b", "pe-w", "du-b", "du-w", "pedu-b", "pedu-w"];
        policies.map(|policy| bench.read(&format!("out/reservations-{policy}.csv")))
    };
    let plain = answers(&["--pes", "16"]);
    assert_eq!(answers(&["--speeds", "16x1"]), plain);
    assert_eq!(answers(&["--pes", "16", "--speeds", "5x1.0,11x1.000"]), plain);
    assert_eq!(answers(&["--machines", "16"]), plain);
}

#[test]
fn hostile_speeds_and_machines_are_refused_in_one_line() {
    let bench = Bench::new();
    bench.file("good.txt", "0 0 10 10 6\n");
    let many: String = (1..=33).map(|n| format!("1x{n}")).collect::<Vec<_>>().join(",");
    for (options, part) in [
        (["--pes", "8", "--speeds", "8"], "write PESxSPEED"),
        (["--pes", "8", "--speeds", "8x0"], "write PESxSPEED"),
        (["--pes", "8", "--speeds", "8x0.0001"], "three digits"),
        (["--pes", "8", "--speeds", "8x1e3"], "write PESxSPEED"),
        (["--pes", "8", "--speeds", "8x-1"], "write PESxSPEED"),
        (["--pes", "8", "--speeds", "8x1000.001"], "write PESxSPEED"),
        (["--pes", "8", "--speeds", "8x99999999999"], "write PESxSPEED"),
        (["--pes", "8", "--speeds", "0x1"], "write PESxSPEED"),
        (["--pes", "8", "--speeds", "4x1,5x2"], "9 PEs have speeds, and there are 8"),
        (["--machines", "4,4", "--speeds", "4x1"], "4 PEs have speeds, and there are 8"),
        (["--machines", "4,0", "--speeds", "4x1"], "--machines"),
        (
            ["--machines", "1048576,1", "--choice", "lowest"],
            "1048577 PEs in all; use at most 1048576",
        ),
        (["--machines", "4,4", "--pes", "8"], "cannot be used with"),
        (["--choice", "lowest", "--speeds", &many], "33 different speeds"),
    ] {
        refused(&bench, &[&["reserve", "good.txt"], &options[..]].concat(), USAGE, &[part]);
    }
}

/// The numbers in a column of PEs, such as `0-1 4`.
fn pes(text: &str) -> Vec<u32> {
    let bound = |text: &str| text.parse::<u32>().unwrap();
    let range = |text: &str| {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        bound(first)..=bound(last)
    };
    text.split(' ').flat_map(range).collect()
}

/// The answers to these requests on a machine, under first fit.
fn on_machine(requests: &str, options: &[&str]) -> Vec<Vec<String>> {
    let bench = Bench::new();
    bench.file("r.txt", requests);
    bench.succeed(&[&["reserve", "r.txt", "--machine"], options].concat());
    csv_rows(&bench.read("locox-report/reservations-ff.csv"))
}

#[test]
fn on_a_torus_a_request_holds_a_box_as_early_as_one_is_free() {
    let asked = "0 0 10 - 3\n0 0 30 - 4\n0 0 10 - 5\n0 0 10 - 12\n0 0 10 10 16\n0 0 5 - 17\n";
    let rows = on_machine(asked, &["torus:4x4"]);
    for row in rows.iter().filter(|row| row[6] == "1") {
        let nodes = pes(&row[9]);
        assert_eq!(row[11], nodes.len().to_string(), "{row:?}");
        // A box has as many nodes as its columns times its rows.
        let count = |of: fn(&u32) -> u32| {
            nodes.iter().map(of).collect::<std::collections::BTreeSet<_>>().len()
        };
        assert_eq!(count(|it| it % 4) * count(|it| it / 4), nodes.len(), "{row:?}");
    }
    let told: Vec<_> =
        rows.iter().map(|row| [&row[5], &row[7], &row[11]].map(|it| &**it)).collect();
    // Five nodes make no box in it, six do; the last two are larger than what is free in time, or ever.
    let starts = [["3", "0", "3"], ["4", "0", "4"], ["5", "0", "6"], ["12", "10", "12"]];
    assert_eq!(told[..4], starts);
    assert_eq!(rows[4][10], "not before the deadline; the earliest finish is 40");
    assert_eq!(rows[5][10], "the machine has 16 PEs only");
}

#[test]
fn on_a_cube_a_request_holds_a_subcube_which_a_buddy_does_not_always_know() {
    // A half, then single nodes of which every other one is free again at 5.
    let asked = "0 0 20 - 4\n0 0 10 - 1\n0 0 5 - 1\n0 0 10 - 1\n0 0 5 - 1\n0 5 4 - 2\n";
    let last = |strategy: &str| {
        let rows = on_machine(asked, &["cube:3", "--strategy", strategy]);
        [7, 9].map(|at| rows[5][at].clone())
    };
    assert_eq!(last("complete"), ["5", "5 7"]);
    assert_eq!(last("buddy")[0], "10");
    let rows = on_machine("0 0 10 - 3\n0 0 10 - 5\n", &["cube:3"]);
    let told = |row: &[String]| [7, 9, 11].map(|at| row[at].clone());
    assert_eq!(told(&rows[0])[2], "4");
    assert_eq!(told(&rows[1]), ["10", "0-7", "8"]);
}

#[test]
fn on_racks_a_request_holds_pes_of_one_rack_or_is_only_near() {
    let asked = "0 0 10 - 3\n0 0 10 - 3\n0 0 10 - 2\n0 0 10 - 5\n";
    let told = |options: &[&str]| {
        let rows = on_machine(asked, options);
        rows.iter().map(|row| [&row[7], &row[9]].map(String::clone)).collect::<Vec<_>>()
    };
    let required = told(&["tree:2x4"]);
    assert_eq!(required, [["0", "0-2"], ["0", "4-6"], ["10", "0-1"], ["10", "2 4-7"]]);
    let preferred = told(&["tree:2x4", "--strategy", "preferred"]);
    assert_eq!(preferred, [["0", "0-2"], ["0", "4-6"], ["0", "3 7"], ["10", "0-4"]]);
}

#[test]
fn blocks_are_held_whole_and_a_pool_has_no_places() {
    let asked = "0 0 10 - 5\n0 0 10 - 3\n";
    let told = |machine| {
        let rows = on_machine(asked, &[machine]);
        rows.iter().map(|row| [7, 9, 11].map(|at| row[at].clone())).collect::<Vec<_>>()
    };
    assert_eq!(told("blocks:3x4"), [["0", "0-7", "8"], ["0", "8-10", "3"]]);
    assert_eq!(told("pool:8"), [["0", "0-4", "5"], ["0", "5-7", "3"]]);
}

#[test]
fn a_page_of_a_machine_says_what_was_held() {
    let bench = Bench::new();
    bench.file("r.txt", "0 0 10 - 5\n0 0 10 90 9\n");
    let printed = bench.succeed(&["reserve", "r.txt", "--machine", "mesh:3x3"]);
    assert!(printed.contains("Reservations of r.txt on a 3x3 mesh"), "{printed}");
    assert!(printed.contains("those of the smallest box that has as many (first)"), "{printed}");
    assert!(printed.contains("held"), "{printed}");
    let page = bench.read("locox-report/index.html");
    assert!(page.contains("<title>request 1: 0 to 10 on 6 PEs ("), "{page}");
    bench.succeed(&["reserve", "r.txt", "--machine", "mesh:3x3", "--policy", "all"]);
    assert_eq!(names(&bench.path("locox-report")).len(), 8);
}

#[test]
fn machines_that_have_no_such_places_are_refused_in_one_line() {
    let bench = Bench::new();
    bench.file("good.txt", "0 0 10 10 6\n");
    let cases: [(&[&str], &str); 14] = [
        (&["torus:0x3"], "write torus:XxYxZ"),
        (&["cube:40"], "write cube:N with N from 0 to 24"),
        (&["ring:8"], "write cube:N, pool:P"),
        (&["cube:17"], "use at most 16 dimensions"),
        (&["pool:16777216"], "16777216 PEs in all; use at most 1048576"),
        (&["cube:3", "--pes", "8"], "cannot be used with"),
        (&["cube:3", "--machines", "4,4"], "cannot be used with"),
        (&["cube:3", "--speeds", "8x1"], "cannot be used with"),
        (&["cube:3", "--choice", "lowest"], "cannot be used with"),
        (&["cube:3", "--strategy", "first"], "--strategy first: a 3-cube has no boxes"),
        (&["cube:3", "--strategy", "all"], "name one strategy"),
        (&["cube:3", "--strategy", "free-list-plain"], "gray-code, free-list or complete"),
        (&["mesh:4x4", "--strategy", "first@8"], "a step of 8 along an axis of 4"),
        (&["pool:8", "--strategy", "buddy"], "has no subcubes"),
    ];
    for (options, part) in cases {
        let arguments = [&["reserve", "good.txt", "--machine"], options].concat();
        refused(&bench, &arguments, USAGE, &[part]);
    }
    for (options, part) in [
        (&["--pes", "8", "--strategy", "first"][..], "cannot be used with"),
        (&["--strategy", "first"][..], "--machine"),
    ] {
        refused(&bench, &[&["reserve", "good.txt"], options].concat(), USAGE, &[part]);
    }
}
