//! Timelines, profiles and queues through restarts: what is known is kept, and no name from before
//! means something else afterwards.

use crate::forged_image::reseal;
use locox::bits::{BitSet, Word};
use locox::dispatch::{
    self, Backfill, Conservative, Easy, Entry, Job, Lazy, Ordered, Patience, Queue, Scan, Slot,
};
use locox::handle::{self, Epoch, PoolId};
use locox::image::BadImage;
use locox::reserve::{Fit, Interval, Limits, Lowest, Misuse, Profile, Request, Timeline};
use locox::time::{Duration, Instant};

const LIMITS: Limits = Limits { pes: 70, reservations: 8 };
const STALE: Misuse = Misuse::Handle(handle::Misuse::Stale);

const fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn timeline_of(limits: Limits) -> Timeline<Vec<Word>> {
    Timeline::new(PoolId(3), limits, vec![!0; Timeline::words(limits)]).unwrap()
}

fn timeline() -> Timeline<Vec<Word>> {
    timeline_of(LIMITS)
}

fn profile() -> Profile<Vec<Word>> {
    Profile::new(PoolId(3), LIMITS, vec![!0; Profile::words(LIMITS)]).unwrap()
}

fn request(ready: u64, duration: u64, pes: u32) -> Request {
    Request::new(at(ready), Duration::from_ticks(duration), pes)
}

fn image(export: impl FnOnce(&mut dyn FnMut(u32))) -> Vec<u32> {
    let mut words = vec![];
    export(&mut |word| words.push(word));
    words
}

#[test]
fn an_id_from_before_the_reset_does_not_cancel_somebody_elses_reservation() {
    let mut before = timeline();
    let stored = image(|put| before.export(put));
    let (lost, _) = before.reserve(&request(10, 5, 4), &Fit::First, &Lowest).unwrap();
    // The image was taken before that one was granted.
    let mut after = timeline();
    after.restore(stored, Epoch(1)).unwrap();
    let (other, _) = after.reserve(&request(20, 5, 4), &Fit::First, &Lowest).unwrap();
    assert_eq!(lost.index(), other.index());
    assert_eq!(after.cancel(lost), Err(STALE));
    assert!(after.reservation(other).is_ok());
    // Nor does it in a table that is built anew.
    let mut anew = timeline();
    anew.begin(Epoch(1));
    let (other, _) = anew.reserve(&request(20, 5, 4), &Fit::First, &Lowest).unwrap();
    assert_eq!(anew.cancel(lost), Err(STALE));
    anew.clear();
    assert_eq!(anew.epoch(), Epoch(1));
    assert_eq!(anew.cancel(other), Err(STALE));
}

#[test]
fn a_reservation_keeps_its_id_through_one_restart_and_is_named_anew() {
    let mut first = timeline();
    first.advance(at(5)).unwrap();
    first.withdraw(69).unwrap();
    let (id, placed) = first.reserve(&request(5, 50, 40), &Fit::First, &Lowest).unwrap();
    let (gone, _) = first.reserve(&request(5, 1, 1), &Fit::First, &Lowest).unwrap();
    first.cancel(gone).unwrap();
    first.advance(at(9)).unwrap();
    let mut second = timeline();
    second.restore(image(|put| first.export(put)), Epoch(4)).unwrap();
    assert_eq!((second.now(), second.epoch()), (at(9), Epoch(4)));
    assert!(second.slots().eq(first.slots()));
    assert!(second.pes_of(id).unwrap().iter().eq(0..40));
    assert_eq!(second.cancel(gone), Err(STALE));
    let named = second.reservations().next().unwrap();
    assert_eq!((named.at, named.pes), (placed, 40), "it runs on, from the start that it had");
    assert_ne!(named.id, id);
    let mut third = timeline();
    third.restore(image(|put| second.export(put)), Epoch(5)).unwrap();
    assert_eq!(third.cancel(id), Err(STALE), "two restarts ago");
    assert_eq!(third.cancel(named.id), Ok(Interval { start: at(9), end: at(55) }));
    assert_eq!(third.free_at(at(9)), Ok(69), "PE 69 is still out of service");
    third.check_invariants().unwrap();
}

