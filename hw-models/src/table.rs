//! Tables of users: commas between the columns, whose names are in the first line. What follows `#` is a comment, and an
//! empty cell is 0.

use crate::text;
use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// What is wrong with a table, in one line: what, where, what to do. `K` is what can be wrong with what it says.
#[derive(Debug)]
pub struct BadTable<K> {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1, if it is one.
    pub line: Option<u64>,
    /// The column, by its name.
    pub column: Option<String>,
    /// What is wrong.
    pub kind: BadTableKind<K>,
}

/// What is wrong with a table.
#[derive(Debug, thiserror::Error)]
pub enum BadTableKind<K> {
    /// The file cannot be read.
    #[error("cannot be read ({0}); check the name, and that it is a text file")]
    Read(io::Error),
    /// There is no line of names.
    #[error("it is empty; write a line of names, such as {0}, and one for each row")]
    Empty(&'static str),
    /// A column that is needed is missing.
    #[error("no such column; name it in the first line, such as {0}")]
    Missing(&'static str),
    /// Two columns have one name.
    #[error("it is named twice; leave one of them out")]
    Twice,
    /// A column has no name.
    #[error("column {0} has no name; name it, or leave it out")]
    Unnamed(usize),
    /// A line has too few values, or too many.
    #[error("{found} values where {columns} belong; give each column one, which may be empty")]
    Values {
        /// In the line.
        found: usize,
        /// That are named.
        columns: usize,
    },
    /// A value is no number.
    #[error("`{text}` is not a whole number from 0 to {most}; correct it")]
    NotWhole {
        /// The value.
        text: String,
        /// The largest.
        most: u64,
    },
    /// What it says.
    #[error(transparent)]
    Content(K),
}

impl<K: fmt::Display> fmt::Display for BadTable<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        self.line.map_or(Ok(()), |line| write!(f, ":{line}"))?;
        let column = self.column.as_ref();
        column.map_or(Ok(()), |column| write!(f, ": column \"{column}\""))?;
        write!(f, ": {}", self.kind)
    }
}

impl<K: Error + 'static> Error for BadTable<K> {}

/// The line and the column, and what is wrong there.
pub(crate) type Fault<K> = (Option<u64>, Option<String>, BadTableKind<K>);

/// What `parse` makes of a file, plain, gzip or xz, as its content says; `path` is its name in errors.
///
/// # Errors
///
/// That it cannot be read, and what `parse` finds.
pub(crate) fn read<T, K>(
    path: &Path,
    input: io::Result<impl Read + Send + 'static>,
    parse: impl FnOnce(&str) -> Result<T, Fault<K>>,
) -> Result<T, BadTable<K>> {
    let unread = |error| (None, None, BadTableKind::Read(error));
    let text = input.and_then(text::whole).map_err(unread);
    let parsed = text.and_then(|text| parse(&text));
    parsed.map_err(|(line, column, kind)| BadTable { path: path.into(), line, column, kind })
}

/// A table with columns of different names.
pub(crate) struct Table<'t> {
    names: Vec<&'t str>,
    /// The line of the names.
    head: u64,
    lines: Vec<(u64, &'t str)>,
    example: &'static str,
}

impl<'t> Table<'t> {
    /// That of a text; names could be as in the example.
    ///
    /// # Errors
    ///
    /// That there are no names, or none of a column, or one twice.
    pub(crate) fn of<K>(text: &'t str, example: &'static str) -> Result<Self, Fault<K>> {
        let lines = (1..).zip(text.lines());
        let mut lines = lines.filter(|(_, line)| values(line).any(|it| !it.is_empty()));
        let (head, names) = lines.next().ok_or((None, None, BadTableKind::Empty(example)))?;
        let names: Vec<&str> = values(names).collect();
        let mut seen = HashSet::new();
        for (at, &name) in names.iter().enumerate() {
            if name.is_empty() {
                return Err((Some(head), None, BadTableKind::Unnamed(at + 1)));
            }
            if !seen.insert(name) {
                return Err((Some(head), Some(name.into()), BadTableKind::Twice));
            }
        }
        Ok(Self { names, head, lines: lines.collect(), example })
    }

    /// The names of the columns.
    pub(crate) fn names(&self) -> &[&'t str] {
        &self.names
    }

    /// Where a column is.
    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|it| *it == name)
    }

    /// Where a column is that has to be there.
    pub(crate) fn needed<K>(&self, name: &str) -> Result<usize, Fault<K>> {
        let missing = || (Some(self.head), Some(name.into()), BadTableKind::Missing(self.example));
        self.column(name).ok_or_else(missing)
    }

    /// That the first line is wrong.
    pub(crate) fn wrong<K>(&self, column: Option<&str>, kind: K) -> Fault<K> {
        (Some(self.head), column.map(Into::into), BadTableKind::Content(kind))
    }

    /// The other lines that are not empty, each with as many values as there are columns.
    pub(crate) fn rows<K>(&self) -> impl Iterator<Item = Result<Row<'_, 't>, Fault<K>>> {
        self.lines.iter().map(|&(line, text)| {
            let values: Vec<&str> = values(text).collect();
            let (found, columns) = (values.len(), self.names.len());
            match found == columns {
                true => Ok(Row { names: &self.names, line, values }),
                false => Err((Some(line), None, BadTableKind::Values { found, columns })),
            }
        })
    }
}

/// A line of a [`Table`].
pub(crate) struct Row<'a, 't> {
    names: &'a [&'t str],
    line: u64,
    values: Vec<&'t str>,
}

impl<'t> Row<'_, 't> {
    /// Its number, from 1.
    pub(crate) const fn line(&self) -> u64 {
        self.line
    }

    /// The value of a column.
    pub(crate) fn text(&self, at: usize) -> &'t str {
        self.values[at]
    }

    /// The number in a column, of digits alone; 0 of nothing.
    pub(crate) fn number<N: FromStr + Default, K>(&self, at: usize) -> Result<N, Fault<K>> {
        let text = self.values[at];
        let is_plain = text.bytes().all(|it| it.is_ascii_digit());
        let number = if text.is_empty() { Some(N::default()) } else { text.parse().ok() };
        let most = u64::MAX >> (u64::BITS - 8 * size_of::<N>() as u32);
        let wrong = || BadTableKind::NotWhole { text: text.into(), most };
        number.filter(|_| is_plain).ok_or_else(|| self.at(Some(at), wrong()))
    }

    /// That a value of this line, or all of it, is wrong.
    pub(crate) fn wrong<K>(&self, column: Option<usize>, kind: K) -> Fault<K> {
        self.at(column, BadTableKind::Content(kind))
    }

    fn at<K>(&self, column: Option<usize>, kind: BadTableKind<K>) -> Fault<K> {
        (Some(self.line), column.map(|at| self.names[at].into()), kind)
    }
}

/// The values of a line without its comment.
fn values(line: &str) -> impl Iterator<Item = &str> {
    line.split('#').next().unwrap_or_default().split(',').map(str::trim)
}

/// Whether a table can hold this as a value that is not empty.
pub(crate) fn is_value(text: &str) -> bool {
    !text.is_empty() && !text.contains('\n') && values(text).eq([text])
}
