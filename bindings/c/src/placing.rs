//! Placements of any kind: tables and coordinators are the same code for all of them.

use crate::prelude::*;
use locox::timeshare::*;

commands! {
    placing_of(it: &locox_placing) -> Placing, by it.kind;
    /// Which hosts and which level a job gets: the most urgent level that is free on enough hosts.
    LOCOX_PLACING_FIRST_LEVEL = 1 => first_level(it)?;
    /// See `LOCOX_PLACING_FIRST_LEVEL`: the same, among hosts that are not busy.
    LOCOX_PLACING_FIRST_CALM_LEVEL = 2 => first_calm_level(it)?;
    /// See `LOCOX_PLACING_FIRST_LEVEL`: idle hosts, then hosts of one owner that are not busy, below all
    /// others.
    LOCOX_PLACING_NON_INTERFERING = 3 => non_interfering(it)?;
}

structures! {
    /// How to place a job: of the fields those that its kind names.
    pub struct locox_placing {
        /// `LOCOX_PLACING_...`.
        pub kind: u32,
        /// How many jobs a host has at most, 1 to the levels of the table.
        pub degree: u32,
        /// First calm level, non-interfering: the load up to which a host is shared, in thousandths, 1 to
        /// 999.
        pub threshold: u32,
        /// First level, first calm level: not zero to pick hosts by lot, from the draw; zero to pick them by
        /// number.
        pub shuffled: u32,
        /// First calm level, non-interfering: the age up to which a reading of a load is believed.
        pub believed: u64,
        /// Non-interfering: how long after a job came or went a reading begins to tell anything.
        pub settled: u64,
    }
}

/// A placement, as tables and coordinators see it.
pub(crate) trait Places {
    fn name(&self) -> &'static str;
    fn check(&self, levels: u8) -> Result<(), Misuse>;
    /// What of a draw is looked at.
    fn drawn(&self, draw: u32) -> u32;
    fn choose(
        &self,
        view: &mut PlacementView<'_>,
        request: &Request,
        draw: u32,
    ) -> Result<Choice, Refusal>;
}

impl<P: Placement> Places for P {
    forward! { look |it| it =>
        fn name() -> &'static str;
        fn check(levels: u8) -> Result<(), Misuse>;
    }

    fn drawn(&self, draw: u32) -> u32 {
        P::Draw::from_source(|| draw).raw()
    }

    fn choose(
        &self,
        view: &mut PlacementView<'_>,
        request: &Request,
        draw: u32,
    ) -> Result<Choice, Refusal> {
        self.choose(view, request, P::Draw::from_source(|| draw))
    }
}

pub(crate) enum AnyPlacement {
    FirstLevel(FirstLevel),
    FirstLevelShuffled(FirstLevel<u32>),
    NonInterfering(NonInterfering),
}

pub(crate) type Placing = ErasedBody<AnyPlacement, dyn Places>;

impl Placement for Placing {
    type Draw = u32;

    forward! { look |it| it.look() =>
        fn name() -> &'static str;
        fn check(levels: u8) -> Result<(), Misuse>;
        fn choose(view: &mut PlacementView<'_>, request: &Request, draw: u32) -> Result<Choice, Refusal>;
    }
}

pub(crate) fn first_level(it: &locox_placing) -> Answer<Placing> {
    Ok(in_order(it, FirstLevel::new(degree_of(it)?)))
}

pub(crate) fn first_calm_level(it: &locox_placing) -> Answer<Placing> {
    let placement = FirstLevel::new(degree_of(it)?);
    Ok(in_order(it, placement.on_calm_hosts(threshold_of(it)?, ticks(it.believed))))
}

fn in_order(it: &locox_placing, placement: FirstLevel) -> Placing {
    match it.shuffled {
        0 => erased!(AnyPlacement::FirstLevel as Places)(placement),
        _ => erased!(AnyPlacement::FirstLevelShuffled as Places)(placement.shuffled()),
    }
}

pub(crate) fn non_interfering(it: &locox_placing) -> Answer<Placing> {
    let (degree, threshold) = (degree_of(it)?, threshold_of(it)?);
    let (believed, settled) = (ticks(it.believed), ticks(it.settled));
    let placement = NonInterfering { degree, threshold, believed, settled };
    Ok(erased!(AnyPlacement::NonInterfering as Places)(placement))
}

fn threshold_of(it: &locox_placing) -> Answer<Threshold> {
    Ok(Threshold::from_thousandths(FromC::from_c(it.threshold)?)?)
}

fn degree_of(it: &locox_placing) -> Answer<u8> {
    u8::try_from(it.degree).map_err(|_| LOCOX_WRONG_LEVELS.into())
}
