//! Placements of any kind: tables and coordinators are the same code for all of them.

use crate::memory::*;
use crate::status::locox_status::*;
use crate::time::ticks;
use crate::timeshare::{
    LOCOX_PLACING_V1, LOCOX_PLACING_V2, LOCOX_PLACING_V3, locox_placing, threshold_of,
};
use locox::coordinate::Draw;
use locox::timeshare::{AtRandom, Board, Choice, Misuse, Placement, Refusal, Request, V1, V2, V3};

/// A placement, as tables and coordinators see it.
pub(crate) trait Places {
    fn name(&self) -> &'static str;
    fn check(&self, levels: u8) -> Result<(), Misuse>;
    /// What of a draw is looked at.
    fn drawn(&self, draw: u32) -> u32;
    fn choose(
        &self,
        board: &mut Board<'_>,
        request: &Request,
        draw: u32,
    ) -> Result<Choice, Refusal>;
}

impl<P: Placement> Places for P {
    fn name(&self) -> &'static str {
        self.name()
    }

    fn check(&self, levels: u8) -> Result<(), Misuse> {
        self.check(levels)
    }

    fn drawn(&self, draw: u32) -> u32 {
        P::Draw::from_source(|| draw).raw()
    }

    fn choose(
        &self,
        board: &mut Board<'_>,
        request: &Request,
        draw: u32,
    ) -> Result<Choice, Refusal> {
        self.choose(board, request, P::Draw::from_source(|| draw))
    }
}

pub(crate) enum AnyPlacement {
    V1(V1),
    V1Shuffled(V1<AtRandom>),
    V2(V2),
    V2Shuffled(V2<AtRandom>),
    V3(V3),
}

pub(crate) type Placing = Seen<AnyPlacement, dyn Places>;

impl Placement for Placing {
    type Draw = u32;

    fn name(&self) -> &'static str {
        self.look().name()
    }

    fn check(&self, levels: u8) -> Result<(), Misuse> {
        self.look().check(levels)
    }

    fn choose(
        &self,
        board: &mut Board<'_>,
        request: &Request,
        draw: u32,
    ) -> Result<Choice, Refusal> {
        self.look().choose(board, request, draw)
    }
}

/// The placement of that kind.
pub(crate) fn placing_of(it: &locox_placing) -> Answer<Placing> {
    match it.kind {
        LOCOX_PLACING_V1 => v1(it),
        LOCOX_PLACING_V2 => v2(it),
        LOCOX_PLACING_V3 => v3(it),
        _ => Err(LOCOX_BAD_ARGUMENT.into()),
    }
}

pub(crate) fn v1(it: &locox_placing) -> Answer<Placing> {
    let placement = V1::new(degree_of(it)?);
    Ok(match it.shuffled {
        0 => seen_as!(AnyPlacement::V1 as Places)(placement),
        _ => seen_as!(AnyPlacement::V1Shuffled as Places)(placement.shuffled()),
    })
}

pub(crate) fn v2(it: &locox_placing) -> Answer<Placing> {
    let placement = V2::new(degree_of(it)?, threshold_of(it)?, ticks(it.believed));
    Ok(match it.shuffled {
        0 => seen_as!(AnyPlacement::V2 as Places)(placement),
        _ => seen_as!(AnyPlacement::V2Shuffled as Places)(placement.shuffled()),
    })
}

pub(crate) fn v3(it: &locox_placing) -> Answer<Placing> {
    let (degree, threshold) = (degree_of(it)?, threshold_of(it)?);
    let (believed, settled) = (ticks(it.believed), ticks(it.settled));
    Ok(seen_as!(AnyPlacement::V3 as Places)(V3 { degree, threshold, believed, settled }))
}

fn degree_of(it: &locox_placing) -> Answer<u8> {
    u8::try_from(it.degree).map_err(|_| LOCOX_WRONG_LEVELS.into())
}
