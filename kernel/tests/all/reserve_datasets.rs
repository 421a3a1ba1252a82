//! The timeline against answers computed elsewhere by brute force, in `$LOCOX_DATA/reservations`.
//!
//! The answer to a query is its earliest start and a number: by counts, how many PEs are free at the
//! ready time; by identity, how many are free all through the interval found.

#[path = "../../benches/common/data_set.rs"]
mod data_set;

use data_set::{DataSet, lines, read};
use locox::bits::BitSet;
use locox::handle::PoolId;
use locox::reserve::{Fit, Limits, Lowest, Profile, Timeline};
use std::path::PathBuf;

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
