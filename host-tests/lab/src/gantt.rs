//! What runs when and where, as rectangles: time to the right, PEs or machines downwards, a colour
//! for each reservation or job.
//!
//! The picture stays readable, and the page small, however many there are: only so many
//! rectangles are drawn, from the first start on, and the picture ends where the next would begin.
//! Lengths along the time are shares of the width that the page has, heights and letters are pixels.

use locox::reserve::Interval;
use locox::time::Instant;
use locox_models::reservations::{Answer, Outcome, PeRange};
use locox_report::node_map::PROMISED_STYLE;
use locox_report::report::{Picture, counted};
use maud::{Markup, PreEscaped, html};
use std::fmt::Write;

/// The most rectangles of a picture.
pub const MOST: usize = 1_500;
/// With no more reservations than this, each is labelled.
const LABELLED: usize = 60;

/// Width of the view of the bars, whatever the width of the page.
const ACROSS: f64 = 10_000.0;
/// In pixels: the bars' height, room above and below them for labels, a digit, the narrowest picture.
const HEIGHT: f64 = 380.0;
const ABOVE: f64 = 26.0;
const BELOW: f64 = 48.0;
const DIGIT: f64 = 8.0;
const NARROWEST: f64 = 480.0;

/// What is drawn: rectangles of one colour that begin and end together.
pub trait Bar {
    /// Its label, and its colour.
    fn number(&self) -> u64;
    fn start(&self) -> Instant;
    fn end(&self) -> Instant;
    /// From which to which row each of its rectangles reaches.
    fn rows(&self) -> &[PeRange];
    /// What a pointer that rests on it is told.
    fn told(&self) -> String;
    /// The start and the rows that it was promised first, if it was promised any.
    fn promised(&self) -> Option<(Instant, Vec<PeRange>)> {
        None
    }
}

/// A picture to be, and how it is told.
#[derive(Clone, Copy, Debug)]
pub struct Chart<'a> {
    pub title: &'a str,
    /// Under what this happens: a strategy, a policy.
    pub of: &'a str,
    pub caption: &'a str,
    /// For who cannot see it.
    pub label: &'a str,
    /// What the axes measure.
    pub time: &'a str,
    pub row: &'a str,
    pub rows: u32,
    /// Rows that are counted as one.
    pub rows_each: u32,
    /// Times are shown divided by this.
    pub ticks: u64,
    /// What is shown, and where times are counted from; all bars, and times as they are, unless it is given. Of bars
    /// outside of it the page says where they are when they are marked.
    pub window: Option<(u64, u64)>,
}

/// A reservation with its PEs.
struct Reserved<'a> {
    answer: &'a Answer,
    at: Interval,
    pes: &'a [PeRange],
    held: u32,
}

/// What a bar was promised first: a tick in each of the rows, and a line to there from where the bar begins.
struct Promised {
    hue: u64,
    ticks: String,
    line: String,
}

const PROMISES: &str = " A dashed line leads from the start of a job to the start and the processors that it was promised first, \
                        if it got others.";

/// What part of all bars is drawn.
struct View<'a, B> {
    chart: &'a Chart<'a>,
    bars: Vec<B>,
    from: u64,
    to: u64,
    /// Bars that begin later than what is drawn.
    later: usize,
    /// Bars that are not drawn, the first of them.
    outside: Vec<B>,
}

/// A picture of the accepted requests, with at most `most` rectangles (but at least one
/// reservation). `None` if none was accepted.
pub fn picture(outcome: &Outcome, of: &str, most: usize) -> Option<Picture> {
    let bars = outcome.answers.iter().filter_map(Reserved::of).collect();
    let chart = Chart {
        title: &format!("Reservations under {of}."),
        of,
        caption: "Each colour is a reservation; rest the pointer on it for its request. Time runs to \
                  the right, PEs are numbered from above.",
        label: "reservations by time and PE",
        time: "time, as in the requests",
        row: "PE",
        rows: outcome.pes,
        rows_each: 1,
        ticks: 1,
        window: None,
    };
    draw(bars, &chart, most)
}

