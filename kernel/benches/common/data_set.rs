//! Data sets of reservations and queries, one file each, plain or `.xz`.
//!
//! A data set has a line `W shape PEs horizon N Q`, then N reservations to insert in this order,
//! `A id start duration n ranges lo hi ...`, then Q queries `Q ready duration deadline n`, whose
//! deadlines are ignored.

use locox::bits::{BitSet, Word};
use locox::reserve::{Interval, Request};
use locox::time::{Duration, Instant};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

pub(crate) struct DataSet {
    pub(crate) pes: u32,
    pub(crate) reservations: Vec<(Interval, BitSet<Vec<Word>>)>,
    pub(crate) queries: Vec<Request>,
}

/// The numbers of each line, and its letter if it begins with one.
pub(crate) fn lines(path: &Path) -> impl Iterator<Item = (Option<String>, Vec<u64>)> {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let reader: Box<dyn Read> = match path.extension() {
        Some(it) if it == "xz" => Box::new(lzma_rust2::XzReader::new(file, false)),
        _ => Box::new(file),
    };
    BufReader::new(reader).lines().map(|line| {
        let line = line.unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let letter = words[0].starts_with(char::is_alphabetic).then(|| words[0].to_string());
        let numbers = words.iter().skip(letter.is_some() as usize);
        (letter, numbers.filter_map(|word| word.parse().ok()).collect())
    })
}

pub(crate) fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

pub(crate) fn read(path: &Path) -> DataSet {
    let mut set = DataSet { pes: 0, reservations: vec![], queries: vec![] };
    for (letter, n) in lines(path) {
        match letter.as_deref() {
            Some("W") => set.pes = n[0] as u32,
            Some("A") => {
                let words = set.pes.div_ceil(Word::BITS) as usize;
                let mut pes = BitSet::empty(vec![0; words], set.pes).unwrap();
                for range in n[5..].chunks(2) {
                    pes.insert_range(range[0] as u32, (range[1] - range[0]) as u32 + 1).unwrap();
                }
                assert_eq!(u64::from(pes.count()), n[3]);
                set.reservations.push((Interval { start: at(n[1]), end: at(n[1] + n[2]) }, pes));
            }
            _ => set.queries.push(Request::new(at(n[0]), Duration::from_ticks(n[1]), n[3] as u32)),
        }
    }
    set
}
