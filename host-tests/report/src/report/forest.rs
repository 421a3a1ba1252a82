//! Forest plots: estimates with their intervals, a row each, around zero. [`super::forest_svg`]
//! draws them.

use serde::Serialize;

/// Differences to a base line.
#[derive(Clone, Debug, Serialize)]
pub struct Forest {
    pub title: String,
    pub caption: String,
    /// What the axis measures, with its unit.
    pub axis: String,
    /// Digits after the point, for people.
    #[serde(skip)]
    pub digits: usize,
    /// Each with an axis of its own.
    pub panels: Vec<Panel>,
}

/// Rows that can be compared with each other.
#[derive(Clone, Debug, Serialize)]
pub struct Panel {
    /// Empty if there is only one.
    pub name: String,
    pub rows: Vec<ForestRow>,
}

/// One estimate.
#[derive(Clone, Debug, Serialize)]
pub struct ForestRow {
    pub name: String,
    pub value: f64,
    /// None: it is drawn as a hollow point, and `answer` says why.
    pub interval: Option<(f64, f64)>,
    pub leaning: Leaning,
    /// What the estimate says, in a few words.
    pub answer: String,
}

/// For which side an estimate speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Leaning {
    Better,
    Worse,
    Neither,
}

impl ForestRow {
    /// The row in words: `easy: -50 s, from -60 to -40, better`.
    pub(super) fn told(&self, digits: usize) -> String {
        let Self { name, value, answer, .. } = self;
        let interval = match self.interval {
            Some((low, high)) => format!(", from {low:.digits$} to {high:.digits$}"),
            None => String::new(),
        };
        format!("{name}: {value:+.digits$}{interval}, {answer}")
    }
}
