//! What jobs of a cluster may ask for besides hosts, and in which order they are tried, by what users see.

use locox::dispatch::{Discipline, Fcfs, Lazy, Scan, Window};
use locox::error::Error;
use locox::handle::PoolId;
use locox::image::{BadImage, Stored};
use locox::time::Instant;
use locox::timeshare::{
    Choice, FirstLevel, HostId, Level, Load, NonInterfering, Placement, PlacementView, Request,
    Speed, Threshold, UserId, Why,
};
use locox_coordinators::cluster::{
    Arrays, Batch, Command, Config, Coordinator, JobId, Misuse, Refusal, Retry, Status, Terms,
    words,
};

const HOSTS: u32 = 6;
const CONFIG: Config = Config { sets: 2, memory: true, ..Config::new(PoolId(4)) };
type Rows = Arrays<12, 6, 8, { CONFIG.words(6, 2) }>;

/// A coordinator to talk to.
struct Elmer<'a, P, D> {
    cluster: Coordinator<'a, P, D>,
}

impl<'a, P: Placement<Draw = ()>, D: Discipline> Elmer<'a, P, D> {
    /// All hosts are there and idle.
    fn new(rows: &'a mut Rows, config: Config, rules: (P, D)) -> Self {
        let columns = rows.columns();
        let cluster =
            Coordinator::with_discipline(config, 2, columns, rules, Instant::ZERO).unwrap();
        let mut elmer = Self { cluster };
        (0..HOSTS).for_each(|host| _ = elmer.say(report(host)));
        elmer
    }

    fn try_to_say(&mut self, command: Command) -> Result<Option<JobId>, Error<Refusal, Misuse>> {
        let answer = self.cluster.apply(Instant::ZERO, command);
        while self.cluster.take_effect().is_some() {}
        self.cluster.check_invariants().unwrap();
        answer
    }

    fn say(&mut self, command: Command) -> Option<JobId> {
        self.try_to_say(command).unwrap()
    }

    fn submit(&mut self, hosts: u32, terms: Terms) -> JobId {
        self.say(submit(hosts, terms)).unwrap()
    }

    fn hosts_of(&self, job: JobId) -> Vec<u32> {
        let has = |host: &u32| {
            let mut column = self.cluster.table().column(HostId(*host));
            column.any(|(_, number, _)| self.cluster.job(number) == Some(job))
        };
        (0..HOSTS).filter(has).collect()
    }

    fn waits(&self, job: JobId) -> bool {
        matches!(self.cluster.status(job), Ok(Status::Waiting { .. }))
    }

    fn set(&self, set: u16) -> Vec<u32> {
        self.cluster.set(set).map(|host| host.0).collect()
    }

    fn image(&self) -> Vec<u32> {
        let mut words = vec![];
        self.cluster.export(|word| words.push(word));
        words
    }
}

fn report(host: u32) -> Command {
    Command::HostReport {
        host: HostId(host),
        load: Load::IDLE,
        speed: Speed::NOMINAL,
        heard: Batch::default(),
    }
}

fn submit(hosts: u32, terms: Terms) -> Command {
    Command::Submit { user: UserId(1), hosts, synchronising: false, terms }
}

fn name(set: u16, first: u32, hosts: u32) -> Command {
    Command::NameHosts { set, first: HostId(first), hosts, named: true }
}

fn memory(host: u32, memory: u32) -> Command {
    Command::HostMemory { host: HostId(host), memory }
}

const ANY: Terms = Terms { set: 0, key: 0, memory: 0 };

