//! Storage that somebody else writes to.

use locox::bits::Word;
use locox::subcube::InvariantViolation;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Bits that turn when a pool asks for its words next: one list for all its copies.
pub(crate) type Turned = Rc<RefCell<Vec<usize>>>;

/// Words of a pool.
#[derive(Clone)]
pub(crate) struct Tampered {
    words: Vec<Word>,
    turned: Turned,
}

impl Tampered {
    pub(crate) fn new(words: usize) -> (Self, Turned) {
        let turned = Turned::default();
        (Self { words: vec![0; words], turned: turned.clone() }, turned)
    }
}

impl AsRef<[Word]> for Tampered {
    fn as_ref(&self) -> &[Word] {
        &self.words
    }
}

impl AsMut<[Word]> for Tampered {
    fn as_mut(&mut self) -> &mut [Word] {
        for bit in self.turned.borrow_mut().drain(..) {
            self.words[bit / Word::BITS as usize] ^= 1 << (bit % Word::BITS as usize);
        }
        &mut self.words
    }
}

/// What a pool's check finds where one bit of its words is turned, each in turn, and then where two are: a line for each
/// violation, with how often it was found.
pub(crate) fn found<P: Clone>(
    name: &str,
    pool: &P,
    (words, turned): (usize, &Turned),
    check: impl Fn(&mut P) -> Result<(), InvariantViolation>,
) -> String {
    let bits = words * Word::BITS as usize;
    // Steps of the golden ratio come everywhere.
    let other = |bit: usize| (bit + 1) * 0x9E37_79B9 % bits;
    let pairs = (0..bits).map(|bit| vec![bit, other(bit)]);
    let mut found: BTreeMap<_, u32> = BTreeMap::new();
    for bits in (0..bits).map(|bit| vec![bit]).chain(pairs) {
        turned.replace(bits);
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