#[test]
fn an_image_fits_a_table_with_room_for_more_and_none_of_another_machine() {
    let mut small = timeline();
    for ready in [0, 10] {
        small.reserve(&request(ready, 5, 70), &Fit::First, &Lowest).unwrap();
    }
    let words = image(|put| small.export(put));
    let mut large = timeline_of(Limits { reservations: 200, ..LIMITS });
    large.restore(words.iter().copied(), Epoch(1)).unwrap();
    assert!(large.slots().eq(small.slots()));
    let mut tiny = timeline_of(Limits { reservations: 1, ..LIMITS });
    let refused = tiny.restore(words.iter().copied(), Epoch(1));
    assert!(matches!(refused, Err(BadImage::Contradiction(_))), "{refused:?}");
    assert_eq!(tiny.reservations().count(), 0);
    let mut other = timeline_of(Limits { pes: 71, ..LIMITS });
    let refused = other.restore(words.iter().copied(), Epoch(1));
    assert_eq!(refused, Err(BadImage::OtherConfiguration));
    assert_eq!(profile().restore(words, Epoch(1)), Err(BadImage::OtherKind));
}

/// All that can be known of a structure, to compare.
trait Known {
    fn known(&self) -> String;
    fn take(&mut self, words: &[u32]) -> Result<(), BadImage>;
    fn check(&self);
}

macro_rules! known {
    ($($Type:ty: |$it:ident| $known:expr;)+) => {$(
        impl Known for $Type {
            fn known(&self) -> String {
                let $it = self;
                format!("{:?}", $known)
            }

            fn take(&mut self, words: &[u32]) -> Result<(), BadImage> {
                self.load(words.iter().copied())
            }

            fn check(&self) {
                self.check_invariants().unwrap();
            }
        }
    )+};
}

fn queue_words(queue: impl FnOnce(&mut dyn FnMut(u32))) -> Vec<u32> {
    image(queue)
}

known! {
    Timeline<Vec<Word>>: |it| (it.epoch(), it.now(), it.slots().collect::<Vec<_>>(),
        it.reservations().collect::<Vec<_>>());
    Profile<Vec<Word>>: |it| (it.epoch(), it.now(), it.slots().collect::<Vec<_>>(),
        it.reservations().collect::<Vec<_>>());
    Ordered<Scan, Vec<Slot>>: |it| queue_words(|put| it.export(put));
    Ordered<Lazy, Vec<Slot>>: |it| queue_words(|put| it.export(put));
    Backfill<Easy, Vec<Entry>>: |it| queue_words(|put| it.export(put));
    Backfill<Conservative<Vec<Word>>, Vec<Entry>>: |it| queue_words(|put| it.export(put));
}

/// Each altered word, sealed or not: the image is refused and all is as new, or what is taken is sound.
fn altered_images_are_refused_or_sound<T: Known>(new: impl Fn() -> T, words: &[u32]) {
    let mut whole = new();
    whole.take(words).unwrap();
    whole.check();
    let mut taken = 0;
    for at in 0..words.len() {
        for flip in [1, 2, 1 << 15, 1 << 16, 1 << 31, u32::MAX] {
            let mut altered = words.to_vec();
            altered[at] ^= flip;
            let mut structure = new();
            assert!(structure.take(&altered).is_err(), "word {at}");
            assert_eq!(structure.known(), new().known(), "word {at}");
            reseal(&mut altered);
            let mut structure = new();
            match structure.take(&altered) {
                Ok(()) => taken += 1,
                Err(_) => assert_eq!(structure.known(), new().known(), "word {at}"),
            }
            structure.check();
        }
        let mut structure = new();
        assert_eq!(structure.take(&words[..at]), Err(BadImage::TooShort));
        assert_eq!(structure.known(), new().known());
    }
    assert!(taken > 0, "a generation or the number of a job may be any");
}

#[test]
fn altered_images_of_timelines_are_refused_or_sound() {
    let mut timeline = timeline();
    timeline.withdraw(3).unwrap();
    for (ready, pes) in [(0, 30), (5, 60), (5, 2)] {
        timeline.reserve(&request(ready, 10, pes), &Fit::First, &Lowest).unwrap();
    }
    let first = timeline.reservations().next().unwrap();
    timeline.cancel(first.id).unwrap();
    timeline.advance(at(7)).unwrap();
    let mut all = BitSet::empty([0; 4], 70).unwrap();
    timeline.busy_pes(at(7), &mut all).unwrap();
    let words = image(|put| timeline.export(put));
    altered_images_are_refused_or_sound(self::timeline, &words);
}

