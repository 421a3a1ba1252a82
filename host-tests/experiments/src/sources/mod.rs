//! What the sources say, in their words and with a name for each statement: a file for each source.

pub(crate) mod accelerators;
pub(crate) mod backfilling;
pub(crate) mod boxes;
pub(crate) mod collins_george;
pub(crate) mod hypercubes;
pub(crate) mod li;
pub(crate) mod nodes;
pub(crate) mod places;
pub(crate) mod turner_elmer;
pub(crate) mod turner_meshes;
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
pub(crate) static LI: Source =
    Source { key: "li-et-al", name: "Li, Pei, Shen, Wu, He, Yang 2012 (preprint)" };

/// The paper on scheduling BlueGene/L, whose abstract alone was at hand.
pub(crate) static KREVAT: Source =
    Source { key: "krevat-2002", name: "Krevat, Castaños, Moreira 2002" };

/// Scan, a discipline for hypercubes.
pub(crate) static KRUEGER: Source =
    Source { key: "krueger-1994", name: "Krueger, Lai, Dixit-Radiya 1994" };

/// Lazy scheduling, another one.
pub(crate) static MOHAPATRA: Source =
    Source { key: "mohapatra-1993", name: "Mohapatra, Yu, Das, Kim 1993" };

/// EASY against conservative backfilling.
pub(crate) static MUALEM_FEITELSON: Source =
    Source { key: "mualem-feitelson-2001", name: "Mu'alem and Feitelson 2001" };

/// An independent simulator's schedule of the KTH log.
pub(crate) static PYSS: Source =
    Source { key: "pyss", name: "PYSS, schedule of the KTH log by EASY" };

/// The paper on fragmentation of GPUs, by the results of its simulator.
pub(crate) static WENG: Source =
    Source { key: "weng-2023", name: "Weng and others 2023, results of the simulator" };

/// This project: questions that no source leads to.
pub(crate) static LOCOX: Source = Source { key: "locox", name: "worked out for this project" };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ALL;
    use locox_report::report::{Statement, Status};
    use std::collections::{HashMap, HashSet};

    const SOURCES: [&Source; 10] = [
        &TURNER,
        &MUTKA_LIVNY,
        &SLIDES,
        &COLLINS_GEORGE,
        &LI,
        &KRUEGER,
        &MOHAPATRA,
        &MUALEM_FEITELSON,
        &PYSS,
        &LOCOX,
    ];

    fn statements() -> impl Iterator<Item = &'static Statement> {
        ALL.iter().flat_map(|experiment| experiment.statements.iter().copied())
    }

    #[test]
    fn every_statement_has_a_name_of_its_own_that_begins_with_its_source() {
        let mut named: HashMap<&str, &Statement> = HashMap::new();
        for statement in statements() {
            let Statement { id, source, .. } = *statement;
            let other = named.insert(id, statement);
            assert!(
                other.is_none_or(|other| std::ptr::eq(other, statement)),
                "{id} is there twice"
            );
            let plain = |c: char| matches!(c, 'a'..='z' | '0'..='9' | '-' | '/' | '.');
            assert!(id.chars().all(plain), "{id}");
            let parts: Vec<&str> = id.split('/').collect();
            assert!(parts.len() >= 3 && parts[0] == source.key, "{id}");
            assert!(parts.iter().all(|part| !part.is_empty()), "{id}");
        }
    }

    #[test]
    fn what_a_source_says_is_quoted_and_what_it_does_not_say_is_not() {
        for Statement { id, quote, says, reading, status, .. } in statements() {
            assert!(!says.is_empty(), "{id}");
            match status {
                Status::Literal => assert!(!quote.is_empty(), "{id} is literal without words"),
                Status::Ours => assert!(quote.is_empty(), "{id} is ours, in words of the source"),
                _ => assert!(!(quote.is_empty() && reading.is_empty()), "{id} comes from nowhere"),
            }
        }
    }

    #[test]
    fn quotes_are_contiguous_and_on_one_line() {
        for Statement { id, quote, .. } in statements() {
            let marks = ["...", "…", "  ", "\n"];
            assert!(marks.iter().all(|mark| !quote.contains(mark)), "{id}: {quote}");
        }
    }

    #[test]
    fn every_source_has_an_entry_in_the_references() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/references.bib");
        let references = std::fs::read_to_string(path).expect("it is part of the repository");
        let entries = references.lines().filter_map(|line| {
            let (_, key) = line.strip_prefix('@')?.split_once('{')?;
            key.strip_suffix(',')
        });
        let entries: Vec<&str> = entries.collect();
        let different: HashSet<_> = entries.iter().collect();
        assert_eq!(different.len(), entries.len(), "a key is there twice");
        let judged = statements().map(|statement| statement.source);
        for Source { key, .. } in SOURCES.into_iter().chain(judged) {
            assert!(different.contains(key), "{key} is not in docs/references.bib");
        }
    }
}
