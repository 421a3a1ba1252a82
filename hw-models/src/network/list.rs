//! Lists of messages from text files, plain or compressed.
//!
//! A line is a message: the node that sends it, the node that it is for, and the cycle in which it
//! is ready (`src dst at`), separated by blanks or commas, in the order of the times. Further
//! columns are ignored, and so is a first line that begins with `src`. What follows `#` or `;` is a
//! comment.

use super::traffic::Message;
use crate::file;
use crate::text;
use crate::workload::request_file::words;
use locox::cube::{Dim, Node};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The largest cube that a list may be for.
pub const MOST_DIMS: Dim = Dim::new(16).unwrap();
/// The last cycle in which a message may be ready.
const LAST_CYCLE: u64 = 1 << 48;

const COLUMNS: [&str; 3] = ["src", "dst", "at"];

/// A list of messages, and the cube that they are for.
#[derive(Debug)]
pub struct List {
    /// The dimensions of the cube.
    pub dims: Dim,
    /// The messages in the order of the file, which is that of their times.
    pub messages: Vec<Message>,
}

/// What is wrong with a list, and where.
#[derive(Debug)]
pub struct ListError {
    /// The file; `-` is the standard input.
    pub path: PathBuf,
    /// Line and column of the first character, both from 1, if it is a place in the file.
    pub place: Option<(u64, usize)>,
    /// What it is.
    pub kind: ListErrorKind,
}

/// What is wrong with a list.
#[derive(Debug, thiserror::Error)]
pub enum ListErrorKind {
    /// The file cannot be read.
    #[error("cannot be read: {0}; check the name, and that it is a file of text, whole")]
    Read(io::Error),
    /// A line has too few values.
    #[error("{0} of the values src, dst and at; correct the line")]
    Values(usize),
    /// A value is no number, or too large.
    #[error("{name}: `{text}` is not a whole number from 0 to {most}; correct it")]
    NotWhole {
        /// The column.
        name: &'static str,
        /// What stands there.
        text: String,
        /// The largest value that the column can have.
        most: u64,
    },
    /// A node is not in the cube that was asked for.
    #[error("{name}: node {node} is not in a {dims}-cube; correct it, or take a larger --cube")]
    Outside {
        /// The column.
        name: &'static str,
        /// The node.
        node: Node,
        /// The cube.
        dims: Dim,
    },
    /// A message is ready before the one in the line before it.
    #[error("at: {at} comes after {before}; put the lines in the order of their times")]
    Unsorted {
        /// When it is ready.
        at: u64,
        /// When the one before is.
        before: u64,
    },
    /// There is no message.
    #[error("no message; write a line of src dst at for each")]
    NoMessages,
}

impl fmt::Display for ListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_os_str() == "-" {
            true => f.write_str("standard input:")?,
            false => write!(f, "{}:", self.path.display())?,
        }
        if let Some((line, column)) = self.place {
            write!(f, "{line}:{column}:")?;
        }
        write!(f, " {}", self.kind)
    }
}

impl std::error::Error for ListError {}

/// Reads the list at `path`, `-` for the standard input. Without `dims` it is for the smallest cube
/// that has all nodes.
///
/// # Errors
///
/// [`ListError`].
pub fn read(path: &Path, dims: Option<Dim>) -> Result<List, ListError> {
    let text = content(path).map_err(|error| whole(path, ListErrorKind::Read(error)))?;
    parse(path, &text, dims)
}

fn whole(path: &Path, kind: ListErrorKind) -> ListError {
    ListError { path: path.into(), place: None, kind }
}

fn parse(path: &Path, text: &str, dims: Option<Dim>) -> Result<List, ListError> {
    let mut messages: Vec<Message> = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let words = words(text);
        if words.is_empty() || messages.is_empty() && words[0].1 == COLUMNS[0] {
            continue;
        }
        let before = messages.last().map_or(0, |message| message.at);
        let message = message(&words, before, dims).map_err(|(column, kind)| {
            let place = Some((line, column));
            ListError { path: path.into(), place, kind }
        })?;
        messages.push(message);
    }
    let nodes = messages.iter().map(|message| message.source.0.max(message.target.0));
    let largest = nodes.max().ok_or_else(|| whole(path, ListErrorKind::NoMessages))?;
    let smallest = Dim::holding(largest + 1).unwrap_or(MOST_DIMS);
    Ok(List { dims: dims.unwrap_or(smallest), messages })
}

