//! Storage that somebody else wrote to: a word of it is altered, and what is said of that is counted.

use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A change of a word: which one, and to what.
pub(crate) type Change = (usize, fn(usize) -> usize);

/// Storage of words, of which a change is seen in copies made from now on, but cannot be written to.
pub(crate) struct Storage {
    words: Vec<usize>,
    altered: OnceCell<Vec<usize>>,
    pub(crate) change: Rc<Cell<Option<Change>>>,
}

impl Storage {
    pub(crate) fn new(words: usize) -> Self {
        Self { words: vec![0; words], altered: OnceCell::new(), change: Rc::default() }
    }
}

impl Clone for Storage {
    fn clone(&self) -> Self {
        let (words, change) = (self.words.clone(), Rc::clone(&self.change));
        Self { words, altered: OnceCell::new(), change }
    }
}

impl AsRef<[usize]> for Storage {
    fn as_ref(&self) -> &[usize] {
        let Some((at, to)) = self.change.get() else { return &self.words };
        self.altered.get_or_init(|| {
            let mut words = self.words.clone();
            words[at] = to(words[at]);
            words
        })
    }
}

impl AsMut<[usize]> for Storage {
    fn as_mut(&mut self) -> &mut [usize] {
        &mut self.words
    }
}

/// What is said where each of so many words becomes each of some others, and how often.
pub(crate) fn said(
    words: usize,
    mut look: impl FnMut(Change) -> Result<(), &'static str>,
) -> Vec<(String, usize)> {
    let others: [fn(usize) -> usize; 6] = [
        |_| 0,
        |_| 1,
        |it| it.wrapping_add(1),
        |it| it.wrapping_sub(1),
        |it| it ^ 1 << 40,
        |it| it ^ 4,
    ];
    let mut said = BTreeMap::new();
    for change in (0..words).flat_map(|at| others.map(|to| (at, to))) {
        let what = look(change).err().unwrap_or("nothing");
        *said.entry(what.to_string()).or_insert(0) += 1;
    }
    said.into_iter().collect()
}
