//! Timelines and profiles with a word altered: of their storage, and of their images.

use crate::forged::{agree, of_one_word, of_small_words, said};
use crate::tampered::{Tampered, words_said};
use locox::bits::BitSet;
use locox::handle::PoolId;
use locox::reserve::{Interval, Limits, Profile, Timeline};
use locox::time::Instant;

const FLAT: Limits = Limits { pes: 9, reservations: 12 };
const LEAVES: Limits = Limits { pes: 9, reservations: 30 };
/// Leaves of a profile are larger.
const MANY: Limits = Limits { pes: 9, reservations: 97 };

/// Intervals of one tick and of many; those of the second half are given back.
fn intervals(count: u64) -> impl Iterator<Item = (u32, Interval)> {
    (0..count).map(|n| {
        let start = 2 + n * 3 / 2;
        let end = start + if n % 5 == 0 { 40 } else { 1 };
        let at = Interval { start: Instant::from_ticks(start), end: Instant::from_ticks(end) };
        ((n % 9) as u32, at)
    })
}

fn timeline(limits: Limits, storage: Tampered) -> Timeline<Tampered> {
    let mut timeline = Timeline::new(PoolId(1), limits, storage).unwrap();
    let mut made = vec![];
    for (pe, at) in intervals(limits.reservations.min(60).into()) {
        let mut set = BitSet::empty([0], limits.pes).unwrap();
        set.insert(pe).unwrap();
        made.extend(timeline.add(at, &set));
    }
    let kept = made.len() * 2 / 3;
    made.into_iter().skip(kept).for_each(|id| {
        timeline.cancel(id).unwrap();
    });
    timeline.withdraw(8).unwrap();
    timeline
}

fn profile(limits: Limits, storage: Tampered) -> Profile<Tampered> {
    let mut profile = Profile::new(PoolId(1), limits, storage).unwrap();
    let mut made = vec![];
    for (pes, at) in intervals(limits.reservations.min(60).into()) {
        made.extend(profile.add(at, 1 + pes % 2));
    }
    let kept = made.len() * 2 / 3;
    made.into_iter().skip(kept).for_each(|id| {
        profile.cancel(id).unwrap();
    });
    profile.set_out_of_service(1).unwrap();
    profile
}

/// What is said of timelines, or of profiles, in altered storage.
macro_rules! in_storage {
    ($make:ident, $Type:ident, $limits:expr) => {{
        let count = $Type::words($limits);
        let (storage, change) = Tampered::new(count);
        let sound = $make($limits, storage);
        assert_eq!(sound.check_invariants(), Ok(()));
        words_said(count, &change, || sound.clone().check_invariants())
    }};
}

#[test]
#[cfg_attr(not(feature = "leaf-index"), ignore = "the words are others")]
fn each_invariant_of_a_flat_timeline_finds_who_wrote_to_its_storage() {
    agree(
        &in_storage!(timeline, Timeline, FLAT),
        &[
            ("a bound of ends is not after the end of an open entry", 2),
            ("a row that was used is open or vacant", 5),
            ("a slot counts its set", 78),
            ("a slot holds what covers it", 121),
            ("no PE belongs to two reservations at a time", 18),
            ("nothing", 288),
            ("the count of open rows", 21),
            ("the vacant rows are closed ones, linked without a circle", 26),
            ("times rise strictly", 65),
        ],
    );
}

#[test]
#[cfg_attr(not(feature = "leaf-index"), ignore = "the words are others")]
fn each_invariant_of_a_timeline_of_leaves_finds_who_wrote_to_its_storage() {
    agree(
        &in_storage!(timeline, Timeline, LEAVES),
        &[
            ("a block has one place in the directory", 3),
            ("a bound of ends is not after the end of an open entry", 2),
            ("a row that was used is open or vacant", 15),
            ("a slot counts its set", 165),
            ("a slot holds what covers it", 212),
            ("greatest counts", 6),
            ("least counts", 1),
            ("neighbouring leaves hold more than half of one", 4),
            ("neighbouring slots differ", 1),
            ("no PE belongs to two reservations at a time", 36),
            ("nothing", 3102),
            ("the count of open rows", 42),
            ("the directory's times", 13),
            ("the vacant rows are closed ones, linked without a circle", 48),
            ("times rise strictly", 124),
            ("unions of rows", 12),
        ],
    );
}

#[test]
#[cfg_attr(not(feature = "leaf-index"), ignore = "the words are others")]
fn each_invariant_of_a_profile_of_leaves_finds_who_wrote_to_its_storage() {
    agree(
        &in_storage!(profile, Profile, MANY),
        &[
            ("a block has one place in the directory", 3),
            ("a bound of ends is not after the end of an open entry", 2),
            ("a row that was used is open or vacant", 43),
            ("a slot counts what covers it", 617),
            ("greatest counts", 14),
            ("least counts", 10),
            ("neighbouring leaves hold more than half of one", 3),
            ("neighbouring slots differ", 31),
            ("nothing", 6003),
            ("the count of open rows", 114),
            ("the directory's times", 13),
            ("the vacant rows are closed ones, linked without a circle", 108),
            ("times rise strictly", 323),
        ],
    );
}

/// Slots follow from what is in an image, so that they cannot disagree with it.
macro_rules! in_images {
    ($make:ident, $Type:ident) => {{
        let storage = || Tampered::new($Type::words(FLAT)).0;
        let mut image = vec![];
        $make(FLAT, storage()).export(|word| image.push(word));
        let mut other = $Type::new(PoolId(1), FLAT, storage()).unwrap();
        said(of_one_word(&image).chain(of_small_words(&image)), |words| {
            let loaded = other.load(words);
            assert_eq!(other.check_invariants(), Ok(()), "{loaded:?}");
            loaded
        })
    }};
}

#[test]
fn an_image_of_a_timeline_that_contradicts_itself_is_refused() {
    agree(
        &in_images!(timeline, Timeline),
        &[
            ("a row that was used is open or vacant", 15),
            ("an interval, or PEs that the machine does not have", 260),
            ("it has too few words", 37),
            ("more rows are in use than there is storage for", 3),
            ("reservations overlap", 60),
            ("taken", 438),
            ("the vacant rows are closed ones, linked without a circle", 146),
        ],
    );
}

#[test]
fn an_image_of_a_profile_that_contradicts_itself_is_refused() {
    agree(
        &in_images!(profile, Profile),
        &[
            ("a row that was used is open or vacant", 14),
            ("an interval, or PEs that the machine does not have", 341),
            ("it has too few words", 18),
            ("more rows are in use than there is storage for", 5),
            ("reservations overlap", 17),
            ("taken", 509),
            ("the vacant rows are closed ones, linked without a circle", 157),
        ],
    );
}
