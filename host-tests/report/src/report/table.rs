//! Tables, with cells that keep their full value beside their rounded text.

use locox_models::stats::Estimate;
use serde::{Serialize, Serializer};

/// Rows of cells under named columns.
#[derive(Clone, Debug, Serialize)]
pub struct Table {
    pub title: String,
    /// What the columns mean, below the rows; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    pub columns: Vec<Column>,
    /// Each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
    /// The column with numbers or names of jobs, if there is one: on the page a job can be marked, here and in pictures.
    #[serde(skip)]
    pub jobs: Option<usize>,
}

/// A column: `key` for programs (words joined by `_`), `title` for people.
#[derive(Clone, Debug, Serialize)]
pub struct Column {
    pub key: String,
    pub title: String,
    /// In data, and folded away on the page; a terminal has no room for it.
    pub detail: bool,
    /// On the page rows can be chosen by its values.
    #[serde(skip)]
    pub choices: bool,
}

/// A value in a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Text(String),
    /// Text that leads to a place on a page.
    Link(Link),
    Count(u64),
    /// A number shown with so many digits after the point.
    Number(f64, usize),
    /// A share of one, shown in per cent.
    Share(f64),
    /// A mean with its 95 % confidence interval, with so many digits.
    Estimate(Estimate, usize),
    Missing,
}

/// A text, and where it leads to.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    pub text: String,
    pub to: String,
}

impl Table {
    /// A table without rows; columns as (key, title).
    pub fn new(title: impl Into<String>, columns: &[(&str, &str)]) -> Self {
        let column = |&(key, title): &(&str, &str)| Column {
            key: key.replace('-', "_"),
            title: title.into(),
            detail: false,
            choices: false,
        };
        Self {
            title: title.into(),
            note: String::new(),
            columns: columns.iter().map(column).collect(),
            rows: Vec::new(),
            jobs: None,
        }
    }

    /// The same with a note on its columns.
    pub fn with_note(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }

    /// The same with the columns from `key` on as details.
    pub fn with_details_from(mut self, key: &str) -> Self {
        let details = self.columns.iter_mut().skip_while(|column| column.key != key);
        details.for_each(|column| column.detail = true);
        self
    }

    /// The same, whose rows can be chosen on the page by the values of the columns of these keys.
    pub fn with_choices(mut self, keys: &[&str]) -> Self {
        let chosen = self.columns.iter_mut().filter(|column| keys.contains(&&column.key[..]));
        chosen.for_each(|column| column.choices = true);
        self
    }

    /// The same, whose rows are of the jobs that the column of this key numbers or names.
    pub fn with_jobs(mut self, key: &str) -> Self {
        self.jobs = self.columns.iter().position(|column| column.key == key);
        self
    }

    /// The job of the row number `at`, if it is of one. Of jobs with names that is the number of the row.
    pub(super) fn job(&self, at: usize) -> Option<u64> {
        match self.rows[at][self.jobs?] {
            Cell::Count(job) => Some(job),
            Cell::Text(_) => Some(at as u64),
            _ => None,
        }
    }

    /// Whether the column number `at` holds numbers.
    pub fn is_number(&self, at: usize) -> bool {
        self.rows.iter().all(|row| row[at].is_number())
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// If it has not as many cells as the table has columns.
    pub fn push(&mut self, row: Vec<Cell>) {
        assert_eq!(row.len(), self.columns.len(), "a row of {:?} has a wrong length", self.title);
        self.rows.push(row);
    }
}

impl Cell {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub fn is_number(&self) -> bool {
        !matches!(self, Self::Text(_) | Self::Link(_))
    }

    /// The cell as people read it.
    pub fn shown(&self) -> String {
        match self {
            Self::Text(text) | Self::Link(Link { text, .. }) => text.clone(),
            Self::Count(count) => counted(*count),
            Self::Number(value, digits) => grouped(&format!("{value:.digits$}")),
            Self::Share(share) => format!("{:.1} %", share * 100.0),
            Self::Estimate(estimate, digits) => {
                let half_width = estimate.half_width.map(|half| format!(" ± {half:.digits$}"));
                grouped(&format!("{:.digits$}", estimate.mean)) + &half_width.unwrap_or_default()
            }
            Self::Missing => "–".into(),
        }
    }
}

/// The plain value, unrounded, for programs.
impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Interval {
            mean: f64,
            half_width: Option<f64>,
        }
        match *self {
            Self::Text(ref text) | Self::Link(Link { ref text, .. }) => text.serialize(serializer),
            Self::Count(count) => count.serialize(serializer),
            Self::Number(value, _) | Self::Share(value) => value.serialize(serializer),
            Self::Estimate(Estimate { mean, half_width, .. }, _) => {
                Interval { mean, half_width }.serialize(serializer)
            }
            Self::Missing => serializer.serialize_none(),
        }
    }
}

/// A count as people read it: `1,234`.
pub fn counted(count: u64) -> String {
    grouped(&count.to_string())
}

/// A count of things: `1 job`, `1,200 jobs`.
pub fn some(count: u64, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {what}{plural}", counted(count))
}

/// Groups the digits before the point by three: `1234567.8` becomes `1,234,567.8`.
pub(super) fn grouped(number: &str) -> String {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut text = String::from(sign);
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_before_the_point_only() {
        assert_eq!(grouped("0"), "0");
        assert_eq!(grouped("999"), "999");
        assert_eq!(grouped("1000"), "1,000");
        assert_eq!(grouped("-1234567.8912"), "-1,234,567.8912");
    }

    #[test]
    fn cells_are_rounded_for_people_and_whole_for_programs() {
        let json = |cell: &Cell| serde_json::to_string(cell).unwrap();
        let number = Cell::Number(1234.5678, 2);
        assert_eq!((number.shown(), json(&number)), ("1,234.57".into(), "1234.5678".into()));
        let share = Cell::Share(0.8761);
        assert_eq!((share.shown(), json(&share)), ("87.6 %".into(), "0.8761".into()));
        let mean = Estimate { mean: 1.25, half_width: Some(0.04), values: 9 };
        let estimate = Cell::Estimate(mean, 1);
        assert_eq!(estimate.shown(), "1.2 ± 0.0");
        assert_eq!(json(&estimate), r#"{"mean":1.25,"half_width":0.04}"#);
        assert_eq!(Cell::Estimate(Estimate { half_width: None, ..mean }, 2).shown(), "1.25");
        assert_eq!(json(&Cell::Missing), "null");
    }

    #[test]
    #[should_panic(expected = "wrong length")]
    fn a_row_of_a_wrong_length_is_a_bug() {
        Table::new("t", &[("a", "A")]).push(vec![]);
    }
}