/// A picture with at most `most` rectangles (but at least one bar); `None` of no bars.
pub fn draw<B: Bar>(bars: Vec<B>, chart: &Chart, most: usize) -> Option<Picture> {
    let view = View::of(bars, chart, most)?;
    let mut caption = chart.caption.to_owned();
    if view.later > 0 {
        // Writing to a string does not fail.
        let _ = write!(
            caption,
            " Shown are the first {}; {} begin later.",
            counted(view.bars.len() as u64),
            counted(view.later as u64)
        );
    }
    let promises = view.promises();
    if !promises.is_empty() {
        caption += PROMISES;
    }
    Some(Picture {
        title: chart.title.into(),
        caption,
        markup: view.markup(&promises).into_string(),
        script: String::new(),
    })
}

impl Chart<'_> {
    /// Of times: what stands in brackets behind the name of the axis.
    fn unit(&self) -> &str {
        let unit = self.time.strip_suffix(')').and_then(|text| text.rsplit_once('('));
        unit.map_or("", |(_, unit)| unit)
    }
}

impl<'a, B: Bar> View<'a, B> {
    fn of(mut all: Vec<B>, chart: &'a Chart, most: usize) -> Option<Self> {
        all.sort_by_key(B::start);
        let is_seen = |bar: &B| {
            let sees = |(from, to)| bar.start().ticks() < to && bar.end().ticks() > from;
            chart.window.is_none_or(sees)
        };
        let (mut all, mut outside): (Vec<B>, Vec<B>) = all.into_iter().partition(is_seen);
        let mut rectangles = 0;
        let fits = |bar: &&B| {
            rectangles += bar.rows().len();
            rectangles <= most
        };
        let shown = all.iter().take_while(fits).count().max(1);
        let next = all.get(shown).map(|bar| bar.start().ticks());
        let later = all.len().saturating_sub(shown);
        outside.extend(all.drain(shown.min(all.len())..));
        outside.truncate(MOST);
        let from = all.first()?.start().ticks();
        let end = all.iter().map(|bar| bar.end().ticks()).max()?;
        let (from, end) = chart.window.unwrap_or((from, end));
        // Some may begin together with the first that is left out.
        let to = next.filter(|&next| next > from).unwrap_or(end);
        Some(Self { chart, bars: all, from, to, later, outside })
    }

    /// A time as a share of what is shown.
    fn share(&self, at: u64) -> f64 {
        (at.clamp(self.from, self.to) - self.from) as f64 / (self.to - self.from).max(1) as f64
    }

    fn x(&self, at: u64) -> f64 {
        ACROSS * self.share(at)
    }

    fn y(&self, row: u32) -> f64 {
        HEIGHT * f64::from(row) / f64::from(self.chart.rows)
    }

    fn markup(&self, promises: &[Promised]) -> Markup {
        let labelled = self.bars.len() <= LABELLED;
        let left = 16.0 + DIGIT * counted(self.chart.rows.into()).len() as f64;
        html! {
            div.gantt.scroll tabindex="0" role="region" aria-label=(self.chart.label) style={ "--left:" (left) "px" }
                data-of=(self.chart.of) data-unit=(self.chart.unit()) data-span=(self.span(self.from, self.to)) data-outside=(self.outside()) {
                svg.bars role="img" height=(ABOVE + HEIGHT + BELOW) aria-label=(self.chart.label) {
                    (self.axes(left))
                    svg y=(ABOVE) width="100%" height=(HEIGHT) preserveAspectRatio="none" viewBox=(format!("0 0 {ACROSS} {HEIGHT}")) {
                        @for bar in &self.bars {
                            g data-job=(bar.number()) style=(format!("--hue:{}", hue(bar.number()))) {
                                title { (bar.told()) }
                                path d=(self.path(bar)) {}
                            }
                        }
                        (drawn(promises))
                    }
                    @if labelled { @for bar in &self.bars { (self.label(bar)) } }
                }
            }
        }
    }

