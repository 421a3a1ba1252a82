//! Stops are made for somebody, and he gets the nodes.

use locox::grid::Grid;
use locox::time::{Duration, Instant};
use locox_coordinators::manager::{Config, Places, Preemption};
use locox_models::managed::{Fate, Outage, Outcome, Setup, Users, run};

const MINUTE: Duration = Duration::from_ticks(60);

fn setup(places: Places, preempt: bool) -> Setup {
    let preempt = preempt.then(|| Preemption::standard(MINUTE));
    let config = Config { places, preempt, ..Config::standard(MINUTE) };
    let levels = match places {
        Places::Tree => vec![(0..64).step_by(16).collect()],
        _ => vec![],
    };
    Setup { levels, ..Setup::new(config, 64, MINUTE) }
}

fn all_places() -> [Places; 5] {
    let torus = Grid::torus(&[4, 4, 4]).unwrap();
    [Places::Any, Places::Subcubes, Places::Meshes, Places::Boxes(torus), Places::Tree]
}

fn users(load: f64, days: u32) -> Users {
    Users { users: 8, nodes: 64, days, load }
}

fn told(outcome: &Outcome) -> [usize; 6] {
    [Fate::Served, Fate::Left, Fate::Failed, Fate::Ended, Fate::Lost, Fate::Open]
        .map(|fate| outcome.count(fate))
}

#[test]
fn what_is_freed_goes_to_the_job_for_which_it_was() {
    for places in all_places() {
        let mut served = 0;
        for seed in 0..2 {
            let jobs = users(1.3, 4).jobs(seed, 0);
            let mut setup = setup(places, true);
            // A node fails each third hour, and returns in an hour.
            setup.outages = (0..32)
                .map(|at| {
                    let from = Instant::from_ticks(10_800 * u64::from(at) + 77);
                    Outage {
                        node: at * 7 % 64,
                        from,
                        to: from.saturating_add(Duration::from_ticks(3600)),
                    }
                })
                .collect();
            let outcome = run(&setup, &jobs);
            let [has, left, failed, ended, lost, open] = told(&outcome);
            println!("{places:?} {seed}: {has} {left} {failed} {ended} {lost} {open}");
            assert_eq!((lost, open, left), (0, 0, 0), "{places:?}, seed {seed}");
            assert_eq!(outcome.stops.len(), has + failed + ended);
            served += has;
        }
        assert!(served > 0, "{places:?}");
    }
}

#[test]
fn a_job_that_saves_its_work_goes_on_from_there() {
    for places in all_places() {
        let jobs = users(1.3, 4).jobs(1, 0);
        let mut setup = setup(places, true);
        let anew = run(&setup, &jobs);
        setup.checkpoint = Some(Duration::from_ticks(1200));
        let saving = run(&setup, &jobs);
        assert_eq!(anew.done, saving.done, "{places:?}");
        assert!(saving.stops.len() > 10 && 3 * saving.lost < anew.lost, "{places:?}");
        // Nobody loses more than the time between two saves, and none of his nodes more than that.
        let held = saving.stops.iter().map(|stop| stop.nodes.len() as u64 * 1200).sum::<u64>();
        assert!(saving.lost < held, "{places:?}");
    }
}

/// The study: three loads, six drawings of 20 days.
#[test]
#[ignore = "takes two minutes; the guide page at-whose-expense.md has its figures"]
fn the_study() {
    for places in all_places() {
        for load in [0.7, 0.95, 1.3] {
            let mut all = [0; 6];
            let [mut lost, mut done] = [0; 2];
            let mut waits = [[0.0f64; 2]; 2];
            for seed in 0..6 {
                let jobs = users(load, 20).jobs(seed, 0);
                for (stops, waits) in [false, true].into_iter().zip(&mut waits) {
                    let outcome = run(&setup(places, stops), &jobs);
                    for (all, one) in all.iter_mut().zip(told(&outcome)) {
                        *all += one;
                    }
                    lost += outcome.lost;
                    done += if stops { outcome.done } else { 0 };
                    // Of heavy and light users.
                    for (light, waits) in [false, true].into_iter().zip(waits) {
                        let own = jobs
                            .iter()
                            .zip(&outcome.waits)
                            .filter(|(job, _)| (job.user.0 > 3) == light);
                        let own: Vec<f64> =
                            own.map(|(_, wait)| wait.ticks() as f64 / 60.0).collect();
                        *waits += own.iter().sum::<f64>() / own.len() as f64 / 6.0;
                    }
                }
            }
            let part = 100.0 * lost as f64 / done as f64;
            let name = format!("{places:?}");
            let name = name.split('(').next().unwrap_or_default();
            let [[heavy, light], [heavy_then, light_then]] = waits;
            println!(
                "{name} at {load}: {all:?} served, left, failed, ended, lost, open; {part:.1} % of the work lost; \
                 minutes that heavy users wait {heavy:.0} -> {heavy_then:.0}, light ones {light:.0} -> {light_then:.0}"
            );
            assert_eq!(all[4], 0);
        }
    }
}