#[test]
fn each_discipline_serves_its_own_order() {
    // Five hosts are in use, and one is left; sizes 2, 4, 1, 1 wait.
    fn started(discipline: impl Discipline) -> Vec<usize> {
        let mut rows = Rows::EMPTY;
        let mut elmer = Elmer::new(&mut rows, CONFIG, (FirstLevel::new(1), discipline));
        let large = elmer.submit(5, ANY);
        let jobs = [2, 4, 1, 1].map(|hosts| elmer.submit(hosts, ANY));
        elmer.say(Command::Ended { job: large });
        (0..4).filter(|&at| !elmer.waits(jobs[at])).collect()
    }
    assert_eq!(started(Fcfs), [0, 1]);
    // The third passed the others as it came, for which four hosts were too few then.
    assert_eq!(started(Window::of(3)), [0, 2, 3]);
    // Both were at the size of two hosts, to which the first of those that wait took them.
    assert_eq!(started(Scan::up()), [0, 1]);
    assert_eq!(started(Scan::down()), [0, 2, 3]);
    // One of the two small jobs has passed, and the other waits until that ends.
    assert_eq!(started(Lazy::beyond(9)), [0, 2]);
}

#[test]
fn a_smaller_key_goes_first_and_equal_ones_as_they_came() {
    let mut rows = Rows::EMPTY;
    let mut elmer = Elmer::new(&mut rows, CONFIG, (FirstLevel::new(1), Fcfs));
    let runs = elmer.submit(6, ANY);
    let keyed = [3, 1, 3, 0, 1].map(|key| elmer.submit(6, Terms { key, ..ANY }));
    let order: Vec<JobId> = elmer.cluster.queue().map(|(job, _)| job).collect();
    assert_eq!(order, [3, 1, 4, 0, 2].map(|at| keyed[at]));
    elmer.say(Command::Ended { job: runs });
    assert!(!elmer.waits(keyed[3]));
    assert_eq!(elmer.cluster.terms(keyed[0]), Ok(Terms { key: 3, ..ANY }));
}

#[test]
fn a_job_that_comes_to_the_head_by_its_key_is_tried_at_once_and_no_other() {
    let mut rows = Rows::EMPTY;
    let config = Config { retry: Retry::OneAtEnds, ..CONFIG };
    let mut elmer = Elmer::new(&mut rows, config, (FirstLevel::new(1), Fcfs));
    elmer.submit(4, ANY);
    let large = elmer.submit(3, Terms { key: 5, ..ANY });
    let behind = elmer.submit(2, Terms { key: 6, ..ANY });
    assert!(elmer.waits(large) && elmer.waits(behind), "two hosts are idle");
    let first = elmer.submit(1, Terms { key: 4, ..ANY });
    assert!(!elmer.waits(first) && elmer.waits(behind));
}

#[test]
fn a_job_runs_on_hosts_of_its_set_alone_under_each_placement() {
    struct Highest;
    impl Placement for Highest {
        type Draw = ();

        fn name(&self) -> &'static str {
            "highest"
        }

        fn check(&self, _: u8) -> Result<(), locox::timeshare::Misuse> {
            Ok(())
        }

        fn choose(
            &self,
            view: &mut PlacementView<'_>,
            request: &Request,
            (): (),
        ) -> Result<Choice, locox::timeshare::Refusal> {
            let hosts = (0..view.hosts()).rev().map(HostId);
            let free: Vec<HostId> = hosts.filter(|&it| view.is_free(it, Level::TOP)).collect();
            view.pick(HostId(0)); // Which it may not.
            free.iter().take(request.hosts as usize).for_each(|&host| view.pick(host));
            Ok(Choice { level: Some(Level::TOP), why: Why::Idle })
        }
    }
    fn hosts(placement: impl Placement<Draw = ()>) -> Vec<u32> {
        let mut rows = Rows::EMPTY;
        let mut elmer = Elmer::new(&mut rows, CONFIG, (placement, Fcfs));
        elmer.say(name(2, 2, 3));
        let job = elmer.submit(2, Terms { set: 2, ..ANY });
        let next = elmer.submit(2, Terms { set: 2, ..ANY });
        assert!(elmer.hosts_of(next).iter().all(|host| (2..5).contains(host)));
        elmer.hosts_of(job)
    }
    let threshold = Threshold::from_thousandths(800).unwrap();
    let believed = locox::time::Duration::MAX;
    let settled = locox::time::Duration::ZERO;
    assert_eq!(hosts(FirstLevel::new(2)), [2, 3]);
    assert_eq!(hosts(FirstLevel::new(2).on_calm_hosts(threshold, believed)), [2, 3]);
    assert_eq!(hosts(NonInterfering { degree: 2, threshold, believed, settled }), [2, 3]);
    assert_eq!(hosts(Highest), [3, 4]);
}

