//! A report of several experiments as pages: an index, and a page for each experiment.

use super::html::{self, Around};
use super::{Block, Claim, PageLink, Report, Section, Verdict};

/// The pages of a report.
pub struct Book {
    pub index: String,
    /// Those beside it, each with the name of its file.
    pub pages: Vec<(String, String)>,
}

/// The file of the page of an experiment.
pub fn file_of(experiment: &str) -> String {
    format!("{experiment}.html")
}

impl Book {
    /// Sections with claims are experiments. One alone stands on the index.
    pub fn of(report: &Report) -> Self {
        let (experiments, summaries): (Vec<&Section>, Vec<&Section>) =
            report.sections.iter().partition(|section| claims(section).next().is_some());
        if experiments.len() < 2 {
            return Self { index: html::page(report), pages: vec![] };
        }
        let links: Vec<PageLink> = experiments.iter().map(|section| link(section)).collect();
        let pages = experiments.iter().enumerate().map(|(at, &section)| {
            let around = Around {
                index: &report.title,
                before: at.checked_sub(1).map(|at| &links[at]),
                after: links.get(at + 1),
            };
            let page = Report {
                title: section.title.clone(),
                sections: vec![section.clone()],
                ..part(report)
            };
            (
                links[at].file.clone(),
                html::page_among(&Report { lead: links[at].about.clone(), ..page }, &around),
            )
        });
        let pages = pages.collect();
        let contents = Section {
            id: "experiments".into(),
            title: "Experiments".into(),
            blocks: vec![Block::Pages(links)],
        };
        let sections = [contents].into_iter().chain(summaries.into_iter().cloned()).collect();
        Self { index: html::page(&Report { sections, ..part(report) }), pages }
    }
}

/// The report without its sections.
fn part(report: &Report) -> Report {
    let Report { title, lead, provenance, .. } = report.clone();
    Report { title, lead, provenance, sections: vec![] }
}

fn claims(section: &Section) -> impl Iterator<Item = &Claim> {
    let lists = section.blocks.iter().filter_map(|block| match block {
        Block::Claims(list) => Some(list),
        _ => None,
    });
    lists.flatten()
}

fn link(section: &Section) -> PageLink {
    let count = |verdict: Verdict| {
        let number = claims(section).filter(|claim| claim.verdict == verdict).count();
        (number > 0).then(|| format!("{} {number}", verdict.name()))
    };
    let counts: Vec<String> = Verdict::ALL.into_iter().filter_map(count).collect();
    let about = format!("Verdicts: {}.", counts.join(", "));
    PageLink { file: file_of(&section.id), title: section.title.clone(), about }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::statement::example::LESS;

    fn report(experiments: &[&str]) -> Report {
        let section = |&id: &&str| Section {
            id: id.into(),
            title: format!("About {id}"),
            blocks: vec![Block::Claims(vec![Claim::open(&LESS, "no such machine")])],
        };
        let summary = Section {
            id: "all".into(),
            title: "All".into(),
            blocks: vec![Block::Text("t".into())],
        };
        let sections = experiments.iter().map(section).chain([summary]).collect();
        Report { title: "T".into(), lead: "L".into(), provenance: vec![], sections }
    }

    #[test]
    fn several_experiments_have_a_page_each_that_the_index_leads_to() {
        let book = Book::of(&report(&["a", "b"]));
        let names: Vec<&str> = book.pages.iter().map(|(name, _)| &name[..]).collect();
        assert_eq!(names, ["a.html", "b.html"]);
        assert!(book.index.contains("href=\"a.html\"") && book.index.contains("id=\"all\""));
        assert!(
            book.index.contains("the source does not say 1")
                && !book.index.contains("no such machine")
        );
        let (_, first) = &book.pages[0];
        assert!(first.contains("<h1>About a</h1>") && first.contains("no such machine"));
        assert!(first.contains("href=\"index.html\"") && first.contains("href=\"b.html\""));
        assert_eq!(html::files_of(&book.index), Some(vec!["a.html".into(), "b.html".into()]));
    }

    #[test]
    fn one_experiment_stands_on_the_index() {
        let book = Book::of(&report(&["a"]));
        assert!(book.pages.is_empty() && book.index.contains("no such machine"));
    }
}
