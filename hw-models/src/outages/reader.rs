//! Line by line through a file of outages.

use super::OutageFileErrorKind::{
    AllBad, Columns, EndsBefore, Listed, LongLine, NoRoom, NotWhole, TooMany, Twice,
};
use super::{Outage, OutageFileError, OutageFileErrorKind};
use crate::file;
use crate::memory::Room;
use crate::swf::{BadLines, Strictness, uncompressed};
use locox::time::Instant;
use std::io::{BufRead, Read};
use std::path::Path;

/// The columns before the list of nodes.
const COLUMNS: [&str; 5] = ["announced time", "start time", "end time", "type", "nodes affected"];
const END: &str = COLUMNS[2];
const AFFECTED: &str = COLUMNS[4];
const NODES: &str = "affected nodes";

/// Room for the numbers of all nodes of a large machine; a binary file would otherwise be one endless
/// line.
const LONGEST_LINE: u64 = 1 << 24;

/// Bytes of an outage as it is read and replayed, and of each node that it lists; of all a quarter of the memory that is
/// free and half a gigabyte, at most.
const OF_OUTAGE: u64 = 500;
const OF_NODE: u64 = 16;
const MOST: u64 = 1 << 29;
const PART: u64 = 4;
/// Bytes of a node that an outage holds while it lasts.
const HELD: u64 = 8;

/// What was read.
#[derive(Debug)]
pub struct OutageFile {
    /// The outages in the order of the file.
    pub outages: Vec<Outage>,
    /// Bad lines that were skipped.
    pub skipped: u64,
    /// What was wrong with the first of them.
    pub first_skipped: Option<OutageFileError>,
}

/// Reads the outages of a machine of so many processors from the file at `path`: plain, gzip or xz,
/// as its content says.
///
/// # Errors
///
/// [`OutageFileError`]. With [`Strictness::Lenient`] bad lines are skipped and counted instead.
pub fn open(
    path: &Path,
    processors: u32,
    strictness: Strictness,
) -> Result<OutageFile, OutageFileError> {
    let file = file::open(path).map_err(|error| {
        let kind = OutageFileErrorKind::Read(error);
        OutageFileError { path: path.into(), line: None, column: None, kind }
    })?;
    read(path, file, processors, strictness)
}

/// Reads outages from anywhere; `path` is its name in errors.
///
/// # Errors
///
/// As [`open`].
///
/// ```
/// use locox_models::outages::read;
/// use locox_models::swf::Strictness;
/// let text = "; a node of eight fails, then all of them are serviced\n\
///             -1 3600 7200 1 1 5\n\
///             0 86400 90000 2 8 -1\n";
/// let file = read("outages.txt", text.as_bytes(), 8, Strictness::Strict).unwrap();
/// assert_eq!((file.outages.len(), &file.outages[0].nodes[..]), (2, &[5][..]));
/// let error = read("outages.txt", text.as_bytes(), 4, Strictness::Strict).unwrap_err();
/// assert!(error.to_string().starts_with("outages.txt:2: column \"affected nodes\": `5` is not"));
/// ```
pub fn read(
    path: impl AsRef<Path>,
    input: impl Read + Send + 'static,
    processors: u32,
    strictness: Strictness,
) -> Result<OutageFile, OutageFileError> {
    read_into(Room::asked(MOST, PART), path.as_ref(), input, processors, strictness)
}

