//! The report as one HTML file that needs nothing from anywhere.

use super::svg::{Chart, Look, Size};
use super::table::counted;
use super::{
    Block, Cell, Claim, Fact, Files, Forest, Gallery, PageLink, Picture, Plot, Report, Section,
    Shape, Table, Verdict, data, forest_svg, script,
};
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The most rows of a table on the page; data and terminal have all of them.
const MOST_ROWS: usize = 2_000;
/// A table with more rows scrolls in a frame of its own.
const TALL: usize = 25;
/// From so many letters on a text is broken into lines, beside others in its row.
const LONG: usize = 32;

/// From so many blocks with names on a page has a list of them.
const LISTED: usize = 6;

const STYLE: &str = include_str!("style.css");
pub(super) const CHART_STYLE: &str = include_str!("chart.css");

/// What a page says of its maker.
const GENERATOR: &str = concat!("locox ", env!("CARGO_PKG_VERSION"));

/// Names of the files that lie beside the page, with blanks between: none has one in it.
fn files_beside(report: &Report) -> String {
    let blocks = report.sections.iter().flat_map(|section| &section.blocks);
    let names = blocks.filter_map(|block| match block {
        Block::Files(files) => Some(files.names.join(" ")),
        Block::Pages(links) => {
            let files: Vec<&str> = links.iter().map(|link| &link.file[..]).collect();
            Some(files.join(" "))
        }
        _ => None,
    });
    names.collect::<Vec<_>>().join(" ")
}

/// The names of the files that lie beside a page of [`page`]; `None` of any other page.
pub fn files_of(page: &str) -> Option<Vec<String>> {
    let after = |mark: &str| page.split_once(mark).map(|(_, rest)| rest);
    after("<meta name=\"generator\" content=\"locox ")?;
    let (names, _) = after("<meta name=\"locox-files\" content=\"")?.split_once('"')?;
    let is_name = |name: &&str| !name.contains(['/', '\\']) && !name.starts_with('.');
    Some(names.split_whitespace().filter(is_name).map(str::to_owned).collect())
}

/// The pages around a page.
#[derive(Default)]
pub(super) struct Around<'a> {
    /// The title of the index; empty of the index itself.
    pub(super) index: &'a str,
    pub(super) before: Option<&'a PageLink>,
    pub(super) after: Option<&'a PageLink>,
}

/// The whole page.
pub fn page(report: &Report) -> String {
    page_among(report, &Around::default())
}

pub(super) fn page_among(report: &Report, around: &Around<'_>) -> String {
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content=(GENERATOR);
                meta name="locox-files" content=(files_beside(report));
                title { (report.title) }
                style { (PreEscaped(STYLE)) (PreEscaped(CHART_STYLE)) }
            }
            body {
                header {
                    @if !around.index.is_empty() { (way_back(around)) }
                    h1 { (report.title) }
                    p.lead { (prose(&report.lead)) }
                    (contents(&report.sections))
                }
                main { @match &report.sections[..] {
                    [only] => (anchored(only)),
                    several => @for part in several { (section(part)) },
                } }
                footer { h2 { "How this was made" } (facts(&report.provenance)) }
                script { (PreEscaped(script::whole())) }
            }
        }
    };
    document.into_string()
}

/// The page's colours for light surroundings, as a CSS rule: `style.css` begins with it.
pub(super) fn light_colours() -> &'static str {
    STYLE.split_inclusive('}').next().unwrap_or_default()
}

fn way_back(around: &Around<'_>) -> Markup {
    html! { nav.around aria-label="pages around" {
        a href="index.html" { (around.index) }
        @if let Some(link) = around.before { a href=(link.file) rel="prev" { "before: " (link.title) } }
        @if let Some(link) = around.after { a href=(link.file) rel="next" { "next: " (link.title) } }
    } }
}

/// Of several sections their names; of one, if it is long, what is in it.
fn contents(sections: &[Section]) -> Markup {
    let links: Vec<(String, &str)> = match sections {
        [only] => {
            let titles = only.blocks.iter().filter_map(Block::title);
            titles.map(|title| (anchor(title), title.trim_end_matches('.'))).collect()
        }
        several => several.iter().map(|part| (part.id.clone(), &part.title[..])).collect(),
    };
    let is_short = sections.len() == 1 && links.len() < LISTED;
    html! { @if !is_short { nav { ol { @for (id, title) in &links {
        li { a href={ "#" (id) } { (title) } }
    } } } } }
}

