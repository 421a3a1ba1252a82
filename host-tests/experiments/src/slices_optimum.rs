//! How much of the demand the best placement of profiles on one accelerator serves, and what ours loses.

use super::loss_system::{Leases, LossSystem, Optimum, Place, Subject};
use super::sources::accelerators::{FIRST_LOSES, NEAR_OPTIMUM, SMALL_ONES};
use super::thresholds::SLICES_NEAR;
use super::{Experiment, Findings, Lab};
use locox::accelerator::{ProfileId, SliceLease, SlicePool, Table as Placements};
use locox::handle::PoolId;
use locox_models::stats::Estimate;
use locox_models::streams::stream;
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Block, Cell, Claim, Fact, Table, counted};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "slices-optimum",
    title: "Placement of profiles against the best there is on one accelerator",
    source: "worked out for this project",
    about: "Requests for the profiles of an accelerator that is cut into slices come as Poisson streams and \
            are lost if they find no room; leases end after exponential times. Which of the placements that \
            the hardware allows serves most of the demand, in slices? Among all that refuse nothing that fits \
            the best is computed exactly, by value iteration over the sets of live leases. What a choice loses \
            against it is the value of the states that it leads to, compared with the best ones, averaged \
            over the requests of a run.",
    statements: &[&NEAR_OPTIMUM, &FIRST_LOSES, &SMALL_ONES],
    run: |lab| Ok(run(lab)),
    #[cfg(test)]
    planted: tests::planted,
};

/// Demand as a share of the accelerator.
const LOAD: f64 = 0.9;

const ACCELERATORS: [(&str, Placements<'static>); 2] =
    [("A100", Placements::A100), ("H100", Placements::H100)];

/// How often each profile is asked for: name, and the weight of the one at this place of so many, smaller
/// ones before larger ones.
type Mix = (&'static str, fn(usize, usize) -> f64);

const MIXES: [Mix; 4] = [
    ("all profiles equally frequent", |_, _| 1.0),
    ("small ones more frequent", |at, of| (of - at) as f64),
    ("large ones more frequent", |at, _| (at + 1) as f64),
    ("the smallest and the largest three times as frequent as others", |at, of| {
        if at == 0 || at + 1 == of { 3.0 } else { 1.0 }
    }),
];

/// Mixes of almost nothing but small ones.
const SMALL: [Mix; 2] = [
    ("each half as frequent as the next smaller", |at, _| 0.5f64.powi(at as i32)),
    ("1g, 2g and 3g alone, large ones rarer", |at, of| {
        // On an H100 there are two profiles of the size of 2g.
        if at + 2 < of { (of - 2 - at) as f64 } else { 0.0 }
    }),
];

/// A choice among the free placements of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    /// The pool's own.
    Fewest,
    First,
    Last,
}

const CHOICES: [(Choice, &str); 3] =
    [(Choice::Fewest, "fewest stranded"), (Choice::First, "first"), (Choice::Last, "last")];

/// A pool that is asked for profiles, or for the placements that another choice names.
struct Chosen<'a> {
    pool: SlicePool<'static>,
    system: &'a LossSystem,
    choice: Choice,
}

impl Subject for Chosen<'_> {
    type Lease = SliceLease;

    fn allocate(&mut self, class: usize) -> Option<(SliceLease, Leases)> {
        let (table, free, profile) = (self.pool.table(), self.pool.free(), ProfileId(class as u32));
        let placements = table.profile(profile)?.placements;
        let mut fitting = placements.iter().filter(|placement| placement.lies_in(free));
        let claimed = match self.choice {
            Choice::Fewest => None,
            Choice::First => Some(*fitting.next()?),
            Choice::Last => Some(*fitting.next_back()?),
        };
        let lease = match claimed {
            Some(placement) => self.pool.claim(profile, placement).ok()?,
            None => self.pool.allocate(profile).ok()?,
        };
        let before = table.profiles().iter().take(class).map(|it| it.placements.len());
        let at = placements.iter().position(|it| *it == lease.slices())?;
        Some((lease, 1 << (before.sum::<usize>() + at)))
    }

    fn release(&mut self, lease: SliceLease) {
        self.pool.release(lease).expect("it is live");
    }

    fn state(&self, leases: Leases) -> usize {
        self.system.state(leases)
    }
}

