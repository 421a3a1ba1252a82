//! Draws a plot as SVG whose colours are those of the page, light or dark.
//!
//! The plotting library knows fixed colours only. So everything is drawn in colours that stand for
//! a role, and these are then replaced by the page's CSS variables.

use super::ruler::Ruler;
use super::{Plot, Point, Scale, Shape};
use maud::html;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::RGBColor;
use std::error::Error;

/// Colours that the page defines for series, as `--series-0` and so on; more series start over.
pub(super) const PALETTE: usize = 8;

/// How large a plot is on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// As wide as the page.
    Wide,
    /// Two beside each other.
    Small,
}

impl Size {
    // Twice the size at which it is shown: the library rounds to whole units.
    const fn units(self) -> (u32, u32) {
        match self {
            Self::Wide => (1440, 720),
            Self::Small => (840, 520),
        }
    }
}

const TEXT: i32 = 25;
/// A series with more points than this is drawn without markers.
const MARKED: usize = 40;

/// Around any marker at the same place.
const RING: i32 = 18;

const INK: RGBColor = RGBColor(1, 1, 1);
const GRID: RGBColor = RGBColor(2, 2, 2);
const fn series_colour(at: usize) -> RGBColor {
    RGBColor(3, 3, (at % PALETTE) as u8)
}

/// The plot as an `<svg>` element without fixed size.
pub(super) fn draw(plot: &Plot, size: Size) -> String {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, size.units()).into_drawing_area();
        draw_chart(plot, &area).expect("drawing into memory does not fail");
    }
    follow_page(svg, size, &told(plot))
}

/// What a plot shows, for those who hear the page.
fn told(plot: &Plot) -> String {
    let names: Vec<&str> = plot.series.iter().map(|series| &series.name[..]).collect();
    let about = format!("{} over {}: {}.", plot.y.label, plot.x.label, names.join(", "));
    html! { title { (plot.title) } desc { (about) } }.into_string()
}

/// Gives the colours their roles, the picture the width that the page has for it, and words.
fn follow_page(svg: String, size: Size, told: &str) -> String {
    let (width, height) = size.units();
    let fixed = format!(r#"width="{width}" height="{height}" "#);
    let name = |RGBColor(red, green, blue)| format!("\"#{red:02X}{green:02X}{blue:02X}\"");
    let mut svg = svg.replacen(&fixed, "role=\"img\" ", 1);
    svg = svg.replacen('>', &format!(">{told}"), 1);
    // Inside HTML the name space is known.
    svg = svg.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1);
    svg = svg.replace(&name(INK), "\"var(--ink-soft)\"").replace(&name(GRID), "\"var(--grid)\"");
    for at in 0..PALETTE {
        svg = svg.replace(&name(series_colour(at)), &format!("\"var(--series-{at})\""));
    }
    svg
}

fn draw_chart(
    plot: &Plot,
    area: &DrawingArea<SVGBackend<'_>, Shift>,
) -> Result<(), Box<dyn Error>> {
    let (x, y) = (horizontal(plot), vertical(plot));
    let drawable = |point: &&Point| x.holds(point.x) && y.holds(point.y);
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .margin_right(32)
        .x_label_area_size(80)
        .y_label_area_size(120)
        .build_cartesian_2d(x.clone(), y.clone())?;
    let text = ("sans-serif", TEXT).into_font().color(&INK);
    chart
        .configure_mesh()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(INK)
        .label_style(text.clone())
        .axis_desc_style(text)
        .x_desc(plot.x.label.as_str())
        .y_desc(plot.y.label.as_str())
        .draw()?;
    for (at, series) in plot.series.iter().enumerate() {
        let line = match series.shape {
            Shape::Published => INK.stroke_width(2),
            _ => series_colour(at).stroke_width(3),
        };
        // Markers shrink from series to series, so that equal points show as rings.
        let radius = 6 + 2 * (plot.series.len() - 1 - at).min(4) as i32;
        let points: Vec<Point> = series.points.iter().filter(drawable).copied().collect();
        let path = points.iter().map(|point| (point.x, point.y));
        match series.shape {
            Shape::Line => chart.draw_series(LineSeries::new(path.clone(), line))?,
            Shape::Dashed => {
                chart.draw_series(DashedLineSeries::new(path.clone(), 14, 10, line))?
            }
            Shape::Step => chart.draw_series(LineSeries::new(steps(&points), line))?,
            Shape::Published => {
                chart.draw_series(path.clone().map(|at| Circle::new(at, RING, line)))?
            }
        };
        if series.shape == Shape::Line && points.len() <= MARKED {
            chart.draw_series(path.map(|at| Circle::new(at, radius, line.filled())))?;
        }
        chart.draw_series(points.iter().filter_map(|point| {
            let (low, high) = interval(point, plot.y.scale)?;
            Some(ErrorBar::new_vertical(point.x, low, point.y, high, line, 16))
        }))?;
    }
    area.present()?;
    Ok(())
}

