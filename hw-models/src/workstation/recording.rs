//! Recorded availability: a text file of periods.
//!
//! ```text
//! # anything after a hash is a comment
//! station,from,until
//! 0,0,5400
//! 0,7200,86400
//! 1,3600,86400
//! ```
//!
//! A line is a period in which a station is available, in whole seconds; the line of names may be
//! left out. Stations are numbered from 0, the periods of each rise. A station without a period is
//! never available. The recording ends where its last period does, and then begins again.

use crate::file;
use crate::text;
use locox::node::Owner;
use locox::time::Instant;
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

const COLUMNS: [&str; 3] = ["station", "from", "until"];

/// Most stations of a recording.
pub const MOST_STATIONS: u32 = 16_384;

/// When each of some stations was available.
///
/// # Invariants
///
/// - Each station's periods rise, are not empty, and neither overlap nor touch.
/// - `length` is the end of the last one, above zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    stations: Vec<Vec<(u64, u64)>>,
    length: u64,
}

/// A recording that cannot be read, in one line: what, where, what to do.
#[derive(Debug, thiserror::Error)]
pub struct RecordingError {
    /// The file, as it was named to the reader.
    pub path: PathBuf,
    /// The line, from 1; `None` if the whole file is meant.
    pub line: Option<u64>,
    /// The column, by its name.
    pub column: Option<&'static str>,
    /// What is wrong.
    pub kind: RecordingErrorKind,
}

/// What is wrong with a recording.
#[derive(Debug, thiserror::Error)]
pub enum RecordingErrorKind {
    /// The file cannot be opened.
    #[error("cannot be opened ({0}); check the name")]
    Open(io::Error),
    /// Reading failed under way.
    #[error("reading failed ({0}); check that it is a text file and may be read")]
    Read(io::Error),
    /// Not three columns.
    #[error("{0} columns where 3 belong; write station,from,until")]
    Columns(usize),
    /// Text where a whole number belongs.
    #[error("`{0}` is not a whole number of at least 0; correct the line")]
    NotWhole(String),
    /// A station beyond what is sensible.
    #[error("station {0} is beyond {last}; number the stations from 0", last = MOST_STATIONS - 1)]
    Station(u64),
    /// A period that ends before it begins, or at once.
    #[error("the period ends at {until}, which is not after {from}; correct the line")]
    Empty {
        /// Its begin.
        from: u64,
        /// Its end.
        until: u64,
    },
    /// A period that begins before the station's last one has ended.
    #[error("{from} is before {ended}, where the station's last period ends; sort or join them")]
    Overlap {
        /// Its begin.
        from: u64,
        /// The end of the one before.
        ended: u64,
    },
    /// No period at all.
    #[error("there is no period in it; write a line station,from,until for each")]
    NoPeriods,
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        f.write_str(":")?;
        if let Some(column) = self.column {
            write!(f, " column \"{column}\":")?;
        }
        write!(f, " {}", self.kind)
    }
}

