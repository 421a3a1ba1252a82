//! Reservations of places: of boxes, of subcubes, of nodes in one rack.

use super::{Options, Outcome, answers, by_policy, run};
use crate::machine::{FEW, MANY, Rule, StrategyKind};
use crate::workload::reservations::Asking;
use locox::bits::Word;
use locox::cube::Dim;
use locox::machine::{Numbered, Tree};
use locox::reserve::{Request, SetupError, Together};
use locox::subcube::{Buddy, ByMap, Complete, GrayCode, Subcubes};

/// As [`run`], on a machine whose jobs get their places by this rule. A request gets the place of a job of as many nodes, and
/// holds all of it.
///
/// [`Options::pes`] are to be the nodes of the machine. [`Options::choice`] is not looked at, but where any nodes will do. On
/// nodes with quantities it is any of their cores.
///
/// # Errors
///
/// As [`run`].
///
/// ```
/// use locox::reserve::{Fit, Request};
/// use locox::time::{Duration, Instant};
/// use locox_models::machine::{Hypercube, Machine, StrategyKind};
/// use locox_models::reservations::{Options, run_in_places};
/// use locox_models::workload::reservations::Asking;
/// let cube = Hypercube::new(3.try_into().unwrap(), StrategyKind::Complete);
/// let request = Request::new(Instant::ZERO, Duration::from_ticks(10), 3);
/// let asking = Asking { id: 1, arrival: Instant::ZERO, request };
/// let outcome = run_in_places(&[asking; 3], cube.rule().unwrap(), &Options::new(8, Fit::First)).unwrap();
/// let placed = outcome.answers.iter().map(|answer| answer.placed.as_ref().unwrap());
/// let placed: Vec<_> = placed.map(|placed| (placed.held, placed.at.start.ticks())).collect();
/// assert_eq!(placed, [(4, 0), (4, 0), (4, 10)]);
/// ```
pub fn run_in_places(
    requests: &[Asking],
    rule: Rule,
    options: &Options<'_>,
) -> Result<Outcome, SetupError> {
    match rule {
        Rule::Count(_) | Rule::Nodes(..) => run(requests, options),
        Rule::Boxes(boxes, layout) => {
            let rounded = layout.rounded();
            let of_nodes = |pes| rounded.get(pes as usize).map(|&held| layout.of_nodes(held));
            together(requests, &boxes, of_nodes, options)
        }
        Rule::Subcubes(dims, StrategyKind::Buddy) => on_cube::<Buddy>(requests, dims, options),
        Rule::Subcubes(dims, StrategyKind::GrayCode) => {
            on_cube::<GrayCode>(requests, dims, options)
        }
        Rule::Subcubes(dims, _) => on_cube::<Complete>(requests, dims, options),
        Rule::Domains(racks, nearness) => {
            let domain = |pes| Some(racks.domain(nearness, pes));
            match racks.processors() <= FEW as u32 * Word::BITS {
                true => together::<Tree<'_, FEW>>(requests, &racks.tree(), domain, options),
                false => together::<Tree<'_, MANY>>(requests, &racks.tree(), domain, options),
            }
        }
    }
}

fn on_cube<S: ByMap>(
    requests: &[Asking],
    dims: Dim,
    options: &Options<'_>,
) -> Result<Outcome, SetupError> {
    let machine = Subcubes::<S>::new(dims).expect("a cube of at most 16 dimensions");
    together(requests, &machine, Dim::holding, options)
}

/// Of a machine that has a request for so many nodes, if it has so many.
fn together<M: Numbered>(
    requests: &[Asking],
    machine: &M,
    place: impl Fn(u32) -> Option<M::Request>,
    options: &Options<'_>,
) -> Result<Outcome, SetupError> {
    let mut words = vec![M::Word::default(); Together::words(machine)];
    answers(requests, options, |timeline, asking| {
        let request = &asking.request;
        let may_fit = (1..=machine.nodes()).contains(&request.pes);
        let place = Some(request.pes).filter(|_| may_fit).and_then(&place);
        // The timeline says itself why there is none.
        let Some(place) = place else { return by_policy(timeline, request, options) };
        let choice = Together::new(machine, place, &mut words).expect("as many as it takes");
        let held = Request { pes: machine.size(&place), ..*request };
        by_policy(timeline, &held, &Options { choice: &choice, ..*options })
    })
}
