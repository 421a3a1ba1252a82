//! The feasible starts of a request, for the caller.

use super::candidate::Candidate;
use super::choice::Lowest;
use super::refusal::Error;
use super::request::Request;
use super::search::candidates::CandidateSearch;
use super::search::checked_request::CheckedRequest;
use super::search::fit::Search;
use super::slots::view::Slots;
use crate::bits::Word;

/// The feasible candidates of a request, by rising start.
///
/// Made by [`Timeline::candidates`](crate::reserve::Timeline::candidates), or by a profile, which has
/// no `IDENTITY`. The first is the earliest fit, the others are the alternatives to it.
pub struct Candidates<'a, const IDENTITY: bool = true>(CandidateSearch<'a, IDENTITY>);

impl<'a, const IDENTITY: bool> Candidates<'a, IDENTITY> {
    /// Leaves in `free` the PEs free from the last one on.
    pub(super) fn new(
        slots: Slots<'a, IDENTITY>,
        request: &Request,
        free: &'a mut [Word],
    ) -> Result<Self, Error> {
        let request = CheckedRequest::new(&slots, request, &Lowest)?;
        Ok(Self(CandidateSearch::new(Search { slots, request }, free)))
    }
}

impl<const IDENTITY: bool> Iterator for Candidates<'_, IDENTITY> {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        self.0.next()
    }
}
