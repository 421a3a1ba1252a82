//! Plots as pictures of their own, outside of a page.

use super::svg::{self, Size};
use super::{Block, Plot, Section};

/// The plots of a section as SVG files, in the order of reading, in the page's light colours.
pub fn figures(section: &Section) -> Vec<String> {
    let plots = section.blocks.iter().flat_map(|block| match block {
        Block::Plot(plot) => std::slice::from_ref(plot),
        Block::Gallery(gallery) => &gallery.plots,
        _ => &[],
    });
    plots.map(alone).collect()
}

fn alone(plot: &Plot) -> String {
    let style = super::html::light_colours();
    const HEAD: &str = r#"<svg xmlns="http://www.w3.org/2000/svg""#;
    let drawn = svg::draw(plot, Size::Wide).replacen("<svg", HEAD, 1);
    drawn.replacen("<title>", &format!("<style>{style}</style><title>"), 1) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Axis, Series, Shape};

    #[test]
    fn a_figure_stands_alone_with_the_colours_of_the_page() {
        let plot = Plot {
            title: "a plot".into(),
            caption: String::new(),
            x: Axis::linear("x"),
            y: Axis::linear("y"),
            series: vec![Series::exact("s", Shape::Line, [(1.0, 1.0), (2.0, 3.0)])],
        };
        let section =
            Section { id: "s".into(), title: "S".into(), blocks: vec![Block::Plot(plot)] };
        let [figure] = &figures(&section)[..] else { panic!("one figure") };
        assert!(figure.starts_with(r#"<svg xmlns="http://www.w3.org/2000/svg""#));
        assert!(figure.contains("--series-0: #"), "{figure}");
    }
}
