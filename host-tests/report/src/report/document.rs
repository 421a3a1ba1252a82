//! What a report says; how it looks is decided by [`super::html`], [`super::terminal`] and
//! [`super::data`].

use super::{Forest, Plot, Statement, Status, Table};
use serde::Serialize;
use std::fmt;

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
    /// Some of the jobs, one by one. It is on the page and in JSON; a terminal has no room for it.
    Jobs(Table),
    Plot(Plot),
    Forest(Forest),
    Gallery(Gallery),
    Claims(Vec<Claim>),
    Files(Files),
    Picture(Picture),
    /// Pages that lie beside this one.
    Pages(Vec<PageLink>),
}

impl Block {
    /// Whether it is something to look at.
    pub fn is_picture(&self) -> bool {
        matches!(self, Self::Plot(_) | Self::Forest(_) | Self::Gallery(_) | Self::Picture(_))
    }
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

/// A page that lies beside the report.
#[derive(Clone, Debug, Serialize)]
pub struct PageLink {
    pub file: String,
    pub title: String,
    /// A few words on what it says.
    pub about: String,
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

/// A statement, and what was found of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Claim {
    pub statement: &'static Statement,
    /// Which of several judgements on it this is: on which log, under which kernel; may be empty.
    pub variant: String,
    /// The statement's, but of a variant that comes by its verdict in another way.
    pub status: Status,
    pub verdict: Verdict,
    /// What the verdict rests on, if it is the judge's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judged: Option<Judged>,
    /// The figures that the verdict rests on.
    pub evidence: String,
}

impl Claim {
    /// A statement of which nothing can be run, and why.
    pub fn open(statement: &'static Statement, why: impl Into<String>) -> Self {
        let (variant, verdict) = (String::new(), Verdict::SourceDoesNotSay);
        let status = statement.status;
        Self { statement, variant, status, verdict, judged: None, evidence: why.into() }
    }

    /// A variant that comes by its verdict in another way than the statement does.
    pub fn by(self, status: Status) -> Self {
        Self { status, ..self }
    }

    /// One of several judgements on the same statement.
    pub fn variant(self, variant: impl Into<String>) -> Self {
        Self { variant: variant.into(), ..self }
    }

    /// Its name for ever: that of the statement and, behind `@`, of the variant.
    pub fn id(&self) -> String {
        let word = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' };
        let words: String = self.variant.chars().map(word).collect();
        let variant = words.split_whitespace().collect::<Vec<_>>().join("-");
        let at = if variant.is_empty() { "" } else { "@" };
        format!("{}{at}{variant}", self.statement.id)
    }

    /// What is judged, in our words.
    pub fn says(&self) -> String {
        let colon = if self.variant.is_empty() { "" } else { ": " };
        format!("{}{colon}{}", self.statement.says, self.variant)
    }

    /// The answer in a few words; of cases, in how many.
    pub fn answer(&self) -> String {
        match &self.judged {
            Some(Judged { holding, of, .. }) if self.verdict == Verdict::HoldsInPart => {
                format!("holds in {holding} of {of}")
            }
            _ => self.verdict.name().into(),
        }
    }

    /// What was found, and the figures, as far as there is something to say.
    pub fn found(&self) -> impl Iterator<Item = String> {
        let judged = self.judged.as_ref().map(Judged::told);
        judged.into_iter().chain([self.evidence.clone()]).filter(|told| !told.is_empty())
    }
}

/// The answer to a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Holds,
    /// In some of its cases.
    HoldsInPart,
    /// The runs fit both the claim and its contrary.
    Undecided,
    DoesNotHold,
    SourceDoesNotSay,
}

impl Verdict {
    pub const ALL: [Self; 5] = [
        Self::Holds,
        Self::HoldsInPart,
        Self::Undecided,
        Self::DoesNotHold,
        Self::SourceDoesNotSay,
    ];

    pub fn of(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::DoesNotHold }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::HoldsInPart => "holds in part",
            Self::Undecided => "undecided",
            Self::DoesNotHold => "does not hold",
            Self::SourceDoesNotSay => "the source does not say",
        }
    }
}

/// The cases of a claim, and what was found in them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judged {
    pub verdict: Verdict,
    /// Cases in which the claim is clear.
    pub holding: usize,
    /// All cases that are judged.
    pub of: usize,
    /// Others, in which both sides are the same, of a claim that speaks only of those that differ.
    pub same: usize,
    /// How many clear cases the claim needs, if not all.
    #[serde(skip)]
    pub enough: Option<Enough>,
    pub exceptions: Vec<Exception>,
    /// The mean over the cases; `None` if there are none, if they were just counted, or if different
    /// things are expected of them.
    pub effect: Option<Effect>,
    /// Where the claim expects the mean of a case, in words; the different ones.
    pub thresholds: Vec<String>,
}

/// Which cases are enough for a claim that is not of every case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enough {
    /// One in which it is clear.
    One,
    /// One in which it is clear and one in which the contrary is.
    OneOfEach,
    /// None: it is a claim of their mean.
    Mean,
}

impl Enough {
    fn told(self) -> &'static str {
        match self {
            Self::One => "; one is enough",
            Self::OneOfEach => "; one of each kind is enough",
            Self::Mean => "; the mean decides",
        }
    }
}

