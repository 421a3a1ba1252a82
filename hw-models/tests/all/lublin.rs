//! The model of Lublin and Feitelson against the distributions that it states, and against the
//! output of its authors' generator. Seeds are fixed; the limits are those that a sound sample
//! passes in 99.9 of 100 cases.

use locox_models::stats::mean;
use locox_models::streams::stream;
use locox_models::swf::{self, Strictness};
use locox_models::workload::lublin::{BadRecipe, HyperGamma, Kind, Lublin, SLOTS};
use locox_models::workload::{Workload, from_swf};
use std::path::PathBuf;

const JOBS: usize = 50_000;

fn generate(kind: Kind, processors: u32) -> Workload {
    Lublin { kind, jobs: JOBS, processors, estimates: None }.generate(11, 0).unwrap()
}

fn sizes(workload: &Workload) -> Vec<u32> {
    workload.jobs.iter().map(|job| job.processors).collect()
}

fn gaps(workload: &Workload) -> Vec<f64> {
    let times = workload.jobs.iter().map(|job| job.submit.ticks() as f64);
    times.clone().zip(times.skip(1)).map(|(a, b)| b - a).collect()
}

fn share<T>(of: &[T], which: impl Fn(&T) -> bool) -> f64 {
    of.iter().filter(|item| which(item)).count() as f64 / of.len() as f64
}

/// 3.3 standard deviations of a share of `count` independent values.
#[track_caller]
fn assert_share(found: f64, stated: f64, count: usize) {
    let allowed = 3.3 * (stated * (1.0 - stated) / count as f64).sqrt();
    assert!((found - stated).abs() < allowed, "{found} is not {stated} up to {allowed}");
}

/// Integrals of `f` from 0 to each of `ends`, which rise, in steps of 1/200.
fn integrals(f: impl Fn(f64) -> f64, ends: &[f64]) -> Vec<f64> {
    const STEP: f64 = 1.0 / 200.0;
    let (mut x, mut sum) = (0.0, 0.0);
    let mut integral = |&end: &f64| {
        while x < end {
            let width = STEP.min(end - x);
            sum += f(x + width / 2.0) * width;
            x += width;
            if end - x < 1e-12 {
                break;
            }
        }
        sum
    };
    ends.iter().map(&mut integral).collect()
}

/// The density of a gamma distribution, up to a factor, cut off at `cut`; and its whole integral.
fn gamma((shape, scale): (f64, f64), cut: f64) -> (impl Fn(f64) -> f64, f64) {
    let mode = (shape - 1.0) * scale;
    let log = move |x: f64| (shape - 1.0) * x.ln() - x / scale;
    let density = move |x: f64| (log(x) - log(mode)).exp();
    let whole = integrals(density, &[cut])[0];
    (density, whole)
}

/// 2^9.5: whether rounded to a power of two or not, sizes with larger logarithms lie above.
const BOUND: u32 = 725;

#[test]
fn jobs_are_serial_or_powers_of_two_as_often_as_stated() {
    for (kind, serial, power) in [
        (Kind::All, 0.244, 0.576),
        (Kind::Batch, 0.2927, 0.6686),
        (Kind::Interactive, 0.1541, 0.625),
    ] {
        // A machine so large that other sizes are seldom rounded to a power of two.
        let sizes = sizes(&generate(kind, 1 << 20));
        assert_share(share(&sizes, |&size| size == 1), serial, JOBS);
        let large: Vec<_> = sizes.into_iter().filter(|&size| size >= BOUND).collect();
        let stated = power / (1.0 - serial);
        assert_share(share(&large, |size| size.is_power_of_two()), stated, large.len());
    }
}

/// Of 128 processors, the lower stage goes to 4.5 and has 0.86 of the parallel jobs.
#[test]
fn logarithms_of_sizes_are_uniform_in_two_stages() {
    let sizes = sizes(&generate(Kind::All, 128));
    let parallel: Vec<_> = sizes.into_iter().filter(|&size| size > 1).collect();
    let (low, med, high) = (0.8, 4.5, 7.0);
    for dim in 2..=6u32 {
        // A power of two is nearest from half a step below on; other sizes from about there.
        let from = f64::from(dim) - 0.5;
        let below = if from < med {
            0.86 * (from - low) / (med - low)
        } else {
            0.86 + 0.14 * (from - med) / (high - med)
        };
        let found = share(&parallel, |&size| f64::from(size).log2() < from);
        assert!((found - below).abs() < 0.012, "{dim}: {found} is not {below}");
    }
}

