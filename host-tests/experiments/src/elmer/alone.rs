//! Programs alone: figures 5.3 and 5.4.

use super::SOURCE;
use super::runs::{App, Os, alone};
use crate::{Experiment, Findings, Lab};
use locox_models::stats::Estimate;
use locox_models::timeshare::calibration::{PRINTED, WORK, network};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{
    Axis, Block, Cell, Claim, Fact, Gallery, Judged, Plot, Point, Series, Shape, Table,
};

pub(in super::super) const EXPERIMENT: Experiment = Experiment {
    name: "now-alone",
    title: "Parallel programs alone on workstations",
    source: SOURCE,
    about: "Three versions of a barrier program and EP alone on one to six hosts under both kernels. \
            The model is calibrated to the five times that are printed, and to nothing else; the rest \
            of these curves is what it predicts. The printed times leave the work on one host open: \
            with equal work of versions 1 and 2 they give 164 s, with the printed one 58 s, and \
            version 3 then falls from 5 to 6 hosts unless delays grow faster than linearly. At the \
            130 s taken here it rises with delays that grow linearly.",
    statements: &[],
    run: |lab| Ok(run(lab)),
};

const MOST: usize = 6;

/// Seconds alone, one of each replication, by kernel, program and hosts from one on.
struct Times(Vec<(Os, App, Vec<Vec<f64>>)>);

impl Times {
    fn of(&self, os: Os, app: App, hosts: usize) -> &[f64] {
        let found = self.0.iter().find(|(its_os, its_app, _)| (*its_os, *its_app) == (os, app));
        found.map_or(&[], |(_, _, times)| &times[hosts - 1])
    }

    fn curves(&self, os: Os) -> impl Iterator<Item = (App, &Vec<Vec<f64>>)> {
        self.0.iter().filter(move |it| it.0 == os).map(|(_, app, times)| (*app, times))
    }
}

fn run(lab: &Lab) -> Findings {
    let replications = lab.either(3, 20);
    let time = |os, app| {
        let hosts = (1..=MOST).map(|hosts| alone(lab, os, app, hosts, replications));
        (os, app, hosts.collect())
    };
    let both = Os::BOTH.into_iter().flat_map(|os| App::ALL.into_iter().map(move |app| (os, app)));
    let times = Times(both.map(|(os, app)| time(os, app)).collect());
    let delay = |os: Os| format!("{:.2} ms on 5 hosts", network(&os.kernel()).delay(5) / 1000.0);
    Findings {
        parameters: vec![
            Fact::new("fitted: work on one host", format!("{WORK} s")),
            Fact::new("fitted: delay of a phase, non-preemptive", delay(Os::NonPreemptive)),
            Fact::new("fitted: delay of a phase, preemptive", delay(Os::Preemptive)),
            Fact::new("assumed: quantum", "1/1024 s"),
            Fact::new("replications", replications),
        ],
        claims: claims(&times),
        results: vec![
            Block::Gallery(gallery("Time alone", "time (s)", &times, |_, time| time)),
            Block::Gallery(gallery("Speed-up", "speed-up", &times, |one, time| one / time)),
            Block::Table(table(&times)),
        ],
    }
}

const PERCENT: Unit = Unit("%", 2);
/// How close to a printed time a fitted one is to be, in per cent.
const FITTED: f64 = 1.0;

/// By how much the second exceeds the first, in per cent, pair by pair.
fn more(first: &[f64], second: &[f64]) -> Vec<f64> {
    first.iter().zip(second).map(|(a, b)| 100.0 * (b / a - 1.0)).collect()
}

fn app(name: &str) -> App {
    App::ALL.into_iter().find(|app| app.name() == name).unwrap_or(App::Ep)
}

fn printed(times: &Times) -> Judged {
    let case = |&(name, is_preemptive, hosts, printed): &(&str, bool, usize, f64)| {
        let os = Os::BOTH[usize::from(is_preemptive)];
        let off = times.of(os, app(name), hosts).iter().map(|it| 100.0 * (it / printed - 1.0));
        let name = format!("{name} on {hosts} hosts, {}", os.name());
        Case::new(name, off.collect(), Expected::alike(FITTED))
    };
    judge::every(&PRINTED.iter().map(case).collect::<Vec<_>>(), PERCENT)
}

/// That the second of each pair takes longer on so many hosts.
fn longer(
    times: &Times,
    pairs: impl IntoIterator<Item = ((Os, App, usize), (Os, App, usize))>,
) -> Judged {
    let case = |((os, app, hosts), other): ((Os, App, usize), (Os, App, usize))| {
        let first = times.of(os, app, hosts);
        let second = times.of(other.0, other.1, other.2);
        let name = format!("{} on {hosts} hosts, {}", app.name(), os.name());
        Case::new(name, more(first, second), Expected::MORE)
    };
    judge::every(&pairs.into_iter().map(case).collect::<Vec<_>>(), PERCENT)
}

