//! One job: 18 columns.

use super::SwfErrorKind;
use super::columns::{COLUMNS, Column};
use SwfErrorKind::{Columns, Negative, NotANumber, NotWhole, TooLarge};

/// A job as the trace tells it; -1 where a value is unknown, never below.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Where it stands in the uncompressed text, from 1.
    pub line: u64,
    /// Job number.
    pub number: i64,
    /// Time of submission, s.
    pub submit: i64,
    /// Time in the queue, s.
    pub wait: i64,
    /// Wall clock time that it ran, s.
    pub run: i64,
    /// Processors allocated.
    pub processors: i64,
    /// Mean CPU time of a processor, s.
    pub cpu_time: i64,
    /// Mean memory of a processor, KB.
    pub memory: i64,
    /// Processors requested.
    pub requested_processors: i64,
    /// Time requested, s.
    pub requested_time: i64,
    /// Memory of a processor requested, KB.
    pub requested_memory: i64,
    /// How it ended: 1 completed, 0 failed, 5 cancelled, 2 to 4 for parts of a job.
    pub status: i64,
    /// User.
    pub user: i64,
    /// Group.
    pub group: i64,
    /// Program.
    pub executable: i64,
    /// Queue.
    pub queue: i64,
    /// Partition of the machine.
    pub partition: i64,
    /// The job that this one waits for.
    pub preceding: i64,
    /// Time from the end of that job to the submission of this one, s.
    pub think_time: i64,
}

