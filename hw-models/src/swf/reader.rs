//! Line by line through a trace.

use super::header::LONGEST;
use super::record::Fault;
use super::strictness::{BadLines, Strictness};
use super::{Compression, Header, Record, SwfError, SwfErrorKind, source};
use crate::file;
use crate::memory::Room;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

/// Opens the trace at `path`: plain, gzip or xz, as its content says.
///
/// # Errors
///
/// [`SwfErrorKind::Open`], else as [`read`].
pub fn open(path: &Path, strictness: Strictness) -> Result<Reader, SwfError> {
    let file =
        file::open(path).map_err(|error| SwfError::of_file(path, SwfErrorKind::Open(error)))?;
    read(path, file, strictness)
}

/// Reads a trace from anywhere; `path` is its name in errors.
///
/// # Errors
///
/// [`SwfErrorKind::Read`] if not even the first bytes can be read; or what else the file is, if
/// they tell.
pub fn read(
    path: impl Into<PathBuf>,
    input: impl Read + Send + 'static,
    strictness: Strictness,
) -> Result<Reader, SwfError> {
    let path = path.into();
    let (compression, source) =
        source::uncompressed(input).map_err(|kind| SwfError::of_file(&path, kind))?;
    Ok(Reader {
        path,
        compression,
        source,
        line: 0,
        text: Vec::new(),
        header: Header::default(),
        room: Room::of(LONGEST),
        begun: false,
        given: false,
        ended: false,
        bad: BadLines::new(strictness),
    })
}

/// The records of a trace in the order of the file.
///
/// After an error that no lenience helps against (the file cannot be read on) there is nothing
/// more.
pub struct Reader {
    path: PathBuf,
    compression: Compression,
    source: Box<dyn BufRead + Send>,
    /// Lines read so far: the number of the line in `text`.
    line: u64,
    text: Vec<u8>,
    header: Header,
    /// For more of the header.
    room: Room,
    /// A record has been seen: comments no longer belong to the header.
    begun: bool,
    /// A record was given, and nobody said yet that its line is bad.
    given: bool,
    ended: bool,
    bad: BadLines<SwfError>,
}

impl Reader {
    /// More than any line of the archive has; a binary file would otherwise be one endless line.
    const LONGEST_LINE: u64 = 1 << 16;

    /// The comments before the first record; complete once that record, or the end, was read.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// How the file is compressed.
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// Bad lines skipped so far.
    pub fn skipped(&self) -> u64 {
        self.bad.skipped()
    }

    /// What was wrong with the first line skipped.
    pub fn first_skipped(&self) -> Option<&SwfError> {
        self.bad.first()
    }

    /// An error about the file as a whole.
    pub(crate) fn whole_file(&self, kind: SwfErrorKind) -> SwfError {
        SwfError::of_file(&self.path, kind)
    }

    /// Deals with a bad line as the strictness says: an error, or one more skipped.
    pub(crate) fn bad_line(
        &mut self,
        line: u64,
        column: Option<&'static str>,
        kind: SwfErrorKind,
    ) -> Result<(), SwfError> {
        let error = SwfError { path: self.path.clone(), line: Some(line), column, kind };
        self.given = false;
        self.bad.bad(error, |error| {
            self.ended = true;
            SwfError { kind: SwfErrorKind::AllBad(error.kind.into()), ..error }
        })
    }

    /// Reads the next line into `self.text`; false at the end.
    fn next_line(&mut self) -> Result<bool, SwfError> {
        self.text.clear();
        self.line += 1;
        let mut source = self.source.by_ref().take(Self::LONGEST_LINE + 1);
        let kind = match source.read_until(b'\n', &mut self.text) {
            Ok(0) => return Ok(false),
            Ok(read) if read as u64 <= Self::LONGEST_LINE => return Ok(true),
            Ok(_) => SwfErrorKind::LongLine(Self::LONGEST_LINE),
            Err(error) => self.compression.failure(error),
        };
        self.ended = true;
        Err(SwfError { line: Some(self.line), ..self.whole_file(kind) })
    }

    /// What the line in `self.text` holds: a record, or nothing (a comment, a blank line).
    fn parse_line(&mut self) -> Result<Option<Record>, Fault> {
        let text = self.text.trim_ascii();
        if let Some(comment) = text.strip_prefix(b";") {
            if !self.begun {
                let comment = String::from_utf8_lossy(comment);
                let pushed = self.header.push(&comment, &mut self.room);
                pushed.map_err(|full| (None, SwfErrorKind::LongHeader(full)))?;
            }
            return Ok(None);
        }
        if text.is_empty() {
            return Ok(None);
        }
        self.begun = true;
        Record::parse(self.line, text).map(Some)
    }

    fn next_record(&mut self) -> Result<Option<Record>, SwfError> {
        if self.given {
            self.bad.good();
        }
        self.given = false;
        while self.next_line()? {
            match self.parse_line() {
                Ok(Some(record)) => {
                    self.given = true;
                    return Ok(Some(record));
                }
                Ok(None) => {}
                Err((_, kind @ SwfErrorKind::LongHeader(_))) => {
                    return Err(SwfError { line: Some(self.line), ..self.whole_file(kind) });
                }
                Err((column, kind)) => self.bad_line(self.line, column, kind)?,
            }
        }
        Ok(None)
    }
}

impl Iterator for Reader {
    type Item = Result<Record, SwfError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let record = self.next_record().transpose();
        self.ended |= record.is_none();
        record
    }
}
