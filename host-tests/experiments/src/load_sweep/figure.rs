//! The plots of the thesis: turnaround and utilisation over load.

use super::Curve;
use locox_models::stats::Estimate;
use locox_report::report::{Axis, Plot, Point, Series, Shape};

/// Turnarounds beyond this are cut off, as in the thesis, in seconds.
pub(crate) const CUT: f64 = 100.0;

pub(crate) const CAPTION: &str = "Load is mean service time over mean time between arrivals. Turnarounds beyond 100 s \
                                  are cut off, as in the source: there the queue grows as long as jobs arrive.";

/// The two plots of a figure: turnaround and utilisation.
pub(crate) fn figure(title: &str, curves: &[Curve]) -> [Plot; 2] {
    let plot = |label: &str, points: &dyn Fn(&Curve) -> Vec<Point>| Plot {
        title: title.into(),
        caption: String::new(),
        x: Axis::linear("load (service over interarrival time)"),
        y: Axis::linear(label),
        series: curves
            .iter()
            .map(|curve| Series {
                name: curve.method.name(),
                shape: Shape::Line,
                points: points(curve),
            })
            .collect(),
    };
    let utilisation = |curve: &Curve| {
        curve.points.iter().map(|at| Point::estimated(at.load, &at.utilisation())).collect()
    };
    [plot("turnaround (s)", &turnarounds), plot("utilisation (%)", &utilisation)]
}

/// The points up to the cut, and the place where the line to the next one crosses it. Intervals
/// that leave the picture say nothing in it.
fn turnarounds(curve: &Curve) -> Vec<Point> {
    let all = curve.points.iter().map(|at| {
        let Estimate { mean: y, half_width, .. } = at.turnaround();
        let fits = |half_width: &f64| y + half_width <= CUT && y - half_width >= 0.0;
        Point { x: at.load, y, half_width: half_width.filter(fits) }
    });
    let mut points: Vec<Point> = Vec::new();
    for point in all {
        if point.y <= CUT {
            points.push(point);
            continue;
        }
        if let Some(last) = points.last() {
            let x = last.x + (point.x - last.x) * (CUT - last.y) / (point.y - last.y);
            points.push(Point { x, y: CUT, half_width: None });
        }
        break;
    }
    points
}
