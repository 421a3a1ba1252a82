//! A comparison as people read it.

use super::{Answer, Effect, Figure, Found, Jobs, Metric, Reason, Setting, Signs};
use crate::method::all_fill_their_subcubes;
use crate::way::Way;
use locox::mesh::Leftover;
use locox_report::report::{
    Axis, Block, Cell, Files, Forest, ForestRow, Leaning, Panel, Plot, Point, Section, Series,
    Shape, Table, counted,
};

/// A section for each source, then which method is best, then what the figures mean.
pub fn sections(settings: &[Setting], metrics: &[Metric]) -> Vec<Section> {
    let of_one_source = |a: &Setting, b: &Setting| std::ptr::eq(a.source, b.source);
    let sources = settings.chunk_by(of_one_source).enumerate();
    let mut sections: Vec<Section> =
        sources.map(|(at, settings)| of_source(at + 1, settings, metrics)).collect();
    sections.push(Section {
        id: "best".into(),
        title: "The best of each".into(),
        blocks: vec![Block::Table(best(settings, metrics)), Block::Files(files())],
    });
    sections.push(Section {
        id: "meaning".into(),
        title: "What the figures mean".into(),
        blocks: meaning(settings, metrics).into_iter().map(Block::Text).collect(),
    });
    sections
}

/// Each figure as a picture and as a table.
fn of_source(at: usize, settings: &[Setting], metrics: &[Metric]) -> Section {
    let source = settings[0].source;
    let mut blocks: Vec<Block> = jobs(&settings[0]).map(Block::Text).into_iter().collect();
    for &metric in metrics {
        blocks.extend(settings.iter().filter_map(|it| it.verdict(metric)).map(Block::Text));
        blocks.extend(forest(settings, metric).map(Block::Forest));
        blocks.push(Block::Table(table(settings, metric)));
    }
    if settings.len() > 1 {
        blocks.extend(metrics.iter().map(|&metric| Block::Plot(plot(settings, metric))));
    }
    blocks.extend(alike_by_construction(settings).map(Block::Text));
    let baseline = settings[0].baseline().method;
    let title = format!("{} on a {}, against {baseline}", source.name, source.machine);
    Section { id: format!("source-{at}"), title, blocks }
}

/// The data beside the page, as CSV and as JSON.
pub const DATA: [&str; 2] = ["comparison.csv", "comparison.json"];

fn files() -> Files {
    Files { about: "All figures as data:".into(), names: DATA.map(String::from).into() }
}

/// What is compared of a trace, where `locox replay` takes all of it.
fn jobs(setting: &Setting) -> Option<String> {
    let (Jobs::Trace(trace), Some(weeks)) = (&setting.source.jobs, setting.source.weeks()) else {
        return None;
    };
    let (whole, all) = (setting.source.jobs_compared() as u64, trace.jobs.len() as u64);
    Some(format!(
        "{weeks} whole weeks, with {} of {} jobs; `locox replay` takes all of them.",
        counted(whole),
        counted(all)
    ))
}

/// What the figures mean, and the reasons that occur.
fn meaning(settings: &[Setting], metrics: &[Metric]) -> Vec<String> {
    let effects: Vec<Effect> = settings
        .iter()
        .flat_map(|setting| metrics.iter().flat_map(|&metric| setting.effects(metric)))
        .map(|(_, effect)| effect)
        .collect();
    let occurs = |why| effects.iter().any(|effect| effect.difference.interval == Err(why));
    let any = |of_trace| settings.iter().any(|it| it.source.is_trace() == of_trace);
    let all: [(bool, &str); 7] = [
        (
            true,
            "Differences are to the base line, of the very same jobs. Run times below 10 s count as 10 s in the \
             slowdown. Methods that are better than the base line are not compared with each other.",
        ),
        (
            any(true),
            "Better or worse, of a trace: what was recorded says so, and all draws but fewer than one in twenty. A draw is \
             as many whole weeks of the trace, drawn anew with replacement and run again. The interval is that in which \
             95 % of the differences lie, and wider by a factor for few weeks; it may hold zero where the answer is clear.",
        ),
        (
            any(false),
            "Of a model: the mean difference over its replications, with Student's t; better or worse where the 95 % \
             interval does not hold zero.",
        ),
        (
            true,
            "How many attempts at starting a job were refused, and why, is in the report of `locox replay` on the same jobs.",
        ),
        (
            occurs(Reason::OrderMatters),
            "The order of the weeks matters: the work of a week is like that of its neighbours, or what was recorded lies \
             beyond what the same weeks give in other orders. So there is no interval.",
        ),
        (
            occurs(Reason::Saturated),
            "Saturated: in more than half of the weeks some job always waits. How much is waited then hangs on how long \
             the trace is, so there is no interval.",
        ),
        (
            occurs(Reason::TooShort),
            "Too short: of fewer than eight whole weeks nothing is drawn, and nothing is said.",
        ),
    ];
    all.into_iter().filter(|(is_so, _)| *is_so).map(|(_, text)| text.into()).collect()
}

