//! The verdicts of all experiments in one table, and as data; `docs/evidence/verdicts.md` has the schema.

use super::{
    Block, Cell, Claim, Judged, Link, Section, Status, Table, Verdict, counted, file_of, some,
};
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};

/// The version of the schema; another one where a field changes its meaning or goes.
pub const SCHEMA: &str = "locox-verdicts/2";

/// The commit of the code, if the build was told: `build.rs` tells those for use.
pub const COMMIT: Option<&str> = option_env!("LOCOX_COMMIT");
/// What compiled it, likewise.
pub const COMPILER: Option<&str> = option_env!("LOCOX_COMPILER");

/// The verdict on a claim.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    pub schema: &'static str,
    /// Its name for ever.
    pub id: String,
    pub experiment: String,
    pub source: &'static str,
    /// Figure, page or section; empty if the source is short.
    pub place: &'static str,
    /// The source's own words; empty if there are none.
    pub quote: &'static str,
    /// What is judged, in our words.
    pub claim: String,
    /// How the source's words are read; may be empty.
    pub reading: &'static str,
    pub status: Status,
    pub answer: &'static str,
    #[serde(skip)]
    told: String,
    /// Cases in which the claim is clear, in which the contrary is, and all that are judged.
    pub holding: Option<usize>,
    pub refuted: Option<usize>,
    pub of: Option<usize>,
    /// Cases that are left out, since both sides are the same and the claim speaks only of others.
    pub same: Option<usize>,
    /// Mean over the cases in `unit`, with half the width of its 95 % interval.
    pub effect: Option<f64>,
    pub half_width: Option<f64>,
    pub unit: Option<String>,
    /// Where the claim expects the mean of a case; the different ones.
    pub thresholds: Vec<String>,
    /// Cases in which the claim is not clear.
    pub exceptions: Vec<String>,
    /// All of that in words.
    pub found: String,
    /// The figures behind it.
    pub evidence: String,
    /// What the experiment was run with.
    pub parameters: BTreeMap<String, String>,
    pub seed: Option<u64>,
    /// Of the code, if it was built from one that is known.
    pub commit: Option<&'static str>,
    /// What runs it again.
    pub command: String,
}

/// The verdicts in the sections of experiments, each of which is named after its experiment;
/// `options` were given besides its name.
pub fn rows(sections: &[Section], seed: u64, options: &str) -> Vec<Row> {
    let of_section = |section: &Section| -> Vec<Row> {
        let parameters = section.blocks.iter().filter_map(|block| match block {
            Block::Facts(facts) => Some(facts),
            _ => None,
        });
        let parameters: BTreeMap<String, String> = parameters
            .flatten()
            .filter(|fact| fact.name != "source")
            .map(|fact| (fact.name.clone(), fact.value.clone()))
            .collect();
        let row = |claim: &Claim| Row {
            experiment: section.id.clone(),
            parameters: parameters.clone(),
            seed: Some(seed),
            command: format!("locox reproduce {}{options}", claim.id()),
            ..Row::of(claim)
        };
        let claims = section.blocks.iter().filter_map(|block| match block {
            Block::Claims(claims) => Some(claims),
            _ => None,
        });
        claims.flatten().map(row).collect()
    };
    sections.iter().flat_map(of_section).collect()
}

impl Row {
    /// The id of the statement, without a variant.
    fn statement(&self) -> &str {
        self.id.split('@').next().unwrap_or_default()
    }

    /// The claim alone; the experiment and what it was run with are left open.
    pub fn of(claim: &Claim) -> Self {
        let Claim { statement, judged, .. } = claim;
        let judged = judged.as_ref();
        let effect = judged.and_then(|judged| judged.effect.as_ref());
        Self {
            schema: SCHEMA,
            id: claim.id(),
            experiment: String::new(),
            source: statement.source.name,
            place: statement.place,
            quote: statement.quote,
            claim: claim.says(),
            reading: statement.reading,
            status: claim.status,
            answer: claim.verdict.name(),
            told: claim.answer(),
            holding: judged.map(|judged| judged.holding),
            refuted: judged.map(Judged::refuted),
            of: judged.map(|judged| judged.of),
            same: judged.map(|judged| judged.same),
            effect: effect.map(|effect| effect.mean),
            half_width: effect.and_then(|effect| effect.half_width),
            unit: effect.map(|effect| effect.unit.clone()),
            thresholds: judged.map_or(vec![], |judged| judged.thresholds.clone()),
            exceptions: judged.map_or(vec![], |judged| {
                judged.exceptions.iter().map(|exception| exception.case.clone()).collect()
            }),
            found: judged.map_or(String::new(), Judged::told),
            evidence: claim.evidence.clone(),
            parameters: BTreeMap::new(),
            seed: None,
            commit: COMMIT,
            command: String::new(),
        }
    }
}

