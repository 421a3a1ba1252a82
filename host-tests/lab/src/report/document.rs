//! What a report says; how it looks is decided by [`super::html`], [`super::terminal`] and
//! [`super::data`].

use super::{Plot, Table};
use serde::Serialize;

/// A whole report: what was run, and what came of it.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub title: String,
    /// One or two sentences under the title.
    pub lead: String,
    /// Version, command line, seed: enough to run it again.
    pub provenance: Vec<Fact>,
    pub sections: Vec<Section>,
}

/// A named value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    pub name: String,
    pub value: String,
}

impl Fact {
    pub fn new(name: impl Into<String>, value: impl ToString) -> Self {
        Self { name: name.into(), value: value.to_string() }
    }
}

/// A part of a report under a heading of its own.
#[derive(Clone, Debug, Serialize)]
pub struct Section {
    /// Names the section in links: lower case, digits and hyphens.
    pub id: String,
    pub title: String,
    pub blocks: Vec<Block>,
}

/// One thing in a section, in the order of reading.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    Text(String),
    Facts(Vec<Fact>),
    Table(Table),
    Plot(Plot),
    Gallery(Gallery),
    Claims(Vec<Claim>),
    Files(Files),
    Picture(Picture),
}

/// Small plots side by side, all of the same series.
#[derive(Clone, Debug, Serialize)]
pub struct Gallery {
    pub title: String,
    pub caption: String,
    pub plots: Vec<Plot>,
}

/// Files that lie beside the report.
#[derive(Clone, Debug, Serialize)]
pub struct Files {
    pub about: String,
    pub names: Vec<String>,
}

/// A drawing with its own markup, and behaviour if it wants any.
#[derive(Clone, Debug, Serialize)]
pub struct Picture {
    pub title: String,
    pub caption: String,
    /// Markup to put on the page as it is; colours by the page's CSS variables.
    #[serde(skip)]
    pub markup: String,
    /// Body of a JavaScript function of `figure`, the element that holds the markup; may be empty.
    #[serde(skip)]
    pub script: String,
}

/// What a source states, and what was measured of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Claim {
    pub statement: String,
    pub source: String,
    pub verdict: Verdict,
    /// The figures that the verdict rests on.
    pub evidence: String,
}

/// Judgement on a published claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Holds,
    DoesNotHold,
    SourceDoesNotSay,
}

impl Verdict {
    pub fn of(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::DoesNotHold }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::DoesNotHold => "does not hold",
            Self::SourceDoesNotSay => "the source does not say",
        }
    }
}
