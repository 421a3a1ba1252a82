//! What the sources say, in their words and with a name for each statement: a file for each source.

pub(crate) mod li;
pub(crate) mod updown;

use locox_report::report::Source;

/// W. Turner's thesis on meshes in hypercubes and on Elmer.
pub(crate) static TURNER: Source = Source { key: "turner-1995", name: "Turner 1995" };

/// The paper on Up-Down.
pub(crate) static MUTKA_LIVNY: Source =
    Source { key: "mutka-livny-1987", name: "Mutka and Livny 1987" };

/// Slides on that paper and on Condor.
pub(crate) static SLIDES: Source = Source { key: "updown-slides", name: "Slides on Up-Down 1990" };

/// The study of parallel and sequential jobs on unlike machines.
pub(crate) static COLLINS_GEORGE: Source =
    Source { key: "collins-george-2001", name: "Collins and George 2001" };

/// The paper on advance reservations with deadlines; the text at hand prints no year.
pub(crate) static LI: Source = Source {
    key: "li-et-al",
    name: "Li, Pei, Shen, Wu, He, Yang (Simulation Modelling Practice and Theory)",
};

/// Scan, a discipline for hypercubes.
pub(crate) static KRUEGER: Source =
    Source { key: "krueger-1994", name: "Krueger, Lai, Dixit-Radiya 1994" };

/// EASY against conservative backfilling.
pub(crate) static MUALEM_FEITELSON: Source =
    Source { key: "mualem-feitelson-2001", name: "Mu'alem and Feitelson 2001" };

/// An independent simulator's schedule of the KTH log.
pub(crate) static PYSS: Source =
    Source { key: "pyss", name: "PYSS, schedule of the KTH log by EASY" };

/// This project: questions that no source leads to.
pub(crate) static LOCOX: Source = Source { key: "locox", name: "worked out for this project" };

#[cfg(test)]
mod tests {
    use crate::ALL;
    use locox_report::report::{Statement, Status};
    use std::collections::HashMap;

    fn is_plain(c: char) -> bool {
        c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.' | '/')
    }

    /// Several experiments may judge the same statement.
    #[test]
    fn every_statement_has_a_name_of_its_own_and_what_its_status_asks_for() {
        let mut named: HashMap<&str, &Statement> = HashMap::new();
        for &statement in ALL.iter().flat_map(|experiment| experiment.statements) {
            let Statement { id, source, quote, says, reading, status, .. } = *statement;
            let same = named.insert(id, statement);
            assert!(same.is_none_or(|same| std::ptr::eq(same, statement)), "{id}: twice");
            assert!(id.starts_with(&format!("{}/", source.key)), "{id}: {}", source.key);
            assert!(id.chars().all(is_plain), "{id}");
            assert!(!says.is_empty(), "{id} says nothing");
            match status {
                Status::Literal => assert!(!quote.is_empty(), "{id}: no quote"),
                Status::Ours => assert!(quote.is_empty(), "{id}: a quote"),
                Status::Derived => assert!(!quote.is_empty() || !reading.is_empty(), "{id}"),
                Status::Calibration | Status::ByConstruction => (),
            }
        }
    }
}
