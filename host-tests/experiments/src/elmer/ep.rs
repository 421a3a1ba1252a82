//! EP below a barrier program: figures 6.13 to 6.15, and what its unprinted constants decide.

use super::SOURCE;
use super::pairs::{
    Found, GAINED, LEVELS_STAY, PAID, Pair, above, all, as_alone, cases, every, gallery, hosts,
    if_levels_stay, pair, pays, replications, several, table,
};
use super::runs::{App, Layout, Machine, Os, Run};
use crate::difference::minus;
use crate::sources::turner_elmer::{
    AS_ALONE_ABOVE_EP, DEGRADED_ON_ONE, DEGRADED_ON_TWO, EP_GAINS, EP_GAINS_IF_EVEN,
    EP_GAINS_SIGNIFICANTLY, LESS_WORK, NEARS_ALONE, PENALIZED_BY_EP,
};
use crate::thresholds::{NOW_LITTLE, NOW_MEASURABLE, NOW_NEAR};
use crate::{Experiment, Findings, Lab};
use locox_models::stats::Estimate;
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Block, Claim, Fact, Judged};

pub(in super::super) const EXPERIMENT: Experiment = Experiment {
    name: "elmer-ep",
    title: "EP below a barrier program",
    source: SOURCE,
    about: "A barrier program (version 1, 2 or 3) and EP start together on the same hosts, EP the \
            less urgent. Each is compared with its time alone under the same kernel; for EP, space \
            sharing means that it runs after the other. EP shares its work out once, in proportion to \
            what each process has done by then. Nobody printed when, how much work it has, or how long a \
            barrier program takes to be set up; all three are varied here, EP's pause with its work, so \
            that its printed times alone stay. If the barrier programs compute from the first moment \
            on, EP measures processors as they leave them: that of the barrier is hardly idle, gets hardly \
            any work, and the other hosts are busy with it long after the barrier program has ended. If \
            they begin half a second later, EP measures mostly idle processors, and gains in each case. At \
            what time it shares out and how long it pauses moves the loss and does not remove it.",
    statements: &[
        &AS_ALONE_ABOVE_EP,
        &PENALIZED_BY_EP,
        &DEGRADED_ON_ONE,
        &DEGRADED_ON_TWO,
        &NEARS_ALONE,
        &EP_GAINS,
        &EP_GAINS_SIGNIFICANTLY,
        &LESS_WORK,
        &EP_GAINS_IF_EVEN,
    ],
    run: |lab| Ok(run(lab, Machine::CALIBRATED)),
    #[cfg(test)]
    planted: tests::planted,
};

const PAIRS: [Pair; 3] = [
    pair("6.13", 1, App::Ep, Layout::Same),
    pair("6.14", 2, App::Ep, Layout::Same),
    pair("6.15", 3, App::Ep, Layout::Same),
];

/// A choice of the constants that nobody printed.
struct Choice {
    name: &'static str,
    of: fn(Machine) -> Machine,
}

/// The first one is that of all other rows.
const CHOICES: [Choice; 8] = [
    Choice { name: "shared out at 2 s", of: |machine| machine },
    Choice { name: "shared out at 0.5 s", of: |machine| Machine { balance: 0.5, ..machine } },
    Choice { name: "shared out at 8 s", of: |machine| Machine { balance: 8.0, ..machine } },
    Choice { name: "EP of 110 s", of: |machine| Machine { ep_work: 110.0, ..machine } },
    Choice { name: "EP of 157 s", of: |machine| Machine { ep_work: 157.0, ..machine } },
    Choice { name: "barriers set up for 0.5 s", of: |machine| Machine { setup: 0.5, ..machine } },
    Choice { name: "barriers set up for 1 s", of: |machine| Machine { setup: 1.0, ..machine } },
    Choice { name: LEVELS_STAY, of: |machine| machine.with_levels_that_stay() },
];

const EVEN: Choice =
    Choice { name: "even shares", of: |machine| Machine { balance: 0.0, ..machine } };

/// What came of all pairs under a choice.
struct Chosen {
    name: &'static str,
    machine: Machine,
    found: Vec<Found>,
}

