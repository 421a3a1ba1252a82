//! The feasible starts of a request, for the caller.

use super::calendar::{AnyStore, Calendar};
use super::candidate::Candidate;
use super::choice::Lowest;
use super::refusal::Error;
use super::request::Request;
use super::search::candidates::CandidateSearch;
use super::search::fit::Search;
use super::slots::flat::Flat;
#[cfg(feature = "leaf-index")]
use super::slots::leaves::Leaves;
use super::slots::store::{Slots, Store};
use crate::bits::Word;

/// The feasible candidates of a request, by rising start.
///
/// Made by [`Timeline::candidates`](crate::reserve::Timeline::candidates), or by a profile, which has
/// no `IDENTITY`. The first is the earliest fit, the others are the alternatives to it.
pub struct Candidates<'a, const IDENTITY: bool = true>(AnySearch<'a, IDENTITY>);

enum AnySearch<'a, const IDENTITY: bool> {
    Flat(CandidateSearch<'a, Flat<IDENTITY>>),
    #[cfg(feature = "leaf-index")]
    Leaves(CandidateSearch<'a, Leaves<IDENTITY>>),
}

fn search<'a, S: Store>(
    store: &'a S,
    words: &'a [Word],
    request: &Request,
    free: &'a mut [Word],
) -> Result<CandidateSearch<'a, S>, Error> {
    let slots = Slots { store, words };
    let request = slots.check_request(request, &Lowest)?;
    Ok(CandidateSearch::new(Search { slots, request }, free))
}

impl<'a, const IDENTITY: bool> Candidates<'a, IDENTITY> {
    /// Leaves in `free` the PEs free from the last one on.
    pub(super) fn new(
        calendar: &'a Calendar<IDENTITY>,
        words: &'a [Word],
        request: &Request,
        free: &'a mut [Word],
    ) -> Result<Self, Error> {
        Ok(Self(match &calendar.store {
            AnyStore::Flat(store) => AnySearch::Flat(search(store, words, request, free)?),
            #[cfg(feature = "leaf-index")]
            AnyStore::Leaves(store) => AnySearch::Leaves(search(store, words, request, free)?),
        }))
    }
}

impl<const IDENTITY: bool> Iterator for Candidates<'_, IDENTITY> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        match &mut self.0 {
            AnySearch::Flat(search) => search.next(),
            #[cfg(feature = "leaf-index")]
            AnySearch::Leaves(search) => search.next(),
        }
    }
}
