//! Programs alone: figures 5.3 and 5.4.

use super::SOURCE;
use super::runs::{App, Machine, Os};
use crate::difference::{minus, percent_above};
use crate::sources::TURNER;
use crate::sources::turner_elmer::{
    BARRIER_SLOWER, DIFFERENCE_GROWS, EP_FASTER, SPEED_UPS_CLOSE, TIMES_ALONE, VERSION_2_BETWEEN,
    VERSION_3_RISES,
};
use crate::thresholds::{NOW_FITTED, NOW_NEAR};
use crate::{Experiment, Findings, Lab};
use locox_models::stats::Estimate;
use locox_models::timeshare::calibration::{PRINTED, WORK};
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{
    Axis, Block, Cell, Claim, Fact, Gallery, Judged, Plot, Point, Published, Series, Shape, Table,
};

pub(in super::super) const EXPERIMENT: Experiment = Experiment {
    name: "now-alone",
    title: "Parallel programs alone on workstations",
    source: SOURCE,
    about: "Three versions of a barrier program and EP alone on one to six hosts under both kernels. \
            The model is calibrated to the five times with direct routing that are printed, and to that version 3 \
            rises from 5 to 6 hosts; the rest of these curves is what it predicts. The printed times leave the work on one host open: \
            with equal work of versions 1 and 2 they give 164 s, with the printed one 58 s, and \
            version 3 then falls from 5 to 6 hosts unless delays grow faster than linearly. At the \
            130 s taken here it rises with delays that grow linearly.",
    statements: &[
        &TIMES_ALONE,
        &VERSION_3_RISES,
        &BARRIER_SLOWER,
        &DIFFERENCE_GROWS,
        &EP_FASTER,
        &VERSION_2_BETWEEN,
        &SPEED_UPS_CLOSE,
    ],
    run: |lab| Ok(run(lab, &Machine::CALIBRATED)),
    #[cfg(test)]
    planted: tests::planted,
};

const MOST: usize = 6;

/// Seconds alone, one of each replication, by kernel, program and hosts from one on.
struct Times(Vec<(Os, App, Vec<Vec<f64>>)>);

/// A program on so many hosts under a kernel.
type Which = (Os, App, usize);

impl Times {
    fn of(&self, (os, app, hosts): Which) -> &[f64] {
        let found = self.0.iter().find(|(its_os, its_app, _)| (*its_os, *its_app) == (os, app));
        found.map_or(&[], |(_, _, times)| &times[hosts - 1])
    }

    fn speed_ups(&self, (os, app, hosts): Which) -> Vec<f64> {
        let one = self.of((os, app, 1));
        one.iter().zip(self.of((os, app, hosts))).map(|(one, time)| one / time).collect()
    }

    /// Seconds that the preemptive kernel costs.
    fn cost(&self, app: App, hosts: usize) -> Vec<f64> {
        let [other, preemptive] = Os::BOTH.map(|os| self.of((os, app, hosts)));
        minus(preemptive, other)
    }

    fn curves(&self, os: Os) -> impl Iterator<Item = (App, &Vec<Vec<f64>>)> {
        self.0.iter().filter(move |it| it.0 == os).map(|(_, app, times)| (*app, times))
    }
}

fn run(lab: &Lab, machine: &Machine) -> Findings {
    let replications = lab.either(3, 20);
    let time = |os, app| {
        let hosts = (1..=MOST).map(|hosts| machine.alone(lab, os, app, hosts, replications));
        (os, app, hosts.collect())
    };
    let both = Os::BOTH.into_iter().flat_map(|os| App::ALL.into_iter().map(move |app| (os, app)));
    let times = Times(both.map(|(os, app)| time(os, app)).collect());
    let network = |os| (machine.network)(&machine.kernel(os));
    let delay = |os| format!("{:.2} ms on 5 hosts", network(os).delay(5) / 1000.0);
    Findings {
        parameters: vec![
            Fact::new("fitted: work on one host", format!("{WORK} s")),
            Fact::new("fitted: delay of a phase, non-preemptive", delay(Os::NonPreemptive)),
            Fact::new("fitted: delay of a phase, preemptive", delay(Os::Preemptive)),
            Fact::new("assumed: quantum", "1/1024 s"),
            Fact::new("constants that nobody printed", machine.told()),
            Fact::new("replications", replications),
        ],
        claims: claims(&times),
        results: vec![
            Block::Gallery(with_printed(gallery("Time alone", "time (s)", &times, |_, time| time))),
            Block::Gallery(gallery("Speed-up", "speed-up", &times, |one, time| one / time)),
            Block::Table(table(&times)),
        ],
    }
}

