//! Reports: what they say ([`Report`]), and how they look on a page, in a terminal, as data.

mod alike;
mod book;
pub mod data;
mod document;
pub mod figure;
mod forest;
mod forest_svg;
pub mod html;
mod plot;
mod plot_data;
mod ruler;
mod script;
mod statement;
mod svg;
mod table;
pub mod terminal;
mod thin;
pub mod verdicts;

pub use book::{Book, file_of};
pub use document::{
    Block, Claim, Effect, Enough, Exception, Fact, Files, Gallery, Judged, PageLink, Picture,
    Report, Section, Verdict,
};
pub use forest::{Forest, ForestRow, Leaning, Panel};
pub use plot::{Axis, Plot, Point, Published, Scale, Series, Shape};
pub use statement::{Source, Statement, Status};
pub use table::{Cell, Column, Link, Table, counted, some};
