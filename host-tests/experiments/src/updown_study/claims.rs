//! What the source says of the study, and what the runs say to it.

use super::criteria::{CRITERIA, Criterion};
use super::{Run, Study};
use crate::pools::{CLASSES, DAY, Figure, changes, estimate, paired};
use crate::sources::updown as says;
use crate::thresholds::{UPDOWN_SAME, UPDOWN_STEADY};
use locox_models::workstation::{Outcome, Policy, Use};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Claim, Status};

const PER_CENT: Unit = Unit("%", 1);

/// Waiting as a share of the time in which a processor of others was wanted, in per cent: it falls
/// where the wait ratio rises, and has a mean where nobody waits.
fn waiting(user: &Use) -> f64 {
    100.0 * user.wait / (user.wait + user.remote)
}

fn heavy(outcome: &Outcome) -> Use {
    outcome.of(CLASSES[2].1.clone())
}

fn light(outcome: &Outcome) -> Use {
    outcome.of(CLASSES[0].1.clone())
}

impl Study {
    /// From the fewest jobs of the heavy user to each larger number, in per cent.
    fn steps(
        &self,
        policy: Policy,
        what: &str,
        figure: Figure<'_>,
        expected: Expected,
    ) -> Vec<Case> {
        let (few, _) = self.ends(policy);
        let step = |run: &Run| {
            let by = changes(&few.outcomes, &run.outcomes, figure);
            Case::new(format!("{what} with {} jobs", run.heavy), by, expected)
        };
        self.of(policy).skip(1).map(step).collect()
    }

    /// From the fewest to the most.
    fn whole(&self, policy: Policy, what: &str, figure: Figure<'_>, expected: Expected) -> Case {
        let (few, many) = self.ends(policy);
        Case::new(what, changes(&few.outcomes, &many.outcomes, figure), expected)
    }

    /// Up-Down against each of the others, in per cent of theirs, at each number of jobs.
    fn against(&self, what: &str, figure: Figure<'_>, expected: Expected) -> Vec<Case> {
        let [up_down, rivals @ ..] = Policy::STUDY;
        let at = |rival: Policy| {
            let pairs = self.of(rival).zip(self.of(up_down));
            pairs.map(move |(theirs, ours)| {
                let by = changes(&theirs.outcomes, &ours.outcomes, figure);
                Case::new(format!("{what} against {rival}, {} jobs", ours.heavy), by, expected)
            })
        };
        rivals.into_iter().flat_map(at).collect()
    }

    pub(super) fn claims(&self) -> Vec<Claim> {
        let [_, rivals @ ..] = Policy::STUDY;
        let mut claims = vec![self.out_performs(), self.same_throughput()];
        claims.extend(rivals.map(|policy| self.not_steady(policy)));
        claims.push(self.steady());
        claims.extend(rivals.map(|policy| self.suffer(policy)));
        claims.push(self.favor_heavy());
        claims.extend(self.ratios_rise());
        claims.extend([self.heavy_throughput(), self.as_good()]);
        claims.extend([self.heavy_does_not_fall(), self.heavy_is_never_without()]);
        claims
    }

    fn told(&self, policy: Policy) -> String {
        let (few, many) = self.ends(policy);
        let told = CRITERIA.map(|criterion| {
            let value = |run: &Run| estimate(&run.outcomes, criterion.light());
            let (from, to) = (value(few), value(many));
            let digits = criterion.digits;
            format!(
                "{} {from:.digits$} with {} jobs of the heavy user, {to:.digits$} with {}",
                criterion.name, few.heavy, many.heavy
            )
        });
        told.join("; ")
    }

    fn steady(&self) -> Claim {
        let [up_down, ..] = Policy::STUDY;
        let of = |criterion: Criterion| {
            let expected = Expected::alike(UPDOWN_STEADY);
            self.steps(up_down, criterion.name, &criterion.light(), expected)
        };
        let cases: Vec<Case> = CRITERIA.into_iter().flat_map(of).collect();
        judge::every(&cases, PER_CENT).on(&says::STEADY_SHARE, self.told(up_down))
    }

