//! Which column holds what.

use super::error::SacctErrorKind;
use super::options::Options;
use super::unit::Unit;

/// Where the columns are that are used. Of those that hold the same the first that is there is used.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) count: usize,
    pub(super) id: usize,
    pub(super) state: usize,
    pub(super) submit: usize,
    pub(super) start: usize,
    pub(super) end: Option<usize>,
    pub(super) elapsed: Option<usize>,
    pub(super) suspended: Option<usize>,
    pub(super) limit: Option<usize>,
    pub(super) limit_minutes: Option<usize>,
    pub(super) allocated: Option<usize>,
    pub(super) tres: Option<usize>,
    pub(super) asked: Option<usize>,
    pub(super) requested: Option<usize>,
    pub(super) user: Option<usize>,
    pub(super) group: Option<usize>,
    pub(super) partition: Option<usize>,
}

impl Columns {
    /// Those that the header names.
    ///
    /// # Errors
    ///
    /// [`SacctErrorKind::NoHeader`], [`SacctErrorKind::Missing`] with all that are missing.
    pub(super) fn named(header: &str, options: &Options) -> Result<Self, SacctErrorKind> {
        let &Options { unit, demands, .. } = options;
        let names: Vec<&str> = header.split('|').map(str::trim).collect();
        if names.len() < 2 {
            return Err(SacctErrorKind::NoHeader);
        }
        let one = |name: &str| names.iter().position(|other| other.eq_ignore_ascii_case(name));
        let find = |of: &[&str]| of.iter().find_map(|&name| one(name));
        let (allocated, requested) = match unit {
            Unit::Cpus => (find(&["AllocCPUS", "NCPUS"]), find(&["ReqCPUS"])),
            Unit::Nodes => (find(&["AllocNodes", "NNodes"]), find(&["ReqNodes"])),
        };
        let columns = Self {
            count: names.len(),
            id: one("JobID").unwrap_or(usize::MAX),
            state: one("State").unwrap_or(usize::MAX),
            submit: one("Submit").unwrap_or(usize::MAX),
            start: one("Start").unwrap_or(usize::MAX),
            end: one("End"),
            elapsed: find(&["Elapsed", "ElapsedRaw"]),
            suspended: one("Suspended"),
            limit: one("Timelimit"),
            limit_minutes: one("TimelimitRaw"),
            allocated,
            tres: one("AllocTRES"),
            asked: one("ReqTRES"),
            requested,
            user: one("User"),
            group: one("Group"),
            partition: one("Partition"),
        };
        let needed = [
            ("JobID", columns.id != usize::MAX),
            ("State", columns.state != usize::MAX),
            ("Submit", columns.submit != usize::MAX),
            ("Start", columns.start != usize::MAX),
            ("End", columns.end.is_some()),
            (unit.column(), columns.allocated.or(columns.tres).is_some()),
            ("AllocTRES", !demands || columns.asked.or(columns.tres).is_some()),
        ];
        let missing = needed.iter().filter(|(_, is_there)| !is_there).map(|&(name, _)| name);
        let missing: Vec<&str> = missing.collect();
        if missing.is_empty() {
            Ok(columns)
        } else {
            Err(SacctErrorKind::Missing(missing.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::FORMAT;
    use super::*;

    #[test]
    fn the_recommended_format_has_all_columns_whatever_their_order_and_case() {
        let header = FORMAT.replace(',', "|");
        for unit in [Unit::Cpus, Unit::Nodes] {
            let options = Options { unit, ..Options::default() };
            let columns = Columns::named(&header, &options).unwrap();
            assert_eq!((columns.id, columns.count), (0, 16));
        }
        let header = header.split('|').rev().collect::<Vec<_>>().join("|").to_lowercase();
        assert_eq!(Columns::named(&header, &Options::default()).unwrap().id, 15);
    }

    #[test]
    fn all_columns_that_are_missing_are_named() {
        let told = |header| {
            let options = Options { demands: true, ..Options::default() };
            Columns::named(header, &options).unwrap_err().to_string()
        };
        assert_eq!(
            told("JobID|Submit|End"),
            "the columns State, Start, AllocCPUS, AllocTRES are missing"
        );
        assert_eq!(told("JobID  Submit"), "the first line names no columns with `|` between them");
    }
}
