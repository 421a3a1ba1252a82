//! Draws a plot as SVG. Lengths along the x axis are shares of the width that the page has, heights and letters
//! are pixels: so it can be read on a small screen as well as on a wide one.
//!
//! A series is a group. Its curve lies in a view of its own, which a script narrows to zoom; without a script
//! the picture is the whole of it.

use super::alike::{self, Place, Turn};
use super::ruler::Ruler;
use super::{Plot, Point, Scale, Series, Shape};
use super::{plot_data, thin};
use maud::{Markup, html};
use std::borrow::Cow;

/// Colours that the page defines for series, as `--series-0` and so on; more series start over.
const PALETTE: usize = 8;
/// A curve with more points than this is drawn without marks.
const MARKED: usize = 40;
/// Width of the view of a curve, whatever the width of the page.
const ACROSS: f64 = 10_000.0;
/// In pixels: a digit, the narrowest plot, the line of the y axis' title, room below for ticks and title.
const DIGIT: f64 = 7.5;
const NARROWEST: f64 = 240.0;
const ABOVE: f64 = 28.0;
const BELOW: f64 = 48.0;
/// Dashes of curves that lie on each other, and of those that are formulas.
const DASH: usize = 9;
const FORMULA: &str = "7 5";

/// How large a plot is on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// As wide as the page.
    Wide,
    /// Two beside each other.
    Small,
}

impl Size {
    const fn height(self) -> f64 {
        match self {
            Self::Wide => 300.0,
            Self::Small => 190.0,
        }
    }

    const fn ticks(self) -> usize {
        match self {
            Self::Wide => 7,
            Self::Small => 6,
        }
    }
}

/// A plot with its axes, ready to be drawn.
pub(super) struct Chart<'a> {
    /// Thinned if it has too many points.
    pub(super) plot: Cow<'a, Plot>,
    size: Size,
    x: Ruler,
    y: Ruler,
    turns: Vec<Turn>,
}

/// How a series looks, beside its colour.
pub(super) struct Look {
    pub(super) colour: String,
    pub(super) shape: Shape,
    /// Dashes, and how far they are moved.
    pub(super) dashes: Option<(String, String)>,
    /// The length after which the dashes of curves that lie on each other are the same again.
    pub(super) period: usize,
}

impl<'a> Chart<'a> {
    pub(super) fn of(plot: &'a Plot, size: Size) -> Self {
        let (x, y) = (horizontal(plot), vertical(plot));
        let mut chart = Self { plot: thin::thinned(plot, &x), size, x, y, turns: vec![] };
        let places = |series: &Series| match series.shape.is_joined() {
            true => chart.drawable(series).map(|point| chart.place(point)).collect(),
            false => vec![],
        };
        let places: Vec<Vec<Place>> = chart.plot.series.iter().map(places).collect();
        chart.turns = alike::turns(&places);
        chart
    }

    /// What a script reads of it.
    pub(super) fn data(&self) -> Markup {
        plot_data::element(&self.plot, &self.x)
    }

    /// How a series looks in this plot.
    pub(super) fn look(&self, at: usize) -> Look {
        let look = self.look_alone(at);
        let turn = self.turns[at];
        Look { dashes: turn.dashes(DASH).or(look.dashes), period: DASH * turn.of, ..look }
    }

    /// How it looks where it lies on no other one.
    pub(super) fn look_alone(&self, at: usize) -> Look {
        let shape = self.plot.series[at].shape;
        let colour = match shape {
            Shape::Published => "var(--ink-soft)".into(),
            _ => format!("var(--series-{})", at % PALETTE),
        };
        let formula = (shape == Shape::Dashed).then(|| (FORMULA.into(), "0".into()));
        Look { colour, shape, dashes: formula, period: DASH }
    }

    /// From the left end of the page to the plot, for the labels of the y axis.
    pub(super) fn left(&self) -> f64 {
        let longest = self.rows().into_iter().map(|tick| Ruler::label(tick).chars().count()).max();
        14.0 + DIGIT * longest.unwrap_or(1) as f64
    }

    pub(super) fn height(&self) -> f64 {
        ABOVE + self.size.height() + BELOW
    }