#[test]
fn a_set_is_what_was_named_last_and_running_jobs_stay() {
    let mut rows = Rows::EMPTY;
    let mut elmer = Elmer::new(&mut rows, CONFIG, (FirstLevel::new(1), Fcfs));
    assert_eq!((elmer.set(0).len(), elmer.set(1).len(), elmer.set(3).len()), (6, 0, 0));
    elmer.say(name(1, 0, 4));
    let job = elmer.submit(4, Terms { set: 1, ..ANY });
    let next = elmer.submit(2, Terms { set: 1, ..ANY });
    elmer.say(Command::NameHosts { set: 1, first: HostId(1), hosts: 2, named: false });
    assert_eq!((elmer.set(1), elmer.set(2)), (vec![0, 3], vec![]));
    assert_eq!(elmer.hosts_of(job), [0, 1, 2, 3]);
    assert!(elmer.waits(next));
    elmer.say(name(1, 4, 2));
    assert_eq!(elmer.hosts_of(next), [4, 5], "hosts that were named make room");
}

#[test]
fn chosen_hosts_are_those_with_the_fewest_jobs_and_lost_ones_come_last() {
    let mut rows = Rows::EMPTY;
    let mut elmer = Elmer::new(&mut rows, CONFIG, (FirstLevel::new(2), Fcfs));
    elmer.submit(3, ANY);
    elmer.say(name(1, 0, 1));
    elmer.submit(1, Terms { set: 1, ..ANY });
    elmer.say(Command::HostLost { host: HostId(4) });
    let mut chosen = |hosts| {
        elmer.say(Command::ChooseHosts { set: 2, hosts });
        elmer.set(2)
    };
    assert_eq!(chosen(2), [3, 5]);
    assert_eq!(chosen(4), [1, 2, 3, 5]);
    assert_eq!(chosen(5), [0, 1, 2, 3, 5]);
    assert_eq!(chosen(6), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn a_host_holds_no_more_than_its_memory() {
    let mut rows = Rows::EMPTY;
    let mut elmer = Elmer::new(&mut rows, CONFIG, (FirstLevel::new(2), Window::of(9)));
    (0..3).for_each(|host| _ = elmer.say(memory(host, 10)));
    let job = |memory| Terms { memory, ..ANY };
    let first = elmer.submit(3, job(7));
    assert_eq!(elmer.hosts_of(first), [0, 1, 2]);
    let small = elmer.submit(3, job(3));
    assert_eq!(elmer.hosts_of(small), [0, 1, 2], "ten of ten are in use");
    let none = elmer.submit(1, job(1));
    assert!(elmer.waits(none), "levels are in use as well");
    elmer.say(Command::Ended { job: small });
    let large = elmer.submit(1, job(4));
    assert!(elmer.waits(large) && !elmer.waits(none));
    let careless = elmer.submit(3, ANY);
    assert_eq!(elmer.hosts_of(careless), [3, 4, 5], "whoever needs none takes any host");
    elmer.say(memory(1, 11));
    assert_eq!(elmer.hosts_of(large), [1], "a host with more makes room");
}

#[test]
fn a_lost_host_keeps_its_memory_and_its_sets() {
    let mut rows = Rows::EMPTY;
    let mut elmer = Elmer::new(&mut rows, CONFIG, (FirstLevel::new(1), Fcfs));
    elmer.say(memory(5, 8));
    elmer.say(name(1, 5, 1));
    elmer.say(Command::HostLost { host: HostId(5) });
    let job = elmer.submit(1, Terms { set: 1, memory: 8, ..ANY });
    assert!(elmer.waits(job));
    elmer.say(report(5));
    assert!(elmer.waits(job), "it has not heard that it has nothing");
    let (host, load, speed) = (HostId(5), Load::IDLE, Speed::NOMINAL);
    let heard = elmer.cluster.batch(host);
    elmer.say(Command::HostReport { host, load, speed, heard });
    assert_eq!(elmer.hosts_of(job), [5]);
}

#[test]
fn what_can_never_fit_is_refused_and_what_makes_no_sense_misused() {
    let mut rows = Rows::EMPTY;
    let mut elmer = Elmer::new(&mut rows, CONFIG, (FirstLevel::new(1), Fcfs));
    elmer.say(name(1, 0, 3));
    elmer.say(memory(2, 8));
    elmer.say(memory(3, 8));
    let unsuited = |hosts| Error::Refused(Refusal::Unsuited { hosts });
    let no_set = |set| Error::Misused(Misuse::NoSuchSet { set });
    let no_host = |host| Error::Misused(Misuse::NoSuchHost(HostId(host)));
    let before = elmer.image();
    for (command, error) in [
        (submit(4, Terms { set: 1, ..ANY }), unsuited(3)),
        (submit(3, Terms { memory: 1, ..ANY }), unsuited(2)),
        (submit(2, Terms { set: 1, memory: 8, ..ANY }), unsuited(1)),
        (submit(1, Terms { memory: 9, ..ANY }), unsuited(0)),
        (submit(7, Terms { set: 1, ..ANY }), Refusal::TooLarge { hosts: 6 }.into()),
        (submit(1, Terms { set: 3, ..ANY }), no_set(3)),
        (name(0, 0, 1), no_set(0)),
        (name(3, 0, 1), no_set(3)),
        (name(1, 4, 3), no_host(6)),
        (name(1, 7, 0), no_host(6)),
        (name(1, u32::MAX, u32::MAX), no_host(u32::MAX - 1)),
        (Command::ChooseHosts { set: 0, hosts: 1 }, no_set(0)),
        (Command::ChooseHosts { set: 1, hosts: 0 }, Misuse::NoHosts.into()),
        (Command::ChooseHosts { set: 1, hosts: 7 }, Refusal::TooLarge { hosts: 6 }.into()),
        (memory(6, 1), no_host(6)),
    ] {
        assert_eq!(elmer.try_to_say(command), Err(error), "{command:?}");
        assert_eq!(elmer.image(), before, "{command:?}");
    }
    let mut rows = Rows::EMPTY;
    let plain = Config::new(PoolId(4));
    let mut elmer = Elmer::new(&mut rows, plain, (FirstLevel::new(1), Fcfs));
    let no_memory = Err(Misuse::NoMemory.into());
    assert_eq!(elmer.try_to_say(memory(0, 1)), no_memory);
    assert_eq!(elmer.try_to_say(submit(1, Terms { memory: 1, ..ANY })), no_memory);
    assert_eq!(elmer.try_to_say(name(1, 0, 1)), Err(no_set(1)));
}

#[test]
fn storage_for_terms_is_asked_for_by_name() {
    let mut rows = Arrays::<12, 6, 8, { words(6, 2) }>::EMPTY;
    let rules = (FirstLevel::new(1), Fcfs);
    let short = Coordinator::with_discipline(CONFIG, 2, rows.columns(), rules, Instant::ZERO);
    let (needs, has) = (CONFIG.words(6, 2) as u32, words(6, 2) as u32);
    assert_eq!(short.unwrap_err(), Misuse::StorageTooSmall { column: "words", needs, has });
}

/// A discipline whose turn, and the jobs of which it knows, show in its state.
#[derive(Clone, Copy, Debug, Default)]
struct Counting {
    started: u32,
    finished: u32,
    turns: u32,
}

impl Discipline for Counting {
    fn name(&self) -> &'static str {
        "counting"
    }

    fn choose(&mut self, offers: &mut locox::dispatch::Offers<'_>) {
        self.turns += 1;
        offers.offer(locox::dispatch::SizeClass::SMALLEST, 1);
    }

    fn started(&mut self, _: locox::dispatch::SizeClass) {
        self.started += 1;
    }

    fn finished(&mut self, _: locox::dispatch::SizeClass) {
        self.finished += 1;
        assert!(self.finished <= self.started, "a job ends that was never started");
    }

    fn state(&self) -> u32 {
        self.turns
    }

    fn resume(&mut self, state: u32) {
        self.turns = state;
    }
}

#[test]
fn an_image_holds_the_order_the_sets_and_the_memory() {
    let (mut first, mut second) = (Counting::default(), Counting::default());
    let mut rows = [Rows::EMPTY, Rows::EMPTY];
    let [one, other] = &mut rows;
    let mut elmer = Elmer::new(one, CONFIG, (FirstLevel::new(1), &mut first));
    elmer.say(name(2, 1, 4));
    elmer.say(memory(2, 8));
    let done = elmer.submit(1, ANY);
    elmer.submit(2, Terms { set: 2, ..ANY });
    elmer.submit(3, ANY);
    elmer.submit(1, Terms { set: 2, key: 7, memory: 8 });
    elmer.submit(1, Terms { key: 2, ..ANY });
    elmer.say(Command::Ended { job: done });
    let words = elmer.image();
    let mut next = Elmer::new(other, CONFIG, (FirstLevel::new(1), &mut second));
    next.submit(6, ANY);
    for turned in 0..words.len() {
        let mut bad = words.clone();
        bad[turned] ^= 4;
        assert!(next.cluster.load(bad).is_err(), "word {turned}");
        next.cluster.check_invariants().unwrap();
    }
    next.cluster.load(words.iter().copied()).unwrap();
    assert_eq!(next.image(), words);
    assert_eq!((next.set(2), next.cluster.memory(HostId(2))), (vec![1, 2, 3, 4], 8));
    let queue = |it: &Coordinator<'_, _, _>| -> Vec<_> {
        it.queue().map(|(job, _)| (job, it.terms(job))).collect()
    };
    assert_eq!(queue(&next.cluster), queue(&elmer.cluster));
    assert_eq!(first.turns, second.turns);
    assert_eq!(first.started - first.finished, second.started - second.finished);
}

