//! What the sources say, in their words and with a name for each statement: a file for each source.

pub(crate) mod backfilling;
pub(crate) mod collins_george;

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
