//! The kernel's bit set beside the operations of the crate bitvec, on the same 1024 bits.

use bitvec::order::Lsb0;
use bitvec::slice::BitSlice;
use bitvec::view::BitView;
use board::Counter;
use board::println;
use core::hint::black_box;
use locox::bits::{BitSet, Word, words_for};

const BITS: u32 = 1024;
const WORDS: usize = words_for(BITS as usize);

type Set<'a> = BitSet<&'a mut [Word]>;
type Bits = BitSlice<Word, Lsb0>;

struct Row {
    name: &'static str,
    ours: fn(&mut Set, &Set) -> u32,
    theirs: fn(&mut Bits, &Bits) -> u32,
}

/// Numbers come through [`black_box`], so that no operation is specialised to them.
static ROWS: [Row; 9] = [
    Row {
        name: "insert one",
        ours: |a, _| a.insert(black_box(700)).is_ok().into(),
        theirs: |a, _| {
            a.set(black_box(700), true);
            1
        },
    },
    Row {
        name: "contains one",
        ours: |a, _| a.contains(black_box(700)).into(),
        theirs: |a, _| a[black_box(700)].into(),
    },
    Row {
        name: "first, in word 16",
        ours: |a, _| a.first().unwrap_or(0),
        theirs: |a, _| a.first_one().unwrap_or(0) as u32,
    },
    Row {
        name: "first from 900 on",
        ours: |a, _| a.first_from(black_box(900)).unwrap_or(0),
        theirs: |a, _| a[black_box(900)..].first_one().map_or(0, |at| at as u32 + 900),
    },
    Row { name: "count", ours: |a, _| a.count(), theirs: |a, _| a.count_ones() as u32 },
    Row {
        name: "visit 74 members",
        ours: |a, _| a.iter().sum(),
        theirs: |a, _| a.iter_ones().sum::<usize>() as u32,
    },
    Row {
        name: "insert a range of 300",
        ours: |a, _| a.insert_range(black_box(100), black_box(300)).is_ok().into(),
        theirs: |a, _| {
            a[black_box(100)..black_box(400)].fill(true);
            1
        },
    },
    Row {
        name: "union",
        ours: |a, b| a.union_with(b).is_ok().into(),
        theirs: |a, b| {
            *a |= b;
            1
        },
    },
    Row {
        name: "intersection",
        ours: |a, b| {
            a.intersect_with(b);
            1
        },
        theirs: |a, b| {
            *a &= b;
            1
        },
    },
];

pub(crate) fn print(counter: &mut Counter) -> Option<()> {
    let (mut a, mut b) = ([0; WORDS], [0; WORDS]);
    println!("");
    println!("Instructions, {BITS} bits");
    println!("{:36} {:>9} {:>9}", "", "words", "bitvec");
    for row in &ROWS {
        fill(&mut a, 512, 7)?;
        fill(&mut b, 0, 5)?;
        let (mut our_answer, mut their_answer) = (0, 0);
        let ours = {
            let mut set = BitSet::from_words(&mut a[..], BITS).ok()?;
            let other = BitSet::from_words(&mut b[..], BITS).ok()?;
            counter.count(&mut || our_answer = (row.ours)(&mut set, &other))
        };
        fill(&mut a, 512, 7)?;
        let (bits, other) = (a.view_bits_mut(), b.view_bits());
        let theirs = counter.count(&mut || their_answer = (row.theirs)(bits, other));
        println!("{:36} {:>9} {:>9}", row.name, ours, theirs);
        if our_answer != their_answer {
            return None;
        }
    }
    Some(())
}

/// Every `step`-th number from `first` on.
fn fill(words: &mut [Word], first: u32, step: usize) -> Option<()> {
    let mut set = BitSet::empty(words, BITS).ok()?;
    (first..BITS).step_by(step).try_for_each(|member| set.insert(member).map(|_| ()).ok())
}