#[test]
fn no_job_is_larger_than_its_machine_and_the_largest_comes_near() {
    for processors in [1, 2, 3, 7, 8, 100, 128, 1000, 1024, 1 << 20] {
        for kind in Kind::ALL {
            let recipe = Lublin { kind, jobs: 5_000, processors, estimates: None };
            let sizes = sizes(&recipe.generate(3, 0).unwrap());
            assert!(sizes.iter().all(|size| (1..=processors).contains(size)), "{processors}");
            // Interactive jobs stay below the machine's size over 2^1.5.
            let largest = f64::from(*sizes.iter().max().unwrap());
            assert!(largest >= f64::from(processors) / 4.0, "{kind} {processors}: {largest}");
        }
    }
}

/// The greatest distance between what was drawn and the mixture of gammas, at whole seconds.
fn distance(mixture: &HyperGamma, processors: u32, seed: u64) -> f64 {
    let times = mixture.times();
    let mut random = stream(seed, "run times", 0);
    let mut drawn: Vec<u64> = (0..JOBS).map(|_| times.draw(processors, &mut random)).collect();
    drawn.sort_unstable();
    let share = mixture.share_of_short(processors);
    let ends: Vec<f64> = (1..=24).map(|half| f64::from(half) / 2.0).collect();
    let seconds: Vec<f64> = ends.iter().map(|end| end.exp().floor()).collect();
    let logs: Vec<f64> = seconds.iter().map(|s| s.ln()).chain([12.0]).collect();
    // Both are cut at 12 together: what is drawn again is drawn from the whole mixture.
    let (short, _) = gamma(mixture.short, 12.0);
    let (long, _) = gamma(mixture.long, 12.0);
    let whole_short = integrals(&short, &[60.0])[0];
    let whole_long = integrals(&long, &[60.0])[0];
    let density = |x: f64| share * short(x) / whole_short + (1.0 - share) * long(x) / whole_long;
    let below = integrals(density, &logs);
    let all = below[below.len() - 1];
    let difference = |(seconds, below): (&f64, &f64)| {
        let found = drawn.partition_point(|&run| (run as f64) < *seconds);
        (found as f64 / JOBS as f64 - below / all).abs()
    };
    seconds.iter().zip(&below).map(difference).fold(0.0, f64::max)
}

/// Kolmogorov and Smirnov: beyond 1.95 over the root of the number in one of 1,000 cases.
#[test]
fn run_times_follow_the_mixture_of_gammas_for_small_and_large_jobs() {
    let allowed = 1.95 / (JOBS as f64).sqrt();
    for kind in Kind::ALL {
        for processors in [1, 32, 128, 1024] {
            let found = distance(&kind.parameters().run_times, processors, 5);
            assert!(found < allowed, "{kind}, {processors} processors: {found}");
        }
    }
}

#[test]
fn larger_jobs_run_longer() {
    let workload = generate(Kind::All, 128);
    let logarithms = |which: fn(u32) -> bool| {
        let jobs = workload.jobs.iter().filter(|job| which(job.processors));
        mean(&jobs.map(|job| (job.run.ticks() as f64).ln()).collect::<Vec<_>>())
    };
    assert!(logarithms(|size| size >= 64) > logarithms(|size| size <= 8) + 0.5);
}

/// A day has as much of the clock that runs with it as seconds.
#[test]
fn the_mean_time_between_arrivals_is_that_of_the_gamma_distribution() {
    for kind in Kind::ALL {
        let arrivals = kind.parameters().arrivals;
        let rush = (arrivals.rush.0 * arrivals.all_over_rush, arrivals.rush.1);
        let (density, whole) = gamma(rush, 13.0);
        let stated = integrals(|x| density(x) * x.exp(), &[13.0])[0] / whole;
        let found = mean(&gaps(&generate(kind, 128)));
        // The distribution has a long tail: its mean over 50,000 is known to a few per cent.
        assert!((found / stated - 1.0).abs() < 0.06, "{kind}: {found} is not {stated}");
    }
}

#[test]
fn arrivals_follow_the_weights_of_the_day() {
    for kind in Kind::ALL {
        let weights = kind.parameters().arrivals.weights();
        assert!((weights.iter().sum::<f64>() / SLOTS as f64 - 1.0).abs() < 1e-12);
        let workload = generate(kind, 128);
        for (part, weights) in weights.chunks(8).enumerate() {
            let stated = weights.iter().sum::<f64>() / SLOTS as f64;
            let in_part = |at: u64| (at % 86_400) / 1800 / 8 == part as u64;
            let found = share(&workload.jobs, |job| in_part(job.submit.ticks()));
            assert!((found - stated).abs() < 0.012, "{kind} {part}: {found} is not {stated}");
        }
    }
}

