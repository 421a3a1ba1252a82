//! A comparison as people read it.

use super::{Answer, Effect, Figure, Found, Metric, Setting};
use crate::method::{Way, all_fill_their_subcubes};
use locox::mesh::Leftover;
use locox_report::report::{
    Axis, Block, Cell, Files, Forest, ForestRow, Leaning, Panel, Plot, Point, Section, Series,
    Shape, Table,
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
        blocks: HOW.map(|text| Block::Text(text.into())).into(),
    });
    sections
}

/// Each figure as a picture and as a table.
fn of_source(at: usize, settings: &[Setting], metrics: &[Metric]) -> Section {
    let source = settings[0].source;
    let mut blocks = Vec::new();
    for &metric in metrics {
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

const HOW: [&str; 4] = [
    "Differences are to the base line, of the very same jobs. Run times below 10 s count as 10 s in \
     the slowdown.",
    "The interval of a trace is that in which 95 % of the differences lie when its whole weeks are \
     drawn anew with replacement and run again, and wider by a factor for few weeks. The interval of \
     a model is that of its replications (Student's t, 95 %). Each interval stands by itself: of \
     twenty one may miss.",
    "How many attempts at starting a job were refused, and why, is in the report of `locox replay` on the same \
     jobs.",
    "The order of the weeks matters: the work of a week is like that of its neighbours, or what was \
     recorded lies beyond what the same weeks give in other orders. Saturated: in half of the weeks \
     some job always waits. Such weeks say nothing one by one, so there is no interval.",
];

impl Setting<'_> {
    /// What the others are compared with.
    pub fn baseline(&self) -> &Found {
        &self.found[0]
    }

    fn load_told(&self) -> String {
        match (self.load, self.source.recorded_load()) {
            (Some(load), _) | (None, Some(load)) => format!("{:.1}\u{a0}%", load * 100.0),
            (None, None) => "as made".into(),
        }
    }

    fn best(&self, metric: Metric) -> Option<(&Found, Effect)> {
        let effects = self.found.iter().map(|found| (found, found.effect(metric, self.baseline())));
        // The first of equals: the base line, if it is among them.
        effects.reduce(|best, next| {
            let (value, least) = (next.1.value.value, best.1.value.value);
            let better = if metric.more_is_better() { value > least } else { value < least };
            if better { next } else { best }
        })
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
            let Some((found, effect)) = setting.best(metric) else { continue };
            table.push(vec![
                Cell::text(&setting.source.name),
                Cell::text(setting.load_told()),
                Cell::text(with_unit(metric)),
                Cell::text(found.method.to_string()),
                Cell::Number(effect.value.value, metric.digits()),
                difference(&effect, metric),
                Cell::text(effect.told()),
            ]);
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
    Cell::text(figure(&effect.difference, metric, "+"))
}

/// `37 (-20 to 1,481)`; positive numbers with `sign`.
fn figure(figure: &Figure, metric: Metric, sign: &str) -> String {
    let digits = metric.digits();
    let number = |value: f64| {
        let sign = if value > 0.0 { sign } else { "" };
        format!("{sign}{}", Cell::Number(value, digits).shown())
    };
    let interval =
        figure.interval.map(|(low, high)| format!(" ({} to {})", number(low), number(high)));
    number(figure.value) + &interval.unwrap_or_default()
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
        answer: effect.told().into(),
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
