//! Clocks out of counters that wrap.

use crate::dice::{Dice, Spoiler, calls, is_spoiled};
use locox::time::{Instant, WideCounter};
use locox_c::locox_status::*;
use locox_c::*;
use std::ffi::CStr;
use std::mem::zeroed;

#[test]
fn a_clock_answers_as_the_kernel_does_from_whatever_it_resumes() {
    // SAFETY: zeroed is not started, and as the calls say.
    unsafe {
        let mut counter: locox_wide_counter = zeroed();
        let good = &raw mut counter;
        assert_eq!(locox_wide_counter_resume(good, 0, 0), LOCOX_NOT_STARTED);
        let mut dice = Dice(91);
        let mut twin = None::<WideCounter>;
        for _ in 0..calls() {
            let (now, raw) = (dice.below(u64::MAX) >> dice.below(64), dice.below(u64::MAX));
            let bits = if dice.one_in(10) { dice.number(70) } else { 16 };
            let (kind, mut told) = (dice.below(20), 77);
            let mut spoiler = Spoiler::new(&mut dice);
            let (place, result) = (spoiler.pointer(good), spoiler.pointer(&raw mut told));
            // What only the other calls write to may be anything here.
            let (spoiled, wrong_place) = (spoiler.spoiled, place != good);
            match (kind, &mut twin) {
                (0, _) => {
                    let status = locox_wide_counter_start(place, bits);
                    assert_eq!(is_spoiled(status), wrong_place);
                    let new = WideCounter::new(bits);
                    if !wrong_place {
                        assert_eq!(status == LOCOX_OK, new.is_some());
                        assert!(new.is_some() || status == LOCOX_BAD_ARGUMENT);
                        twin = new.or(twin);
                    }
                }
                (_, None) => {
                    let status = locox_wide_counter_extend(place, raw, result);
                    assert!(is_spoiled(status) || (!spoiled && status == LOCOX_NOT_STARTED));
                }
                (1..3, Some(twin)) => {
                    let status = locox_wide_counter_resume(place, now, raw);
                    assert_eq!(status == LOCOX_OK, !wrong_place);
                    if status == LOCOX_OK {
                        *twin = twin.clone().resumed(Instant::from_ticks(now), raw);
                    }
                }
                (_, Some(twin)) => {
                    let status = locox_wide_counter_extend(place, raw, result);
                    assert_eq!(is_spoiled(status), spoiled);
                    if status == LOCOX_OK {
                        assert_eq!(told, twin.extend(raw).ticks());
                    }
                    assert_eq!(locox_wide_counter_last(good, &raw mut told), LOCOX_OK);
                    assert_eq!(told, twin.last().ticks());
                }
            }
        }
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    // SAFETY: it is a text that ends with a zero.
    let version = unsafe { CStr::from_ptr(locox_version()) };
    assert_eq!(version.to_str(), Ok(env!("CARGO_PKG_VERSION")));
}
