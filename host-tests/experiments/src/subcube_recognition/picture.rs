//! The 4-cube as a map with Gray-coded axes, and a slider through all its subcubes.

use super::alone::dim;
use super::occupied::{Occupied, subcubes};
use locox::cube::{Node, Subcube};
use locox_models::machine::StrategyKind;
use locox_report::report::Picture;
use maud::html;
use serde::Serialize;

const GRAY: [u32; 4] = [0b00, 0b01, 0b11, 0b10];

#[derive(Serialize)]
struct Frame {
    cube: String,
    nodes: Vec<u32>,
    /// Whether each strategy sees the cube when it is all that is free.
    seen: [bool; 4],
}

pub(super) fn picture() -> Picture {
    let frames = frames();
    let json = serde_json::to_string(&frames).expect("frames are plain data");
    Picture {
        title: "All 81 subcubes of the 4-cube.".into(),
        caption: "Neighbours in the map, also round its edges, are neighbours in the cube. The \
                  marked nodes alone are free: who sees that they are a subcube?"
            .into(),
        markup: markup(&frames).into_string(),
        script: format!("const frames = {json};\n{SCRIPT}"),
    }
}

const SCRIPT: &str = "\
const slider = figure.querySelector('input');
const show = () => {
  const frame = frames[slider.value];
  figure.querySelector('output').textContent = frame.cube;
  figure.querySelectorAll('rect').forEach(
    rect => rect.classList.toggle('on', frame.nodes.includes(+rect.dataset.node)));
  figure.querySelectorAll('li').forEach(
    (item, at) => item.classList.toggle('seen', frame.seen[at]));
};
slider.addEventListener('input', show);
show();
";

fn frames() -> Vec<Frame> {
    let mut machines = StrategyKind::ALL.map(|kind| Occupied::new(kind, dim(4)));
    let mut frame = |cube: Subcube| {
        let nodes: Vec<Node> = cube.nodes().collect();
        let seen = machines.each_mut().map(|machine| machine.recognises(&cube, &nodes));
        let nodes = nodes.into_iter().map(|node| node.0).collect();
        Frame { cube: cube.to_string(), nodes, seen }
    };
    (1..=4).chain([0]).flat_map(|k| subcubes(dim(4), dim(k))).map(&mut frame).collect()
}

fn markup(frames: &[Frame]) -> maud::Markup {
    let label = |code: u32| format!("{code:02b}");
    html! {
        div.recognition {
            svg viewBox="0 0 260 260" width="260" height="260" role="img" aria-label="map of the 4-cube" {
                @for (row, high) in GRAY.into_iter().enumerate() {
                    text x="26" y=(62 + row * 56) text-anchor="end" { (label(high)) }
                    text x=(60 + row * 56) y="22" text-anchor="middle" { (label(high)) }
                    @for (column, low) in GRAY.into_iter().enumerate() {
                        rect data-node=(high << 2 | low) x=(36 + column * 56) y=(32 + row * 56)
                            width="48" height="48" rx="5" {}
                    }
                }
            }
            div {
                p { "Subcube " output { (frames[0].cube) } }
                ul { @for kind in StrategyKind::ALL { li { (kind) } } }
            }
        }
        label { "Step through them " input type="range" min="0" max=(frames.len() - 1) value="0"; }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subcube_is_shown_once_and_complete_sees_all() {
        let frames = frames();
        assert_eq!(frames.len(), 81);
        assert!(frames.iter().all(|frame| frame.seen[3]));
        let mut cubes: Vec<_> = frames.iter().map(|frame| &frame.cube).collect();
        cubes.sort();
        cubes.dedup();
        assert_eq!(cubes.len(), 81);
    }

    #[test]
    fn the_map_has_every_node_once() {
        let markup = markup(&frames()).into_string();
        for node in 0..16 {
            assert_eq!(markup.matches(&format!("data-node=\"{node}\"")).count(), 1);
        }
    }
}
