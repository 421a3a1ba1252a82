//! Draws a forest plot. Lengths along the axis are shares of the width that the page has, heights
//! and letters are pixels: so it can be read on a small screen as well as on a wide one.

use super::forest::{Forest, ForestRow, Leaning, Panel};
use super::ruler::Ruler;
use super::{Scale, table::grouped};
use maud::{Markup, html};

/// Rows of a panel on the page; data have all of them.
const MOST_ROWS: usize = 100;
/// Labels of the axis that a small screen has room for.
const TICKS: usize = 5;
/// In pixels: a line of text, from it to the middle of its bar, and from there to the next row.
const LINE: usize = 18;
const BAR: usize = 14;
const GAP: usize = 16;
/// From the last bar to the labels of the axis.
const AXIS: usize = 22;
/// Per cent of the width that stay free at each end.
const MARGIN: f64 = 4.0;

/// A panel as an `<svg>` as wide as its place.
pub(super) fn draw(forest: &Forest, panel: &Panel) -> Markup {
    let rows = &panel.rows[..panel.rows.len().min(MOST_ROWS)];
    let axis = Axis::of(rows);
    let heights: Vec<usize> = rows.iter().map(height).collect();
    let bottom: usize = heights.iter().sum::<usize>() + GAP;
    let tops = heights.iter().scan(0, |top, height| {
        *top += height;
        Some(*top - height)
    });
    let told: Vec<String> = rows.iter().map(|row| row.told(forest.digits)).collect();
    html! { svg.forest role="img" width="100%" height=(bottom + AXIS) {
        title { (forest.title) " " (panel.name) }
        desc { (forest.axis) ". " (told.join("; ")) "." }
        @for tick in axis.ruler.ticks(TICKS) {
            line.grid x1=(axis.at(tick)) x2=(axis.at(tick)) y1="0" y2=(bottom) {}
            text.tick x=(axis.at(tick)) y=(bottom + LINE) { (Ruler::label(tick)) }
        }
        line.zero x1=(axis.at(0.0)) x2=(axis.at(0.0)) y1="0" y2=(bottom) {}
        @for (row, top) in rows.iter().zip(tops) { (drawn_row(row, top, &axis, forest.digits)) }
    } }
}

/// A row without an interval says why in a line of its own.
fn height(row: &ForestRow) -> usize {
    let lines = if row.interval.is_some() { LINE } else { 2 * LINE };
    lines + BAR + GAP
}

fn drawn_row(row: &ForestRow, top: usize, axis: &Axis, digits: usize) -> Markup {
    let middle = top + height(row) - GAP;
    let class = match row.leaning {
        Leaning::Better => "better",
        Leaning::Worse => "worse",
        Leaning::Neither => "neither",
    };
    html! { g class=(class) {
        title { (row.told(digits)) }
        rect.hit width="100%" y=(top) height=(height(row)) {}
        text x="0" y=(top + LINE) { (row.name) }
        @match row.interval {
            Some((low, high)) => {
                @let (from, to) = (axis.at(low), axis.at(high));
                line x1=(from) x2=(to) y1=(middle) y2=(middle) {}
                @for end in [from, to] { line x1=(end) x2=(end) y1=(middle - 5) y2=(middle + 5) {} }
                circle cx=(axis.at(row.value)) cy=(middle) r="5" {}
            }
            None => {
                text.note x="0" y=(top + 2 * LINE) { (row.answer) (axis.beyond(row.value, digits)) }
                circle.hollow cx=(axis.at(row.value)) cy=(middle) r="5" {}
            }
        }
    } }
}

/// The axis of a panel, with zero on it.
struct Axis {
    ruler: Ruler,
}

impl Axis {
    /// Room for all intervals; a point without one may lie beyond where there are intervals, so that
    /// these can be told apart.
    fn of(rows: &[ForestRow]) -> Self {
        let ends = rows.iter().filter_map(|row| row.interval.map(|ends| (row.value, ends)));
        let mut values: Vec<f64> =
            ends.flat_map(|(value, (low, high))| [value, low, high]).collect();
        if values.is_empty() {
            values.extend(rows.iter().map(|row| row.value));
        }
        Self { ruler: Ruler::over(values.into_iter().chain([0.0]), Scale::Close) }
    }