    /// Where the times of the axis are counted from.
    fn origin(&self) -> u64 {
        self.chart.window.map_or(0, |(from, _)| from)
    }

    /// Two times as those of the axis; before its origin they are negative.
    fn span(&self, start: u64, end: u64) -> String {
        let shown = |at: u64| {
            let ticks = at as f64 - self.origin() as f64;
            rounded(ticks / self.chart.ticks.max(1) as f64)
        };
        format!("{} {}", shown(start), shown(end))
    }

    /// Number, start and end of each bar that is not drawn.
    fn outside(&self) -> String {
        let span = |bar: &B| self.span(bar.start().ticks(), bar.end().ticks());
        let told = self.outside.iter().map(|bar| format!("{} {}", bar.number(), span(bar)));
        told.collect::<Vec<_>>().join(",")
    }

    fn axes(&self, left: f64) -> Markup {
        let bottom = ABOVE + HEIGHT;
        let origin = self.origin();
        html! {
            text.axis x=(-left) y="14" { (self.chart.row) }
            rect.frame y=(ABOVE) width="100%" height=(HEIGHT) {}
            @let unit = self.chart.ticks.max(1);
            @for at in ticks((self.from - origin).div_ceil(unit), (self.to - origin) / unit, 7) {
                @let x = percent(self.share(origin.saturating_add(at.saturating_mul(unit))));
                line x1=(x) x2=(x) y1=(ABOVE) y2=(bottom) {}
                text x=(x) y=(bottom + 19.0) text-anchor="middle" { (counted(at)) }
            }
            // At the left, where it is seen of a chart that a small screen shows a part of.
            text.axis x="0" y=(bottom + 40.0) { (self.chart.time) }
            @let each = self.chart.rows_each.max(1);
            @for row in row_ticks((self.chart.rows / each).into()) {
                @let y = ABOVE + self.y(row as u32 * each);
                line x1="0" x2="100%" y1=(rounded(y)) y2=(rounded(y)) {}
                text x="-8" y=(rounded(y + 4.5)) text-anchor="end" { (counted(row)) }
            }
        }
    }

    /// The bars that were promised something else than what they got.
    fn promises(&self) -> Vec<Promised> {
        self.bars.iter().filter_map(|bar| self.promised(bar)).collect()
    }

    fn promised(&self, bar: &B) -> Option<Promised> {
        let (start, rows) = bar.promised()?;
        if (start, &rows[..]) == (bar.start(), bar.rows()) {
            return None;
        }
        let [from, to] = [bar.start(), start].map(|at| rounded(self.x(at.ticks())));
        let tick = |range: &PeRange| {
            let [y, below] = self.edges(range).map(rounded);
            format!("M{to} {y}V{below}")
        };
        let middle = |range: &PeRange| rounded(self.edges(range).iter().sum::<f64>() / 2.0);
        let [own, other] = [middle(largest(bar.rows())?), middle(largest(&rows)?)];
        let is_inside = (self.from..=self.to).contains(&start.ticks());
        Some(Promised {
            hue: hue(bar.number()),
            ticks: rows.iter().filter(|_| is_inside).map(tick).collect(),
            line: format!("M{from} {own}L{to} {other}"),
        })
    }

    /// Where rows begin and end.
    fn edges(&self, range: &PeRange) -> [f64; 2] {
        [self.y(*range.start()), self.y(range.end().saturating_add(1))]
    }

    fn path(&self, bar: &B) -> String {
        let mut path = String::new();
        let (x, right) = (self.x(bar.start().ticks()), self.x(bar.end().ticks()));
        for range in bar.rows() {
            let [y, below] = self.edges(range);
            // Writing to a string does not fail.
            let _ = write!(
                path,
                "M{} {}H{}V{}H{}z",
                rounded(x),
                rounded(y),
                rounded(right),
                rounded(below),
                rounded(x)
            );
        }
        path
    }