const PERCENT: Unit = Unit("%", 2);

fn app(name: &str) -> App {
    App::ALL.into_iter().find(|app| app.name() == name).unwrap_or(App::Ep)
}

fn named((os, app, hosts): Which) -> String {
    format!("{} on {hosts} hosts, {}", app.name(), os.name())
}

fn printed(times: &Times) -> Judged {
    let case = |&(name, is_preemptive, hosts, printed): &(&str, bool, usize, f64)| {
        let which = (Os::BOTH[usize::from(is_preemptive)], app(name), hosts);
        let off = times.of(which).iter().map(|it| 100.0 * (it / printed - 1.0));
        Case::new(named(which), off.collect(), Expected::alike(NOW_FITTED))
    };
    judge::every(&PRINTED.iter().map(case).collect::<Vec<_>>(), PERCENT)
}

/// That the second of each pair takes longer on so many hosts.
fn longer(times: &Times, pairs: impl IntoIterator<Item = (Which, Which)>) -> Judged {
    let case = |(which, other): (Which, Which)| {
        Case::new(named(which), percent_above(times.of(which), times.of(other)), Expected::MORE)
    };
    judge::every(&pairs.into_iter().map(case).collect::<Vec<_>>(), PERCENT)
}

const BARRIERS: [App; 3] = [App::Barrier(1), App::Barrier(2), App::Barrier(3)];

/// That from each number of hosts to the next the preemptive kernel costs more seconds.
fn costs_more(times: &Times) -> Judged {
    let steps = BARRIERS.into_iter().flat_map(|app| (2..MOST).map(move |hosts| (app, hosts)));
    let case = |(app, hosts): (App, usize)| {
        let by = minus(&times.cost(app, hosts + 1), &times.cost(app, hosts));
        let name = format!("{} from {hosts} to {} hosts", app.name(), hosts + 1);
        Case::new(name, by, Expected::MORE)
    };
    judge::every(&steps.map(case).collect::<Vec<_>>(), Unit("s", 2))
}

/// That version 1 has about the speed-up of EP.
fn close(times: &Times) -> Claim {
    let cases = Os::BOTH.into_iter().flat_map(|os| (2..=MOST).map(move |hosts| (os, hosts)));
    let case = |(os, hosts): (Os, usize)| {
        let [ep, barrier] = [App::Ep, App::Barrier(1)].map(|app| times.speed_ups((os, app, hosts)));
        let name = format!("{hosts} hosts, {}", os.name());
        Case::new(name, percent_above(&ep, &barrier), Expected::alike(NOW_NEAR))
    };
    let cases: Vec<Case> = cases.map(case).collect();
    let told = format!("The speed-up of version 1 over that of EP. {}", from_to(&cases));
    judge::every(&cases, PERCENT).on(&SPEED_UPS_CLOSE, told)
}

/// The least and the most of these; their mean would hide it.
fn from_to(cases: &[Case]) -> String {
    let means = || cases.iter().map(|case| Estimate::of(&case.differences).mean);
    let [least, most] = [f64::min, f64::max].map(|pick| means().reduce(pick).unwrap_or(f64::NAN));
    format!("From {least:+.2} to {most:+.2} %.")
}

