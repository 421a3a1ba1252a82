//! A host's part that is stopped and goes on from its image, beside a host that does what it says: nothing that was
//! due is left undone.

use locox::handle::{Epoch, Generation, Handle, PoolId};
use locox::time::{Duration, Instant};
use locox::timeshare::{Level, UserId};
use locox_coordinators::cluster::{
    Assignment, Batch, HostCommand, HostConfig, HostEffect, HostPart, JobId,
};
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use std::collections::{BTreeMap, BTreeSet};

fn part() -> HostPart {
    let config = HostConfig { report: Duration::from_ticks(1), boot: 1, pool: PoolId(3) };
    HostPart::new(config, Instant::ZERO).unwrap()
}

/// What is on the host: levels of jobs and of helpers.
#[derive(Debug, Default)]
struct Host {
    processes: BTreeMap<u32, u8>,
    helpers: BTreeMap<u32, u8>,
}

impl Host {
    fn carry_out(&mut self, effect: HostEffect) {
        match effect {
            HostEffect::Kill { job } => _ = self.processes.remove(&job.handle().index()),
            HostEffect::Start { job, level, .. } | HostEffect::SetPriority { job, level } => {
                self.processes.insert(job.handle().index(), level.number());
            }
            HostEffect::RaiseHelper { user, level } => {
                self.helpers.insert(user.0, level.number());
            }
            HostEffect::RestoreHelper { user } => _ = self.helpers.remove(&user.0),
            HostEffect::Report { .. } => {}
        }
    }
}

/// What a coordinator may say: each job once, levels never shared, nobody killed runs on.
struct Coordinator {
    jobs: Vec<Assignment>,
    submitted: u32,
    batch: u32,
}

impl Coordinator {
    fn change(&mut self, random: &mut ChaCha8Rng, levels: u8) {
        self.batch += 1;
        self.jobs.retain(|_| random.random_ratio(3, 4));
        if random.random_ratio(1, 8) {
            self.jobs.clear();
        }
        for job in &mut self.jobs {
            job.terminating |= random.random_ratio(1, 5);
        }
        while self.jobs.len() < usize::from(levels) && random.random_ratio(2, 3) {
            let handle =
                Handle::from_parts(PoolId(3), self.submitted, Generation::from_raw(1), Epoch(0));
            // As many users as levels, so that all may be others at once.
            let user = UserId(random.random_range(0..2 * u32::from(levels)));
            let (job, level) = (JobId::from_handle(handle), Level::TOP);
            let (first, terminating) = (random.random(), random.random_ratio(1, 8));
            self.jobs.push(Assignment { job, user, level, first, terminating });
            self.submitted += 1;
        }
        let mut free: Vec<u8> = (0..levels).collect();
        free.shuffle(random);
        self.jobs.iter_mut().zip(free).for_each(|(job, at)| job.level = Level::new(at).unwrap());
        self.jobs.sort_by_key(|job| job.level.number());
    }

    fn tell(&self, host: &mut HostPart) {
        let batch = Batch { boot: 1, number: self.batch };
        for (number, &assignment) in (0..).zip(&self.jobs) {
            host.apply(host.now(), HostCommand::Assign { batch, number, assignment }).unwrap();
        }
        let jobs = self.jobs.len() as u32;
        host.apply(host.now(), HostCommand::AssignmentsEnd { batch, jobs }).unwrap();
    }

    /// Jobs that go on are there at their levels, others are not; helpers of those users are above their most
    /// urgent job, and of users without a job there are none.
    fn compare(&self, host: &Host) {
        let go_on = || self.jobs.iter().filter(|it| !it.terminating);
        let wanted = go_on().map(|it| (it.job.handle().index(), it.level.number())).collect();
        assert_eq!(host.processes, wanted, "{:?}", self.jobs);
        let users: BTreeSet<u32> = self.jobs.iter().map(|it| it.user.0).collect();
        assert!(host.helpers.keys().all(|user| users.contains(user)), "{host:?}, {:?}", self.jobs);
        for user in go_on().map(|it| it.user) {
            let of_user = self.jobs.iter().filter(|it| it.user == user);
            let level = of_user.map(|it| it.level.number()).min();
            assert_eq!(host.helpers.get(&user.0).copied(), level, "{:?}", self.jobs);
        }
    }
}

/// Of what is said after the image was taken the last may be lost.
fn stop(part: &mut HostPart, host: &mut Host, random: &mut ChaCha8Rng) {
    let mut image = vec![];
    part.export(|word| image.push(word));
    let done = random.random_range(0..12);
    for at in 0..=done {
        let Some(effect) = part.take_effect() else { break };
        if at < done || random.random() {
            host.carry_out(effect);
        }
    }
    *part = self::part();
    if random.random() {
        part.restore(image).unwrap();
    } else {
        part.load(image).unwrap();
        part.resync();
    }
}

#[test]
fn whatever_was_due_is_done_by_a_part_that_goes_on_from_its_image() {
    let mut stops = 0;
    for seed in 0..2_000 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let levels = [1, 2, 3, 8][random.random_range(0..4)];
        let mut coordinator = Coordinator { jobs: vec![], submitted: 0, batch: 0 };
        let (mut part, mut host) = (part(), Host::default());
        for _ in 0..20 {
            coordinator.change(&mut random, levels);
            // Some batches are lost.
            if random.random_ratio(1, 3) {
                continue;
            }
            coordinator.tell(&mut part);
            while random.random_ratio(1, 2) {
                stops += 1;
                stop(&mut part, &mut host, &mut random);
            }
            let effects = std::iter::from_fn(|| part.take_effect());
            let effects: Vec<_> = effects.take(100).collect();
            assert!(effects.len() < 100, "seed {seed}: no end of {effects:?}");
            effects.into_iter().for_each(|effect| host.carry_out(effect));
            part.check_invariants().unwrap();
            coordinator.compare(&host);
        }
    }
    assert!(stops > 20_000, "{stops}");
}