fn read_into(
    mut room: Room,
    path: &Path,
    input: impl Read + Send + 'static,
    processors: u32,
    strictness: Strictness,
) -> Result<OutageFile, OutageFileError> {
    let error = |line, (column, kind)| OutageFileError { path: path.into(), line, column, kind };
    let whole = |kind| error(None, (None, kind));
    let unread = |cause: std::io::Error| whole(OutageFileErrorKind::Read(cause));
    let (_, mut source) = uncompressed(input).map_err(|kind| unread(kind.into()))?;
    let mut outages = vec![];
    let mut bad = BadLines::new(strictness);
    let mut text = vec![];
    for line in 1.. {
        text.clear();
        let read = source.by_ref().take(LONGEST_LINE + 1).read_until(b'\n', &mut text);
        match read.map_err(unread)? {
            0 => break,
            read if read as u64 > LONGEST_LINE => {
                return Err(error(Some(line), (None, LongLine(LONGEST_LINE))));
            }
            _ => {}
        }
        match parse(line, &String::from_utf8_lossy(&text), processors) {
            Ok(None) => {}
            Ok(Some(outage)) => {
                let taken = room.take(OF_OUTAGE + OF_NODE * outage.nodes.len() as u64);
                taken.map_err(|full| error(Some(line), (None, NoRoom(full))))?;
                bad.good();
                outages.push(outage);
            }
            Err(fault) => bad.bad(error(Some(line), fault), |error| OutageFileError {
                kind: AllBad(error.kind.into()),
                ..error
            })?,
        }
    }
    room.take(HELD * most_affected(&outages)).map_err(|full| whole(NoRoom(full)))?;
    let (skipped, first_skipped) = bad.into_parts();
    Ok(OutageFile { outages, skipped, first_skipped })
}

/// The most processors that all outages under way hold at a time; one that two of them hold counts twice.
fn most_affected(outages: &[Outage]) -> u64 {
    let last = || outages.iter().filter(|it| it.end.is_none_or(|end| end > it.start));
    let begins = last().map(|it| (it.start, true, it.processors));
    let ends = last().filter_map(|it| Some((it.end?, false, it.processors)));
    let mut changes: Vec<_> = begins.chain(ends).collect();
    changes.sort_unstable();
    let mut held = 0_u64;
    let levels = changes.iter().map(|&(_, begins, processors)| {
        held = match begins {
            true => held + u64::from(processors),
            false => held - u64::from(processors),
        };
        held
    });
    levels.max().unwrap_or(0)
}