fn system_of(table: &Placements<'_>) -> LossSystem {
    let profiles = table.profiles().iter().enumerate();
    let all = profiles.flat_map(|(class, it)| it.placements.iter().map(move |&it| (class, it)));
    let all: Vec<_> = all.collect();
    let place = |&(class, slices)| {
        let met = all.iter().enumerate().filter(|(_, (_, it))| it.without(slices) != *it);
        Place { class, met: met.map(|(at, _)| 1 << at).sum() }
    };
    let places: Vec<Place> = all.iter().map(place).collect();
    let sizes = table.profiles().iter().map(|it| f64::from(it.slices())).collect();
    LossSystem::explore(sizes, table.slices().into(), &places, |leases| leases)
}

/// What came of one accelerator under one mix.
struct Outcome {
    accelerator: &'static str,
    mix: &'static str,
    /// Whether it is one of those of small profiles.
    small: bool,
    /// Per cent of the demand.
    served: f64,
    /// By choice and replication, per cent of what is served at best.
    lost: Vec<Vec<f64>>,
}

fn run(lab: &Lab) -> Findings {
    let (requests, replications) = lab.either((20_000, 4), (500_000, 10));
    let systems = ACCELERATORS.map(|(_, table)| system_of(&table));
    let outcomes = study(lab, &systems, requests, replications, |choice| choice);
    Findings {
        parameters: vec![
            Fact::new("load", LOAD),
            Fact::new("requests of a replication", counted(requests)),
            Fact::new("replications", replications),
            Fact::new("states of the A100", counted(systems[0].states() as u64)),
            Fact::new("states of the H100", counted(systems[1].states() as u64)),
        ],
        claims: claims(&outcomes),
        results: vec![Block::Table(table(&outcomes))],
    }
}

/// The choice that is run under the name of one.
type Run = fn(Choice) -> Choice;

fn study(
    lab: &Lab,
    systems: &[LossSystem; 2],
    requests: u64,
    replications: u64,
    run: Run,
) -> Vec<Outcome> {
    let mut outcomes = vec![];
    for ((accelerator, table), system) in ACCELERATORS.into_iter().zip(systems) {
        let of = table.profiles().len();
        for (small, (mix, weight)) in
            MIXES.map(|mix| (false, mix)).into_iter().chain(SMALL.map(|mix| (true, mix)))
        {
            let weights: Vec<f64> = (0..of).map(|at| weight(at, of)).collect();
            let optimum = system.optimum(&weights, LOAD);
            let lost = losses(lab, (table, system, &optimum), requests, replications, run);
            let served = 100.0 * optimum.served;
            outcomes.push(Outcome { accelerator, mix, small, served, lost });
        }
    }
    outcomes
}

fn losses(
    lab: &Lab,
    (table, system, optimum): (Placements<'static>, &LossSystem, &Optimum<'_>),
    requests: u64,
    replications: u64,
    run: Run,
) -> Vec<Vec<f64>> {
    let one = |(choice, _)| (0..replications).map(move |replication| (choice, replication));
    let items: Vec<_> = CHOICES.into_iter().flat_map(one).collect();
    let lost = lab.parallel(&items, |&(choice, replication)| {
        let pool = SlicePool::new(PoolId(0), table);
        let chosen = Chosen { pool, system, choice: run(choice) };
        100.0 * optimum.loss(chosen, requests, stream(lab.seed, "slices-optimum", replication))
    });
    lost.chunks(replications as usize).map(<[_]>::to_vec).collect()
}

fn table(outcomes: &[Outcome]) -> Table {
    let mut columns = vec![
        ("accelerator", "accelerator"),
        ("mix", "profiles asked for"),
        ("best", "best: served (% of the demand)"),
    ];
    columns.extend(CHOICES.iter().map(|&(_, name)| (name, name)));
    let mut table = Table::new("What choices lose against the best placement (%)", &columns);
    for Outcome { accelerator, mix, served, lost, .. } in outcomes {
        let mut row = vec![Cell::text(*accelerator), Cell::text(*mix), Cell::Number(*served, 2)];
        row.extend(lost.iter().map(|lost| Cell::Estimate(Estimate::of(lost), 3)));
        table.push(row);
    }
    table
}