    /// The plot as an `<svg>` that is as wide as its place.
    pub(super) fn draw(&self) -> Markup {
        html! { svg.chart role="img" width="100%" height=(self.height()) {
            title { (self.plot.title) }
            desc { (self.told()) }
            (self.content())
        } }
    }

    /// Axes and curves.
    pub(super) fn content(&self) -> Markup {
        html! {
            (self.axes())
            @for (at, series) in self.plot.series.iter().enumerate() { (self.series(at, series)) }
        }
    }

    /// What the plot shows, for those who hear the page.
    fn told(&self) -> String {
        let named = |series: &Series| {
            let ends = [series.points.first(), series.points.last()];
            let end =
                |point: &Point| format!("{} at {}", Ruler::label(point.y), Ruler::label(point.x));
            let ends: Vec<String> = ends.into_iter().flatten().map(end).collect();
            format!("{}: {}", series.name, ends.join(" to "))
        };
        let series: Vec<String> = self.plot.series.iter().map(named).collect();
        format!("{} over {}. {}.", self.plot.y.label, self.plot.x.label, series.join("; "))
    }

    fn axes(&self) -> Markup {
        let bottom = ABOVE + self.size.height();
        html! {
            text.axis x=(-self.left()) y="14" { (self.plot.y.label) }
            g.rows { @for tick in self.rows() {
                @let y = rounded(self.down(tick));
                line.grid x1="0" x2="100%" y1=(y) y2=(y) {}
                text.tick x="-8" y=(y + 4.5) text-anchor="end" { (Ruler::label(tick)) }
            } }
            g.columns { @for tick in self.columns() {
                @let x = self.across(tick);
                line.grid x1=(x) x2=(x) y1=(ABOVE) y2=(bottom) {}
                // A label at the right end of the page would reach beyond it.
                @let anchor = if self.x.share(tick) > 0.97 { "end" } else { "middle" };
                text.tick x=(x) y=(bottom + 19.0) text-anchor=(anchor) { (Ruler::label(tick)) }
            } }
            line.frame x1="0" x2="100%" y1=(bottom) y2=(bottom) {}
            text.axis x="50%" y=(bottom + 40.0) text-anchor="middle" { (self.plot.x.label) }
        }
    }

    fn rows(&self) -> Vec<f64> {
        self.y.ticks(self.size.ticks())
    }

    /// As many as have room on the smallest screen.
    fn columns(&self) -> Vec<f64> {
        let fits = |most: &usize| {
            let labels = self.x.ticks(*most).into_iter().map(|tick| Ruler::label(tick).len() + 2);
            labels.sum::<usize>() as f64 * DIGIT <= NARROWEST
        };
        self.x.ticks((2..=self.size.ticks()).rev().find(fits).unwrap_or(2))
    }

    fn series(&self, at: usize, series: &Series) -> Markup {
        let Look { colour, shape, dashes, .. } = self.look(at);
        let (dash, moved) = dashes.unzip();
        let bottom = ABOVE + self.size.height();
        html! { g.series data-series=(at) style={ "--mark:" (colour) } {
            @if shape.is_joined() {
                svg.view y=(ABOVE) width="100%" height=(self.size.height()) preserveAspectRatio="none"
                    viewBox=(format!("0 0 {ACROSS} {}", self.size.height())) {
                    path d=(self.path(series)) stroke-dasharray=[dash] stroke-dashoffset=[moved] {}
                }
            }
            @for point in self.drawable(series) {
                @if let Some((low, high)) = interval(point, self.plot.y.scale) {
                    @let x = self.across(point.x);
                    line.interval x1=(x) x2=(x) y1=(rounded(self.down(low).min(bottom))) y2=(rounded(self.down(high))) {}
                }
            }
            @if let Some(radius) = self.radius(at, series) { @for point in self.drawable(series) {
                circle.hollow[shape == Shape::Published] cx=(self.across(point.x)) cy=(rounded(self.down(point.y))) r=(radius) {}
            } }
        } }
    }

    /// Of the marks, if the series has any; they shrink from series to series, so that equal points show as rings.
    fn radius(&self, at: usize, series: &Series) -> Option<usize> {
        let later = (self.plot.series.len() - 1 - at).min(4);
        match series.shape {
            Shape::Line => (series.points.len() <= MARKED).then_some(3 + later),
            Shape::Points => Some(3 + later),
            Shape::Published => Some(9),
            Shape::Dashed | Shape::Step => None,
        }
    }

