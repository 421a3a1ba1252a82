//! A bank as an image, and back.
//!
//! Contents: the time, that of the timeline, PEs out of service; for each row of a reservation its
//! generation, start, end and PEs; hits that wait; the last grant with a serial and its answer; then the images of workstations, shared hosts and
//! cube, each with its own envelope.

use crate::bank::Bank;
use crate::rows::Booked;
use crate::size::{DIMS, HITS, LIMITS, PES, RESERVATIONS};
use crate::{Answer, Command, Effect, Hit};
use crc::{CRC_32_ISO_HDLC, Crc};
use locox::bits::BitSet;
use locox::handle::{Epoch, PoolId};
use locox::image::{BadImage, Identity, Place, Stored, digest_of};
use locox::invariant::InvariantViolation;
use locox::reserve::{Interval, Timeline};
use locox::time::Instant;
use locox_coordinators::coordinate::Snapshot;

static CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

impl Bank<'_> {
    /// A digest of the state.
    ///
    /// It is the same whether commands led to the state or an image and a journal did, and does not depend on when images
    /// were stored. It does depend on restarts, which are part of a history: each gives the batches of shared hosts new
    /// numbers, and replaces effects that were not taken. The digest leaves out the upper halves of these numbers, which
    /// count restarts. The lower halves begin anew, and reports of hosts repeat them (`heard`). So two banks with the same
    /// commands, but restarts at other commands, can have different digests.
    pub fn digest(&self) -> u32 {
        let mut digest = CRC.digest();
        // Bytes the other way round than images have them: a CRC over an image and the same CRC at its end would be the
        // same whatever the image holds.
        let mut put = |word: u32| digest.update(&word.to_be_bytes());
        self.store_own(&mut put);
        self.stations.store(&mut put);
        // The upper half of the numbers of batches counts resets.
        self.shared.store(&mut |word| put(word & 0xFFFF));
        self.cube.export(&mut put);
        digest.finalize()
    }

    /// Stores what is in none of the parts that have images.
    fn store_own(&self, mut put: &mut dyn FnMut(u32)) {
        let put = &mut put;
        self.now.store(put);
        self.timeline.now().store(put);
        put(self.out);
        for row in self.booked.iter() {
            let own = self.booked_as(row);
            let (start, end) =
                own.map_or((Instant::ZERO, Instant::ZERO), |it| (it.at.start, it.at.end));
            put(row.generation);
            start.store(put);
            end.store(put);
            put(own.map_or(0, |it| self.pes_of(it.id)));
        }
        put(self.hits.len() as u32);
        self.hits.iter().for_each(|hit| Effect::Hit(*hit).store(put));
        put(self.last.is_some().into());
        if let Some((command, answer)) = &self.last {
            command.store(put);
            answer.store(put);
        }
    }
}

