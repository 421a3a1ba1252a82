//! The verdicts of all experiments in one table, and as data; `docs/verdicts.md` has the schema.

use super::{Block, Cell, Claim, Section, Table};
use serde::Serialize;
use std::io::{self, Write};

/// The version of the schema; another one where a field changes its meaning or goes.
pub const SCHEMA: &str = "locox-verdicts/1";

/// The verdict on a claim.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    pub schema: &'static str,
    pub experiment: String,
    pub source: String,
    /// Figure, page or section; empty if the source is short.
    pub place: String,
    pub claim: String,
    pub answer: &'static str,
    /// Mean over the cases in `unit`, with half the width of its 95 % interval.
    pub effect: Option<f64>,
    pub half_width: Option<f64>,
    pub unit: Option<String>,
    /// Cases in which the claim is clear, of those that can tell anything.
    pub holding: Option<usize>,
    pub of: Option<usize>,
    /// Cases in which the claim is not clear.
    pub exceptions: Vec<String>,
    /// All of that in words.
    pub found: String,
    /// The figures behind it.
    pub evidence: String,
    /// What runs it again.
    pub command: String,
}

/// The verdicts in the sections of experiments, each of which is named after its experiment;
/// `options` were given besides its name.
pub fn rows(sections: &[Section], options: &str) -> Vec<Row> {
    let of_section = |section: &Section| -> Vec<Row> {
        let claims = section.blocks.iter().filter_map(|block| match block {
            Block::Claims(claims) => Some(claims),
            _ => None,
        });
        claims.flatten().map(|claim| row(&section.id, claim, options)).collect()
    };
    sections.iter().flat_map(of_section).collect()
}

fn row(experiment: &str, claim: &Claim, options: &str) -> Row {
    let (source, place) = parted(&claim.source);
    let judged = claim.judged.as_ref();
    let effect = judged.and_then(|judged| judged.effect.as_ref());
    Row {
        schema: SCHEMA,
        experiment: experiment.into(),
        source: source.into(),
        place: place.into(),
        claim: claim.statement.clone(),
        answer: claim.verdict.name(),
        effect: effect.map(|effect| effect.mean),
        half_width: effect.and_then(|effect| effect.half_width),
        unit: effect.map(|effect| effect.unit.clone()),
        holding: judged.map(|judged| judged.holding),
        of: judged.map(|judged| judged.of),
        exceptions: judged.map_or(vec![], |judged| {
            judged.exceptions.iter().map(|exception| exception.case.clone()).collect()
        }),
        found: judged.map_or(String::new(), |judged| judged.told()),
        evidence: claim.evidence.clone(),
        command: format!("locox reproduce {experiment}{options}"),
    }
}

/// The publication, and where in it: what comes behind its year, or behind "et al.".
fn parted(source: &str) -> (&str, &str) {
    let ends = |at: &usize| source[..*at].ends_with(|c: char| c.is_ascii_digit() || c == '.');
    let comma = source.match_indices(", ").map(|(at, _)| at).find(ends);
    comma.map_or((source, ""), |at| (&source[..at], &source[at + 2..]))
}

pub fn table(rows: &[Row]) -> Table {
    let columns = [
        ("source", "source"),
        ("place", "figure, page"),
        ("claim", "claim"),
        ("answer", "answer"),
        ("found", "effect"),
        ("command", "command"),
    ];
    let mut table = Table::new("Every claim, and what was found", &columns);
    for row in rows {
        let cells = [&row.source, &row.place, &row.claim, row.answer, &row.found, &row.command];
        table.push(cells.map(Cell::text).into());
    }
    table
}

/// # Errors
///
/// Those of `out`.
pub fn write_json(rows: &[Row], out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, rows)?;
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{self, Case, Expected, Unit};

    #[test]
    fn a_source_is_parted_behind_its_year() {
        assert_eq!(parted("Turner 1995, section 3, p. 5"), ("Turner 1995", "section 3, p. 5"));
        assert_eq!(parted("Li et al., 6.2.1, figure 2"), ("Li et al.", "6.2.1, figure 2"));
        assert_eq!(
            parted("Krueger, Lai, Dixit-Radiya 1994"),
            ("Krueger, Lai, Dixit-Radiya 1994", "")
        );
    }

    #[test]
    fn a_row_says_what_was_found_and_how_to_find_it_again() {
        let case = Case::new("a case", vec![1.0, 2.0, 3.0], Expected::LESS);
        let claim = judge::every(&[case], Unit("s", 1)).claim("it is less", "A 1999, p. 1", "so");
        let blocks = vec![Block::Text("before".into()), Block::Claims(vec![claim])];
        let section = Section { id: "an-experiment".into(), title: "T".into(), blocks };
        let rows = rows(&[section], " --quick");
        let mut json = Vec::new();
        write_json(&rows, &mut json).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
        let row = &json[0];
        assert_eq!(row["schema"], SCHEMA);
        assert_eq!((&row["source"], &row["place"]), (&"A 1999".into(), &"p. 1".into()));
        assert_eq!((&row["answer"], &row["effect"]), (&"undecided".into(), &2.0.into()));
        assert_eq!(row["command"], "locox reproduce an-experiment --quick");
        assert_eq!(table(&rows).rows.len(), 1);
    }
}