    fn not_steady(&self, policy: Policy) -> Claim {
        let cases = CRITERIA.map(|criterion| {
            let expected = Expected::apart(UPDOWN_STEADY);
            self.whole(policy, criterion.name, &criterion.light(), expected)
        });
        let judged = judge::every(&cases, PER_CENT);
        judged.on(&says::NOT_STEADY, self.told(policy)).variant(format!("under {policy}"))
    }

    fn suffer(&self, policy: Policy) -> Claim {
        let cases = CRITERIA.map(|criterion| {
            let mut whole = self.whole(policy, criterion.name, &criterion.light(), Expected::LESS);
            whole.differences.iter_mut().for_each(|by| *by = criterion.worth(*by));
            whole
        });
        let told = "A change for the worse counts as negative.";
        let judged = judge::every(&cases, PER_CENT);
        judged.on(&says::NAIVE_SUFFER, told).variant(format!("under {policy}"))
    }

    fn out_performs(&self) -> Claim {
        let of = |criterion: Criterion| {
            let mut cases = self.against(criterion.name, &criterion.light(), Expected::MORE);
            let all = cases.iter_mut().flat_map(|case| case.differences.iter_mut());
            all.for_each(|by| *by = criterion.worth(*by));
            cases
        };
        let ratio = |policy| estimate(&self.ends(policy).1.outcomes, CRITERIA[0].light());
        let [ours, turn, lot] = Policy::STUDY.map(ratio);
        let cases: Vec<Case> = CRITERIA.into_iter().flat_map(of).collect();
        judge::every(&cases, PER_CENT).on(
            &says::OUT_PERFORMS,
            format!(
                "A change for the better counts as positive. At the heaviest load a light user gets \
                 {ours:.2} h of remote execution for each hour of waiting under Up-Down, {turn:.2} \
                 under Round-Robin, {lot:.2} under Random."
            ),
        )
    }

    fn same_throughput(&self) -> Claim {
        let expected = Expected::alike(UPDOWN_SAME);
        let cases = self.against("jobs done", &Outcome::throughput, expected);
        judge::every(&cases, Unit("%", 2)).on(
            &says::SAME_THROUGHPUT,
            format!(
                "{}. With the same owners and jobs a difference can be seen. It is the price of Up-Down's moves, each of which keeps a processor for a \
                 minute: those that it makes beyond Round-Robin's take {:.2} % of all processor time \
                 at the heaviest load.",
                self.jobs_done(),
                self.moves()
            ),
        )
    }

    fn jobs_done(&self) -> String {
        let of = |policy| estimate(&self.ends(policy).1.outcomes, Outcome::throughput);
        let [ours, turn, lot] = Policy::STUDY.map(of);
        format!(
            "Jobs done in a day at the heaviest load: {ours:.1} under Up-Down, {turn:.1} under \
             Round-Robin, {lot:.1} under Random"
        )
    }

    fn as_good(&self) -> Claim {
        let expected = Expected::Inside(-UPDOWN_SAME, f64::INFINITY);
        let cases = self.against("jobs done", &Outcome::throughput, expected);
        judge::every(&cases, Unit("%", 2)).on(&says::AS_GOOD, format!("{}.", self.jobs_done()))
    }

    /// Processor time that Up-Down's moves take beyond Round-Robin's, in per cent of all.
    fn moves(&self) -> f64 {
        let placing = |policy| estimate(&self.ends(policy).1.outcomes, super::intervals::moving);
        let [ours, turn, _] = Policy::STUDY.map(placing);
        ours.mean - turn.mean
    }

    fn favor_heavy(&self) -> Claim {
        let [_, rivals @ ..] = Policy::STUDY;
        let shorter = |policy| {
            let outcomes = &self.ends(policy).1.outcomes;
            let by = outcomes.iter().map(|it| waiting(&heavy(it)) - waiting(&light(it)));
            Case::new(format!("under {policy}"), by.collect(), Expected::LESS)
        };
        let [turn, lot] = rivals.map(|policy| {
            let outcomes = &self.ends(policy).1.outcomes;
            [heavy, light].map(|of| estimate(outcomes, |outcome| waiting(&of(outcome))))
        });
        let unit = Unit("% of the time in which a node is wanted", 1);
        judge::every(&rivals.map(shorter), unit).on(
            &says::FAVOR_HEAVY,
            format!(
                "With the most jobs the heavy user waits for {:.1} % of the time in which it wants a \
                 node under Round-Robin and a light user for {:.1} %; under Random {:.1} and {:.1} %. \
                 That share is lower where the ratio is higher.",
                turn[0], turn[1], lot[0], lot[1]
            ),
        )
    }

