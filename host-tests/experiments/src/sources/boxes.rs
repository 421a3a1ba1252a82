//! Our own questions about boxes on meshes and tori.

use super::LOCOX;
use locox_report::report::{Statement, Status};

const CASES: &str = "Cases: slices of up to 512 nodes at a load of 0.75 and of up to 3,072 at 0.4, behind first come, first \
                     served and a window of 16, for a week on a torus of 16x16x16. Shapes and their shares are those of \
                     eight slices of Jouppi and others 2023 (table 2, as others quote it; the shares of the rest of the \
                     table were not at hand). Loads, arrivals and run times are ours.";

pub(crate) static FEWEST_WHOLE: Statement = Statement {
    id: "locox/boxes/fewest-whole",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "Boxes that destroy the fewest larger ones fragment a torus less than the first free ones",
    reading: CASES,
    status: Status::Ours,
};

pub(crate) static CORNER_WHOLE: Statement = Statement {
    id: "locox/boxes/corner-whole",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "Boxes that touch most fragment a torus less than the first free ones",
    reading: CASES,
    status: Status::Ours,
};

pub(crate) static FEWEST_SOONER: Statement = Statement {
    id: "locox/boxes/fewest-sooner",
    source: &LOCOX,
    place: "",
    quote: "",
    says: "Where boxes destroy the fewest larger ones, slices wait less on a torus than with the first free ones",
    reading: CASES,
    status: Status::Ours,
};