/// What is wrong with a line: the column if it is one, and why.
pub(super) type Fault = (Option<&'static str>, SwfErrorKind);

impl Record {
    /// Reads the text of line `line`.
    pub(super) fn parse(line: u64, text: &[u8]) -> Result<Self, Fault> {
        if let Some(values) = plain(text) {
            return Ok(Self::from_values(line, values));
        }
        let mut words = words(text);
        let mut columns = [&text[..0]; COLUMNS.len()];
        let found = columns.iter_mut().zip(&mut words).map(|(column, word)| *column = word).count();
        let found = found + words.count();
        if found != COLUMNS.len() {
            return Err((None, Columns(found)));
        }
        let mut values = [-1; COLUMNS.len()];
        for ((value, column), word) in values.iter_mut().zip(&COLUMNS).zip(columns) {
            *value = column.value(word).map_err(|kind| (Some(column.name), kind))?;
        }
        Ok(Self::from_values(line, values))
    }

    /// The columns in their order.
    pub(super) fn values(&self) -> [i64; COLUMNS.len()] {
        [
            self.number,
            self.submit,
            self.wait,
            self.run,
            self.processors,
            self.cpu_time,
            self.memory,
            self.requested_processors,
            self.requested_time,
            self.requested_memory,
            self.status,
            self.user,
            self.group,
            self.executable,
            self.queue,
            self.partition,
            self.preceding,
            self.think_time,
        ]
    }

    fn from_values(line: u64, values: [i64; COLUMNS.len()]) -> Self {
        let [
            number,
            submit,
            wait,
            run,
            processors,
            cpu_time,
            memory,
            requested_processors,
            requested_time,
            requested_memory,
            status,
            user,
            group,
            executable,
            queue,
            partition,
            preceding,
            think_time,
        ] = values;
        Self {
            line,
            number,
            submit,
            wait,
            run,
            processors,
            cpu_time,
            memory,
            requested_processors,
            requested_time,
            requested_memory,
            status,
            user,
            group,
            executable,
            queue,
            partition,
            preceding,
            think_time,
        }
    }
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// The values of a line of plain whole numbers in each column, as nearly all lines are; `None` of any other.
fn plain(text: &[u8]) -> Option<[i64; COLUMNS.len()]> {
    let mut values = [-1; COLUMNS.len()];
    let mut words = words(text);
    for value in &mut values {
        *value = plain_number(words.next()?)?;
    }
    words.next().is_none().then_some(values)
}

fn plain_number(word: &[u8]) -> Option<i64> {
    const MOST_DIGITS: usize = i64::MAX.ilog10() as usize;
    match word {
        b"-1" => Some(-1),
        _ if word.len() > MOST_DIGITS => None,
        _ => word.iter().try_fold(0, |value, &digit| {
            digit.is_ascii_digit().then(|| 10 * value + i64::from(digit - b'0'))
        }),
    }
}

impl Column {
    fn value(&self, word: &[u8]) -> Result<i64, SwfErrorKind> {
        let text = || String::from_utf8_lossy(word).into_owned();
        match str::from_utf8(word).ok().and_then(|text| self.number(text)) {
            Some(value) if value < -1 => Err(Negative(value)),
            Some(value) => Ok(value),
            None if is_huge(&text()) => Err(TooLarge(text())),
            None if self.fraction => Err(NotANumber(text())),
            None => Err(NotWhole(text())),
        }
    }

    fn number(&self, text: &str) -> Option<i64> {
        if let Ok(value) = text.parse() {
            return Some(value);
        }
        let value: f64 = text.parse().ok().filter(|_| self.fraction)?;
        (value.abs() <= EXACT).then(|| value.round() as i64)
    }
}

/// Beyond it neighbouring whole numbers are no longer apart in an f64.
const EXACT: f64 = (1u64 << 53) as f64;

/// Whether this is a number, but too large a one. The words for infinity are none.
fn is_huge(text: &str) -> bool {
    let is_number = text.trim_start_matches('+').starts_with(|c: char| c.is_ascii_digit());
    is_number && text.parse().is_ok_and(|value: f64| value > EXACT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Record, String> {
        Record::parse(1, text.as_bytes())
            .map_err(|(column, kind)| format!("{}: {kind}", column.unwrap_or("line")))
    }

    fn with(column: usize, value: &str) -> Result<Record, String> {
        let mut words = ["-1"; 18];
        words[column] = value;
        parse(&words.join(" "))
    }

    #[test]
    fn every_column_lands_in_its_own_field() {
        let record = parse("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18").unwrap();
        assert_eq!(record, Record::from_values(1, std::array::from_fn(|i| i as i64 + 1)));
        assert_eq!((record.number, record.submit, record.wait, record.run), (1, 2, 3, 4));
        assert_eq!((record.processors, record.cpu_time, record.memory), (5, 6, 7));
        assert_eq!((record.requested_processors, record.requested_time), (8, 9));
        assert_eq!((record.requested_memory, record.status, record.user), (10, 11, 12));
        assert_eq!((record.group, record.executable, record.queue), (13, 14, 15));
        assert_eq!((record.partition, record.preceding, record.think_time), (16, 17, 18));
    }

    #[test]
    fn spaces_tabs_and_carriage_returns_separate() {
        let words = ["7"; 18];
        assert_eq!(parse(&format!("  {}\r", words.join(" \t"))), parse(&words.join(" ")));
    }

    #[test]
    fn fractions_round_to_the_nearest_whole_in_times_and_memory_only() {
        assert_eq!(with(5, "489.00").unwrap().cpu_time, 489);
        assert_eq!(with(1, "10.5").unwrap().submit, 11);
        assert_eq!(with(3, "10.4").unwrap().run, 10);
        for (at, column) in COLUMNS.iter().enumerate() {
            assert_eq!(with(at, "1.5").is_ok(), column.fraction, "{}", column.name);
        }
    }

    #[test]
    fn a_line_of_17_or_19_columns_is_told_by_its_count() {
        let seventeen = parse(&["x"; 17].join(" ")).unwrap_err();
        assert!(seventeen.starts_with("line: 17 columns where 18 belong"), "{seventeen}");
        let nineteen = parse(&["1"; 19].join(" ")).unwrap_err();
        assert!(nineteen.starts_with("line: 19 columns where 18 belong"), "{nineteen}");
    }

    #[test]
    fn text_and_numbers_out_of_range_are_told_by_their_column() {
        for (column, text, said) in [
            (8, "1h", "requested time: `1h` is not a number"),
            (8, "nan", "requested time: `nan` is not a number"),
            (8, "inf", "requested time: `inf` is not a number"),
            (8, "+inf", "requested time: `+inf` is not a number"),
            (8, "1e300", "requested time: 1e300 is too large"),
            (8, "1e400", "requested time: 1e400 is too large"),
            (4, "1e30", "processors: 1e30 is too large"),
            (4, "4.5", "processors: `4.5` is not a whole number"),
            (0, "99999999999999999999", "job number: 99999999999999999999 is too large"),
            (3, "-2", "run time: -2 is negative"),
            (3, "-1.7", "run time: -2 is negative"),
        ] {
            let error = with(column, text).unwrap_err();
            assert!(error.starts_with(said), "{error}");
        }
    }

    #[test]
    fn numbers_of_any_length_and_with_a_sign_are_read() {
        for (text, value) in [
            ("0", 0),
            ("007", 7),
            ("+12", 12),
            ("-0", 0),
            ("-1", -1),
            ("999999999999999999", 999_999_999_999_999_999),
            ("1000000000000000000", 1_000_000_000_000_000_000),
            ("9223372036854775807", i64::MAX),
        ] {
            assert_eq!(with(0, text).unwrap().number, value, "{text}");
        }
        assert!(with(0, "9223372036854775808").unwrap_err().ends_with("is too large"));
        assert!(with(0, "12a").unwrap_err().contains("`12a` is not a whole number"));
        assert!(with(0, "-").is_err());
    }

    #[test]
    fn bytes_that_are_not_text_are_no_number() {
        let error = Record::parse(1, &[&b"\xFF"[..]; 18].join(&b' ')).unwrap_err();
        assert!(matches!(error, (Some("job number"), NotWhole(_))));
    }
}
