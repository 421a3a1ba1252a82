//! Requests for reservations from a text file.
//!
//! A line is a request: when it is made, when it is ready, how long it runs, when it must be done,
//! and how many PEs it needs (`t_a t_r t_du t_dl n`), in whole units of time, separated by blanks
//! or by commas. `-` in place of a deadline means none. What follows `#` or `;` is a comment. A
//! first line of names (`n, t_a, …` or `pes, arrival, ready, duration, deadline`) gives another
//! order.

use super::reservations::Asking;
use crate::file;
use crate::swf::Strictness;
use crate::text;
use locox::reserve::Request;
use locox::time::{Duration, Instant};
use std::fmt;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The names of the columns in their usual order, and other words for them.
const COLUMNS: [[&str; 2]; 5] = [
    ["t_a", "arrival"],
    ["t_r", "ready"],
    ["t_du", "duration"],
    ["t_dl", "deadline"],
    ["n", "pes"],
];
const DEADLINE: usize = 3;

/// What was read.
#[derive(Debug)]
pub struct RequestFile {
    /// The requests in the order of the file; each is numbered by its line.
    pub requests: Vec<Asking>,
    /// Bad lines that were skipped.
    pub skipped: u64,
    /// What was wrong with the first of them.
    pub first_skipped: Option<RequestFileError>,
}

/// What is wrong with a file of requests, and where.
#[derive(Debug)]
pub struct RequestFileError {
    /// The file.
    pub path: PathBuf,
    /// Line and column of the first character, both from 1, if it is a place in the file.
    pub place: Option<(u64, usize)>,
    /// What it is.
    pub kind: RequestFileErrorKind,
}

/// What is wrong with a file of requests.
#[derive(Debug, thiserror::Error)]
pub enum RequestFileErrorKind {
    /// The file cannot be read.
    #[error("cannot be read: {0}; check the name, and that it is a text file")]
    Read(io::Error),
    /// A line has too few values, or too many.
    #[error(
        "{0} values where 5 belong (t_a t_r t_du t_dl n); correct the line, or skip it with --lenient"
    )]
    Values(usize),
    /// A value is no number from 0 on.
    #[error(
        "{name}: `{text}` is not a whole number from 0 to {most}; correct it, or skip the line with --lenient"
    )]
    NotWhole {
        /// The column.
        name: &'static str,
        /// What stands there.
        text: String,
        /// The largest value that the column can have.
        most: u64,
    },
    /// The line of names does not name each column once.
    #[error("`{0}` is no name of a column, or stands there twice; use t_a, t_r, t_du, t_dl and n")]
    Name(String),
    /// There is no request.
    #[error("no request; write a line of t_a t_r t_du t_dl n for each")]
    NoRequests,
}

impl fmt::Display for RequestFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.path.display())?;
        if let Some((line, column)) = self.place {
            write!(f, "{line}:{column}:")?;
        }
        write!(f, " {}", self.kind)
    }
}

impl std::error::Error for RequestFileError {}

/// Reads the file at `path`: plain, gzip or xz, as its content says.
///
/// # Errors
///
/// [`RequestFileError`]. With [`Strictness::Lenient`] bad lines are skipped and counted instead.
pub fn read_requests(path: &Path, strictness: Strictness) -> Result<RequestFile, RequestFileError> {
    let whole = |kind| RequestFileError { path: path.into(), place: None, kind };
    let file = file::open(path).map_err(|error| whole(RequestFileErrorKind::Read(error)))?;
    read_requests_from(path, file, strictness)
}

/// Reads requests from anywhere; `path` is its name in errors.
///
/// # Errors
///
/// As [`read_requests`].
pub fn read_requests_from(
    path: &Path,
    input: impl Read + Send + 'static,
    strictness: Strictness,
) -> Result<RequestFile, RequestFileError> {
    let whole = |kind| RequestFileError { path: path.into(), place: None, kind };
    let text = text::whole(input).map_err(|error| whole(RequestFileErrorKind::Read(error)))?;
    let file = parse(path, &text, strictness)?;
    if file.requests.is_empty() {
        return Err(whole(RequestFileErrorKind::NoRequests));
    }
    Ok(file)
}

