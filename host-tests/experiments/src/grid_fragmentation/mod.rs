//! How boxes are placed on a torus, and what that leaves of it for the next ones.

mod watched;

use super::difference::minus;
use super::sources::boxes::{CORNER_WHOLE, FEWEST_SOONER, FEWEST_WHOLE};
use super::{Experiment, Findings, Lab};
use locox::grid::{Placement, Sides};
use locox::mesh;
use locox_models::machine::{GridMachine, Layout};
use locox_models::replay::{Options, QueueKind, replay};
use locox_models::stats::Estimate;
use locox_models::workload::slices::Slices;
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Block, Cell, Claim, Fact, Table};
use watched::Watched;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "grid-fragmentation",
    title: "Placement of slices on a torus of 16x16x16",
    source: "shares of slices: Jouppi and others 2023, table 2, in part; all else is ours",
    about: "A week of requests for slices comes to a torus of 4,096 nodes. Each takes the first free box, the one \
            that touches most (corner), or of those that touch much the one that destroys the fewest larger boxes \
            (fewest); rotations are allowed. What is left of the machine for the next requests, and how long do they \
            wait? Fragmentation is the share of the free nodes that lies in no free box of a shape, averaged over \
            the mix of shapes, after each job that ends. Times between arrivals and run times are exponential.",
    statements: &[&FEWEST_WHOLE, &CORNER_WHOLE, &FEWEST_SOONER],
    run: |lab| Ok(run(lab)),
    #[cfg(test)]
    planted: tests::planted,
};

/// The slices whose shares of all are known to us, in per cent of all slices on a day of November 2022.
const SHARES: [([u32; 3], f64); 8] = [
    ([1, 2, 2], 6.7),
    ([2, 4, 4], 8.9),
    ([4, 4, 4], 13.9),
    ([4, 4, 8], 16.0),
    ([4, 8, 8], 9.2),
    ([8, 8, 8], 9.6),
    ([8, 16, 16], 1.4),
    ([12, 16, 16], 5.7),
];

/// Which of them come, as a name and how many of the first, and at which load. A slice of most of the machine
/// lets the ones behind it wait until it is nearly empty.
const MIXES: [(&str, usize, f64); 2] = [("up to 512 nodes", 6, 0.75), ("up to 3072 nodes", 8, 0.4)];

const QUEUES: [QueueKind; 2] = [QueueKind::Fcfs, QueueKind::Window(16)];

const WEEK: u64 = 7 * 24 * 3600;
/// Mean run time in seconds.
const RUN: f64 = 4.0 * 3600.0;

fn recipe(&(name, first, load): &(&str, usize, f64)) -> Slices {
    let shape = |[x, y, z]: [u32; 3]| mesh::Shape::cuboid(x, y, z).expect("a small box");
    Slices {
        name: name.into(),
        processors: 4096,
        mix: SHARES[..first].iter().map(|&(sides, share)| (shape(sides), share)).collect(),
        load,
        run: RUN,
        span: WEEK,
    }
}

fn torus() -> Layout {
    "torus:16x16x16".parse().expect("a machine")
}

/// Figures of one replication.
#[derive(Clone, Copy)]
struct Figures {
    /// In per cent of the nodes.
    used: f64,
    /// In hours.
    wait: f64,
    /// Of the attempts that were refused those that found enough nodes free, in per cent.
    apart: f64,
    /// In per cent of the free nodes.
    fragmentation: f64,
}

/// A mix of slices behind a queue.
/// Those whose figures are published.
const PLACEMENTS: [Placement; 3] = [Placement::First, Placement::Corner, Placement::Fewest];

struct Outcome {
    mix: &'static str,
    queue: QueueKind,
    /// By placement and replication.
    figures: Vec<Vec<Figures>>,
}

impl Outcome {
    fn of(&self, placement: Placement, figure: fn(&Figures) -> f64) -> Vec<f64> {
        let at = PLACEMENTS.iter().position(|&it| it == placement);
        self.figures[at.expect("all are measured")].iter().map(figure).collect()
    }

    /// By how much it is less than where the first box is taken.
    fn case(&self, placement: Placement, figure: fn(&Figures) -> f64) -> Case {
        let less = minus(&self.of(Placement::First, figure), &self.of(placement, figure));
        Case::new(format!("{}, {}", self.mix, self.queue), less, Expected::MORE)
    }
}

/// The placement that is run under the name of one.
type Run = fn(Placement) -> Placement;

fn run(lab: &Lab) -> Findings {
    let replications = lab.either(12, 60);
    let outcomes = study(lab, replications, |placement| placement);
    let shares = SHARES.map(|([x, y, z], share)| format!("{x}x{y}x{z} {share}"));
    let loads = MIXES.map(|(name, _, load)| format!("{name}: {load}"));
    Findings {
        parameters: vec![
            Fact::new("replications", replications),
            Fact::new("shares of slices (%)", shares.join(", ")),
            Fact::new("offered load", loads.join("; ")),
            Fact::new("mean run time (h)", RUN / 3600.0),
        ],
        claims: claims(&outcomes),
        results: vec![Block::Table(table(&outcomes))],
    }
}

