//! Plots as pictures of their own, outside of a page.

use super::html::CHART_STYLE;
use super::svg::{Chart, Size};
use super::{Block, Plot, Section};
use maud::{PreEscaped, html};

/// The plots of a section as SVG files, in the order of reading, in the page's light colours.
pub fn figures(section: &Section) -> Vec<String> {
    let plots = section.blocks.iter().flat_map(|block| match block {
        Block::Plot(plot) => std::slice::from_ref(plot),
        Block::Gallery(gallery) => &gallery.plots,
        _ => &[],
    });
    plots.map(alone).collect()
}

/// In pixels.
const WIDTH: f64 = 760.0;
const RIGHT: f64 = 24.0;

fn alone(plot: &Plot) -> String {
    let chart = Chart::of(plot, Size::Wide);
    let (left, height) = (chart.left(), chart.height());
    let drawn = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(WIDTH) height=(height) font-family="sans-serif" {
            title { (plot.title) }
            style { (PreEscaped(super::html::light_colours())) (PreEscaped(CHART_STYLE)) }
            rect width="100%" height="100%" fill="var(--paper)" {}
            svg.chart x=(left) width=(WIDTH - left - RIGHT) height=(height) overflow="visible" { (chart.content()) }
        }
    };
    drawn.into_string() + "\n"
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