fn claims(times: &Times) -> Vec<Claim> {
    let several = || 2..=MOST;
    let slower = BARRIERS.into_iter().flat_map(|app| several().map(move |hosts| (app, hosts)));
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
        printed(times).on(&TIMES_ALONE, "What the model was fitted to."),
        longer(times, rises).on(&VERSION_3_RISES, "More on 6 hosts."),
        longer(times, slower).on(&BARRIER_SLOWER, "More under the preemptive kernel."),
        costs_more(times).on(&DIFFERENCE_GROWS, "Seconds more than on one host fewer."),
        longer(times, faster).on(&EP_FASTER, "More under the non-preemptive kernel."),
        longer(times, order).on(&VERSION_2_BETWEEN, "More by the next version."),
        close(times),
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
            x: Axis::linear("number of hosts"),
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

/// The times that the source prints, "approximately", to a tenth of a second.
fn with_printed(mut gallery: Gallery) -> Gallery {
    for (plot, is_preemptive) in gallery.plots.iter_mut().zip([false, true]) {
        let here = PRINTED.iter().filter(|(_, of_preemptive, ..)| *of_preemptive == is_preemptive);
        let printed: Vec<_> = here
            .map(|&(_, _, hosts, y)| Published { x: hosts as f64, y, error: Some(0.05) })
            .collect();
        plot.series.push(Series::published(&TURNER, TIMES_ALONE.place, &printed));
    }
    gallery
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
    use crate::Effort;
    use locox_models::timeshare::Network;
    use locox_report::progress::Progress;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds};

    /// Times that differ by this, alike but for a little.
    fn made(time: impl Fn(Os, App, usize) -> f64) -> Vec<Verdict> {
        let runs = |mean: f64| (0..4).map(|run| mean * (1.0 + 1e-4 * f64::from(run))).collect();
        let both = Os::BOTH.into_iter().flat_map(|os| App::ALL.map(move |app| (os, app)));
        let row = |(os, app)| {
            (os, app, (1..=MOST).map(|hosts| runs(time(os, app, hosts))).collect::<Vec<Vec<f64>>>())
        };
        claims(&Times(both.map(row).collect())).iter().map(|claim| claim.verdict).collect()
    }

    #[test]
    fn all_printed_times_are_drawn_each_under_its_kernel() {
        let row = |os| (os, App::Ep, vec![vec![1.0]; MOST]);
        let times = Times(Os::BOTH.map(row).into());
        let gallery = with_printed(gallery("", "", &times, |_, time| time));
        let drawn = gallery.plots.iter().map(|plot| {
            let series = plot.series.last().unwrap();
            assert_eq!(series.shape, Shape::Published);
            series.points.iter().map(|point| (point.x, point.y)).collect::<Vec<_>>()
        });
        let [first, second] = &drawn.collect::<Vec<_>>()[..] else { panic!("two kernels") };
        assert_eq!(first[..], [(6.0, 31.4), (5.0, 37.7), (5.0, 33.9)]);
        assert_eq!(second[..], [(5.0, 38.3), (5.0, 31.5)]);
    }

    #[test]
    fn every_verdict_can_fail() {
        let version = |app| if let App::Barrier(version) = app { version as f64 } else { 0.0 };
        let sound = made(|os, app, hosts| {
            let slower = if (os == Os::Preemptive) == (app == App::Ep) { 0.9 } else { 1.0 };
            slower * (40.0 + version(app) + hosts as f64)
        });
        assert_eq!(sound[1..], [Holds; 6]);
        let wrong = made(|os, app, hosts| {
            let slower = if (os == Os::Preemptive) == (app == App::Ep) { 1.1 } else { 1.0 };
            let of_ep = if app == App::Ep { 20.0 * hosts as f64 } else { 0.0 };
            slower * (80.0 - version(app) - hosts as f64 - of_ep.min(60.0))
        });
        assert_eq!(wrong[..3], [DoesNotHold; 3]);
        assert_eq!(wrong[4..], [DoesNotHold; 3]);
        // What the preemptive kernel costs falls from host to host.
        let falling = made(|os, _, hosts| match os {
            Os::NonPreemptive => 50.0,
            Os::Preemptive => 60.0 - hosts as f64,
        });
        assert_eq!(falling[3], DoesNotHold);
        let exact = made(|os, name, hosts| {
            let printed = PRINTED
                .iter()
                .find(|it| (app(it.0), Os::BOTH[usize::from(it.1)], it.2) == (name, os, hosts));
            printed.map_or(50.0, |it| it.3)
        });
        assert_eq!(exact[0], Holds);
    }

    /// A network that costs nothing in place of that of the source.
    pub(in super::super) fn planted() -> [Vec<Claim>; 2] {
        const FREE: Network =
            Network { latency: 0, wait: 0, handling: 0.0, growth: 0.0, loss: None, daemon: None };
        let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
        let free = Machine { network: |_| FREE, ..Machine::CALIBRATED };
        [Machine::CALIBRATED, free].map(|machine| run(&lab, &machine).claims)
    }

    /// Only the work is left, of which version 1 has most.
    #[test]
    fn on_a_network_without_delay_version_2_is_not_between_the_others() {
        let [sound, free] = planted().map(|claims| {
            claims.iter().find(|claim| claim.id() == VERSION_2_BETWEEN.id).unwrap().verdict
        });
        assert_eq!(sound, Holds);
        assert_ne!(free, Holds);
    }
}