#[test]
fn an_image_is_of_its_discipline_and_of_its_options() {
    let mut rows = [Rows::EMPTY, Rows::EMPTY];
    let [one, other] = &mut rows;
    let words = Elmer::new(one, CONFIG, (FirstLevel::new(1), Fcfs)).image();
    let taken = |rows: &mut Rows, config, discipline: &mut dyn Discipline| {
        let mut elmer = Elmer::new(rows, config, (FirstLevel::new(1), discipline));
        elmer.cluster.load(words.iter().copied()).map(|_| ())
    };
    assert_eq!(taken(other, CONFIG, &mut Fcfs), Ok(()));
    let differ = Err(BadImage::OtherConfiguration);
    assert_eq!(taken(other, CONFIG, &mut Window::of(1)), differ);
    assert_eq!(taken(other, Config { memory: false, ..CONFIG }, &mut Fcfs), differ);
    assert_eq!(taken(other, Config { sets: 1, ..CONFIG }, &mut Fcfs), differ);
}

#[test]
fn the_words_of_an_image_are_as_many_as_documented() {
    let length = |config: Config| {
        let mut rows = Rows::EMPTY;
        Elmer::new(&mut rows, config, (FirstLevel::new(1), Fcfs)).image().len()
    };
    let plain = Config::new(PoolId(4));
    assert_eq!(length(plain), 31 + 2 * 12 + 9 * 6);
    assert_eq!(length(CONFIG), length(plain) + 2 * 6 + 6);
}

#[test]
fn a_command_is_the_same_in_words() {
    let terms = Terms { set: 7, key: 40_000, memory: u32::MAX };
    for (command, length) in [
        (submit(3, terms), 6),
        (name(9, 4, 2), 5),
        (Command::ChooseHosts { set: 65_535, hosts: 2 }, 3),
        (memory(3, 5), 3),
    ] {
        let mut words = vec![];
        command.store(&mut |word| words.push(word));
        assert_eq!(words.len(), length, "{command:?}");
        let mut words = words.into_iter();
        let loaded = Command::load(&mut || words.next().ok_or(BadImage::TooShort));
        assert_eq!(loaded, Ok(command));
    }
}