    fn drawable<'s>(&'s self, series: &'s Series) -> impl Iterator<Item = &'s Point> {
        series.points.iter().filter(|point| self.x.holds(point.x) && self.y.holds(point.y))
    }

    fn path(&self, series: &Series) -> String {
        let places: Vec<Place> = self.drawable(series).map(|point| self.place(point)).collect();
        let mut path = String::new();
        for (at, &(x, y)) in places.iter().enumerate() {
            path += &match (at, series.shape) {
                (0, _) => format!("M{x} {y}"),
                (_, Shape::Step) => format!("H{x}V{y}"),
                _ => format!("L{x} {y}"),
            };
        }
        path
    }

    /// A point in the view of a curve.
    fn place(&self, point: &Point) -> Place {
        (rounded(ACROSS * self.x.share(point.x)), rounded(self.down(point.y) - ABOVE))
    }

    /// In pixels from above.
    fn down(&self, y: f64) -> f64 {
        ABOVE + self.size.height() * (1.0 - self.y.share(y))
    }

    fn across(&self, x: f64) -> String {
        format!("{:.3}%", 100.0 * self.x.share(x))
    }
}

fn rounded(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// The ends of a confidence interval; on a logarithmic axis the lower stops a decade below.
fn interval(point: &Point, scale: Scale) -> Option<(f64, f64)> {
    let half_width = point.half_width?;
    let low = point.y - half_width;
    match scale {
        Scale::Linear | Scale::Close => Some((low, point.y + half_width)),
        Scale::Log => Some((low.max(point.y / 10.0), point.y + half_width)),
    }
}

fn horizontal(plot: &Plot) -> Ruler {
    let values = plot.series.iter().flat_map(|series| &series.points).map(|point| point.x);
    Ruler::over(values, plot.x.scale)
}

/// Room for all points and their intervals, and a little more.
fn vertical(plot: &Plot) -> Ruler {
    let points = plot.series.iter().flat_map(|series| &series.points);
    let values = points.flat_map(|point| {
        let (low, high) = interval(point, plot.y.scale).unwrap_or((point.y, point.y));
        [low, high]
    });
    let mut ruler = Ruler::over(values, plot.y.scale);
    let room = (ruler.high - ruler.low) * 0.04;
    ruler.high += room;
    if plot.y.scale == Scale::Linear && ruler.low >= 0.0 {
        ruler.low = 0.0;
    } else {
        ruler.low -= room;
    }
    ruler
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Axis, Published, Source};

    fn plot(scale: Scale, points: &[(f64, f64, Option<f64>)]) -> Plot {
        let points = points.iter().map(|&(x, y, half_width)| Point { x, y, half_width }).collect();
        Plot {
            title: "title".into(),
            caption: String::new(),
            x: Axis::linear("load"),
            y: Axis { label: "wait".into(), scale },
            series: vec![Series { name: "one".into(), shape: Shape::Line, points }],
        }
    }

    fn draw(plot: &Plot) -> String {
        Chart::of(plot, Size::Wide).draw().into_string()
    }

    #[test]
    fn a_plot_has_no_colour_of_its_own() {
        let mut all = plot(Scale::Linear, &[(0.0, 1.0, Some(0.5)), (1.0, 2.0, None)]);
        for shape in [Shape::Dashed, Shape::Step, Shape::Points, Shape::Published] {
            all.series.push(Series::exact("more", shape, [(0.0, 1.0), (1.0, 3.0)]));
        }
        let svg = draw(&all);
        assert!(!svg.contains('#'), "{svg}");
        for role in ["--ink-soft", "--series-0", "--series-1", "--series-2", "--series-3"] {
            assert!(svg.contains(role), "{role} is missing");
        }
    }

    #[test]
    fn published_points_are_hollow_and_joined_by_nothing() {
        let mut plot = plot(Scale::Linear, &[(0.0, 1.0, None), (1.0, 2.0, None)]);
        let count = |plot: &Plot| {
            ["<circle", "class=\"hollow\"", "<path", "\"interval\""]
                .map(|of| draw(plot).matches(of).count())
        };
        assert_eq!(count(&plot), [2, 0, 1, 0]);
        let source = Source { key: "s-1", name: "Somebody 1999" };
        let printed = [(0.0, 1.5), (1.0, 1.5)].map(|(x, y)| Published { x, y, error: None });
        plot.series.push(Series::published(&source, "p. 7", &printed));
        assert_eq!(count(&plot), [4, 2, 1, 0]);
        assert!(draw(&plot).contains("published (Somebody 1999, p. 7)"));
        let error = [Published { x: 0.5, y: 1.5, error: Some(0.5) }];
        plot.series.push(Series::published(&source, "p. 8", &error));
        assert_eq!(count(&plot), [5, 3, 1, 1]);
    }

    #[test]
    fn categories_are_marked_and_joined_by_nothing() {
        let mut plot = plot(Scale::Linear, &[]);
        plot.series =
            vec![Series::exact("stations", Shape::Points, (0..100).map(|at| (f64::from(at), 1.0)))];
        let svg = draw(&plot);
        assert_eq!((svg.matches("<circle").count(), svg.matches("<path").count()), (100, 0));
    }

    #[test]
    fn a_curve_on_another_one_is_dashed() {
        let mut plot = plot(Scale::Linear, &[(0.0, 1.0, None), (1.0, 2.0, None)]);
        plot.series.push(Series { name: "two".into(), ..plot.series[0].clone() });
        assert_eq!(draw(&plot).matches("stroke-dasharray=\"9 9\"").count(), 1);
        plot.series[1].points[1].y = 1.0;
        plot.series[1].points[0].y = 0.5;
        assert_eq!(draw(&plot).matches("stroke-dasharray").count(), 0);
    }

    #[test]
    fn a_plot_without_points_is_still_a_plot() {
        assert!(draw(&plot(Scale::Linear, &[])).starts_with("<svg class=\"chart\" role=\"img\""));
        let none = draw(&plot(Scale::Log, &[(1.0, 0.0, None)]));
        assert!(none.contains("</svg>") && !none.contains("NaN"), "{none}");
    }

    #[test]
    fn a_vertical_axis_starts_at_zero_unless_there_are_negative_values() {
        let positive = plot(Scale::Linear, &[(1.0, 10.0, Some(2.0)), (2.0, 20.0, None)]);
        assert_eq!(vertical(&positive).low, 0.0);
        let negative = plot(Scale::Linear, &[(1.0, -1.0, None), (2.0, 1.0, None)]);
        assert!(vertical(&negative).low < -1.0);
        let nothing = vertical(&plot(Scale::Linear, &[(1.0, 0.0, None), (2.0, 0.0, None)]));
        assert!(nothing.low == 0.0 && nothing.high > 0.0);
    }

    #[test]
    fn points_and_intervals_lie_inside_the_axis() {
        for scale in [Scale::Linear, Scale::Log] {
            let wide = plot(scale, &[(1.0, 10.0, Some(9.5)), (2.0, 20.0, Some(100.0))]);
            let ruler = vertical(&wide);
            for point in &wide.series[0].points {
                let (low, high) = interval(point, scale).unwrap();
                let shares = [ruler.share(low.max(0.0)), ruler.share(high)];
                assert!(
                    shares.iter().all(|share| (0.0..=1.0).contains(share)),
                    "{scale:?} {shares:?}"
                );
            }
        }
    }

    #[test]
    fn a_step_lasts_until_the_next_point() {
        let mut plot = plot(Scale::Linear, &[(0.0, 0.0, None), (2.0, 10.0, None)]);
        plot.series[0].shape = Shape::Step;
        let svg = draw(&plot);
        assert!(svg.contains("d=\"M0 300H10000V11.5\""), "{svg}");
    }

    #[test]
    fn those_who_hear_the_page_are_told_both_ends_of_each_curve() {
        let svg =
            draw(&plot(Scale::Linear, &[(0.1, 1.0, None), (0.5, 7.0, None), (1.0, 2.5, None)]));
        assert!(svg.contains("<desc>wait over load. one: 1 at 0.1 to 2.5 at 1.</desc>"), "{svg}");
    }
}
