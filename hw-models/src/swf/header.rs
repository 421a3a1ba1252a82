//! The comments before the first record.

use crate::memory::{Full, Room};
use locox::cube::Dim;
use std::ops::RangeInclusive;

/// The most processors of a machine that a model can have: those of the largest cube.
pub const MOST_PROCESSORS: u32 = Dim::MAX.nodes();
/// Sizes of machines that a model can have.
const SIZES: RangeInclusive<u32> = 1..=MOST_PROCESSORS;

/// Bytes that are kept of a header at most, counted as its text, and what a line takes beside it. What `import` writes has
/// fewer.
pub(super) const LONGEST: u64 = 1 << 25;
const LINE: u64 = 64;

/// The header of a trace: its lines as they stand, and the fields that the harness uses.
///
/// A field that is missing, is not a number or is negative (some writers put -1) is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The lines without the leading `;` and without spaces at the end.
    pub lines: Vec<String>,
    /// Version of the format.
    pub version: Option<String>,
    /// Brand and model of the machine.
    pub computer: Option<String>,
    /// The site.
    pub installation: Option<String>,
    /// Whom to thank; publications that use the trace should.
    pub acknowledge: Vec<String>,
    /// Remarks, first lines only; [`Header::lines`] has the continuations.
    pub notes: Vec<String>,
    /// Jobs in the original log.
    pub max_jobs: Option<u64>,
    /// Records in the file.
    pub max_records: Option<u64>,
    /// Nodes of the machine.
    pub max_nodes: Option<u64>,
    /// Processors of the machine, if nodes have several.
    pub max_procs: Option<u64>,
    /// The zero of the times, in seconds since 1970.
    pub unix_start_time: Option<u64>,
    /// The first of `MaxProcs` and `MaxNodes`, as it stands, whose value no machine can have.
    pub unusable_size: Option<String>,
}

impl Header {
    /// The size of the machine: `MaxProcs`, else `MaxNodes`, if it is a size that a model can have.
    pub fn processors(&self) -> Option<u32> {
        let known = self.max_procs.or(self.max_nodes)?;
        u32::try_from(known).ok().filter(|size| SIZES.contains(size))
    }

    /// Takes in a comment without its `;`, if there is room for it.
    pub(super) fn push(&mut self, comment: &str, room: &mut Room) -> Result<(), Full> {
        room.take(LINE + comment.len() as u64)?;
        self.add(comment);
        Ok(())
    }

    fn add(&mut self, comment: &str) {
        self.lines.push(comment.trim_end().to_owned());
        let Some((key, value)) = comment.split_once(':') else { return };
        let value = value.trim();
        let text = || Some(value.to_owned());
        let number = || value.parse().ok();
        if matches!(key.trim(), "MaxProcs" | "MaxNodes") && !is_size(value) {
            self.unusable_size.get_or_insert(format!("{}: {value}", key.trim()));
        }
        match key.trim() {
            "Version" => self.version = text(),
            "Computer" => self.computer = text(),
            "Installation" => self.installation = text(),
            "Acknowledge" => self.acknowledge.extend(text()),
            "Note" => self.notes.extend(text()),
            "MaxJobs" => self.max_jobs = number(),
            "MaxRecords" => self.max_records = number(),
            "MaxNodes" => self.max_nodes = number(),
            "MaxProcs" => self.max_procs = number(),
            "UnixStartTime" => self.unix_start_time = number(),
            _ => {}
        }
    }
}

/// Whether the value is a size that a model can have, or stands for an unknown one.
fn is_size(value: &str) -> bool {
    value == "-1" || value.parse::<u32>().is_ok_and(|size| SIZES.contains(&size))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str) -> Header {
        let mut header = Header::default();
        text.lines().for_each(|line| header.add(line));
        header
    }

    #[test]
    fn fields_are_found_and_every_line_is_kept() {
        let header = header(
            " Computer: Intel iPSC/860\n Acknowledge: A\n Acknowledge: B\n MaxJobs: 42264\n\
             \n    http://www.cs.huji.ac.il/\n MaxNodes: 128  ",
        );
        assert_eq!(header.computer.as_deref(), Some("Intel iPSC/860"));
        assert_eq!(header.acknowledge, ["A", "B"]);
        assert_eq!((header.max_jobs, header.max_nodes), (Some(42264), Some(128)));
        assert_eq!(header.lines.len(), 7);
        assert_eq!(header.lines[6], " MaxNodes: 128");
        assert_eq!(header.processors(), Some(128));
    }

    #[test]
    fn processors_go_before_nodes_and_a_size_of_minus_one_or_zero_is_none() {
        assert_eq!(header("MaxNodes: 4\nMaxProcs: 16").processors(), Some(16));
        assert_eq!(header("MaxNodes: -1\nMaxProcs: 100").processors(), Some(100));
        assert_eq!(header("MaxProcs: -1\nMaxNodes: 64").processors(), Some(64));
        assert_eq!(header("MaxProcs: 0").processors(), None);
        assert_eq!(header("MaxProcs: 16777216").processors(), Some(16_777_216));
        assert_eq!(header("MaxProcs: 16777217").processors(), None);
        assert_eq!(header("MaxProcs: 99999999999").processors(), None);
    }

    #[test]
    fn a_size_that_no_machine_has_is_kept_as_it_stands() {
        for line in ["MaxProcs: 0", "MaxNodes: -4", "MaxProcs: 16777217", "MaxProcs: many"] {
            assert_eq!(header(line).unusable_size.as_deref(), Some(line));
        }
        assert_eq!(header("MaxProcs: -1\nMaxNodes: 64").unusable_size, None);
    }
}
