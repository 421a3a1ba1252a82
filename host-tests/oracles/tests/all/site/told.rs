//! What a coordinator of a site is told and tells: configurations, policies, limits.

use super::rules::{at, begun, config, fresh, ticks};
use locox::handle::PoolId;
use locox::image::BadImage;
use locox::mapping::{Basis, Best, Site, Times};
use locox::time::Duration;
use locox_coordinators::site::{
    Algorithm, Arrays, Claim, Command, Config, Coordinator, Learning, Misuse, Policy, QueueId,
    Remap, SiteModel,
};

/// Configurations of which each differs from all others.
fn configs() -> Vec<Config> {
    let learnt = |memory, basis, risk| Config {
        learning: Some(Learning { memory, basis, risk }),
        ..config()
    };
    let mut configs = vec![
        config(),
        Config { quantum: ticks(11), ..config() },
        Config { remap: Remap::New, ..config() },
        Config { best: Best::Execution, ..config() },
        Config { preemptions: Some(0), ..config() },
        Config { preemptions: Some(1), ..config() },
        Config { gain: Some(ticks(0)), ..config() },
        Config { gain: Some(ticks(1)), ..config() },
    ];
    for memory in [1, 2, 4, u32::MAX] {
        for basis in [Basis::Resource, Basis::Class, Basis::Anywhere] {
            configs.extend([0, 1, 2, u16::MAX].map(|risk| learnt(memory, basis, risk)));
        }
    }
    configs
}

#[test]
fn an_image_of_another_configuration_is_refused() {
    let images: Vec<Vec<u32>> = configs()
        .into_iter()
        .map(|config| {
            let mut words = vec![];
            begun(config, 2).export(|word| words.push(word));
            words
        })
        .collect();
    for (own, config) in configs().into_iter().enumerate() {
        let mut site = fresh(config);
        for (at, image) in images.iter().enumerate() {
            let expected = if at == own { Ok(()) } else { Err(BadImage::OtherConfiguration) };
            assert_eq!(site.restore(image.iter().copied()), expected, "{at} by {own}");
        }
    }
}

#[test]
fn a_policy_is_told_as_it_was_set() {
    let mut site = begun(config(), 1);
    let policy = |site: &Coordinator, queue| site.policy(QueueId(queue));
    assert_eq!(
        [0, 2, 3].map(|queue| policy(&site, queue)),
        [Some(Policy::EMPTY), Some(Policy::EMPTY), None]
    );
    let set = Policy { algorithm: Algorithm::Olb, level: 7, claim: Claim::Loses, clearance: 3 };
    site.apply(at(0), Command::SetPolicy { queue: QueueId(2), policy: set }).unwrap();
    assert_eq!([1, 2].map(|queue| policy(&site, queue)), [Some(Policy::EMPTY), Some(set)]);
}

/// One machine, one class of jobs that takes so long, four jobs, so many queues.
fn with<const QUEUES: usize>(takes: u64) -> Result<(), Misuse> {
    let times = [Duration::from_ticks(takes)];
    let model = SiteModel {
        site: Site::new(1, &[]).unwrap(),
        times: Times::new(&times, 1).unwrap(),
        classes: &[],
    };
    let mut rows = Box::new(Arrays::<4, 1, 1, 1, 1, QUEUES, 0, 0>::EMPTY);
    let config = Config::new(ticks(1), PoolId(0));
    Coordinator::new(config, model, rows.columns(), at(0)).map(|_| ())
}

#[test]
fn there_are_254_queues_at_most() {
    assert_eq!(with::<254>(1), Ok(()));
    assert_eq!(with::<255>(1), Err(Misuse::TooMany));
    assert_eq!(with::<0>(1), Err(Misuse::Zero { parameter: "queues" }));
}

#[test]
fn a_time_may_be_so_long_that_those_of_all_jobs_can_be_added_up_and_no_longer() {
    let longest = (1 << 62) / (4 * 4);
    assert_eq!(with::<1>(longest), Ok(()));
    assert_eq!(with::<1>(longest + 1), Err(Misuse::TooLong));
}
