//! Storage that somebody else writes to: what is said of that, and how often.

use locox::bits::Word;
use locox::subcube::InvariantViolation;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What is done to the words of copies made from now on.
pub(crate) type Change = Rc<RefCell<Box<dyn Fn(&mut [Word])>>>;

/// Words of a pool or a table, of which copies differ by a change.
pub(crate) struct Tampered {
    words: Vec<Word>,
    change: Change,
}

impl Tampered {
    pub(crate) fn new(words: usize) -> (Self, Change) {
        let change: Change = Rc::new(RefCell::new(Box::new(|_| ())));
        (Self { words: vec![0; words], change: Rc::clone(&change) }, change)
    }
}

impl Clone for Tampered {
    fn clone(&self) -> Self {
        let mut words = self.words.clone();
        self.change.borrow()(&mut words);
        Self { words, change: Rc::clone(&self.change) }
    }
}

impl AsRef<[Word]> for Tampered {
    fn as_ref(&self) -> &[Word] {
        &self.words
    }
}

impl AsMut<[Word]> for Tampered {
    fn as_mut(&mut self) -> &mut [Word] {
        &mut self.words
    }
}

/// Turns some bits of the words.
pub(crate) fn turn(bits: &[usize], words: &mut [Word]) {
    for bit in bits {
        words[bit / Word::BITS as usize] ^= 1 << (bit % Word::BITS as usize);
    }
}

/// What is said where each of so many words becomes each of some others.
pub(crate) fn words_said(
    words: usize,
    change: &Change,
    mut look: impl FnMut() -> Result<(), InvariantViolation>,
) -> Vec<(String, usize)> {
    let others: [fn(Word) -> Word; 6] = [
        |_| 0,
        |_| 1,
        |it| it.wrapping_add(1),
        |it| it.wrapping_sub(1),
        |it| it ^ 1 << 40,
        |it| it ^ 4,
    ];
    let mut said = BTreeMap::new();
    for (at, to) in (0..words).flat_map(|at| others.map(|to| (at, to))) {
        *change.borrow_mut() = Box::new(move |words| words[at] = to(words[at]));
        let what = look().map_or_else(|it| it.0, |()| "nothing");
        *said.entry(what.to_string()).or_insert(0) += 1;
    }
    said.into_iter().collect()
}

/// What a pool's check finds where one bit of its words is turned, each in turn, and then where two are: a line for each
/// violation, with how often it was found.
pub(crate) fn found<P: Clone>(
    name: &str,
    pool: &P,
    (words, change): (usize, &Change),
    check: impl Fn(&mut P) -> Result<(), InvariantViolation>,
) -> String {
    let bits = words * Word::BITS as usize;
    // Steps of the golden ratio come everywhere.
    let other = |bit: usize| (bit + 1) * 0x9E37_79B9 % bits;
    let pairs = (0..bits).map(|bit| vec![bit, other(bit)]);
    let mut found: BTreeMap<_, u32> = BTreeMap::new();
    for bits in (0..bits).map(|bit| vec![bit]).chain(pairs) {
        *change.borrow_mut() = Box::new(move |words| turn(&bits, words));
        let what = check(&mut pool.clone()).map_or_else(|it| it.0, |()| "no violation");
        *found.entry(what).or_default() += 1;
    }
    found.iter().map(|(what, times)| format!("{name}: {what}: {times}\n")).collect()
}

/// Those of the lines that [`found`] gives for all pools which it gives for the one of this name.
pub(crate) fn lines_of(name: &str, all: &str) -> String {
    let begin = format!("{name}: ");
    all.split_inclusive('\n').filter(|line| line.starts_with(&begin)).collect()
}