/// Writes requests, one a line, behind a line of names.
///
/// # Errors
///
/// Those of `out`.
pub fn write_requests(requests: &[Asking], out: &mut dyn Write) -> io::Result<()> {
    let names = COLUMNS.map(|[name, _]| name).join(" ");
    writeln!(out, "{names}")?;
    for asking in requests {
        let Request { ready, duration, deadline, pes } = asking.request;
        let (arrival, ready, duration) = (asking.arrival.ticks(), ready.ticks(), duration.ticks());
        let deadline = deadline.map_or("-".into(), |deadline| deadline.ticks().to_string());
        writeln!(out, "{arrival} {ready} {duration} {deadline} {pes}")?;
    }
    Ok(())
}

/// A column from 1, and what is wrong there.
type Fault = (usize, RequestFileErrorKind);

fn parse(path: &Path, text: &str, strictness: Strictness) -> Result<RequestFile, RequestFileError> {
    let mut file = RequestFile { requests: vec![], skipped: 0, first_skipped: None };
    let mut order: Option<[usize; 5]> = None;
    for (line, text) in (1..).zip(text.lines()) {
        let words = words(text);
        if words.is_empty() {
            continue;
        }
        let parsed = match order {
            None if is_header(&words) => {
                let named = names(&words);
                order = named.as_ref().ok().copied();
                named.map(|_| None)
            }
            _ => request(line, &words, *order.get_or_insert([0, 1, 2, 3, 4])).map(Some),
        };
        match parsed {
            Ok(asking) => file.requests.extend(asking),
            Err((column, kind)) => {
                let place = Some((line, column));
                let error = RequestFileError { path: path.into(), place, kind };
                // Without the names it is not known which value is which.
                if strictness == Strictness::Strict || order.is_none() {
                    return Err(error);
                }
                file.skipped += 1;
                file.first_skipped.get_or_insert(error);
            }
        }
    }
    Ok(file)
}

/// The words of a line without its comment, each with the column that it begins at.
pub(crate) fn words(line: &str) -> Vec<(usize, &str)> {
    let content = line.split(['#', ';']).next().unwrap_or_default();
    let mut words = Vec::new();
    let mut start = None;
    for (column, (at, c)) in (1..).zip(content.char_indices()) {
        let separates = c == ',' || c.is_whitespace();
        match start {
            None if !separates => start = Some((column, at)),
            Some((column, from)) if separates => {
                words.push((column, &content[from..at]));
                start = None;
            }
            _ => {}
        }
    }
    words.extend(start.map(|(column, from)| (column, &content[from..])));
    words
}

fn is_header(words: &[(usize, &str)]) -> bool {
    words.iter().all(|(_, word)| word.starts_with(|c: char| c.is_alphabetic()))
}

/// Where in a line each of [`COLUMNS`] stands.
fn names(words: &[(usize, &str)]) -> Result<[usize; 5], Fault> {
    let mut places = [None; 5];
    for (at, &(column, word)) in words.iter().enumerate() {
        let found = COLUMNS.iter().position(|names| names.contains(&word.to_lowercase().as_str()));
        match found {
            Some(found) if places[found].is_none() => places[found] = Some(at),
            _ => return Err((column, RequestFileErrorKind::Name(word.into()))),
        }
    }
    let mut order = [0; 5];
    for (order, place) in order.iter_mut().zip(places) {
        *order = place.ok_or((1, RequestFileErrorKind::Values(words.len())))?;
    }
    Ok(order)
}