    /// As the text defines the ratio, and the other way round.
    fn ratios_rise(&self) -> [Claim; 2] {
        let [_, rivals @ ..] = Policy::STUDY;
        let defined = |outcome: &Outcome| light(outcome).wait_ratio();
        let inverse = |outcome: &Outcome| 1.0 / light(outcome).wait_ratio();
        let readings: [(&str, Figure<'_>, Status); 2] = [
            ("execution divided by waiting, as it is written", &defined, Status::Literal),
            ("waiting divided by execution, as it must be meant", &inverse, Status::Derived),
        ];
        readings.map(|(reading, figure, status)| {
            let case = |policy| self.whole(policy, policy.name(), figure, Expected::MORE);
            let told = rivals.map(|policy: Policy| {
                let (few, many) = self.ends(policy);
                let [from, to] = [few, many].map(|run| estimate(&run.outcomes, figure));
                format!(
                    "{from:.2} with {} jobs and {to:.2} with {} under {policy}",
                    few.heavy, many.heavy
                )
            });
            let told = format!("A light user's ratio: {}.", told.join(", "));
            let judged = judge::every(&rivals.map(case), PER_CENT);
            judged.on(&says::RATIOS_RISE, told).variant(reading).by(status)
        })
    }

    fn heavy_throughput(&self) -> Claim {
        let [up_down, rivals @ ..] = Policy::STUDY;
        let jobs = |outcome: &Outcome| heavy(outcome).finished as f64 / (outcome.span / DAY as f64);
        let at_most = |policy| &self.ends(policy).1.outcomes;
        let case = |rival: Policy| {
            let more = paired(at_most(up_down), at_most(rival), jobs);
            Case::new(format!("under {rival}"), more, Expected::MORE)
        };
        let [ours, turn, lot] = Policy::STUDY.map(|policy| estimate(at_most(policy), jobs));
        judge::every(&rivals.map(case), Unit("jobs a day more than under Up-Down", 1)).on(
            &says::HEAVY_THROUGHPUT,
            format!(
                "The heavy user's jobs done in a day: {ours:.1} under Up-Down, {turn:.1} under \
                 Round-Robin, {lot:.1} under Random."
            ),
        )
    }

    /// That it has no fewer processors as it asks for more.
    fn heavy_does_not_fall(&self) -> Claim {
        let [up_down, ..] = Policy::STUDY;
        let held = |outcome: &Outcome| heavy(outcome).remote / outcome.span;
        let expected = Expected::Inside(-UPDOWN_STEADY, f64::INFINITY);
        let cases = self.steps(up_down, "processors held", &held, expected);
        let told = Policy::STUDY.map(|policy| {
            let (few, many) = self.ends(policy);
            let [from, to] = [few, many].map(|run| estimate(&run.outcomes, held));
            format!(
                "{from:.2} processors of others with {} jobs and {to:.2} with {} under {policy}",
                few.heavy, many.heavy
            )
        });
        judge::every(&cases, PER_CENT)
            .on(&says::HEAVY_STEADY, format!("The heavy user has {}.", told.join(", ")))
            .variant("it does not fall")
    }

    /// That it has one at any time.
    fn heavy_is_never_without(&self) -> Claim {
        let [up_down, ..] = Policy::STUDY;
        let without = |outcome: &Outcome| 100.0 * heavy(outcome).wait / outcome.span;
        let (_, many) = self.ends(up_down);
        let times = many.outcomes.iter().map(without).collect();
        let expected = Expected::Inside(f64::NEG_INFINITY, UPDOWN_STEADY);
        let case = Case::new(format!("with {} jobs", many.heavy), times, expected);
        let told = Policy::STUDY.map(|policy| {
            let run = self.ends(policy).1;
            format!("{:.1} % under {policy}", estimate(&run.outcomes, without))
        });
        judge::every(&[case], Unit("% of the time", 1))
            .of_levels()
            .on(
                &says::HEAVY_STEADY,
                format!("With {} jobs it is without any for {}.", many.heavy, told.join(", ")),
            )
            .variant("it is never without")
    }
}