fn steps(points: &[Point]) -> Vec<(f64, f64)> {
    let corners = points.windows(2).flat_map(|pair| {
        let [from, to] = [pair[0], pair[1]];
        [(from.x, from.y), (to.x, from.y)]
    });
    corners.chain(points.last().map(|last| (last.x, last.y))).collect()
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
    use crate::report::{Axis, Published, Series, Source};

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

    #[test]
    fn no_fixed_colour_is_left_in_a_plot() {
        let mut all = plot(Scale::Linear, &[(0.0, 1.0, Some(0.5)), (1.0, 2.0, None)]);
        for shape in [Shape::Dashed, Shape::Step, Shape::Published] {
            all.series.push(Series::exact("more", shape, [(0.0, 1.0), (1.0, 3.0)]));
        }
        let svg = draw(&all, Size::Wide);
        assert!(!svg.contains("\"#"), "{svg}");
        for role in ["--ink-soft", "--grid", "--series-0", "--series-1", "--series-2"] {
            assert!(svg.contains(role), "{role} is missing");
        }
    }

    #[test]
    fn published_points_are_hollow_and_joined_by_nothing() {
        let mut plot = plot(Scale::Linear, &[(0.0, 1.0, None), (1.0, 2.0, None)]);
        let circles = |plot: &Plot| draw(plot, Size::Wide).matches("<circle").count();
        let lines = |plot: &Plot| draw(plot, Size::Wide).matches("<polyline").count();
        let before = (circles(&plot), lines(&plot));
        let source = Source { key: "s-1", name: "Somebody 1999" };
        let printed = [(0.0, 1.5), (1.0, 1.5)].map(|(x, y)| Published { x, y, error: None });
        plot.series.push(Series::published(&source, "p. 7", &printed));
        assert_eq!((circles(&plot), lines(&plot)), (before.0 + 2, before.1));
        let svg = draw(&plot, Size::Wide);
        assert!(svg.contains("published (Somebody 1999, p. 7)") && svg.contains("fill=\"none\""));
        let error = [Published { x: 0.5, y: 1.5, error: Some(0.5) }];
        plot.series.push(Series::published(&source, "p. 8", &error));
        assert!(draw(&plot, Size::Wide).matches("<line").count() > svg.matches("<line").count());
    }

    #[test]
    fn a_plot_without_points_is_still_a_plot() {
        for size in [Size::Wide, Size::Small] {
            let svg = draw(&plot(Scale::Linear, &[]), size);
            assert!(svg.starts_with("<svg role=\"img\" viewBox="));
            assert!(draw(&plot(Scale::Log, &[(1.0, 0.0, None)]), size).contains("</svg>"));
        }
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
            let range = vertical(&wide).range();
            for point in &wide.series[0].points {
                let (low, high) = interval(point, scale).unwrap();
                assert!(range.start <= low.max(0.0) && high <= range.end, "{scale:?}");
            }
        }
    }

    #[test]
    fn a_step_lasts_until_the_next_point() {
        let at = |x, y| Point { x, y, half_width: None };
        assert_eq!(steps(&[at(0.0, 1.0), at(2.0, 3.0)]), [(0.0, 1.0), (2.0, 1.0), (2.0, 3.0)]);
        assert!(steps(&[]).is_empty());
    }
}
