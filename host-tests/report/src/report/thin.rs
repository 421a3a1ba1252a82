//! Fewer points where there are more than a picture can show: of each of so many equal parts of the axis those
//! that are first, last, lowest and highest in it. So the curve keeps its outline (M4, U. Jugel and others 2014).

use super::ruler::Ruler;
use super::{Plot, Point, Series};
use std::borrow::Cow;

/// Points of all series of a plot that are drawn as they are.
const FEW: usize = 10_000;
/// Parts of the axis for each series of a plot that has more.
const PARTS: usize = 500;

/// The plot, thinned if it has too many points; its caption says so then.
pub(super) fn thinned<'a>(plot: &'a Plot, x: &Ruler) -> Cow<'a, Plot> {
    let count: usize = plot.series.iter().map(|series| series.points.len()).sum();
    if count <= FEW {
        return Cow::Borrowed(plot);
    }
    let series = plot.series.iter();
    let series =
        series.map(|one| Series { points: outline(&one.points, x), ..one.clone() }).collect();
    let rule = format!(
        "Of {} points those are drawn that are first, last, lowest or highest in one of {PARTS} equal \
         parts of the axis; the data have all.",
        super::counted(count as u64)
    );
    let caption = [&plot.caption[..], &rule].join(" ").trim_start().to_owned();
    Cow::Owned(Plot { caption, series, ..plot.clone() })
}

fn outline(points: &[Point], x: &Ruler) -> Vec<Point> {
    let part = |point: &Point| (x.share(point.x) * PARTS as f64) as usize;
    let parts = points.chunk_by(|a, b| part(a) == part(b));
    parts.flat_map(ends).collect()
}

/// The first, last, lowest and highest of some points, in their order.
fn ends(points: &[Point]) -> Vec<Point> {
    let by_height = |&a: &usize, &b: &usize| points[a].y.total_cmp(&points[b].y);
    let all = || 0..points.len();
    let ends = [all().next(), all().min_by(by_height), all().max_by(by_height), all().last()];
    let mut ends: Vec<usize> = ends.into_iter().flatten().collect();
    ends.sort_unstable();
    ends.dedup();
    ends.into_iter().map(|at| points[at]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Axis, Scale, Shape};

    fn plot(count: u32) -> Plot {
        let height = |at: u32| if at == 777 { 9.0 } else { f64::from(at % 2) };
        let points = (0..count).map(|at| (f64::from(at), height(at)));
        Plot {
            title: String::new(),
            caption: String::new(),
            x: Axis::linear("x"),
            y: Axis::linear("y"),
            series: vec![Series::exact("s", Shape::Line, points)],
        }
    }

    #[test]
    fn many_points_become_few_that_keep_the_ends_and_the_peak_and_the_caption_says_so() {
        let many = plot(100_000);
        let x = Ruler::over([0.0, 99_999.0].into_iter(), Scale::Linear);
        let thin = thinned(&many, &x);
        let points = &thin.series[0].points;
        assert!(points.len() <= 4 * (PARTS + 1), "{}", points.len());
        assert_eq!((points[0].x, points[points.len() - 1].x), (0.0, 99_999.0));
        assert!(points.iter().any(|point| point.y == 9.0), "the peak");
        assert!(points.is_sorted_by(|a, b| a.x < b.x));
        assert!(thin.caption.starts_with("Of 100,000 points those are drawn"), "{}", thin.caption);
    }

    #[test]
    fn few_points_stay_as_they_are() {
        let few = plot(FEW as u32);
        let x = Ruler::over([0.0, FEW as f64].into_iter(), Scale::Linear);
        assert!(matches!(thinned(&few, &x), Cow::Borrowed(_)));
    }
}
