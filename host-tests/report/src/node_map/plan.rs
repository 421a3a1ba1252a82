//! Where the nodes of a machine are drawn, and how a page is told of a job's nodes.

use locox::cube::Node;
use maud::{Markup, html};
use serde::Serialize;

/// Where the nodes are drawn, and what stands beside them, in pixels.
pub(super) struct Plan {
    /// Width and height.
    pub(super) size: (u32, u32),
    /// Side of a node's square.
    pub(super) cell: u32,
    /// Left upper corner of each node's square.
    pub(super) nodes: Vec<(Node, u32, u32)>,
    /// Whether a job may hold nodes that are not its own.
    pub(super) hatched: bool,
    pub(super) labels: Vec<Label>,
}

/// A word beside the nodes.
pub(super) struct Label {
    pub(super) text: String,
    pub(super) place: String,
    pub(super) anchor: &'static str,
}

/// Nodes: of a subcube base and mask, of a box its origin and sides.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Part {
    Subcube(u32, u32),
    Box([u8; 4], [u8; 4]),
}

/// The nodes of a job in words, all that it holds, and its own ones.
pub(super) type Parts = (String, Part, Vec<Part>);

impl Plan {
    pub(super) fn markup(&self, name: &str, is_promised: bool) -> Markup {
        let (width, height) = self.size;
        let side = self.cell - 2;
        html! {
            svg viewBox=(format!("0 0 {width} {height}")) role="img" aria-label={ "nodes under " (name) } {
                @for label in &self.labels {
                    text transform=(label.place) text-anchor=(label.anchor) { (label.text) }
                }
                @for (Node(node), x, y) in &self.nodes {
                    g data-node=(node) transform=(format!("translate({x} {y})")) {
                        rect x="1" y="1" width=(side) height=(side) rx=(self.cell * 3 / 20) {}
                        @if self.hatched { path d="M2 10 10 2M2 18 18 2M10 18 18 10" {} }
                    }
                }
                @if is_promised { g.promised {} }
                g.names {}
            }
        }
    }
}