/// A case in which a claim is not clear.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Exception {
    pub case: String,
    /// Whether the contrary is clear.
    pub reversed: bool,
    /// What was found in it, unless it was just counted.
    pub effect: Option<Effect>,
}

impl fmt::Display for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.effect {
            Some(effect) => write!(f, "{} ({effect})", self.case),
            None => f.write_str(&self.case),
        }
    }
}

/// How large a difference is, with half the width of its 95 % confidence interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effect {
    pub mean: f64,
    pub half_width: Option<f64>,
    pub unit: String,
    /// Digits after the point.
    #[serde(skip)]
    pub digits: usize,
    /// Whether it is a level, such as a share, and no difference.
    #[serde(skip)]
    pub is_level: bool,
}

impl Judged {
    /// What was found of that statement.
    pub fn on(self, statement: &'static Statement, evidence: impl Into<String>) -> Claim {
        let (variant, evidence) = (String::new(), evidence.into());
        let (status, verdict) = (statement.status, self.verdict);
        Claim { statement, variant, status, verdict, judged: Some(self), evidence }
    }

    /// The same where what is judged is a level and no difference, so that it is told without a plus.
    pub fn of_levels(mut self) -> Self {
        let of_cases = self.exceptions.iter_mut().filter_map(|one| one.effect.as_mut());
        of_cases.chain(&mut self.effect).for_each(|effect| effect.is_level = true);
        self
    }

    /// Cases in which the contrary is clear.
    pub fn refuted(&self) -> usize {
        self.exceptions.iter().filter(|exception| exception.reversed).count()
    }

    /// What was found, in a few sentences.
    pub fn told(&self) -> String {
        let Self { holding, of, .. } = *self;
        let enough = self.enough.map_or("", Enough::told);
        let mut told = match (&self.effect, of) {
            (Some(effect), 1) => vec![format!("{effect}.")],
            (Some(effect), _) => {
                vec![format!("{effect} on average; clear in {holding} of {of} cases{enough}.")]
            }
            (None, 0 | 1) => vec![],
            // Counts have no threshold.
            (None, _) if self.thresholds.is_empty() => {
                vec![format!("So in {holding} of {of} cases, counted exactly.")]
            }
            (None, _) => vec![format!("Clear in {holding} of {of} cases{enough}.")],
        };
        self.list(&mut told, true, "Reversed");
        self.list(&mut told, false, "Undecided");
        if self.same > 0 {
            told.push(format!("Left out, since both sides are the same: {}.", self.same));
        }
        told.join(" ")
    }

    /// The exceptions of one kind; the first ones by name.
    fn list(&self, told: &mut Vec<String>, reversed: bool, kind: &str) {
        const NAMED: usize = 3;
        let all = || self.exceptions.iter().filter(|exception| exception.reversed == reversed);
        let names: Vec<String> = all().take(NAMED).map(Exception::to_string).collect();
        // Of a single case the verdict says it.
        if names.is_empty() || self.of == 1 {
            return;
        }
        let more = match all().count() - names.len() {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        told.push(format!("{kind}: {}{more}.", names.join("; ")));
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mean, half_width, unit, digits, is_level } = self;
        match is_level {
            true => write!(f, "{mean:.digits$}")?,
            false => write!(f, "{mean:+.digits$}")?,
        }
        if let Some(half_width) = half_width {
            write!(f, " ± {half_width:.digits$}")?;
        }
        write!(f, " {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::statement::example::LESS;

    #[test]
    fn what_was_found_is_told_with_size_interval_and_exceptions() {
        let (unit, digits, is_level) = ("points".into(), 1, false);
        let effect = Effect { mean: 1.26, half_width: Some(0.5), unit, digits, is_level };
        let exception = |case: usize| {
            let lost = Effect { mean: -2.0, half_width: None, ..effect.clone() };
            let (case, reversed) = (format!("load {case}"), case == 0);
            Exception { case, reversed, effect: reversed.then_some(lost) }
        };
        let judged = Judged {
            verdict: Verdict::HoldsInPart,
            holding: 3,
            of: 8,
            same: 2,
            enough: None,
            exceptions: (0..5).map(exception).collect(),
            thresholds: vec![],
            effect: Some(effect),
        };
        assert_eq!(
            judged.told(),
            "+1.3 ± 0.5 points on average; clear in 3 of 8 cases. Reversed: load 0 (-2.0 points). \
             Undecided: load 1; load 2; load 3; and 1 more. Left out, since both sides are the same: 2."
        );
        let level = judged.clone().of_levels().told();
        assert!(level.starts_with("1.3 ± 0.5 points on average"), "{level}");
        let claim = judged.on(&LESS, "e");
        let json = serde_json::to_value(&claim).unwrap();
        assert_eq!(json["verdict"], "holds_in_part");
        assert_eq!((&json["judged"]["holding"], &json["judged"]["of"]), (&3.into(), &8.into()));
        assert_eq!(json["judged"]["effect"]["half_width"], 0.5);
        assert_eq!(json["judged"]["exceptions"][0]["case"], "load 0");
    }
}
