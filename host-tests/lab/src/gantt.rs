//! Reservations as rectangles: time to the right, PEs downwards, a colour for each.
//!
//! The picture stays readable, and the page small, however many there are: only so many
//! rectangles are drawn, from the first start on, and the picture ends where the next would begin.

use crate::report::{Picture, counted};
use locox::reserve::Placement;
use locox::time::Instant;
use locox_models::reservations::{Answer, Outcome, PeRange};
use maud::{Markup, html};
use std::fmt::Write;

/// The most rectangles of a picture.
pub const MOST: usize = 1_500;
/// With no more reservations than this, each is labelled.
const LABELLED: usize = 60;

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 420.0;
/// Room for labels, left and below.
const LEFT: f64 = 56.0;
const BELOW: f64 = 26.0;

/// A reservation with its PEs.
#[derive(Clone, Copy)]
struct Bar<'a> {
    answer: &'a Answer,
    at: Placement,
    pes: &'a [PeRange],
}

/// What part of an outcome is drawn.
struct View<'a> {
    bars: Vec<Bar<'a>>,
    from: u64,
    to: u64,
    pes: u32,
    /// Reservations that begin later than what is drawn.
    later: usize,
}

/// A picture of the accepted requests, with at most `most` rectangles (but at least one
/// reservation). `None` if none was accepted.
pub fn picture(outcome: &Outcome, title: &str, most: usize) -> Option<Picture> {
    let view = View::of(outcome, most)?;
    let mut caption = String::from(
        "Each colour is a reservation; rest the pointer on it for its request. Time runs to the \
         right, PEs are numbered from above.",
    );
    if view.later > 0 {
        // Writing to a string does not fail.
        let _ = write!(
            caption,
            " Shown are the first {}; {} begin later.",
            counted(view.bars.len() as u64),
            counted(view.later as u64)
        );
    }
    Some(Picture {
        title: title.into(),
        caption,
        markup: view.markup().into_string(),
        script: String::new(),
    })
}

impl<'a> View<'a> {
    fn of(outcome: &'a Outcome, most: usize) -> Option<Self> {
        let mut all: Vec<Bar<'a>> = outcome.answers.iter().filter_map(Bar::of).collect();
        all.sort_by_key(|bar| bar.at.start);
        let mut rectangles = 0;
        let fits = |bar: &&Bar<'_>| {
            rectangles += bar.pes.len();
            rectangles <= most
        };
        let shown = all.iter().take_while(fits).count().max(1);
        let next = all.get(shown).map(|bar| bar.at.start.ticks());
        let later = all.len().saturating_sub(shown);
        all.truncate(shown);
        let from = all.first()?.at.start.ticks();
        let end = all.iter().map(|bar| bar.at.end.ticks()).max()?;
        // Some may begin together with the first that is left out.
        let to = next.filter(|&next| next > from).unwrap_or(end);
        Some(Self { bars: all, from, to, pes: outcome.pes, later })
    }

    fn x(&self, at: u64) -> f64 {
        let share = (at.clamp(self.from, self.to) - self.from) as f64;
        LEFT + (WIDTH - LEFT) * share / (self.to - self.from).max(1) as f64
    }

    fn y(&self, pe: u32) -> f64 {
        (HEIGHT - BELOW) * f64::from(pe) / f64::from(self.pes)
    }

    fn markup(&self) -> Markup {
        let labelled = self.bars.len() <= LABELLED;
        html! {
            div.gantt { svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label="reservations by time and PE" {
                (self.axes())
                @for bar in &self.bars {
                    g style=(format!("--hue:{}", bar.hue())) {
                        title { (bar.told()) }
                        path d=(self.path(bar)) {}
                        @if labelled { (self.label(bar)) }
                    }
                }
            } }
        }
    }

    fn axes(&self) -> Markup {
        let bottom = HEIGHT - BELOW;
        html! {
            rect.frame x=(LEFT) y="0" width=(WIDTH - LEFT) height=(bottom) {}
            @for at in ticks(self.from, self.to, 7) {
                @let x = self.x(at);
                line x1=(rounded(x)) x2=(rounded(x)) y1="0" y2=(bottom) {}
                // The outermost labels stay inside the picture.
                text x=(rounded(x.clamp(LEFT + 10.0, WIDTH - 30.0))) y=(HEIGHT - 8.0) text-anchor="middle" { (counted(at)) }
            }
            @for pe in ticks(0, self.pes.into(), 6) {
                @let y = self.y(pe as u32);
                line x1=(LEFT) x2=(WIDTH) y1=(rounded(y)) y2=(rounded(y)) {}
                text x=(LEFT - 6.0) y=(rounded((y + 4.0).max(11.0))) text-anchor="end" { (counted(pe)) }
            }
        }
    }

    fn path(&self, bar: &Bar<'_>) -> String {
        let mut path = String::new();
        let (x, right) = (self.x(bar.at.start.ticks()), self.x(bar.at.end.ticks()));
        for range in bar.pes {
            let (y, below) = (self.y(*range.start()), self.y(range.end().saturating_add(1)));
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

    /// The number of the request in its largest rectangle, if there is room.
    fn label(&self, bar: &Bar<'_>) -> Markup {
        let size = |range: &&PeRange| range.end() - range.start();
        let Some(range) = bar.pes.iter().max_by_key(size) else { return html! {} };
        let (x, right) = (self.x(bar.at.start.ticks()), self.x(bar.at.end.ticks()));
        let (y, below) = (self.y(*range.start()), self.y(range.end().saturating_add(1)));
        let text = bar.answer.asking.id.to_string();
        let room = right - x > 9.0 * text.len() as f64 && below - y > 13.0;
        html! { @if room {
            text.name x=(rounded((x + right) / 2.0)) y=(rounded((y + below) / 2.0 + 4.0)) text-anchor="middle" { (text) }
        } }
    }
}

impl<'a> Bar<'a> {
    fn of(answer: &'a Answer) -> Option<Self> {
        let placed = answer.placed.as_ref().ok()?;
        Some(Self { answer, at: placed.at, pes: &placed.pes })
    }

    /// Neighbouring numbers get colours far apart.
    fn hue(&self) -> u64 {
        (self.answer.asking.id as f64 * 137.508).round() as u64 % 360
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
            counted(request.pes.into()),
            compact(self.pes, 8),
            ticks(self.answer.asking.arrival),
            ticks(request.ready),
        )
    }
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

/// Round values from `from` to `to`, about `count`: multiples of 1, 2 or 5 times a power of ten.
fn ticks(from: u64, to: u64, count: u64) -> Vec<u64> {
    let least = ((to - from) / count.max(1)).max(1);
    let decade = 10u64.pow(least.ilog10());
    let steps = [1, 2, 5, 10].into_iter().map(|factor| decade.saturating_mul(factor));
    let step = steps.filter(|&step| step >= least).min().unwrap_or(decade);
    let first = from.div_ceil(step);
    (first..=to / step).map(|at| at * step).collect()
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
    fn nothing_accepted_is_no_picture() {
        let mut outcome = outcome(3);
        for answer in &mut outcome.answers {
            answer.placed = Err(locox::reserve::Refusal::Full.into());
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
