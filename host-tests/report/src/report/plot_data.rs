//! What a script reads of a plot, to tell values under the pointer and to label a part of the axis.

use super::ruler::Ruler;
use super::{Plot, Point, Scale, Series, Shape};
use maud::{Markup, PreEscaped, html};
use serde::Serialize;

#[derive(Serialize)]
struct Data<'a> {
    x: AxisData<'a>,
    y: HeightData<'a>,
    series: Vec<SeriesData<'a>>,
}

/// The ends as lengths: logarithms on a logarithmic scale.
#[derive(Serialize)]
struct AxisData<'a> {
    label: &'a str,
    log: bool,
    low: f64,
    high: f64,
}

#[derive(Serialize)]
struct HeightData<'a> {
    label: &'a str,
    log: bool,
}

#[derive(Serialize)]
struct SeriesData<'a> {
    name: &'a str,
    shape: Shape,
    x: Vec<f64>,
    y: Vec<f64>,
    /// Empty if no point has an interval.
    half: Vec<Option<f64>>,
}

/// An element that nobody sees.
pub(super) fn element(plot: &Plot, x: &Ruler) -> Markup {
    let Ruler { low, high, .. } = *x;
    let axis = AxisData { label: &plot.x.label, log: plot.x.scale == Scale::Log, low, high };
    let y = HeightData { label: &plot.y.label, log: plot.y.scale == Scale::Log };
    let data = Data { x: axis, y, series: plot.series.iter().map(series).collect() };
    let json = serde_json::to_string(&data).expect("the data is plain").replace('<', "\\u003c");
    html! { script type="application/json" { (PreEscaped(json)) } }
}

fn series(of: &Series) -> SeriesData<'_> {
    let all =
        |value: fn(&Point) -> f64| of.points.iter().map(|point| short(value(point))).collect();
    let half = || of.points.iter().map(|point| point.half_width.map(short)).collect();
    let has_half = of.points.iter().any(|point| point.half_width.is_some());
    SeriesData {
        name: &of.name,
        shape: of.shape,
        x: all(|point| point.x),
        y: all(|point| point.y),
        half: if has_half { half() } else { vec![] },
    }
}

/// With seven digits, as many as anybody reads.
fn short(value: f64) -> f64 {
    format!("{value:.6e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Axis;

    #[test]
    fn values_are_short_and_text_from_outside_ends_nothing() {
        let plot = Plot {
            title: String::new(),
            caption: String::new(),
            x: Axis::log("</script>"),
            y: Axis::linear("y"),
            series: vec![Series::exact("s", Shape::Step, [(10.0, 1.0 / 3.0)])],
        };
        let x = Ruler::over([10.0, 1000.0].into_iter(), Scale::Log);
        let element = element(&plot, &x).into_string();
        assert_eq!(
            element,
            r#"<script type="application/json">{"x":{"label":"\u003c/script>","log":true,"low":1.0,"high":3.0},"y":{"label":"y","log":false},"series":[{"name":"s","shape":"step","x":[10.0],"y":[0.3333333],"half":[]}]}</script>"#
        );
    }
}
