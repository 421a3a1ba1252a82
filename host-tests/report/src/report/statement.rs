//! What is judged: a statement of a source, or a question of our own.

use serde::{Serialize, Serializer};

/// A publication.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Source {
    /// Its key in `docs/references.bib`, and the first part of the name of each of its statements.
    pub key: &'static str,
    /// As it is named in a line of text: `Turner 1995`.
    pub name: &'static str,
}

/// How a statement comes by its verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The source says it in the words that are quoted.
    Literal,
    /// It follows from what the source says, by the reading that is given.
    Derived,
    /// Constants of the model were chosen so that it comes out.
    Calibration,
    /// It comes out whatever the runs do.
    ByConstruction,
    /// No source says it.
    Ours,
}

impl Status {
    pub const ALL: [Self; 5] =
        [Self::Literal, Self::Derived, Self::Calibration, Self::ByConstruction, Self::Ours];

    pub fn name(self) -> &'static str {
        match self {
            Self::Literal => "literal",
            Self::Derived => "derived",
            Self::Calibration => "calibration",
            Self::ByConstruction => "by construction",
            Self::Ours => "ours",
        }
    }

    /// Whether the runs could say the contrary of the source.
    pub fn can_fail(self) -> bool {
        !matches!(self, Self::Calibration | Self::ByConstruction)
    }
}

/// Its name.
impl Serialize for Status {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.name().serialize(to)
    }
}

/// A statement that is judged.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Statement {
    /// Its name for ever: source, place, subject, as in `turner-1995/p120/ep-gains`.
    pub id: &'static str,
    /// Where it stands; of a question of our own, what led to it.
    pub source: &'static Source,
    /// Page, figure, slide or section.
    pub place: &'static str,
    /// The source's own words; empty if no source says it, or if it is drawn and not written.
    pub quote: &'static str,
    /// What is judged, in our words.
    pub says: &'static str,
    /// How the source's words are read, where they leave a choice; may be empty.
    pub reading: &'static str,
    pub status: Status,
}

impl Statement {
    /// Where it stands: `Turner 1995, p. 120`.
    pub fn cited(&self) -> String {
        match self.place {
            "" => self.source.name.into(),
            place => format!("{}, {place}", self.source.name),
        }
    }
}

/// What tests say something of.
#[cfg(test)]
pub(super) mod example {
    use super::{Source, Statement, Status};

    static SOURCE: Source = Source { key: "a-1999", name: "A 1999" };

    pub(in super::super) static LESS: Statement = Statement {
        id: "a-1999/p1/less",
        source: &SOURCE,
        place: "p. 1",
        quote: "rather <less>",
        says: "It is less",
        reading: "",
        status: Status::Literal,
    };
}