/// A finding, and the column that it is in.
type Finding = (Option<&'static str>, RecordingErrorKind);

impl Recording {
    /// Reads the file at `path`.
    ///
    /// # Errors
    ///
    /// [`RecordingError`] with the line and column.
    pub fn open(path: &Path) -> Result<Self, RecordingError> {
        let file = file::open(path).map_err(|error| RecordingError {
            path: path.into(),
            line: None,
            column: None,
            kind: RecordingErrorKind::Open(error),
        })?;
        Self::read(path, file)
    }

    /// Reads a text; `path` is what errors call it.
    ///
    /// # Errors
    ///
    /// As [`Recording::open`].
    ///
    /// ```
    /// use locox_models::workstation::Recording;
    /// use std::path::Path;
    /// let text = "0,0,3600\n2,60,120\n";
    /// assert_eq!(Recording::read(Path::new("a"), text.as_bytes()).unwrap().stations(), 3);
    /// let wrong = Recording::read(Path::new("a"), "0,0,3600\n0,1800,9000\n".as_bytes());
    /// assert_eq!(
    ///     wrong.unwrap_err().to_string(),
    ///     "a:2: column \"from\": 1800 is before 3600, where the station's last period ends; sort or \
    ///      join them"
    /// );
    /// ```
    pub fn read(path: &Path, input: impl Read) -> Result<Self, RecordingError> {
        let error = |line, (column, kind)| RecordingError { path: path.into(), line, column, kind };
        let text = text::bounded(input, text::LONGEST)
            .map_err(|failed| error(None, (None, RecordingErrorKind::Read(failed))))?;
        let mut recording = Self::default();
        for (number, line) in (1..).zip(text.lines()) {
            recording.add_line(line).map_err(|finding| error(Some(number), finding))?;
        }
        if recording.length == 0 {
            return Err(error(None, (None, RecordingErrorKind::NoPeriods)));
        }
        Ok(recording)
    }

    fn add_line(&mut self, line: &str) -> Result<(), Finding> {
        let data = line.split('#').next().unwrap_or("").trim();
        if data.is_empty() || data == COLUMNS.join(",") {
            return Ok(());
        }
        let fields: Vec<&str> = data.split(',').map(str::trim).collect();
        let &[station, from, until] = &fields[..] else {
            return Err((None, RecordingErrorKind::Columns(fields.len())));
        };
        let station = whole(COLUMNS[0], station)?;
        self.add(station, whole(COLUMNS[1], from)?, whole(COLUMNS[2], until)?)
    }

    fn add(&mut self, station: u64, from: u64, until: u64) -> Result<(), Finding> {
        if station >= u64::from(MOST_STATIONS) {
            return Err((Some(COLUMNS[0]), RecordingErrorKind::Station(station)));
        }
        if until <= from {
            return Err((Some(COLUMNS[2]), RecordingErrorKind::Empty { from, until }));
        }
        let number = station as usize;
        self.stations.resize(self.stations.len().max(number + 1), Vec::new());
        let periods = &mut self.stations[number];
        match periods.last_mut() {
            Some(&mut (_, ended)) if from < ended => {
                return Err((Some(COLUMNS[1]), RecordingErrorKind::Overlap { from, ended }));
            }
            Some((_, ended)) if from == *ended => *ended = until,
            _ => periods.push((from, until)),
        }
        self.length = self.length.max(until);
        Ok(())
    }

    /// How many stations: one more than the highest number.
    pub fn stations(&self) -> usize {
        self.stations.len()
    }

    /// When it ends and begins again, in seconds.
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// When the owner of a station comes and goes.
    pub(super) fn changes(&self, station: usize) -> impl Iterator<Item = (Instant, Owner)> + '_ {
        let periods = self.stations.get(station).map_or(&[][..], Vec::as_slice);
        // Periods that touch across the end of the recording are one, of which only the begin of
        // the first and the end of the last are changes.
        let touches = periods.first().is_some_and(|first| first.0 == 0)
            && periods.last().is_some_and(|last| last.1 == self.length);
        let turn = move |turn: u64| {
            periods.iter().flat_map(move |&(from, until)| {
                let begins = (turn == 0 || from > 0 || !touches).then_some((from, Owner::Away));
                let ends = (until < self.length || !touches).then_some((until, Owner::Present));
                let at = move |(at, state)| (Instant::from_ticks(turn * self.length + at), state);
                begins.into_iter().chain(ends).map(at)
            })
        };
        let turns = match periods.len() {
            0 => 0,
            // Always available: nothing ever changes after the begin.
            1 if touches => 1,
            _ => u64::MAX / self.length,
        };
        let present = periods.first().is_none_or(|first| first.0 > 0);
        let start = present.then_some((Instant::ZERO, Owner::Present));
        start.into_iter().chain((0..turns).flat_map(turn))
    }
}

fn whole(column: &'static str, text: &str) -> Result<u64, Finding> {
    text.parse().map_err(|_| (Some(column), RecordingErrorKind::NotWhole(text.into())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Recording, String> {
        Recording::read(Path::new("av.csv"), text.as_bytes()).map_err(|error| error.to_string())
    }

    fn first(recording: &Recording, station: usize, count: usize) -> Vec<(u64, Owner)> {
        let changes = recording.changes(station).take(count);
        changes.map(|(at, state)| (at.ticks(), state)).collect()
    }

    #[test]
    fn a_recording_begins_again_at_its_end() {
        use Owner::{Away, Present};
        let recording =
            read("# two stations\nstation,from,until\n0,10,20\n0,30,50\n1,0,100 # all\n");
        let recording = recording.unwrap();
        assert_eq!((recording.stations(), recording.length()), (2, 100));
        let of_0 =
            [(0, Present), (10, Away), (20, Present), (30, Away), (50, Present), (110, Away)];
        assert_eq!(first(&recording, 0, 6), of_0);
        assert_eq!(first(&recording, 1, 5), [(0, Away)], "always available, and never interrupted");
    }

    #[test]
    fn periods_that_touch_are_one_also_across_the_end() {
        use Owner::{Away, Present};
        let recording = read("0,0,10\n0,10,20\n0,80,100\n2,5,6\n").unwrap();
        let expected = [(0, Away), (20, Present), (80, Away), (120, Present), (180, Away)];
        assert_eq!(first(&recording, 0, 5), expected);
        assert_eq!(first(&recording, 1, 5), [(0, Present)], "no period: never available");
        assert_eq!(first(&recording, 2, 3), [(0, Present), (5, Away), (6, Present)]);
    }

    #[test]
    fn faults_are_told_with_line_and_column() {
        for (text, told) in [
            ("0,0,5\n1,2\n", "av.csv:2: 2 columns where 3 belong; write station,from,until"),
            ("\n0,-1,5\n", "av.csv:2: column \"from\": `-1` is not a whole number"),
            ("x,0,5\n", "av.csv:1: column \"station\": `x` is not a whole number"),
            ("0,0,\n", "av.csv:1: column \"until\": `` is not a whole number"),
            ("16384,0,5\n", "av.csv:1: column \"station\": station 16384 is beyond 16383"),
            ("0,5,5\n", "av.csv:1: column \"until\": the period ends at 5, which is not after 5"),
            ("0,5,9\n0,8,12\n", "av.csv:2: column \"from\": 8 is before 9"),
            ("# nothing\n", "av.csv: there is no period in it"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(told), "{text}: {error}");
            assert!(error.contains("; "), "no remedy: {error}");
        }
        let missing = Recording::open(Path::new("no-such-file")).unwrap_err().to_string();
        assert!(missing.starts_with("no-such-file: cannot be opened"), "{missing}");
    }
}
