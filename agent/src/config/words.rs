//! Words of which there are few.

use super::kinds::{Mode, Places, Ranking};
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

pub(super) fn places<'a, D: Deserializer<'a>>(from: D) -> Result<Places, D::Error> {
    from.deserialize_str(Word("\"any\" or \"subcubes\"", PhantomData))
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
