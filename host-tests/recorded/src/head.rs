//! The lines that a recorded run begins with: a word and its value each.

use crate::BadRun;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{Display, Write};
use core::str::FromStr;

const FIRST: &str = "locox recorded run 1";
const LAST: &str = "history";

/// No head is as long.
const MOST: usize = 4096;

/// - Lines are taken out as they are asked for; what is left at the end has no meaning.
pub(crate) struct Head<'b> {
    /// Number, word, value.
    lines: Vec<(usize, &'b str, &'b str)>,
    /// The number of the last line.
    end: usize,
}

impl<'b> Head<'b> {
    /// The head of a file, and what follows it.
    pub(crate) fn read(bytes: &'b [u8]) -> Result<(Self, &'b [u8]), BadRun> {
        let mut rest = bytes;
        if next_line(&mut rest) != Some(FIRST) {
            return Err(BadRun::NoRun);
        }
        let mut lines = vec![];
        for line in 2.. {
            let wrong = |what: &str| BadRun::Head { line, what: what.into() };
            let text = next_line(&mut rest).ok_or_else(|| wrong("the lines do not end"))?;
            if text == LAST {
                return Ok((Self { lines, end: line }, rest));
            }
            let (word, value) = text.split_once(' ').ok_or_else(|| wrong("it has no value"))?;
            if lines.iter().any(|(_, other, _)| *other == word) {
                return Err(wrong("there was such a line before"));
            }
            lines.push((line, word, value));
        }
        unreachable!("lines end with the bytes")
    }

    pub(crate) fn write(lines: &[(&str, &dyn Display)]) -> Vec<u8> {
        let mut text = format!("{FIRST}\n");
        for (word, value) in lines {
            let _ = writeln!(text, "{word} {value}");
        }
        text.push_str(LAST);
        text.push('\n');
        text.into_bytes()
    }

    pub(crate) fn has(&self, word: &str) -> bool {
        self.lines.iter().any(|(_, it, _)| *it == word)
    }

    pub(crate) fn text(&self, word: &str) -> Result<&'b str, BadRun> {
        let found = self.lines.iter().find(|(_, it, _)| *it == word);
        let missing =
            || BadRun::Head { line: self.end, what: format!("there is no {word} before") };
        found.map(|(_, _, value)| *value).ok_or_else(missing)
    }

    pub(crate) fn value<T: FromStr>(&self, word: &str) -> Result<T, BadRun> {
        let text = self.text(word)?;
        text.parse().map_err(|_| self.wrong(word, format!("{text:?} is no {word}")))
    }

    /// None is written as a dash.
    pub(crate) fn optional<T: FromStr>(&self, word: &str) -> Result<Option<T>, BadRun> {
        if self.text(word)? == "-" { Ok(None) } else { self.value(word).map(Some) }
    }

    /// A value that has a name.
    pub(crate) fn one_of<T: Copy>(&self, word: &str, names: &[(&str, T)]) -> Result<T, BadRun> {
        let text = self.text(word)?;
        let found = names.iter().find(|(name, _)| *name == text);
        let (_, it) =
            *found.ok_or_else(|| self.wrong(word, format!("there is no {word} {text:?}")))?;
        Ok(it)
    }

    pub(crate) fn wrong(&self, word: &str, what: String) -> BadRun {
        let found = self.lines.iter().find(|(_, it, _)| *it == word);
        BadRun::Head { line: found.map_or(self.end, |(line, ..)| *line), what }
    }

    /// Lines of other words mean that it is not understood.
    pub(crate) fn has_only(&self, words: &[&str]) -> Result<(), BadRun> {
        let other = self.lines.iter().find(|(_, word, _)| !words.contains(word));
        match other {
            Some(&(line, word, _)) => {
                Err(BadRun::Head { line, what: format!("{word:?} is not known") })
            }
            None => Ok(()),
        }
    }
}

pub(crate) fn name_of<T: PartialEq>(names: &[(&'static str, T)], of: T) -> &'static str {
    names.iter().find(|(_, it)| *it == of).map_or("", |(name, _)| name)
}

fn next_line<'b>(rest: &mut &'b [u8]) -> Option<&'b str> {
    let end = rest.iter().take(MOST).position(|byte| *byte == b'\n')?;
    let (line, behind) = rest.split_at(end);
    *rest = &behind[1..];
    str::from_utf8(line).ok()
}
