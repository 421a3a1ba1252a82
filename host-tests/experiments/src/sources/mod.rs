//! What the sources say, in their words and with a name for each statement: a file for each source.

pub(crate) mod turner_elmer;

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

/// The paper on advance reservations with deadlines.
pub(crate) static LI: Source = Source { key: "li-et-al", name: "Li et al." };

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
    use std::collections::HashSet;

    fn all() -> impl Iterator<Item = &'static Statement> {
        ALL.iter().flat_map(|experiment| experiment.statements.iter().copied())
    }

    #[test]
    fn a_statement_has_an_id_of_its_own_that_begins_with_its_source() {
        let mut ids = HashSet::new();
        for Statement { id, source, .. } in all() {
            assert!(ids.insert(id), "{id} stands twice");
            let parts: Vec<&str> = id.split('/').collect();
            assert!(parts.len() == 3 && parts[0] == source.key, "{id}");
            let plain = |c: char| {
                c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.' | '/')
            };
            assert!(id.chars().all(plain) && parts.iter().all(|part| !part.is_empty()), "{id}");
        }
    }

    #[test]
    fn its_status_goes_with_its_quote() {
        for Statement { id, quote, says, reading, status, .. } in all() {
            assert!(!says.is_empty(), "{id}");
            match status {
                Status::Literal => assert!(!quote.is_empty(), "{id} is literal and quotes nothing"),
                Status::Ours => assert!(quote.is_empty(), "{id} is ours and quotes a source"),
                Status::Derived => assert!(!(quote.is_empty() && reading.is_empty()), "{id}"),
                Status::Calibration | Status::ByConstruction => {}
            }
        }
    }
}