    /// The number of a bar in its largest rectangle, if there is room in the narrowest picture.
    fn label(&self, bar: &B) -> Markup {
        let Some(range) = largest(bar.rows()) else { return html! {} };
        let (x, right) = (self.share(bar.start().ticks()), self.share(bar.end().ticks()));
        let [y, below] = self.edges(range);
        let text = bar.number().to_string();
        let room = NARROWEST * (right - x) > 4.0 + DIGIT * text.len() as f64 && below - y > 14.0;
        html! { @if room {
            text.name x=(percent((x + right) / 2.0)) y=(rounded(ABOVE + (y + below) / 2.0 + 4.5)) text-anchor="middle" { (text) }
        } }
    }
}

impl<'a> Reserved<'a> {
    fn of(answer: &'a Answer) -> Option<Self> {
        let placed = answer.placed.as_ref().ok()?;
        Some(Self { answer, at: placed.at, pes: &placed.pes, held: placed.held })
    }
}

impl Bar for Reserved<'_> {
    fn number(&self) -> u64 {
        self.answer.asking.id
    }

    fn start(&self) -> Instant {
        self.at.start
    }

    fn end(&self) -> Instant {
        self.at.end
    }

    fn rows(&self) -> &[PeRange] {
        self.pes
    }

    fn told(&self) -> String {
        let request = &self.answer.asking.request;
        let ticks = |at: Instant| counted(at.ticks());
        let deadline = request.deadline.map_or("none".into(), ticks);
        format!(
            "request {}: {} to {} on {} PEs ({}); made {}, ready {}, deadline {deadline}",
            self.answer.asking.id,
            ticks(self.at.start),
            ticks(self.at.end),
            counted(self.held.into()),
            compact(self.pes, 8),
            ticks(self.answer.asking.arrival),
            ticks(request.ready),
        )
    }
}

fn drawn(promises: &[Promised]) -> Markup {
    html! { @if !promises.is_empty() {
        style { (PreEscaped(PROMISED_STYLE)) }
        g.promised { @for Promised { hue, ticks, line } in promises {
            g style=(format!("--hue:{hue}")) { path.under d=(ticks) {} path.lines d=(ticks) {} path.under d=(line) {} path.around d=(line) {} }
        } }
    } }
}

fn largest(rows: &[PeRange]) -> Option<&PeRange> {
    rows.iter().max_by_key(|range| range.end() - range.start())
}

/// Neighbouring numbers get colours far apart.
fn hue(number: u64) -> u64 {
    (number as f64 * 137.508).round() as u64 % 360
}

/// Ranges as `0-3 8 10-11`, at most so many and then how many more.
pub fn compact(ranges: &[PeRange], most: usize) -> String {
    let one = |range: &PeRange| match range.start() == range.end() {
        true => range.start().to_string(),
        false => format!("{}-{}", range.start(), range.end()),
    };
    let mut parts: Vec<String> = ranges.iter().take(most).map(one).collect();
    if ranges.len() > most {
        parts.push(format!("… {} more", ranges.len() - most));
    }
    parts.join(" ")
}

/// Round numbers of rows; of a machine with a power of two of them quarters.
fn row_ticks(rows: u64) -> Vec<u64> {
    if rows >= 16 && rows.is_power_of_two() {
        return (0..=4).map(|quarter| quarter * rows / 4).collect();
    }
    ticks(0, rows, 6)
}

/// Round values from `from` to `to`, about `count`: multiples of 1, 2 or 5 times a power of ten.
fn ticks(from: u64, to: u64, count: u64) -> Vec<u64> {
    let least = ((to - from) / count.max(1)).max(1);
    let decade = 10u64.pow(least.ilog10());
    let steps = [1, 2, 5, 10].into_iter().map(|factor| decade.saturating_mul(factor));
    let step = steps.filter(|&step| step >= least).min().unwrap_or(decade);
    let first = from.div_ceil(step);
    (first..=to / step).map(|at| at * step).collect()
}