fn study(lab: &Lab, replications: u64, run: Run) -> Vec<Outcome> {
    let each = |&mix| QUEUES.map(|queue| (mix, queue));
    let settings: Vec<_> = MIXES.iter().flat_map(each).collect();
    let placements = PLACEMENTS;
    let one = |&setting| {
        placements.map(|placement| (0..replications).map(move |at| (setting, placement, at)))
    };
    let items: Vec<_> = settings.iter().flat_map(one).flatten().collect();
    let figures = lab.parallel(&items, |&((mix, queue), placement, at)| {
        figures(&recipe(&mix), queue, run(placement), lab.seed, at)
    });
    let runs: Vec<_> = figures.chunks(replications as usize).map(<[_]>::to_vec).collect();
    let of_settings = settings.iter().zip(runs.chunks(placements.len()));
    let outcome = |(&((mix, ..), queue), figures): (&((_, _, _), _), &[_])| Outcome {
        mix,
        queue,
        figures: figures.to_vec(),
    };
    of_settings.map(outcome).collect()
}

fn figures(recipe: &Slices, queue: QueueKind, placement: Placement, seed: u64, at: u64) -> Figures {
    let workload = recipe.generate(seed, at);
    let sides = |shape: mesh::Shape| Sides::new(&shape.sides().map(|side| side as u8));
    let mix = recipe.mix.iter().filter_map(|&(shape, share)| Some((sides(shape)?, share)));
    let mix: Vec<_> = mix.collect();
    let mut machine = Watched::new(GridMachine::new(torus(), placement), &mix);
    let mut line = queue.queue(workload.jobs.len(), recipe.processors);
    let outcome = replay(&workload, &mut machine, &mut *line, &Options::default());
    let outcome = outcome.expect("slices that the torus has");
    let refused = outcome.refusals;
    Figures {
        used: 100.0 * outcome.utilisation,
        wait: outcome.mean_wait / 3600.0,
        apart: 100.0 * refused.fragmented as f64 / refused.all().max(1) as f64,
        fragmentation: machine.fragmentation(),
    }
}

fn table(outcomes: &[Outcome]) -> Table {
    let columns = [
        ("mix", "slices"),
        ("queue", "queue"),
        ("placement", "placement"),
        ("fragmentation", "fragmentation (%)"),
        ("apart", "refused though enough were free (%)"),
        ("wait_h", "mean wait (h)"),
        ("used", "in use (%)"),
    ];
    let mut table = Table::new("What placements leave of the torus", &columns);
    for outcome in outcomes {
        for placement in PLACEMENTS {
            let estimate = |figure: fn(&Figures) -> f64, digits| {
                Cell::Estimate(Estimate::of(&outcome.of(placement, figure)), digits)
            };
            table.push(vec![
                Cell::text(outcome.mix),
                Cell::text(outcome.queue.to_string()),
                Cell::text(placement.to_string()),
                estimate(|it| it.fragmentation, 1),
                estimate(|it| it.apart, 1),
                estimate(|it| it.wait, 2),
                estimate(|it| it.used, 1),
            ]);
        }
    }
    table
}

fn claims(outcomes: &[Outcome]) -> Vec<Claim> {
    let less = |placement, figure: fn(&Figures) -> f64, unit| {
        let cases: Vec<_> = outcomes.iter().map(|it| it.case(placement, figure)).collect();
        judge::every(&cases, unit)
    };
    let points = Unit("percentage points", 1);
    let means = |placement: Placement, figure: fn(&Figures) -> f64| {
        let mean = |it: &Outcome| format!("{:.1}", Estimate::of(&it.of(placement, figure)).mean);
        format!("{placement} {}", outcomes.iter().map(mean).collect::<Vec<_>>().join(", "))
    };
    let told = |figure: fn(&Figures) -> f64, what: &str| {
        format!("{what}: {}.", PLACEMENTS.map(|it| means(it, figure)).join("; "))
    };
    let fragmentation = told(|it| it.fragmentation, "Fragmentation, per cent");
    vec![
        less(Placement::Fewest, |it| it.fragmentation, points).on(&FEWEST_WHOLE, &fragmentation),
        less(Placement::Corner, |it| it.fragmentation, points).on(&CORNER_WHOLE, &fragmentation),
        less(Placement::Fewest, |it| it.wait, Unit("h", 2))
            .on(&FEWEST_SOONER, told(|it| it.wait, "Mean wait, hours")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox_report::progress::Progress;

    fn judged(run: Run) -> Vec<Claim> {
        let lab = Lab::new(crate::Effort::Quick, 1, Progress::hidden());
        claims(&study(&lab, 12, run))
    }

    /// The names of the first box and of the one that destroys least, exchanged.
    pub(super) fn planted() -> [Vec<Claim>; 2] {
        let exchanged = |placement| match placement {
            Placement::First => Placement::Fewest,
            Placement::Fewest => Placement::First,
            Placement::Corner => Placement::Corner,
        };
        [judged(|placement| placement), judged(exchanged)]
    }
}