fn content(path: &Path) -> io::Result<String> {
    match path.as_os_str() == "-" {
        true => text::whole(io::stdin()),
        false => text::whole(file::open(path)?),
    }
}

/// A column from 1, and what is wrong there.
type Fault = (usize, ListErrorKind);

fn message(words: &[(usize, &str)], before: u64, dims: Option<Dim>) -> Result<Message, Fault> {
    let &[source, target, at, ..] = words else {
        return Err((words[0].0, ListErrorKind::Values(words.len())));
    };
    let source = node(source, COLUMNS[0], dims)?;
    let target = node(target, COLUMNS[1], dims)?;
    let column = at.0;
    let at = number(at, COLUMNS[2], LAST_CYCLE)?;
    if at < before {
        return Err((column, ListErrorKind::Unsorted { at, before }));
    }
    Ok(Message { source, target, at })
}

fn node(word: (usize, &str), name: &'static str, dims: Option<Dim>) -> Result<Node, Fault> {
    let node = Node(number(word, name, u64::from(MOST_DIMS.nodes()) - 1)? as u32);
    match dims.filter(|dims| node.0 >= dims.nodes()) {
        Some(dims) => Err((word.0, ListErrorKind::Outside { name, node, dims })),
        None => Ok(node),
    }
}

fn number((column, text): (usize, &str), name: &'static str, most: u64) -> Result<u64, Fault> {
    let value = text.parse().ok().filter(|&value| value <= most);
    value.ok_or_else(|| (column, ListErrorKind::NotWhole { name, text: text.into(), most }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str, dims: Option<u8>) -> String {
        let dims = dims.and_then(Dim::new);
        parse(Path::new("f"), text, dims).unwrap_err().to_string()
    }

    #[test]
    fn blanks_commas_comments_names_and_further_columns_are_understood() {
        let text = "# all\n\nsrc,dst,at,delivered\n0 5 3 88 # one\n1,2,3,x\n 7 ,\t0 4";
        let list = parse(Path::new("f"), text, None).unwrap();
        let plain = |it: &Message| (it.source.0, it.target.0, it.at);
        assert!(list.messages.iter().map(plain).eq([(0, 5, 3), (1, 2, 3), (7, 0, 4)]));
        assert_eq!(list.dims.get(), 3);
    }

    #[test]
    fn the_cube_is_the_one_asked_for_or_the_smallest_that_has_all_nodes() {
        let dims = |text, dims: Option<u8>| {
            parse(Path::new("f"), text, dims.and_then(Dim::new)).unwrap().dims.get()
        };
        assert_eq!(dims("0 0 0", None), 0);
        assert_eq!(dims("0 8 0", None), 4);
        assert_eq!(dims("65535 8 0", None), 16);
        assert_eq!(dims("0 8 0", Some(7)), 7);
    }

    #[test]
    fn faults_are_told_with_line_and_column() {
        for (text, said) in [
            ("0 1 0\n0  1x 0", "f:2:4: dst: `1x` is not a whole number from 0 to 65535"),
            ("0 1 -", "f:1:5: at: `-` is not a whole number from 0 to 281474976710656; correct it"),
            ("0 1 0\n  0 1 # 2", "f:2:3: 2 of the values src, dst and at; correct"),
            ("-1 1 0", "f:1:1: src: `-1` is not"),
            ("0,65536,0", "f:1:3: dst: `65536` is not"),
            ("0 1 5\n0 1 4", "f:2:5: at: 4 comes after 5; put the lines in the order"),
            ("0 1 0\nsrc dst at", "f:2:1: src: `src` is not"),
            ("", "f: no message; write a line"),
            ("# src dst at\n\n", "f: no message"),
        ] {
            assert!(told(text, None).starts_with(said), "{}", told(text, None));
        }
        let outside = "f:1:3: dst: node 4 is not in a 2-cube; correct it, or take a larger --cube";
        assert_eq!(told("0 4 0", Some(2)), outside);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_told_by_name() {
        let error = read(Path::new("no such list"), None).unwrap_err();
        assert!(error.to_string().starts_with("no such list: cannot be read: "), "{error}");
    }
}