fn percent(share: f64) -> String {
    format!("{:.2}%", 100.0 * share)
}

/// A coordinate with one digit after the point.
fn rounded(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox::reserve::Fit;
    use locox_models::reservations::{Options, run};
    use locox_models::workload::cm5;
    use locox_models::workload::reservations::{Flexibility, requests};

    fn outcome(jobs: usize) -> Outcome {
        let jobs = cm5::generate(jobs, 7.0, 1, 0);
        let options = Options { name_pes: true, ..Options::new(1024, Fit::First) };
        run(&requests(&jobs, Flexibility::default(), 1, 0), &options).unwrap()
    }

    #[test]
    fn every_accepted_request_is_drawn_with_its_times() {
        let outcome = outcome(20);
        let picture = picture(&outcome, "t", MOST).unwrap();
        assert_eq!(picture.markup.matches("<path").count(), outcome.accepted());
        assert!(picture.markup.contains("<title>request 1: "));
        assert!(picture.markup.contains("deadline "));
        assert!(!picture.caption.contains("begin later"));
    }

    #[test]
    fn a_picture_of_thousands_stays_bounded_and_says_so() {
        let outcome = outcome(5_000);
        let picture = picture(&outcome, "t", MOST).unwrap();
        assert!(picture.markup.matches('M').count() <= MOST);
        assert!(picture.markup.len() < 500_000, "{}", picture.markup.len());
        assert!(picture.caption.contains("begin later"), "{}", picture.caption);
    }

    #[test]
    fn what_a_picture_does_not_show_it_knows_the_times_of() {
        let outcome = outcome(20);
        let bars = || outcome.answers.iter().filter_map(Reserved::of).collect::<Vec<_>>();
        let [first, last] =
            [bars().iter().map(Bar::start).min(), bars().iter().map(Bar::start).max()];
        let (from, to) = (first.unwrap().ticks(), last.unwrap().ticks());
        let chart = Chart {
            title: "t",
            of: "FF",
            caption: "",
            label: "",
            time: "time (s)",
            row: "PE",
            rows: 1024,
            rows_each: 1,
            ticks: 1,
            window: Some((from, to)),
        };
        let picture = draw(bars(), &chart, MOST).unwrap();
        let last = bars().into_iter().find(|bar| bar.start().ticks() == to).unwrap();
        let told = format!("{} {} {}", last.number(), to - from, last.end().ticks() - from);
        assert!(picture.markup.contains(&told), "{told}: {}", picture.markup);
        assert!(!picture.markup.contains(&format!("<g data-job=\"{}\"", last.number())));
        assert!(picture.markup.contains("data-unit=\"s\""));
    }

    #[test]
    fn nothing_accepted_is_no_picture() {
        let mut outcome = outcome(3);
        for answer in &mut outcome.answers {
            answer.placed = Err(locox::reserve::Refusal::Overflow.into());
        }
        assert!(picture(&outcome, "t", MOST).is_none());
    }

    #[test]
    fn ranges_are_short() {
        assert_eq!(compact(&[0..=3, 8..=8, 10..=11], 3), "0-3 8 10-11");
        assert_eq!(compact(&[0..=3, 8..=8, 10..=11], 1), "0-3 … 2 more");
        assert_eq!(compact(&[], 1), "");
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks(0, 100, 7), [0, 20, 40, 60, 80, 100]);
        assert_eq!(ticks(37, 52, 7), [38, 40, 42, 44, 46, 48, 50, 52]);
        assert_eq!(ticks(5, 5, 7), [5]);
        assert!(ticks(0, u64::MAX, 7).len() < 10);
    }
}
