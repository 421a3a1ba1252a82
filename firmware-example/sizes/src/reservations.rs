use crate::{now, read, tell, time};
use core::hint::black_box;
use locox::bits::{BitSet, Word, words_for};
use locox::handle::PoolId;
use locox::reserve::{FirstFit, Limits, Lowest, PeWorst, Profile, Request, Timeline};

const PES: u32 = 64;
const LIMITS: Limits = Limits { pes: PES, reservations: 15 };

fn request() -> Request {
    Request::new(now(), time(), read()).by(now())
}

/// A timeline of 64 PEs and 15 reservations.
pub fn timeline(storage: &'static mut [Word]) -> Option<()> {
    let mut timeline = Timeline::new(PoolId(1), LIMITS, storage).ok()?;
    let timeline = black_box(&mut timeline);
    let mut words = [0; words_for(PES as usize)];
    let mut pes = BitSet::empty(&mut words[..], PES).ok()?;
    let mut last = None;
    loop {
        match read() {
            0 => {
                let asked = request();
                last = match read() {
                    0 => timeline.reserve(&asked, &FirstFit, &Lowest).ok(),
                    _ => timeline.reserve(&asked, &PeWorst, &Lowest).ok(),
                };
                tell(&last);
            }
            1 => {
                tell(&timeline.find(&request(), &FirstFit, &Lowest, &mut pes));
                tell(&pes);
            }
            2 => tell(&timeline.cancel((*black_box(&last))?.0)),
            3 => tell(&timeline.advance(now())),
            4 => tell(&timeline.withdraw(read())),
            _ => tell(&timeline.repair(read())),
        }
    }
}

/// The same where it is counted how many PEs are busy, not which.
pub fn profile(storage: &'static mut [Word]) -> Option<()> {
    let mut profile = Profile::new(PoolId(1), LIMITS, storage).ok()?;
    let profile = black_box(&mut profile);
    let mut last = None;
    loop {
        match read() {
            0 => {
                let asked = request();
                last = match read() {
                    0 => profile.reserve(&asked, &FirstFit).ok(),
                    _ => profile.reserve(&asked, &PeWorst).ok(),
                };
                tell(&last);
            }
            1 => tell(&profile.find(&request(), &FirstFit)),
            2 => tell(&profile.cancel((*black_box(&last))?.0)),
            3 => tell(&profile.advance(now())),
            _ => tell(&profile.set_out_of_service(read())),
        }
    }
}
