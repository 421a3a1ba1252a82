//! Line plots: what they show. [`super::svg`] draws them.

use super::Source;
use locox_models::stats::Estimate;
use serde::Serialize;

/// Series over common axes.
#[derive(Clone, Debug, Serialize)]
pub struct Plot {
    pub title: String,
    pub caption: String,
    pub x: Axis,
    pub y: Axis,
    pub series: Vec<Series>,
}

/// One axis; its range follows from the data.
#[derive(Clone, Debug, Serialize)]
pub struct Axis {
    pub label: String,
    pub scale: Scale,
}

/// How values become lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// A vertical axis of numbers that are never negative starts at zero.
    Linear,
    /// The same, except that the axis starts at the lowest value.
    Close,
    /// Points at zero or below are left out.
    Log,
}

/// Points of one colour, in rising order of x.
#[derive(Clone, Debug, Serialize)]
pub struct Series {
    pub name: String,
    pub shape: Shape,
    pub points: Vec<Point>,
}

/// How the points of a series are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// Straight from point to point, each marked while they are few.
    Line,
    /// As `Line`, dashed and unmarked: a formula, a published curve.
    Dashed,
    /// Each value lasts until the next point.
    Step,
    /// Marks that nothing joins: x tells categories apart, such as stations, and has nothing in between.
    Points,
    /// Hollow points that nothing joins, with the error of reading: what a source prints.
    Published,
}

/// A value, with half the width of its 95 % confidence interval, or of the rounding of what is published,
/// if it has one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    pub half_width: Option<f64>,
}

/// A value that a source prints as a number, in the units of a plot.
#[derive(Clone, Copy, Debug)]
pub struct Published {
    pub x: f64,
    pub y: f64,
    /// Half of the last digit printed; `None` if the source says about what it is.
    pub error: Option<f64>,
}

impl Point {
    pub fn estimated(x: f64, y: &Estimate) -> Self {
        Self { x, y: y.mean, half_width: y.half_width }
    }
}

impl Shape {
    /// Whether something joins the points.
    pub(super) fn is_joined(self) -> bool {
        matches!(self, Self::Line | Self::Dashed | Self::Step)
    }
}

impl Axis {
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Linear }
    }

    pub fn close(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Close }
    }

    pub fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Log }
    }
}

impl Series {
    /// A series of exact values.
    pub fn exact(
        name: impl Into<String>,
        shape: Shape,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        let points = points.into_iter().map(|(x, y)| Point { x, y, half_width: None }).collect();
        Self { name: name.into(), shape, points }
    }

    /// What `source` prints at this `place`. It goes last in a plot, as it has no colour of its own.
    pub fn published(source: &Source, place: &str, printed: &[Published]) -> Self {
        let point = |one: &Published| Point { x: one.x, y: one.y, half_width: one.error };
        let name = format!("published ({}, {place})", source.name);
        Self { name, shape: Shape::Published, points: printed.iter().map(point).collect() }
    }
}