const PER_CENT: Unit = Unit("per cent", 2);

fn of(outcome: &Outcome, choice: Choice) -> &[f64] {
    let at = CHOICES.iter().position(|&(it, _)| it == choice).expect("all are measured");
    &outcome.lost[at]
}

fn claims(outcomes: &[Outcome]) -> Vec<Claim> {
    let name = |it: &Outcome| format!("{}, {}", it.accelerator, it.mix);
    let range = |choice, small| {
        let measured = outcomes.iter().filter(|it| it.small == small);
        let means = measured.map(|it| Estimate::of(of(it, choice)).mean);
        let (least, most) =
            means.fold((f64::MAX, 0.0f64), |(low, high), mean| (mean.min(low), mean.max(high)));
        format!("{least:.2} to {most:.2}")
    };
    let level = |small, expected: Expected| {
        let measured = outcomes.iter().filter(|it| it.small == small);
        let cases =
            measured.map(|it| Case::new(name(it), of(it, Choice::Fewest).to_vec(), expected));
        cases.collect::<Vec<_>>()
    };
    let more = outcomes.iter().filter(|it| !it.small).map(|it| {
        let pairs = of(it, Choice::First).iter().zip(of(it, Choice::Fewest));
        Case::new(name(it), pairs.map(|(first, fewest)| first - fewest).collect(), Expected::MORE)
    });
    let near = level(false, Expected::Inside(f64::NEG_INFINITY, SLICES_NEAR));
    let far = level(true, Expected::Inside(SLICES_NEAR, f64::INFINITY));
    vec![
        judge::every(&near, PER_CENT)
            .of_levels()
            .on(&NEAR_OPTIMUM, format!("Lost, per cent: {}.", range(Choice::Fewest, false))),
        judge::every(&more.collect::<Vec<_>>(), PER_CENT).on(
            &FIRST_LOSES,
            format!(
                "Lost, per cent: first {}, last {}, fewest stranded {}.",
                range(Choice::First, false),
                range(Choice::Last, false),
                range(Choice::Fewest, false)
            ),
        ),
        judge::every(&far, PER_CENT).of_levels().on(
            &SMALL_ONES,
            format!(
                "Lost, per cent: first {}, last {}, fewest stranded {}.",
                range(Choice::First, true),
                range(Choice::Last, true),
                range(Choice::Fewest, true)
            ),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox_report::progress::Progress;

    fn judged(run: Run) -> Vec<Claim> {
        let lab = Lab::new(crate::Effort::Quick, 1, Progress::hidden());
        let systems = ACCELERATORS.map(|(_, table)| system_of(&table));
        claims(&study(&lab, &systems, 20_000, 4, run))
    }

    const EXCHANGED: Run = |choice| match choice {
        Choice::Fewest => Choice::First,
        Choice::First => Choice::Fewest,
        Choice::Last => Choice::Last,
    };

    pub(super) fn planted() -> [Vec<Claim>; 2] {
        [judged(|choice| choice), judged(EXCHANGED)]
    }

    #[test]
    fn an_a100_has_as_many_states_as_its_halves_have_together() {
        // Two pairs of slices of 5 states each, 3g or 4g below; a pair, slice 6, or 3g above; or 7g.
        assert_eq!(system_of(&Placements::A100).states(), (5 * 5 + 2) * (5 * 2 + 1) + 1);
    }

    #[test]
    fn single_slices_are_served_as_by_the_formula_of_erlang() {
        let system = system_of(&Placements::A30);
        let offered = LOAD * 4.0;
        let blocked = (1..=4).fold(1.0, |blocked, servers| {
            offered * blocked / (f64::from(servers) + offered * blocked)
        });
        let served = system.optimum(&[1.0, 0.0, 0.0], LOAD).served;
        assert!((served - (1.0 - blocked)).abs() < 1e-5, "{served}");
    }
}
