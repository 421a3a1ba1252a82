//! The timeline against answers computed elsewhere by brute force, in `$LOCOX_DATA/reservations`.
//!
//! A data set has a line `W shape PEs horizon N Q`, then N reservations to insert in this order,
//! `A id start duration n ranges lo hi ...`, then Q queries `Q ready duration deadline n`, whose
//! deadlines are ignored. The answer to a query is its earliest start and a number: by counts,
//! how many PEs are free at the ready time; by identity, how many are free all through the
//! interval found.

use locox::bits::{BitSet, Word};
use locox::handle::PoolId;
use locox::reserve::{Fit, Limits, Lowest, Placement, Profile, Request, Timeline};
use locox::time::{Duration, Instant};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

struct DataSet {
    pes: u32,
    reservations: Vec<(Placement, BitSet<Vec<Word>>)>,
    queries: Vec<Request>,
}

/// The numbers of each line, and its letter if it begins with one.
fn lines(path: &Path) -> impl Iterator<Item = (Option<String>, Vec<u64>)> {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    BufReader::new(lzma_rust2::XzReader::new(file, false)).lines().map(|line| {
        let line = line.unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let letter = words[0].starts_with(char::is_alphabetic).then(|| words[0].to_string());
        let numbers = words.iter().skip(letter.is_some() as usize);
        (letter, numbers.filter_map(|word| word.parse().ok()).collect())
    })
}

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn read(path: &Path) -> DataSet {
    let mut set = DataSet { pes: 0, reservations: vec![], queries: vec![] };
    for (letter, n) in lines(path) {
        match letter.as_deref() {
            Some("W") => set.pes = n[0] as u32,
            Some("A") => {
                let mut pes = BitSet::empty(vec![0; 1024], set.pes).unwrap();
                for range in n[5..].chunks(2) {
                    pes.insert_range(range[0] as u32, (range[1] - range[0]) as u32 + 1).unwrap();
                }
                assert_eq!(u64::from(pes.count()), n[3]);
                set.reservations.push((Placement { start: at(n[1]), end: at(n[1] + n[2]) }, pes));
            }
            _ => set.queries.push(Request::new(at(n[0]), Duration::from_ticks(n[1]), n[3] as u32)),
        }
    }
    set
}

/// Calls `check` with each data set of at most `most` reservations and the file of answers.
fn each_data_set(kind: &str, check: impl Fn(DataSet, Vec<Vec<u64>>)) {
    let Some(data) = std::env::var_os("LOCOX_DATA") else {
        println!("skipped: LOCOX_DATA is not set; it names the folder with reservations/*.txt.xz");
        return;
    };
    let folder = PathBuf::from(data).join("reservations");
    for shape in ["P", "C"] {
        for size in [100, 1000, 10000] {
            let name = format!("{shape}_{size}.txt.xz");
            let answers: Vec<_> =
                lines(&folder.join(format!("exp_{kind}_{name}"))).map(|(_, n)| n).collect();
            let set = read(&folder.join(&name));
            assert_eq!((set.reservations.len(), set.queries.len()), (size, 4000));
            assert_eq!(answers.len(), 4000);
            check(set, answers);
            println!("{name}: 4000 answers of {kind} agree");
        }
    }
}

#[test]
fn a_profile_gives_the_earliest_starts_and_free_counts_of_the_data_sets() {
    each_data_set("counts", |set, answers| {
        let limits = Limits { pes: set.pes, reservations: set.reservations.len() as u32 };
        let storage = vec![0; Profile::words(limits)];
        let mut profile = Profile::new(PoolId(0), limits, storage).unwrap();
        for (placement, pes) in &set.reservations {
            profile.add(*placement, pes.count()).unwrap();
        }
        for (request, answer) in set.queries.iter().zip(answers) {
            let start = profile.find(request, &Fit::First).unwrap().start.ticks();
            let free = profile.free_at(request.ready).unwrap();
            assert_eq!([start, free.into()], answer[..], "{request:?}");
        }
    });
}

#[test]
fn a_timeline_gives_the_earliest_starts_and_free_sets_of_the_data_sets() {
    each_data_set("pe", |set, answers| {
        let limits = Limits { pes: set.pes, reservations: set.reservations.len() as u32 };
        let storage = vec![0; Timeline::words(limits)];
        let mut timeline = Timeline::new(PoolId(0), limits, storage).unwrap();
        for (placement, pes) in &set.reservations {
            timeline.add(*placement, pes).unwrap();
        }
        let mut pes = BitSet::empty(vec![0; 16 * 2], set.pes).unwrap();
        for (request, answer) in set.queries.iter().zip(answers) {
            let placement = timeline.find(request, &Fit::First, &Lowest, &mut pes).unwrap();
            assert_eq!(pes.count(), request.pes);
            let free = timeline.free_pes(placement, &mut pes).unwrap();
            assert_eq!([placement.start.ticks(), free.into()], answer[..], "{request:?}");
        }
    });
}