fn claims(times: &Times) -> Vec<Claim> {
    let several = || 2..=MOST;
    let barriers = [1, 2, 3].map(App::Barrier);
    let slower = barriers.into_iter().flat_map(|app| several().map(move |hosts| (app, hosts)));
    let slower =
        slower.map(|(app, hosts)| ((Os::NonPreemptive, app, hosts), (Os::Preemptive, app, hosts)));
    let faster = several()
        .map(|hosts| ((Os::Preemptive, App::Ep, hosts), (Os::NonPreemptive, App::Ep, hosts)));
    let order = Os::BOTH.into_iter().flat_map(|os| {
        several().flat_map(move |hosts| {
            [1, 2].map(|version| {
                ((os, App::Barrier(version), hosts), (os, App::Barrier(version + 1), hosts))
            })
        })
    });
    let rises = Os::BOTH.map(|os| ((os, App::Barrier(3), 5), (os, App::Barrier(3), 6)));
    vec![
        printed(times).claim(
            "v1 takes 31.4 s on 6 hosts, v2 37.7 s and 38.3 s on 5, EP 33.9 s and 31.5 s on 5",
            "Turner 1995, pp. 82, 83 and 85",
            format!("What the model was fitted to: at most {FITTED} % apart."),
        ),
        longer(times, rises).claim(
            "Version 3 takes longer on 6 hosts than on 5",
            "Turner 1995, figure 5.3",
            "Fitted as well: it decides how much of the time is work.",
        ),
        longer(times, slower).claim(
            "Barrier programs take longer under the preemptive kernel",
            "Turner 1995, figure 5.3 and p. 82, 2 hosts and more",
            "Fitted on 5 hosts with version 2, predicted elsewhere.",
        ),
        longer(times, faster).claim(
            "EP takes less time under the preemptive kernel",
            "Turner 1995, p. 82, 2 hosts and more",
            "Fitted on 5 hosts, predicted elsewhere.",
        ),
        longer(times, order).claim(
            "Version 1 is faster than version 2, and that than version 3",
            "Turner 1995, figures 5.3 and 5.4, 2 hosts and more",
            "Predicted, but for the two points that were fitted.",
        ),
    ]
}

fn gallery(title: &str, label: &str, times: &Times, value: fn(f64, f64) -> f64) -> Gallery {
    let plot = |os: Os| {
        let series = times.curves(os).map(|(app, by_hosts)| {
            let one = &by_hosts[0];
            let point = |(at, runs): (usize, &Vec<f64>)| {
                let values: Vec<f64> = one.iter().zip(runs).map(|(&a, &b)| value(a, b)).collect();
                Point::estimated((at + 1) as f64, &Estimate::of(&values))
            };
            let points = by_hosts.iter().enumerate().map(point).collect();
            Series { name: app.name(), shape: Shape::Line, points }
        });
        Plot {
            title: format!("{} kernel", os.name()),
            caption: String::new(),
            x: Axis::linear("hosts"),
            y: Axis::linear(label),
            series: series.collect(),
        }
    };
    Gallery {
        title: title.into(),
        caption: "As figures 5.3 and 5.4.".into(),
        plots: Os::BOTH.map(plot).into(),
    }
}

fn table(times: &Times) -> Table {
    let columns =
        [("program", "program"), ("kernel", "kernel"), ("hosts", "hosts"), ("time_s", "time (s)")];
    let mut table = Table::new("Time alone", &columns);
    for (os, app, by_hosts) in &times.0 {
        for (at, runs) in by_hosts.iter().enumerate() {
            table.push(vec![
                Cell::text(app.name()),
                Cell::text(os.name()),
                Cell::Count(at as u64 + 1),
                Cell::Estimate(Estimate::of(runs), 2),
            ]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds};

    fn made(time: impl Fn(Os, App, usize) -> f64) -> Vec<Verdict> {
        let runs = |mean: f64| (0..4).map(|run| mean * (1.0 + 1e-4 * f64::from(run))).collect();
        let both = Os::BOTH.into_iter().flat_map(|os| App::ALL.map(move |app| (os, app)));
        let row = |(os, app)| {
            (os, app, (1..=MOST).map(|hosts| runs(time(os, app, hosts))).collect::<Vec<Vec<f64>>>())
        };
        claims(&Times(both.map(row).collect())).iter().map(|claim| claim.verdict).collect()
    }

    #[test]
    fn every_verdict_can_fail() {
        let version = |app| if let App::Barrier(version) = app { version as f64 } else { 0.0 };
        let sound = made(|os, app, hosts| {
            let slower = if (os == Os::Preemptive) == (app == App::Ep) { 0.9 } else { 1.0 };
            slower * (40.0 + version(app) + hosts as f64)
        });
        assert_eq!(sound[1..], [Holds; 4]);
        let wrong = made(|os, app, hosts| {
            let slower = if (os == Os::Preemptive) == (app == App::Ep) { 1.1 } else { 1.0 };
            slower * (80.0 - version(app) - hosts as f64)
        });
        assert_eq!(wrong, [DoesNotHold; 5]);
        let exact = made(|os, name, hosts| {
            let printed = PRINTED
                .iter()
                .find(|it| (app(it.0), Os::BOTH[usize::from(it.1)], it.2) == (name, os, hosts));
            printed.map_or(50.0, |it| it.3)
        });
        assert_eq!(exact[0], Holds);
    }
}