#[test]
fn altered_images_of_profiles_are_refused_or_sound() {
    let mut profile = profile();
    profile.set_out_of_service(3).unwrap();
    for (ready, pes) in [(0, 30), (5, 60), (5, 2)] {
        profile.reserve(&request(ready, 10, pes), &Fit::First).unwrap();
    }
    profile.advance(at(7)).unwrap();
    let words = image(|put| profile.export(put));
    altered_images_are_refused_or_sound(self::profile, &words);
}

const JOBS: [(u32, u64); 5] = [(4, 20), (8, 10), (3, 5), (2, 30), (8, 1)];

/// Some run, some wait, one has left.
fn fill(queue: &mut dyn Queue) {
    let mut tickets = vec![];
    for (id, (pes, requested)) in (0..).zip(JOBS) {
        let job = Job::new(id, pes).within(Duration::from_ticks(requested));
        tickets.push(queue.push(at(1), job.keyed(u64::from(id % 2))).unwrap());
    }
    let mut free = 8;
    while queue
        .next(at(1), &mut |job| {
            let fits = job.pes <= free;
            free -= if fits { job.pes } else { 0 };
            fits
        })
        .is_some()
    {}
    let waiting = tickets.iter().find(|&&it| queue.cancel(at(2), it).is_ok());
    assert!(waiting.is_some());
}

fn scan() -> Ordered<Scan, Vec<Slot>> {
    Ordered::new(PoolId(1), vec![Slot::EMPTY; 6], Scan::down(), Patience::of(3))
}

fn lazy() -> Ordered<Lazy, Vec<Slot>> {
    Ordered::new(PoolId(1), vec![Slot::EMPTY; 6], Lazy::beyond(2), Patience::ENDLESS)
}

fn easy() -> Backfill<Easy, Vec<Entry>> {
    Backfill::easy(PoolId(1), 8, vec![Entry::EMPTY; 6])
}

fn conservative() -> Backfill<Conservative<Vec<Word>>, Vec<Entry>> {
    let words = vec![!0; Backfill::words(8, 6)];
    Backfill::conservative(PoolId(1), 8, words, vec![Entry::EMPTY; 6]).unwrap()
}

#[test]
fn altered_images_of_queues_are_refused_or_sound() {
    let mut queue = scan();
    fill(&mut queue);
    altered_images_are_refused_or_sound(scan, &image(|put| queue.export(put)));
    let mut queue = lazy();
    fill(&mut queue);
    altered_images_are_refused_or_sound(lazy, &image(|put| queue.export(put)));
    let mut queue = easy();
    fill(&mut queue);
    altered_images_are_refused_or_sound(easy, &image(|put| queue.export(put)));
    let mut queue = conservative();
    fill(&mut queue);
    altered_images_are_refused_or_sound(conservative, &image(|put| queue.export(put)));
}

#[test]
fn a_ticket_from_before_the_reset_does_not_cancel_somebody_elses_job() {
    let mut before = easy();
    let stored = image(|put| before.export(put));
    let lost = before.push(at(0), Job::new(1, 1).within(Duration::from_ticks(5))).unwrap();
    let mut after = easy();
    after.restore(stored, Epoch(1)).unwrap();
    let other = after.push(at(0), Job::new(2, 1).within(Duration::from_ticks(5))).unwrap();
    assert_eq!(lost.handle().index(), other.handle().index());
    let stale = dispatch::Misuse::Handle(handle::Misuse::Stale);
    assert_eq!(after.cancel(at(0), lost), Err(stale));
    assert_eq!(after.cancel(at(0), other).map(|job| job.id), Ok(2));
}

#[test]
fn a_queue_of_another_discipline_or_machine_does_not_take_the_image() {
    let words = image(|put| scan().export(put));
    assert_eq!(lazy().restore(words.iter().copied(), Epoch(1)), Err(BadImage::OtherConfiguration));
    assert_eq!(easy().restore(words, Epoch(1)), Err(BadImage::OtherKind));
    let mut other = Backfill::easy(PoolId(1), 9, [Entry::EMPTY; 6]);
    let words = image(|put| easy().export(put));
    assert_eq!(other.restore(words, Epoch(1)), Err(BadImage::OtherConfiguration));
}