#[test]
fn another_machine_leaves_the_arrivals_alone() {
    let times = |processors| -> Vec<u64> {
        generate(Kind::Batch, processors).jobs.iter().map(|job| job.submit.ticks()).collect()
    };
    assert_eq!(times(128), times(1024));
}

#[test]
fn requested_times_lie_between_the_run_time_and_f_plus_one_times_that() {
    let recipe = Lublin { kind: Kind::All, jobs: JOBS, processors: 128, estimates: Some(3.0) };
    let workload = recipe.generate(11, 0).unwrap();
    let ratios: Vec<f64> = workload
        .jobs
        .iter()
        .filter(|job| job.run.ticks() >= 1000)
        .map(|job| job.requested.unwrap().ticks() as f64 / job.run.ticks() as f64)
        .collect();
    assert!(ratios.iter().all(|ratio| (0.999..=4.001).contains(ratio)));
    assert!((mean(&ratios) - 2.5).abs() < 0.03, "{}", mean(&ratios));
    // Without them the jobs are the same.
    let without = generate(Kind::All, 128);
    let plain = |workload: &Workload| -> Vec<_> {
        workload.jobs.iter().map(|job| (job.submit, job.processors, job.run)).collect()
    };
    assert_eq!(plain(&workload), plain(&without));
    let exact = Lublin { estimates: Some(0.0), ..recipe }.generate(11, 0).unwrap();
    assert!(exact.jobs.iter().all(|job| job.requested == Some(job.run)));
}

#[test]
fn a_recipe_that_makes_no_sense_is_refused() {
    let recipe = Lublin { kind: Kind::All, jobs: 1, processors: 0, estimates: None };
    assert_eq!(recipe.generate(1, 0), Err(BadRecipe::NoProcessors));
    let recipe = Lublin { processors: 4, estimates: Some(-1.0), ..recipe };
    assert_eq!(recipe.generate(1, 0), Err(BadRecipe::Estimates(-1.0)));
}

/// The greatest distance between two samples.
fn two_sample(mut a: Vec<f64>, mut b: Vec<f64>) -> f64 {
    a.sort_unstable_by(f64::total_cmp);
    b.sort_unstable_by(f64::total_cmp);
    let below = |sample: &[f64], at: f64| {
        sample.partition_point(|&value| value <= at) as f64 / sample.len() as f64
    };
    let distance = |&at: &f64| (below(&a, at) - below(&b, at)).abs();
    a.iter().chain(&b).map(distance).fold(0.0, f64::max)
}

/// The 20,000 jobs that the authors' generator made for 1024 processors.
#[test]
fn the_authors_generator_draws_from_the_same_distributions() {
    let Some(data) = std::env::var_os("LOCOX_DATA") else {
        eprintln!("skipped: LOCOX_DATA is not set, so there is no lublin_1024");
        return;
    };
    let path = PathBuf::from(data).join("traces/lublin_1024.swf.xz");
    let theirs = from_swf(&path, Strictness::Strict, None).unwrap();
    let ours = generate(Kind::All, 1024);
    // Kolmogorov and Smirnov for two samples, one case of 1,000.
    let (n, m) = (JOBS as f64, theirs.jobs.len() as f64);
    let allowed = 1.95 * ((n + m) / (n * m)).sqrt();
    type Measure = fn(&Workload) -> Vec<f64>;
    let measures: [(&str, Measure); 3] = [
        ("sizes", |w| w.jobs.iter().map(|job| f64::from(job.processors)).collect()),
        ("run times", |w| w.jobs.iter().map(|job| job.run.ticks() as f64).collect()),
        ("times between arrivals", gaps),
    ];
    for (what, measure) in measures {
        let found = two_sample(measure(&theirs), measure(&ours));
        assert!(found < allowed, "{what}: {found} > {allowed}");
    }
}

#[test]
fn a_workload_written_as_a_trace_reads_back() {
    let recipe = Lublin { kind: Kind::All, jobs: 300, processors: 100, estimates: Some(1.0) };
    let workload = recipe.generate(2, 0).unwrap();
    let mut text = Vec::new();
    swf::write(&workload, &mut text).unwrap();
    let reader = swf::read("t", std::io::Cursor::new(text), Strictness::Strict).unwrap();
    let back = locox_models::workload::from_reader(reader, workload.name.clone(), None).unwrap();
    assert_eq!(back.processors, Some(100));
    let plain = |workload: &Workload| -> Vec<_> {
        let job = |job: &locox_models::workload::Job| {
            (job.id, job.submit, job.processors, job.run, job.requested)
        };
        workload.jobs.iter().map(job).collect()
    };
    assert_eq!(plain(&back), plain(&workload));
}