fn run(lab: &Lab, machine: Machine) -> Findings {
    let replications = replications(lab);
    let chosen = |(at, choice): (usize, &Choice)| {
        let machine = (choice.of)(machine);
        let all = hosts(lab, 6);
        // What is varied is judged on several hosts.
        let hosts = if at == 0 { all } else { lab.either(vec![2, 6], all) };
        let found = PAIRS.iter().map(|pair| pair.run(lab, &machine, &hosts, replications));
        Chosen { name: choice.name, found: found.collect(), machine }
    };
    let all: Vec<Chosen> = CHOICES.iter().chain([&EVEN]).enumerate().map(chosen).collect();
    let pictures = all[0].found.iter().map(|it| Block::Gallery(gallery(it)));
    let tables = all
        .iter()
        .map(|it| Block::Table(table(&format!("Turnaround times, {}", it.name), &it.found)));
    let constants = all.iter().flat_map(|it| {
        let levels = Fact::new(format!("levels, {}", it.name), it.machine.levels_told());
        [Fact::new(format!("constants, {}", it.name), it.machine.told()), levels]
    });
    Findings {
        parameters: constants
            .chain([
                Fact::new(
                    "constants where no variant names them",
                    format!("{}, but {} in ep-gains-if-even", CHOICES[0].name, EVEN.name),
                ),
                Fact::new("replications", replications),
            ])
            .collect(),
        claims: claims(&all),
        results: pictures.chain(tables).collect(),
    }
}

/// Measurably less.
const LESS: Expected = Expected::Inside(f64::NEG_INFINITY, -NOW_MEASURABLE);

const NON_PREEMPTIVE: [Os; 1] = [Os::NonPreemptive];

fn claims(chosen: &[Chosen]) -> Vec<Claim> {
    let (even, chosen) = chosen.split_last().expect("there are choices");
    let (first, staying) = (&chosen[0].found, &chosen[chosen.len() - 1].found);
    let mut claims = vec![as_alone(first, Os::Preemptive, all).on(&AS_ALONE_ABOVE_EP, PAID)];
    claims.push(paid(first, |hosts| hosts == 1, above(NOW_NEAR)).on(&DEGRADED_ON_ONE, PAID));
    claims.extend(of_the_urgent_job(first));
    claims.extend(if_levels_stay(of_the_urgent_job(staying)));
    claims.extend(chosen.iter().map(|it| gains(it).on(&EP_GAINS, why(it)).variant(it.name)));
    claims.extend(chosen.iter().flat_map(gains_significantly));
    claims.extend(chosen.iter().map(|it| {
        let less = every(&it.found, &Os::BOTH, several, less_at_the_barrier, LESS);
        less.on(&LESS_WORK, "What EP computes there, against the mean of its hosts.")
            .variant(it.name)
    }));
    claims.push(gains(even).on(&EP_GAINS_IF_EVEN, GAINED));
    claims
}

/// What the barrier program pays under the non-preemptive kernel on so many hosts.
fn paid(found: &[Found], hosts: fn(usize) -> bool, expected: Expected) -> Judged {
    every(found, &NON_PREEMPTIVE, hosts, Run::paid, expected)
}

fn of_the_urgent_job(found: &[Found]) -> Vec<Claim> {
    vec![
        pays(found, several).on(&PENALIZED_BY_EP, PAID),
        paid(found, |hosts| hosts == 2, above(NOW_NEAR)).on(&DEGRADED_ON_TWO, PAID),
        nearer(found)
            .on(&NEARS_ALONE, "What it pays on 4 to 6 hosts less what it pays on 2.")
            .variant("nearer than on 2 hosts"),
        paid(found, |hosts| hosts >= 4, Expected::alike(NOW_NEAR))
            .on(&NEARS_ALONE, PAID)
            .variant(format!("at most {NOW_NEAR} % apart")),
    ]
}

/// By how much EP gets less work on the host of the barrier than the mean of its hosts, in per cent.
fn less_at_the_barrier(run: &Run) -> f64 {
    100.0 * (run.first_work - 1.0)
}

fn gains_significantly(chosen: &Chosen) -> [Claim; 2] {
    NOW_LITTLE.map(|margin| {
        every(&chosen.found, &NON_PREEMPTIVE, several, Run::gained, above(margin))
            .on(&EP_GAINS_SIGNIFICANTLY, GAINED)
            .variant(format!("by more than {margin} %, {}", chosen.name))
    })
}

fn gains(chosen: &Chosen) -> Judged {
    every(&chosen.found, &Os::BOTH, several, Run::gained, above(NOW_MEASURABLE))
}

/// How much EP gains at least and at most, and what decides it.
fn why(chosen: &Chosen) -> String {
    let cases = cases(&chosen.found, &Os::BOTH, several, Run::gained, above(NOW_MEASURABLE));
    let mean = |case: &Case| Estimate::of(&case.differences).mean;
    let order = |one: &&Case, other: &&Case| mean(one).total_cmp(&mean(other));
    let named = |case: Option<&Case>| {
        case.map_or(String::new(), |case| format!("{:+.1} % ({})", mean(case), case.name))
    };
    let [least, most] = [cases.iter().min_by(order), cases.iter().max_by(order)].map(named);
    let begin = match chosen.machine.setup {
        0.0 => {
            "Barrier programs compute from the first moment on, so that EP measures processors that are \
             hardly left to it, and gives the host of the barrier far too little for the time after: that \
             decides it, and neither when it shares out nor its pause."
        }
        _ => {
            "EP measures while barrier programs are still being set up, so that its shares differ little: \
             that decides it."
        }
    };
    format!("{GAINED} From {least} to {most}. {begin}")
}