/// The name of a block in links.
fn anchor(title: &str) -> String {
    let word = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' };
    let words: String = title.chars().map(word).collect();
    words.split_whitespace().collect::<Vec<_>>().join("-")
}

/// The blocks of the only section, each where the contents lead to.
fn anchored(only: &Section) -> Markup {
    html! { @for block in &only.blocks {
        @if let Some(title) = block.title() { a id=(anchor(title)) {} }
        (blocks(std::slice::from_ref(block), &only.title))
    } }
}

fn section(part: &Section) -> Markup {
    html! { section id=(part.id) { h2 { (part.title) } (blocks(&part.blocks, &part.title)) } }
}

/// Running text: what stands between backticks is code, and a number keeps its per cent in its line.
fn prose(text: &str) -> Markup {
    let kept = joined(text);
    let parts: Vec<&str> = kept.split('`').collect();
    // Of an odd number of backticks the last one is one.
    let whole = parts.len() % 2 == 1;
    html! { @for (at, part) in parts.iter().enumerate() {
        @if at % 2 == 1 && (whole || at + 1 < parts.len()) { code { (part) } }
        @else if at % 2 == 1 { "`" (part) }
        @else { (part) }
    } }
}

/// The same with a blank that does not break between a number and `%`.
fn joined(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(" %") {
        let (before, behind) = rest.split_at(at);
        kept.push_str(before);
        kept.push(if before.ends_with(|it: char| it.is_ascii_digit()) { '\u{a0}' } else { ' ' });
        rest = &behind[1..];
    }
    kept + rest
}

fn blocks(list: &[Block], of: &str) -> Markup {
    html! { @for block in list {
        @match block {
            Block::Text(text) => p { (prose(text)) },
            Block::Facts(list) => (facts(list)),
            Block::Table(content) | Block::Jobs(content) => (table(content)),
            Block::Plot(content) => (plot(content)),
            Block::Forest(content) => (forest(content)),
            Block::Gallery(content) => (gallery(content)),
            Block::Claims(list) => (claims(list, of)),
            Block::Files(content) => (files(content)),
            Block::Picture(content) => (picture(content)),
            Block::Pages(links) => (pages(links)),
        }
    } }
}

fn facts(list: &[Fact]) -> Markup {
    html! { dl.facts { @for fact in list {
        div { dt { (fact.name) } dd { (fact.value) } }
    } } }
}

fn pages(links: &[PageLink]) -> Markup {
    html! { ul.pages { @for link in links {
        li { a href=(link.file) { (link.title) } p.note { (link.about) } }
    } } }
}

fn files(content: &Files) -> Markup {
    html! { p { (content.about) @for name in &content.names { " " a href=(name) { (name) } } } }
}

fn table(content: &Table) -> Markup {
    html! { figure.table {
        figcaption { (content.title) }
        @if content.columns.iter().any(|column| column.detail) {
            label.all-columns { input type="checkbox" autocomplete="off"; " All columns" }
        }
        div.scroll.tall[content.rows.len() > TALL] tabindex="0" role="region" aria-label=(content.title) { (grid(content)) }
        @if content.rows.len() > MOST_ROWS {
            p { "The first " (counted(MOST_ROWS as u64)) " of " (counted(content.rows.len() as u64)) " rows." }
        }
        @if !content.note.is_empty() { p.note { (prose(&content.note)) } }
    } }
}

fn grid(content: &Table) -> Markup {
    let numbers: Vec<bool> = (0..content.columns.len()).map(|at| content.is_number(at)).collect();
    let is_estimated =
        |at: usize| content.rows.iter().any(|row| matches!(row[at], Cell::Estimate(..)));
    html! { table {
        thead { tr { @for (at, column) in content.columns.iter().enumerate() {
            th.number[numbers[at]].detail[column.detail] scope="col" data-key=(column.key)
                data-choices=[column.choices.as_ref().map(|all| all.join("|"))] data-estimate[is_estimated(at)] { (column.title) }
        } } }
        tbody { @for (number, row) in content.rows.iter().enumerate().take(MOST_ROWS) { tr data-job=[content.job(number)] {
            @for (at, cell) in row.iter().enumerate() {
                (entry(cell, content.columns[at].detail, content.jobs == Some(at)))
            }
        } } }
    } }
}