impl Snapshot for Bank<'_> {
    type Kept = Instant;

    fn identity(&self) -> Identity {
        let parts = [self.stations.identity(), self.shared.identity()];
        let [stations, shared] = parts.map(|part| u64::from(part.configuration));
        let limits = [u64::from(DIMS), u64::from(PES), u64::from(RESERVATIONS)];
        let [dims, pes, reservations] = limits;
        let configuration = digest_of(&[stations, shared, dims, pes, reservations]);
        Identity { kind: *b"BANK", version: 2, pool: PoolId(0), configuration }
    }

    fn kept(&self) -> Instant {
        self.now
    }

    fn store(&self, put: &mut dyn FnMut(u32)) {
        self.store_own(put);
        self.stations.export_at(Place::START, put);
        self.shared.export_at(Place::START, put);
        self.cube.export(put);
    }

    fn load_contents(
        &mut self,
        take: &mut dyn FnMut() -> Result<u32, BadImage>,
    ) -> Result<(), BadImage> {
        let mut take = || take();
        let now = Instant::load(&mut take)?;
        let present = Instant::load(&mut take)?;
        forget_reservations(self);
        let out = take()?;
        for at in 0..self.booked.len() {
            let generation = take()?;
            let (start, end) = (Instant::load(&mut take)?, Instant::load(&mut take)?);
            load_row(self, at, generation, Interval { start, end }, take()?)?;
        }
        take_out(self, out, present)?;
        load_hits(self, &mut take)?;
        self.last = load_last(&mut take)?;
        let mut words = core::iter::from_fn(|| take().ok());
        self.stations.load(&mut words)?;
        self.shared.load(&mut words)?;
        // Nobody holds a lease that the journal does not know of: the epoch need not be another.
        self.cube.restore(&mut words, Epoch(0))?;
        self.now = now;
        Ok(())
    }

    fn reset(&mut self, now: Instant) {
        forget_reservations(self);
        self.stations.reset(now);
        self.shared.reset(now);
        self.cube.reset(self.cube.kept());
        self.now = now;
    }

    /// All but those of the cube, whose check needs its storage: [`Bank::check_cube`].
    fn check_invariants(&self) -> Result<(), InvariantViolation> {
        self.timeline.check_invariants()?;
        self.stations.check_invariants()?;
        self.shared.check_invariants()?;
        let listed = self.live().count();
        let ensure = |holds: bool, what| if holds { Ok(()) } else { Err(InvariantViolation(what)) };
        ensure(listed == self.reservations(), "each row names a reservation")?;
        ensure(listed == self.timeline.reservations().count(), "each reservation has a row")?;
        let parts = [self.stations.now(), self.shared.now(), self.timeline.now()];
        ensure(parts.iter().all(|part| *part <= self.now), "no part is ahead of the bank")
    }
}

fn load_row(
    bank: &mut Bank<'_>,
    at: usize,
    generation: u32,
    placed: Interval,
    pes: u32,
) -> Result<(), BadImage> {
    let no_place = BadImage::Contradiction("a reservation has no place");
    let mut row = Booked { generation, ..Booked::EMPTY };
    if row.is_live() {
        let mut set = BitSet::empty([0], PES).map_err(|_| no_place)?;
        for pe in (0..PES).filter(|pe| pes >> pe & 1 == 1) {
            set.insert(pe).map_err(|_| no_place)?;
        }
        row.id = bank.timeline.add(placed, &set).map_err(|_| no_place)?;
    }
    if let Some(place) = bank.booked.get_mut(at) {
        *place = row;
    }
    Ok(())
}

/// Takes PEs out and lets time pass; whoever held them keeps them.
fn take_out(bank: &mut Bank<'_>, out: u32, present: Instant) -> Result<(), BadImage> {
    for pe in (0..PES).filter(|pe| out >> pe & 1 == 1) {
        let failed = bank.timeline.withdraw(pe);
        failed.map_err(|_| BadImage::Contradiction("a PE is out that is not there"))?;
    }
    bank.out = out;
    bank.advance(present).map_err(|_| BadImage::Contradiction("time"))
}

fn load_hits(
    bank: &mut Bank<'_>,
    take: &mut impl FnMut() -> Result<u32, BadImage>,
) -> Result<(), BadImage> {
    let count = take()? as usize;
    if count > HITS {
        return Err(BadImage::Contradiction("more hits than there is room for"));
    }
    bank.hits.clear();
    for _ in 0..count {
        let Effect::Hit(hit) = Effect::load(take)? else {
            return Err(BadImage::Contradiction("a hit is something else"));
        };
        let _: Result<(), Hit> = bank.hits.push_back(hit);
    }
    Ok(())
}

fn load_last(
    take: &mut impl FnMut() -> Result<u32, BadImage>,
) -> Result<Option<(Command, Answer)>, BadImage> {
    if take()? == 0 {
        return Ok(None);
    }
    let (command, answer) = (Command::load(take)?, Answer::load(take)?);
    match command.serial() {
        Some(_) => Ok(Some((command, answer))),
        None => Err(BadImage::Contradiction("the last grant has no serial")),
    }
}

fn forget_reservations(bank: &mut Bank<'_>) {
    bank.hits.clear();
    bank.last = None;
    bank.out = 0;
    bank.booked.fill(Booked::EMPTY);
    bank.timeline.clear();
}

const _: () = assert!(LIMITS.pes == PES);
const _: usize = Timeline::words(LIMITS);
