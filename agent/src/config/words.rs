//! Words of which there are few: what else stands there is told what may.

use super::kinds::{Mode, PlacesWord, Ranking};
use serde::de::value::StrDeserializer;
use serde::de::{Deserialize, Deserializer, Error, IntoDeserializer, Visitor};
use std::fmt;
use std::marker::PhantomData;

pub(super) fn mode<'a, D: Deserializer<'a>>(from: D) -> Result<Mode, D::Error> {
    from.deserialize_str(Word("\"advisory\" or \"authoritative\"", PhantomData))
}

pub(super) fn ranking<'a, D: Deserializer<'a>>(from: D) -> Result<Ranking, D::Error> {
    from.deserialize_str(Word("\"users\" or \"priority\"", PhantomData))
}

pub(super) fn places<'a, D: Deserializer<'a>>(from: D) -> Result<PlacesWord, D::Error> {
    from.deserialize_str(Word(
        "\"any\", \"subcubes\", \"meshes\", \"boxes\" or \"tree\"",
        PhantomData,
    ))
}

/// A word; what else stands there is told which words there are.
struct Word<T>(&'static str, PhantomData<T>);

impl<'a, T: Deserialize<'a>> Visitor<'a> for Word<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<T, E> {
        let word: StrDeserializer<'_, E> = word.into_deserializer();
        T::deserialize(word)
    }
}

/// What TOML's reader says, in an administrator's words: what to write. What is not known is said as it is.
pub(super) fn plain(message: &str) -> String {
    let words = [
        ("map, expected a sequence", "a section of its own; write [[...]] in place of [...]"),
        (", expected a sequence", "; write a list, as in [\"batch\"]"),
        (", expected a boolean", "; write true or false"),
        (", expected a string", "; write a text in quotes"),
        (", expected path string", "; write a path in quotes"),
        (", expected a map", "; write a section"),
        (", expected struct Commands", "; write a section"),
        (", expected struct Trouble", "; write a section"),
        (", expected u16", "; write a number from 0 to 1000"),
        (" as i128, expected any valid TOML value", "; write a smaller number"),
        ("missing field", "add the missing field"),
        ("duplicate key", "this is there twice; leave one out"),
    ];
    let message = message.trim().replace('\n', "; ");
    words.into_iter().fold(message, |message, (theirs, ours)| message.replace(theirs, ours))
}