/// That what the more urgent job pays on 4 to 6 hosts is less than on 2.
fn nearer(found: &[Found]) -> Judged {
    let of_pair = |it: &Found| {
        let points = |hosts| it.at(Os::NonPreemptive, hosts).collect::<Vec<_>>();
        let [few, many] = [points(|hosts| hosts == 2), points(|hosts| hosts >= 4)];
        let both = many.iter().flat_map(|&many| few.iter().map(move |&few| (many, few)));
        let case = |(many, few): (&super::runs::Point, &super::runs::Point)| {
            let by = minus(&many.of(Run::paid), &few.of(Run::paid));
            let case = it.case(many, by, Expected::LESS);
            Case { name: format!("{} against {}", case.name, few.hosts), ..case }
        };
        both.map(case).collect::<Vec<_>>()
    };
    let cases: Vec<Case> = found.iter().flat_map(of_pair).collect();
    judge::every(&cases, Unit("percentage points", 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Effort;
    use locox_models::timeshare::Kernel;
    use locox_report::progress::Progress;
    use locox_report::report::Verdict::Holds;

    fn judged(choice: &Choice, hosts: &[usize]) -> Judged {
        let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
        let machine = (choice.of)(Machine::CALIBRATED);
        let found = vec![PAIRS[0].run(&lab, &machine, hosts, 2)];
        gains(&Chosen { name: choice.name, machine, found })
    }

    /// What barrier programs do in the first half second decides it, and not when EP shares out.
    #[test]
    fn ep_gains_on_two_hosts_only_if_it_measures_before_the_barrier_program_computes() {
        for (at, choice) in CHOICES.iter().enumerate() {
            let judged = judged(choice, &[2]);
            let effect = judged.effect.as_ref().map(|effect| effect.mean);
            let is_set_up_first = at == 5 || at == 6;
            assert_eq!(judged.holding == judged.of, is_set_up_first, "{}: {effect:?}", choice.name);
        }
    }

    /// A rule that gives the host of the barrier its even share: it gets no less work.
    #[test]
    fn with_even_shares_the_host_of_the_barrier_gets_no_less() {
        let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
        let less = |choice: &Choice| {
            let machine = (choice.of)(Machine::CALIBRATED);
            let found = vec![PAIRS[0].run(&lab, &machine, &[2, 6], 3)];
            every(&found, &Os::BOTH, several, less_at_the_barrier, LESS).verdict
        };
        assert_eq!(less(&CHOICES[0]), Holds);
        assert_ne!(less(&EVEN), Holds);
    }

    /// Rows name the constants that they rest on.
    #[test]
    fn the_constants_of_the_first_choice_are_those_that_are_told() {
        let Kernel::NonPreemptive { quanta, sinks_after: Some(sinks) } = Os::NonPreemptive.kernel()
        else {
            panic!("levels drift")
        };
        let Machine { ep_work, balance, setup, .. } = (CHOICES[0].of)(Machine::CALIBRATED);
        assert_eq!((setup, 1_000_000u64.div_ceil(1024)), (0.0, quanta.high));
        let told = [
            format!("EP of {ep_work} s of work shares it out {balance} s after its start"),
            "compute from the first moment on".into(),
            format!("after {sinks} quanta of 1/1024 s"),
        ];
        for statement in [&PENALIZED_BY_EP, &DEGRADED_ON_TWO, &NEARS_ALONE] {
            for words in &told {
                assert!(statement.reading.contains(words), "{}: {words}", statement.id);
            }
        }
        // On one host EP has nothing to share out.
        assert!(DEGRADED_ON_ONE.reading.contains(&told[2]), "{}", told[2]);
    }

    /// The non-preemptive kernel where the other belongs.
    pub(in super::super) fn planted() -> [Vec<Claim>; 2] {
        let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
        let planted = Machine { kernel: |_| Os::NonPreemptive.kernel(), ..Machine::CALIBRATED };
        [Machine::CALIBRATED, planted].map(|machine| {
            let found = [PAIRS[0].run(&lab, &machine, &[1, 2], 2)];
            vec![as_alone(&found, Os::Preemptive, all).on(&AS_ALONE_ABOVE_EP, PAID)]
        })
    }
}