impl Setting<'_> {
    /// What the others are compared with.
    pub fn baseline(&self) -> &Found {
        &self.found[0]
    }

    pub(super) fn load_told(&self) -> String {
        match (self.load, self.source.recorded_load()) {
            (Some(load), _) | (None, Some(load)) => format!("{:.1}\u{a0}%", load * 100.0),
            (None, None) => "as made".into(),
        }
    }

    fn effects(&self, metric: Metric) -> impl Iterator<Item = (&Found, Effect)> {
        self.found.iter().map(move |found| (found, found.effect(metric, self.baseline())))
    }

    /// The best of those that are better than the base line; the base line, if all others are worse or the same; none, if
    /// that cannot be told.
    pub(super) fn best(&self, metric: Metric) -> Option<(&Found, Effect)> {
        let is_known = |it: Answer| matches!(it, Answer::Baseline | Answer::Worse | Answer::Same);
        let better = self.effects(metric).filter(|(_, it)| it.answer == Answer::Better);
        let best = better.reduce(|best, next| {
            let (value, least) = (next.1.value.value, best.1.value.value);
            let better = if metric.more_is_better() { value > least } else { value < least };
            if better { next } else { best }
        });
        best.or_else(|| {
            let all_known = self.effects(metric).all(|(_, it)| is_known(it.answer));
            self.effects(metric).next().filter(|_| all_known)
        })
    }

    /// Which are better than the base line and which are not, in a sentence.
    fn verdict(&self, metric: Metric) -> Option<String> {
        const ORDER: [(Answer, &str); 6] = [
            (Answer::Better, "better than"),
            (Answer::Worse, "worse than"),
            (Answer::Same, "the same as"),
            (Answer::Undecided, "neither told better nor worse than"),
            (Answer::TooShort, "too short a trace to be compared with"),
            (Answer::TooFewDraws, "too few draws to be compared with"),
        ];
        let baseline = self.baseline().method;
        let word = if self.source.is_trace() { "draws" } else { "replications" };
        let named = |(found, effect): (&Found, Effect)| {
            let (Signs { better, worse }, draws) = (effect.signs, effect.difference.draws);
            match effect.answer {
                Answer::Better => format!("{} (in {better} of {draws} {word})", found.method),
                Answer::Worse => format!("{} (in {worse} of {draws} {word})", found.method),
                Answer::Undecided => format!(
                    "{} (better in {better}, worse in {worse} of {draws} {word})",
                    found.method
                ),
                _ => found.method.to_string(),
            }
        };
        let groups = ORDER.map(|(answer, words)| {
            let of = self.effects(metric).filter(|(_, effect)| effect.answer == answer);
            let names: Vec<String> = of.map(named).collect();
            (!names.is_empty()).then(|| format!("{words} {baseline}: {}", names.join(", ")))
        });
        let groups: Vec<String> = groups.into_iter().flatten().collect();
        let load = match self.load.or(self.source.recorded_load()) {
            Some(_) => format!("At a load of {}", self.load_told()),
            None => "As made".into(),
        };
        (!groups.is_empty()).then(|| format!("{load}, {}: {}.", metric.title(), groups.join("; ")))
    }
}

fn with_unit(metric: Metric) -> String {
    match metric.unit() {
        "" => metric.title().into(),
        unit => format!("{} ({unit})", metric.title()),
    }
}

fn best(settings: &[Setting], metrics: &[Metric]) -> Table {
    let columns = [
        ("source", "jobs"),
        ("load", "load"),
        ("metric", "figure"),
        ("best", "best"),
        ("value", "value"),
        ("difference", "difference"),
        ("answer", "against the base line"),
    ];
    let mut table = Table::new("Best, by figure", &columns);
    for setting in settings {
        for &metric in metrics {
            let mut row = vec![
                Cell::text(&setting.source.name),
                Cell::text(setting.load_told()),
                Cell::text(with_unit(metric)),
            ];
            row.extend(match setting.best(metric) {
                Some((found, effect)) => [
                    Cell::text(found.method.to_string()),
                    Cell::Number(effect.value.value, metric.digits()),
                    difference(&effect, metric),
                    Cell::text(effect.told()),
                ],
                None => {
                    ["–", "–", "–", "none is told better, and not all are worse"].map(Cell::text)
                }
            });
            table.push(row);
        }
    }
    table
}