/// What is wrong with a line: the column if it is one, and why.
type Fault = (Option<&'static str>, OutageFileErrorKind);

/// The outage in a line; none in a comment or a blank one.
fn parse(line: u64, text: &str, processors: u32) -> Result<Option<Outage>, Fault> {
    let text = text.trim();
    if text.is_empty() || text.starts_with(';') {
        return Ok(None);
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let Some((columns, nodes)) = words.split_first_chunk::<5>().filter(|(_, it)| !it.is_empty())
    else {
        return Err((None, Columns(words.len())));
    };
    let value = |at: usize, least, most| number(COLUMNS[at], columns[at], least, most);
    let announced = value(0, -1, i64::MAX)?;
    let (start, end) = (value(1, 0, i64::MAX)?, value(2, -1, i64::MAX)?);
    let kind = value(3, -1, u32::MAX.into())?;
    let affected = value(4, 1, u32::MAX.into())?;
    if (0..start).contains(&end) {
        return Err((Some(END), EndsBefore { start, end }));
    }
    let most = u32::try_from(affected).ok().filter(|&affected| affected <= processors);
    let affected = most.ok_or((Some(AFFECTED), TooMany { affected, processors }))?;
    let time = |value: i64| u64::try_from(value).ok().map(Instant::from_ticks);
    Ok(Some(Outage {
        line: Some(line),
        announced: time(announced),
        start: Instant::from_ticks(start as u64),
        end: time(end),
        kind: u32::try_from(kind).ok(),
        processors: affected,
        nodes: listed(nodes, affected, processors)?,
    }))
}

fn number(column: &'static str, text: &str, least: i64, most: i64) -> Result<i64, Fault> {
    let value = text.parse().ok().filter(|value| (least..=most).contains(value));
    value.ok_or_else(|| (Some(column), NotWhole { text: text.into(), least, most }))
}

/// The numbers of the nodes; none if there is -1 in place of them.
fn listed(words: &[&str], affected: u32, processors: u32) -> Result<Vec<u32>, Fault> {
    if words == ["-1"] {
        return Ok(vec![]);
    }
    let node = |word: &&str| number(NODES, word, 0, i64::from(processors) - 1);
    let nodes = words.iter().map(|word| node(word).map(|node| node as u32));
    let nodes: Vec<u32> = nodes.collect::<Result<_, _>>()?;
    if nodes.len() != affected as usize {
        return Err((Some(NODES), Listed { listed: nodes.len(), affected }));
    }
    let mut sorted = nodes.clone();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err((Some(NODES), Twice(pair[0]))),
        None => Ok(nodes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &'static str, strictness: Strictness) -> Result<OutageFile, OutageFileError> {
        read("f", text.as_bytes(), 8, strictness)
    }

    fn told(text: &'static str) -> String {
        file(text, Strictness::Strict).unwrap_err().to_string()
    }

    #[test]
    fn each_column_lands_in_its_own_field() {
        let text = "; Computer: a cube\n\n 1\t20 300 4 2 7 0\r\n-1 0 -1 -1 8 -1";
        let outages = file(text, Strictness::Strict).unwrap().outages;
        let at = Instant::from_ticks;
        let known = Outage {
            line: Some(3),
            announced: Some(at(1)),
            start: at(20),
            end: Some(at(300)),
            kind: Some(4),
            processors: 2,
            nodes: vec![7, 0],
        };
        let unknown = Outage { line: Some(4), ..Outage::of(8, at(0), None) };
        assert_eq!(outages, [known, unknown]);
    }

    #[test]
    fn an_outage_may_end_when_it_begins_and_at_the_end_of_time() {
        let text = "0 5 5 1 1 -1\n0 5 9223372036854775807 1 1 -1";
        assert_eq!(file(text, Strictness::Strict).unwrap().outages.len(), 2);
        assert!(file("", Strictness::Strict).unwrap().outages.is_empty());
    }

    #[test]
    fn faults_are_told_with_file_line_and_column() {
        for (text, said) in [
            ("0 1 2 1 1 -1\n0 1 2 1 1\n", "f:2: 5 columns where at least 6 belong"),
            ("hello\n", "f:1: 1 columns where at least 6 belong"),
            ("0 5 4 1 1 -1", "f:1: column \"end time\": 4 is earlier than the start, 5"),
            ("-2 1 2 1 1 -1", "f:1: column \"announced time\": `-2` is not a whole number from -1"),
            ("0 -1 2 1 1 -1", "f:1: column \"start time\": `-1` is not a whole number from 0"),
            ("0 1.5 2 1 1 -1", "f:1: column \"start time\": `1.5` is not a whole number"),
            ("0 1 18446744073709551615 1 1 -1", "f:1: column \"end time\": `18446744073709551615`"),
            ("0 1 2 x 1 -1", "f:1: column \"type\": `x` is not"),
            ("0 1 2 1 0 -1", "f:1: column \"nodes affected\": `0` is not a whole number from 1"),
            ("0 1 2 1 -1 -1", "f:1: column \"nodes affected\": `-1` is not"),
            (
                "0 1 2 1 9 -1",
                "f:1: column \"nodes affected\": 9 nodes are affected, but the machine has 8",
            ),
            (
                "0 1 2 1 1 8",
                "f:1: column \"affected nodes\": `8` is not a whole number from 0 to 7",
            ),
            ("0 1 2 1 2 -1 3", "f:1: column \"affected nodes\": `-1` is not"),
            (
                "0 1 2 1 2 3",
                "f:1: column \"affected nodes\": 1 nodes are listed, but 2 are affected",
            ),
            ("0 1 2 1 2 3 3", "f:1: column \"affected nodes\": node 3 is listed twice"),
        ] {
            let told = told(text);
            assert!(told.starts_with(said), "{told}");
            assert!(told.ends_with("; correct the line, or skip such lines with --lenient"));
            assert_eq!(told.lines().count(), 1);
        }
    }

    #[test]
    fn a_line_without_end_is_no_outage() {
        let zeros = std::io::repeat(b'0').take(1 << 25);
        let error = read("f", zeros, 8, Strictness::Lenient).unwrap_err().to_string();
        assert!(error.starts_with("f:1: the line has over 16777216 bytes; check"), "{error}");
    }

    #[test]
    fn outages_and_what_they_hold_have_a_bound_which_no_lenience_widens() {
        let read = |room, text: String| {
            let text = std::io::Cursor::new(text);
            let read =
                read_into(Room::of(room), Path::new("f"), text, 1 << 24, Strictness::Lenient);
            read.map(|file| file.outages.len()).map_err(|error| error.to_string())
        };
        let lines = |count| "0 1 2 1 1 -1\nx\n".repeat(count);
        assert_eq!(read(6_000, lines(10)), Ok(10));
        let told = read(6_000, lines(100)).unwrap_err();
        assert!(
            told.starts_with("f:25: what is kept of it takes over 5 kB of memory; leave"),
            "{told}"
        );
        let listed: String = (0..100).map(|node| format!(" {node}")).collect();
        let told = read(6_000, format!("0 1 2 1 100{listed}\n").repeat(5)).unwrap_err();
        assert!(told.starts_with("f:3: what is kept of it"), "{told}");
        let told = read(1 << 29, "0 1 -1 1 16777216 -1\n".repeat(5)).unwrap_err();
        assert!(told.starts_with("f: what is kept of it takes over 512 MB"), "{told}");
    }

    #[test]
    fn what_outages_hold_counts_while_they_last() {
        let of = |processors, from, until| {
            let at = Instant::from_ticks;
            Outage::of(processors, at(from), (until > 0).then_some(at(until)))
        };
        assert_eq!(most_affected(&[]), 0);
        assert_eq!(most_affected(&[of(5, 0, 10), of(3, 10, 20), of(2, 15, 0), of(9, 30, 30)]), 5);
        assert_eq!(most_affected(&[of(5, 0, 0), of(3, 10, 20), of(2, 19, 0), of(1, 20, 30)]), 10);
    }

    #[test]
    fn lenient_skips_bad_lines_and_remembers_the_first() {
        let text = "0 1 2 1 1 -1\nx\n0 1 2 1 9 -1\n0 3 4 1 1 2";
        let file = file(text, Strictness::Lenient).unwrap();
        assert_eq!((file.outages.len(), file.skipped), (2, 2));
        assert!(file.first_skipped.unwrap().to_string().starts_with("f:2: 1 columns"));
    }

    #[test]
    fn a_million_bad_lines_in_a_row_are_an_error() {
        let good = "0 1 2 1 1 -1\n";
        let bad = "x\n".repeat(999_999);
        let skipped = |text: String| {
            let read = read("f", std::io::Cursor::new(text), 8, Strictness::Lenient);
            read.map(|file| file.skipped).map_err(|error| error.to_string())
        };
        assert_eq!(skipped(format!("{bad}{good}{bad}")), Ok(1_999_998));
        let told = skipped(format!("{good}{bad}x\n{good}")).unwrap_err();
        assert!(told.starts_with("f:1000001: 1 columns where at least 6 belong ("), "{told}");
        let end = "(the last of 1000000 bad lines in a row); check that it is a file of outages";
        assert!(told.ends_with(end), "{told}");
    }

    #[test]
    fn a_compressed_file_is_read_and_a_truncated_one_is_told() {
        use flate2::{Compression, write::GzEncoder};
        use std::io::Write;
        let mut gzip = GzEncoder::new(vec![], Compression::default());
        gzip.write_all(b"0 1 2 1 1 -1\n").unwrap();
        let whole = gzip.finish().unwrap();
        let cut = whole[..whole.len() - 9].to_vec();
        let read = |bytes: Vec<u8>| read("f", std::io::Cursor::new(bytes), 8, Strictness::Lenient);
        assert_eq!(read(whole).unwrap().outages.len(), 1);
        let error = read(cut).unwrap_err().to_string();
        assert!(error.starts_with("f: cannot be read ("), "{error}");
        let error = open(Path::new("none"), 8, Strictness::Lenient).unwrap_err().to_string();
        assert!(error.starts_with("none: cannot be read ("), "{error}");
    }
}