/// A cell, with its unrounded value for scripts if it is rounded.
fn entry(cell: &Cell, detail: bool, job: bool) -> Markup {
    let shown = cell.shown();
    let is_rounded = matches!(cell, Cell::Number(..) | Cell::Share(_) | Cell::Estimate(..));
    let (value, half) = if is_rounded { data::fields(cell) } else { Default::default() };
    let some = |text: String| (!text.is_empty()).then_some(text);
    html! {
        td.number[cell.is_number()].detail[detail].job[job].long[shown.chars().count() > LONG]
            data-value=[some(value)] data-half=[some(half)] {
            @match cell {
                Cell::Link(link) => a href=(link.to) { (shown) },
                _ => (shown),
            }
        }
    }
}

/// A script that runs with the element that it stands in as `figure`.
fn behaviour(script: &str) -> Markup {
    html! { script { (PreEscaped(format!(
        "(figure => {{{script}}})(document.currentScript.parentElement);"
    ))) } }
}

fn plot(content: &Plot) -> Markup {
    let chart = Chart::of(content, Size::Wide);
    html! { figure.plot {
        figcaption { strong { (content.title) } " " (prose(&chart.plot.caption)) }
        (legend(&chart, Chart::look))
        (drawn(&chart))
    } }
}

/// The axis that plots share is known by its label: those zoom together.
fn drawn(chart: &Chart<'_>) -> Markup {
    html! { div.drawn data-axis=(chart.plot.x.label) style={ "--left:" (chart.left()) "px" } { (chart.draw()) (chart.data()) } }
}

fn forest(content: &Forest) -> Markup {
    html! { figure {
        figcaption { strong { (content.title) } " " (prose(&content.caption)) }
        @for panel in &content.panels {
            div.panel {
                @if !panel.name.is_empty() { p { (panel.name) } }
                (forest_svg::draw(content, panel))
                p.axis { (content.axis) }
                @if let left @ 1.. = forest_svg::left_out(panel) {
                    p { (counted(left as u64)) " more rows are in the table." }
                }
            }
        }
    } }
}

fn gallery(content: &Gallery) -> Markup {
    let charts: Vec<Chart> =
        content.plots.iter().map(|plot| Chart::of(plot, Size::Small)).collect();
    html! { figure.plot {
        figcaption { strong { (content.title) } " " (prose(&content.caption)) }
        // Not all have published values.
        @if let Some(most) = charts.iter().max_by_key(|chart| chart.plot.series.len()) { (legend(most, Chart::look_alone)) }
        div.gallery { @for chart in &charts {
            figure {
                figcaption { (chart.plot.title) " " (prose(&chart.plot.caption)) }
                (drawn(chart))
            }
        } }
    } }
}

fn legend<'a>(chart: &Chart<'a>, look: fn(&Chart<'a>, usize) -> Look) -> Markup {
    html! { ul.legend { @for (at, series) in chart.plot.series.iter().enumerate() {
        li data-series=(at) { (swatch(&look(chart, at))) (series.name) }
    } } }
}

/// Width of a mark in a legend.
const SWATCH: usize = 30;

fn swatch(look: &Look) -> Markup {
    let Look { colour, shape, dashes, period } = look;
    let (dash, moved) = dashes.clone().unzip();
    // Of longer dashes, too, it shows a whole turn.
    let turn = (*period > SWATCH).then_some(period);
    html! { svg.swatch viewBox=(format!("0 0 {SWATCH} 12")) aria-hidden="true" style={ "--mark:" (colour) } {
        @match shape {
            Shape::Published => circle.hollow cx="15" cy="6" r="5" {},
            Shape::Points => circle cx="15" cy="6" r="4.5" {},
            _ => line x1="0" y1="6" x2=(SWATCH) y2="6" pathLength=[turn] stroke-dasharray=[dash] stroke-dashoffset=[moved] {},
        }
    } }
}