fn table(settings: &[Setting], metric: Metric) -> Table {
    let columns = [
        ("load", "load"),
        ("method", "method"),
        ("value", "value"),
        ("difference", "difference"),
        ("answer", "against the base line"),
    ];
    let mut table = Table::new(with_unit(metric), &columns);
    for setting in settings {
        for found in &setting.found {
            let effect = found.effect(metric, setting.baseline());
            table.push(vec![
                Cell::text(setting.load_told()),
                Cell::text(found.method.to_string()),
                Cell::text(figure(&effect.value, metric, "")),
                difference(&effect, metric),
                Cell::text(effect.told()),
            ]);
        }
    }
    table
}

fn difference(effect: &Effect, metric: Metric) -> Cell {
    if effect.answer == Answer::Baseline {
        return Cell::text("–");
    }
    let shown = figure(&effect.difference, metric, "+");
    Cell::text(match (effect.difference.interval, effect.range) {
        (Err(_), Some((least, greatest))) => {
            let [least, greatest] = [least, greatest].map(|it| number(it, metric, "+"));
            format!("{shown} (draws {least} to {greatest})")
        }
        _ => shown,
    })
}

/// `37 (-20 to 1,481)`; positive numbers with `sign`.
fn figure(figure: &Figure, metric: Metric, sign: &str) -> String {
    let number = |value| number(value, metric, sign);
    let interval =
        figure.interval.map(|(low, high)| format!(" ({} to {})", number(low), number(high)));
    number(figure.value) + &interval.unwrap_or_default()
}

fn number(value: f64, metric: Metric, sign: &str) -> String {
    let sign = if value > 0.0 { sign } else { "" };
    format!("{sign}{}", Cell::Number(value, metric.digits()).shown())
}

/// The others beside the base line; one that has an axis of its own for each load.
fn forest(settings: &[Setting], metric: Metric) -> Option<Forest> {
    let panel = |setting: &Setting| {
        let others = setting.found.iter().skip(1);
        let rows = others.map(|found| row(found, setting.baseline(), metric)).collect();
        let name = match settings {
            [_] => String::new(),
            _ => format!("At a load of {}", setting.load_told()),
        };
        Panel { name, rows }
    };
    let baseline = settings[0].baseline().method;
    (settings[0].found.len() > 1).then(|| Forest {
        title: format!("Difference in {}.", metric.title()),
        caption: format!(
            "{} is better than {baseline}; the bars are 95 % intervals.",
            if metric.more_is_better() {
                "Right of the line at zero"
            } else {
                "Left of the line at zero"
            }
        ),
        axis: format!("{}: difference to {baseline}", with_unit(metric)),
        digits: metric.digits(),
        panels: settings.iter().map(panel).collect(),
    })
}

fn row(found: &Found, baseline: &Found, metric: Metric) -> ForestRow {
    let effect = found.effect(metric, baseline);
    let Effect { difference, answer, .. } = effect;
    ForestRow {
        name: found.method.to_string(),
        value: difference.value,
        interval: difference.interval.ok(),
        leaning: match answer {
            Answer::Better => Leaning::Better,
            Answer::Worse => Leaning::Worse,
            _ => Leaning::Neither,
        },
        answer: effect.told(),
    }
}

fn plot(settings: &[Setting], metric: Metric) -> Plot {
    let series = (0..settings[0].found.len()).map(|at| {
        let points = settings.iter().filter_map(|setting| {
            let load = setting.load.or(setting.source.recorded_load())?;
            let found = &setting.found[at];
            let value = found.effect(metric, setting.baseline()).value;
            Some(point(load * 100.0, &value))
        });
        let mut points: Vec<Point> = points.collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        let name = settings[0].found[at].method.to_string();
        Series { name, shape: Shape::Line, points }
    });
    Plot {
        title: format!("{}.", with_unit(metric)),
        caption: "With 95 % intervals of replications; those of traces are in the table.".into(),
        x: Axis::close("offered load (%)"),
        y: Axis::linear(with_unit(metric)),
        series: series.collect(),
    }
}

/// A mark has one half width, so an interval that is wider on one side is left to the table.
fn point(x: f64, figure: &Figure) -> Point {
    let halves = figure.interval.ok().map(|(low, high)| (figure.value - low, high - figure.value));
    let even = halves.filter(|(below, above)| (below - above).abs() <= 1e-9 * above.abs());
    Point { x, y: figure.value, half_width: even.map(|(half, _)| half) }
}

fn alike_by_construction(settings: &[Setting]) -> Option<String> {
    let reuses = |found: &Found| matches!(found.method.way, Way::Meshes(_, Leftover::Reused));
    let setting = settings.iter().find(|setting| setting.found.iter().any(reuses))?;
    all_fill_their_subcubes(&setting.source.draw(None, 1, 1).ok()?.jobs)
}
