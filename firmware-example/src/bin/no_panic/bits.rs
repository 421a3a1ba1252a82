//! Entries of `locox::bits`.

use core::fmt::Display;
use locox::bits::{BitSet, OutOfRange, Summary, Word, words_for};

/// Storage whose length is not known here; writable and readable.
type Set<'a> = BitSet<&'a mut [Word]>;
type Other<'a> = BitSet<&'a [Word]>;

pub(crate) fn entries() {
    crate::keep![words_for, <OutOfRange as Display>::fmt];
    sets();
    crate::keep![
        Summary::new,
        Summary::words,
        Summary::contains,
        Summary::insert,
        Summary::remove,
        Summary::is_empty,
        Summary::clear,
        Summary::first,
        Summary::first_in_octave,
        Summary::octave_is_empty,
        Summary::count_octave,
        Summary::check,
        summary_iter,
    ];
}

fn sets() {
    crate::keep![
        Other::from_words,
        Other::len,
        Other::is_empty,
        Other::words,
        Other::contains,
        Other::count,
        Other::first,
        Other::first_from,
        set_iter,
        Other::is_disjoint::<&[Word]>,
        Other::is_subset::<&[Word]>,
        Other::as_bitslice,
        <Other as PartialEq<Set>>::eq,
        Set::empty,
        Set::clear,
        Set::insert,
        Set::remove,
        Set::insert_range,
        Set::remove_range,
        Set::union_with::<&[Word]>,
        Set::subtract::<&[Word]>,
        Set::intersect_with::<&[Word]>,
    ];
}

fn set_iter(set: &Other<'_>, found: &mut dyn FnMut(u32)) {
    set.iter().for_each(found);
}

fn summary_iter(set: Summary, words: &[Word], found: &mut dyn FnMut(usize)) {
    set.iter(words).for_each(found);
}