    /// The place of a value; of one beyond an end that end.
    fn at(&self, value: f64) -> String {
        let share = self.ruler.share(value).clamp(0.0, 1.0);
        format!("{:.2}%", MARGIN + (100.0 - 2.0 * MARGIN) * share)
    }

    /// What to add to a row whose point lies at an end in place of beyond it.
    fn beyond(&self, value: f64, digits: usize) -> String {
        let Ruler { low, high, .. } = self.ruler;
        if (low..=high).contains(&value) {
            return String::new();
        }
        format!(" (beyond the axis: {})", grouped(&format!("{value:.digits$}")))
    }
}

/// How many rows of a panel are not drawn.
pub(super) fn left_out(panel: &Panel) -> usize {
    panel.rows.len().saturating_sub(MOST_ROWS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, value: f64, interval: Option<(f64, f64)>) -> ForestRow {
        let answer = if interval.is_some() { "better" } else { "no interval: the reason" };
        let (name, answer) = (name.into(), answer.into());
        ForestRow { name, value, interval, leaning: Leaning::Better, answer }
    }

    fn drawn(rows: Vec<ForestRow>) -> String {
        let panel = Panel { name: "at 60 %".into(), rows };
        let forest = Forest {
            title: "wait".into(),
            caption: String::new(),
            axis: "mean wait (s)".into(),
            digits: 0,
            panels: vec![],
        };
        draw(&forest, &panel).into_string()
    }

    #[test]
    fn a_row_is_a_point_on_its_interval_beside_a_line_at_zero() {
        let svg = drawn(vec![row("easy", -50.0, Some((-100.0, -20.0)))]);
        // From -100 at 4 % to 0 at 96 %.
        assert!(svg.contains(r#"<line x1="4.00%" x2="77.60%""#), "{svg}");
        assert!(svg.contains(r#"<circle cx="50.00%""#) && !svg.contains("hollow"), "{svg}");
        assert!(svg.contains(r#"<line class="zero" x1="96.00%""#), "{svg}");
    }

    #[test]
    fn a_row_without_an_interval_is_a_hollow_point_with_the_reason() {
        let svg = drawn(vec![row("easy", -50.0, None)]);
        assert_eq!(svg.matches("<circle").count(), 1);
        assert!(
            svg.contains(r#"<circle class="hollow""#) && svg.contains(">no interval: the reason<")
        );
    }

    /// Otherwise the intervals of the others could not be seen.
    #[test]
    fn a_point_far_from_all_intervals_lies_at_the_end_and_says_its_value() {
        let rows = vec![row("a", -5.0, Some((-10.0, 10.0))), row("b", -123_456.0, None)];
        let svg = drawn(rows);
        assert!(svg.contains("(beyond the axis: -123,456)"), "{svg}");
        assert!(svg.contains(r#"<circle class="hollow" cx="4.00%""#), "{svg}");
    }

    #[test]
    fn those_who_hear_the_page_are_told_every_row() {
        let svg = drawn(vec![row("a", -5.0, Some((-10.0, 10.0))), row("b", 7.4, None)]);
        assert!(svg.contains("<title>wait at 60 %</title>"), "{svg}");
        let told = "<desc>mean wait (s). a: -5, from -10 to 10, better; b: +7, no interval: the reason.</desc>";
        assert!(svg.contains(told), "{svg}");
    }

    #[test]
    fn a_panel_shows_so_many_rows() {
        let rows = |count| vec![row("a", 1.0, Some((0.0, 2.0))); count];
        assert_eq!(drawn(rows(150)).matches("<circle").count(), MOST_ROWS);
        assert_eq!(left_out(&Panel { name: String::new(), rows: rows(150) }), 50);
        assert!(drawn(rows(0)).contains("</svg>"));
    }

    #[test]
    fn equal_values_are_drawn_too() {
        assert!(!drawn(vec![row("a", 0.0, Some((0.0, 0.0)))]).contains("NaN"));
    }
}