fn request(line: u64, words: &[(usize, &str)], order: [usize; 5]) -> Result<Asking, Fault> {
    if words.len() != COLUMNS.len() {
        return Err((words[0].0, RequestFileErrorKind::Values(words.len())));
    }
    let number = |which: usize, most: u64| {
        let (column, text) = words[order[which]];
        text.parse().ok().filter(|&value| value <= most).ok_or_else(|| {
            let name = COLUMNS[which][0];
            (column, RequestFileErrorKind::NotWhole { name, text: text.into(), most })
        })
    };
    let time = |which| number(which, u64::MAX).map(Instant::from_ticks);
    let (arrival, ready) = (time(0)?, time(1)?);
    let duration = Duration::from_ticks(number(2, u64::MAX)?);
    let deadline = match words[order[DEADLINE]].1 {
        "-" => None,
        _ => Some(time(DEADLINE)?),
    };
    let pes = number(4, u32::MAX.into())? as u32;
    let request = Request { deadline, ..Request::new(ready, duration, pes) };
    Ok(Asking { id: line, arrival, request })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lenient(text: &str) -> RequestFile {
        parse(Path::new("f"), text, Strictness::Lenient).unwrap()
    }

    fn told(text: &str) -> String {
        parse(Path::new("f"), text, Strictness::Strict).unwrap_err().to_string()
    }

    fn plain(file: &RequestFile) -> Vec<(u64, [u64; 4], Option<u64>)> {
        let plain = |asking: &Asking| {
            let request = &asking.request;
            let (ready, duration) = (request.ready.ticks(), request.duration.ticks());
            let values = [asking.arrival.ticks(), ready, duration, request.pes.into()];
            (asking.id, values, request.deadline.map(Instant::ticks))
        };
        file.requests.iter().map(plain).collect()
    }

    #[test]
    fn blanks_commas_and_comments_are_understood() {
        let file = lenient("# all\n\n0 5 10 90 3 ; one\n1,2,3,4,5\n 7 ,\t8, 9 ,-,  10# last");
        let expected = vec![
            (3, [0, 5, 10, 3], Some(90)),
            (4, [1, 2, 3, 5], Some(4)),
            (5, [7, 8, 9, 10], None),
        ];
        assert_eq!((plain(&file), file.skipped), (expected, 0));
    }

    #[test]
    fn requests_read_back_as_written() {
        let file = lenient("0 5 10 90 3\n1,2,3,-,5\n");
        let mut text = Vec::new();
        write_requests(&file.requests, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text, "t_a t_r t_du t_dl n\n0 5 10 90 3\n1 2 3 - 5\n");
        let values = |file: &RequestFile| plain(file).into_iter().map(|(_, a, b)| (a, b)).collect();
        let (before, after): (Vec<_>, Vec<_>) = (values(&file), values(&lenient(&text)));
        assert_eq!(before, after);
    }

    #[test]
    fn a_first_line_of_names_gives_the_order() {
        let expected = vec![(2, [1, 2, 3, 5], Some(4))];
        assert_eq!(plain(&lenient("t_a t_r t_du t_dl n\n1 2 3 4 5")), expected);
        assert_eq!(plain(&lenient("PEs,Deadline,Duration,Ready,Arrival\n5,4,3,2,1")), expected);
    }

    #[test]
    fn faults_are_told_with_line_and_column() {
        for (text, said) in [
            ("0 5 10 90 3\n0 5 1x 90 3", "f:2:5: t_du: `1x` is not a whole number from 0"),
            ("0 5 10 90\n", "f:1:1: 4 values where 5 belong"),
            ("  0 5 10 90 3 1\n", "f:1:3: 6 values where 5 belong"),
            ("0,5,10,-3,3", "f:1:8: t_dl: `-3` is not"),
            ("0 5 - 90 3", "f:1:5: t_du: `-` is not"),
            (
                "0 5 10 90 4294967296",
                "f:1:11: n: `4294967296` is not a whole number from 0 to 42949",
            ),
            ("18446744073709551616 5 10 90 3", "f:1:1: t_a: "),
            ("t_a t_r t_du t_dl m\n", "f:1:19: `m` is no name"),
            ("n t_r t_du t_dl n\n", "f:1:17: `n` is no name of a column, or stands there twice"),
            ("t_a t_r t_du t_dl\n", "f:1:1: 4 values"),
            ("0 5 10 90 3\nt_a t_r t_du t_dl n", "f:2:1: t_a: `t_a` is not"),
        ] {
            assert!(told(text).starts_with(said), "{}", told(text));
        }
    }

    #[test]
    fn lenient_skips_bad_lines_and_remembers_the_first() {
        let file = lenient("0 5 10 90 3\nx 1 1 1 1\n1 2 3\n0 6 10 90 3");
        assert_eq!((file.requests.len(), file.skipped), (2, 2));
        assert!(file.first_skipped.unwrap().to_string().starts_with("f:2:1: t_a: `x`"));
        // A header that cannot be understood is none.
        let error = parse(Path::new("f"), "a b c d e\n", Strictness::Lenient).unwrap_err();
        assert_eq!(error.place, Some((1, 1)));
    }
}