/// How many different claims there are, by source and by how they come by their verdicts.
pub fn counts(rows: &[Row]) -> Table {
    let statuses = Status::ALL.map(Status::name);
    let columns: Vec<(&str, &str)> =
        [("source", "source")].into_iter().chain(statuses.map(|status| (status, status))).collect();
    let mut table = Table::new("Claims, by source and by how they are judged", &columns)
        .with_note(told_of(rows) + " \
             Literal: in the words that are quoted. Derived: from what the source says or draws, as \
             the row reads it. Calibration: constants were chosen so that it comes out. By \
             construction: it comes out whatever the runs do. Ours: no source says it.",
        );
    let mut sources: Vec<&str> = vec![];
    for row in rows {
        if !sources.contains(&row.source) {
            sources.push(row.source);
        }
    }
    for source in sources {
        let different = |status: Status| {
            let of = rows.iter().filter(|row| row.source == source && row.status == status);
            of.map(Row::statement).collect::<HashSet<_>>().len() as u64
        };
        let counted = Status::ALL.map(|status| match different(status) {
            0 => Cell::Missing,
            some => Cell::Count(some),
        });
        table.push([vec![Cell::text(source)], counted.into()].concat());
    }
    table
}

/// How many claims and verdicts there are: a claim may be judged in several settings.
fn told_of(rows: &[Row]) -> String {
    let mut settings: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows {
        *settings.entry(row.statement()).or_default() += 1;
    }
    let several = settings.values().filter(|&&count| count > 1).count() as u64;
    let some_of = match several {
        0 => String::new(),
        _ => format!(", {} of them in several settings", counted(several)),
    };
    format!(
        "{}{some_of}: {}.",
        some(settings.len() as u64, "claim"),
        some(rows.len() as u64, "verdict")
    )
}

/// A row for each verdict.
pub fn table(rows: &[Row]) -> Table {
    let columns = [
        ("claim", "claim"),
        ("answer", "answer"),
        ("found", "effect"),
        ("source", "source"),
        ("place", "figure, page"),
        ("status", "status"),
        ("id", "id"),
    ];
    let mut table = Table::new("Every claim, and what was found", &columns)
        .with_choices(&["source"])
        .with_choices_among("status", &Status::ALL.map(Status::name))
        .with_choices_among("answer", &Verdict::ALL.map(Verdict::name));
    for row in rows {
        let to = format!("{}#{}", file_of(&row.experiment), row.id);
        let claim = Cell::Link(Link { text: row.claim.clone(), to });
        let others: [&str; 6] =
            [&row.told, &row.found, row.source, row.place, row.status.name(), &row.id];
        table.push([claim].into_iter().chain(others.map(Cell::text)).collect());
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
    use crate::report::Fact;
    use crate::report::statement::example::LESS;

    #[test]
    fn a_row_says_what_was_found_and_how_to_find_it_again() {
        let case = Case::new("a case", vec![1.0, 2.0, 3.0], Expected::LESS);
        let claim = judge::every(&[case], Unit("s", 1)).on(&LESS, "so").variant("on the SP2's log");
        let facts = vec![Fact::new("source", "A 1999"), Fact::new("machines", 8)];
        let blocks = vec![Block::Facts(facts), Block::Claims(vec![claim])];
        let section = Section { id: "an-experiment".into(), title: "T".into(), blocks };
        let rows = rows(&[section], 7, " --quick --seed 7");
        let mut json = Vec::new();
        write_json(&rows, &mut json).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
        let row = &json[0];
        assert_eq!(row["schema"], SCHEMA);
        assert_eq!((&row["source"], &row["place"]), (&"A 1999".into(), &"p. 1".into()));
        assert_eq!((&row["answer"], &row["effect"]), (&"undecided".into(), &2.0.into()));
        assert_eq!(row["claim"], "It is less: on the SP2's log");
        assert_eq!(
            (&row["holding"], &row["refuted"], &row["of"]),
            (&0.into(), &0.into(), &1.into())
        );
        assert_eq!(row["thresholds"], serde_json::json!(["below 0 s"]));
        assert_eq!(row["parameters"], serde_json::json!({ "machines": "8" }));
        assert_eq!(
            row["command"],
            "locox reproduce a-1999/p1/less@on-the-sp2-s-log --quick --seed 7"
        );
        assert_eq!(table(&rows).rows.len(), 1);
        // Two variants are one claim.
        let twice =
            [&rows[..], &[Row { id: "a-1999/p1/less@elsewhere".into(), ..rows[0].clone() }]];
        let counted = counts(&twice.concat());
        let told = "1 claim, 1 of them in several settings: 2 verdicts.";
        assert!(counted.note.starts_with(told), "{}", counted.note);
        let [one] = &counted.rows[..] else { panic!("one source") };
        assert_eq!(one[..3], [Cell::text("A 1999"), Cell::Count(1), Cell::Missing]);
    }
}