/// The claims of an experiment; its name is repeated beside the one that a link leads to.
fn claims(list: &[Claim], of: &str) -> Markup {
    html! { ul.claims { @for claim in list {
        li id=(claim.id()) data-of=(of) {
            p.verdict.(verdict_class(claim.verdict)) { (claim.answer()) }
            div {
                p { (prose(&claim.says())) " " span.source { "(" (claim.statement.cited()) ")" } }
                @if !claim.statement.quote.is_empty() { p.quote { q { (claim.statement.quote) } } }
                @if !claim.statement.reading.is_empty() { p.evidence { "Read as: " (prose(claim.statement.reading)) } }
                @for found in claim.found() { p.evidence { (prose(&found)) } }
            }
        }
    } } }
}

fn verdict_class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::HoldsInPart => "part",
        Verdict::Undecided => "unknown",
        Verdict::DoesNotHold => "fails",
        Verdict::SourceDoesNotSay => "unknown",
    }
}

fn picture(content: &Picture) -> Markup {
    html! { figure.picture {
        figcaption { strong { (content.title) } " " (prose(&content.caption)) }
        (PreEscaped(&content.markup))
        @if !content.script.is_empty() {
            (behaviour(&content.script))
        }
    } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::statement::example::LESS;
    use crate::report::{Axis, Cell, Series};

    fn report() -> Report {
        let mut content = Table::new("<table>", &[("a", "A & B")]);
        content.push(vec![Cell::text("<script>alert(1)</script>")]);
        let drawing = Plot {
            title: "drawing".into(),
            caption: String::new(),
            x: Axis::linear("</svg><script>"),
            y: Axis::log("y"),
            series: vec![Series::exact("s", Shape::Line, [(1.0, 1.0)])],
        };
        let moving = Picture {
            title: "moving".into(),
            caption: "by hand".into(),
            markup: "<b>kept</b>".into(),
            script: "figure.dataset.seen = 1".into(),
        };
        let (variant, evidence) = (String::new(), "3 < 4".into());
        let verdict = Verdict::DoesNotHold;
        let (statement, status) = (&LESS, LESS.status);
        let claim = Claim { statement, variant, status, verdict, judged: None, evidence };
        let blocks = vec![
            Block::Text("a < b".into()),
            Block::Facts(vec![Fact::new("seed", 7)]),
            Block::Table(content),
            Block::Gallery(Gallery {
                title: "gallery".into(),
                caption: "of one".into(),
                plots: vec![drawing.clone()],
            }),
            Block::Plot(drawing),
            Block::Claims(vec![claim]),
            Block::Files(Files { about: "all jobs:".into(), names: vec!["jobs.csv".into()] }),
            Block::Picture(moving),
        ];
        let part = |id: &str| Section { id: id.into(), title: id.into(), blocks: blocks.clone() };
        let sections = vec![part("first"), part("second")];
        Report { title: "T".into(), lead: "L".into(), provenance: vec![], sections }
    }

    #[test]
    fn code_is_code_and_per_cent_stays_with_its_number() {
        let of = |text: &str| prose(text).into_string();
        assert_eq!(of("as `a < b` is"), "as <code>a &lt; b</code> is");
        assert_eq!(of("95 % of 3, % and 7 %"), "95\u{a0}% of 3, % and 7\u{a0}%");
        assert_eq!(of("one ` alone"), "one ` alone");
        assert_eq!(of("`a` and ` b"), "<code>a</code> and ` b");
    }

    #[test]
    fn the_mark_of_each_of_six_curves_on_each_other_shows_its_dash() {
        let of = |curves: u32| {
            let series = |at| Series::exact(format!("{at}"), Shape::Line, [(0.0, 1.0), (1.0, 2.0)]);
            let plot = Plot {
                title: "t".into(),
                caption: String::new(),
                x: Axis::linear("x"),
                y: Axis::linear("y"),
                series: (0..curves).map(series).collect(),
            };
            legend(&Chart::of(&plot, Size::Wide), Chart::look).into_string()
        };
        let six = of(6);
        // The last dash begins after 45 of 54, and the mark is as long as all of them.
        assert_eq!(six.matches("pathLength=\"54\"").count(), 6);
        assert!(six.contains("stroke-dasharray=\"9 45\" stroke-dashoffset=\"-45\""), "{six}");
        assert!(!of(3).contains("pathLength"));
    }

    #[test]
    fn text_from_outside_is_escaped() {
        let page = page(&report());
        assert!(!page.contains("<script>alert"));
        assert!(!page.contains("</svg><script>"));
        assert!(page.contains("a &lt; b") && page.contains("A &amp; B"));
    }

    #[test]
    fn the_page_asks_for_nothing_from_anywhere() {
        let page = page(&report());
        for reach in ["src=", "<link", "@import", "url(", "https:", "fetch("] {
            assert!(!page.contains(reach), "{reach} in the page");
        }
    }

    #[test]
    fn the_light_colours_are_the_first_rule_of_the_style() {
        let colours = light_colours();
        assert!(colours.starts_with(":root {") && colours.ends_with('}'), "{colours}");
        assert!(colours.contains("--paper:") && !colours.contains("@media"));
    }

    #[test]
    fn the_page_follows_light_and_dark_and_small_screens() {
        let page = page(&report());
        assert!(page.contains("prefers-color-scheme: dark"));
        assert!(page.contains("width=device-width"));
    }

    #[test]
    fn a_page_shows_so_many_rows_and_says_how_many_there_are() {
        let mut long = Table::new("long", &[("a", "A")]);
        (0..3000).for_each(|at| long.push(vec![Cell::Count(at)]));
        let told = table(&long).into_string();
        assert_eq!(told.matches("<tr").count(), 1 + MOST_ROWS);
        assert!(told.contains("The first 2,000 of 3,000 rows."));
        long.rows.truncate(MOST_ROWS);
        assert!(!table(&long).into_string().contains("The first"));
    }

    #[test]
    fn a_row_carries_its_job_and_what_its_cells_were_before_they_were_rounded() {
        use locox_models::stats::Estimate;
        let mut some = Table::new("some", &[("job", "Job"), ("wait_s", "wait"), ("to", "to")])
            .with_jobs("job");
        let wait = Estimate { mean: 2.25, half_width: Some(0.125), values: 3 };
        let link = super::super::Link { text: "there".into(), to: "a.html#b".into() };
        some.push(vec![Cell::Count(1_000), Cell::Estimate(wait, 1), Cell::Link(link)]);
        let told = table(&some).into_string();
        for part in [
            "<tr data-job=\"1000\">",
            "data-key=\"wait_s\" data-estimate>",
            "data-value=\"2.25\" data-half=\"0.125\">2.2 ± 0.1<",
            "<a href=\"a.html#b\">there</a>",
        ] {
            assert!(told.contains(part), "{part} is missing: {told}");
        }
    }

    #[test]
    fn a_page_knows_its_files_and_another_programs_page_has_none() {
        assert_eq!(files_of(&page(&report())), Some(vec!["jobs.csv".into(), "jobs.csv".into()]));
        assert_eq!(files_of("<html><head></head></html>"), None);
        let away = "<meta name=\"generator\" content=\"locox 9\"><meta name=\"locox-files\" content=\"../a .b c\">";
        assert_eq!(files_of(away), Some(vec!["c".into()]));
    }

    #[test]
    fn a_long_page_of_one_section_lists_what_is_in_it() {
        let mut one = report();
        one.sections.truncate(1);
        assert!(!page(&one).contains("<nav>"), "a short one does not");
        let block = |at: u64| Block::Table(Table::new(format!("Table {at}."), &[("a", "A")]));
        one.sections[0].blocks = (0..8).map(block).collect();
        let page = page(&one);
        let link = "<a href=\"#table-7\">Table 7</a>";
        assert!(page.contains(link) && page.contains("<a id=\"table-7\">"), "{page}");
    }

    #[test]
    fn every_block_is_on_the_page() {
        let page = page(&report());
        for text in [
            "of one",
            "seed",
            "does not hold",
            "3 &lt; 4",
            "jobs.csv",
            "<b>kept</b>",
            "dataset.seen",
        ] {
            assert!(page.contains(text), "{text} is missing");
        }
        assert!(page.contains("href=\"#second\"") && page.contains("id=\"second\""));
    }
}
