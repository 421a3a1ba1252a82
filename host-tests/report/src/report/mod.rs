//! Reports: what they say ([`Report`]), and how they look on a page, in a terminal, as data.

pub mod data;
mod document;
pub mod figure;
mod forest;
mod forest_svg;
pub mod html;
mod plot;
mod ruler;
mod statement;
mod svg;
mod table;
pub mod terminal;
pub mod verdicts;

pub use document::{
    Block, Claim, Effect, Enough, Exception, Fact, Files, Gallery, Judged, Picture, Report,
    Section, Verdict,
};
pub use forest::{Forest, ForestRow, Leaning, Panel};
pub use plot::{Axis, Plot, Point, Published, Scale, Series, Shape};
pub use statement::{Source, Statement, Status};
pub use table::{Cell, Column, Table, counted, some};
