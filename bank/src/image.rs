//! A bank as an image, and back.
//!
//! Contents: the time, that of the timeline, PEs out of service; for each row of a reservation its
//! generation, start, end and PEs; hits that wait; then the images of workstations, shared hosts and
//! cube, each with its own envelope.

use crate::bank::Bank;
use crate::rows::Booked;
use crate::size::{HITS, LIMITS, PES};
use crate::{Effect, Hit};
use crc::{CRC_32_ISO_HDLC, Crc};
use locox::bits::BitSet;
use locox::coordinate::{BadImage, Coordinate, Place, Reader, Stored, Writer};
use locox::handle::Epoch;
use locox::reserve::{Placement, Timeline};
use locox::time::Instant;

type Take<'a> = &'a mut dyn FnMut() -> Result<u32, BadImage>;

/// Words of an envelope up to its contents.
const HEAD: usize = 10;

static CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

pub(crate) fn digest(bank: &Bank<'_>) -> u32 {
    let mut digest = CRC.digest();
    store(bank, &mut |word| digest.update(&word.to_le_bytes()));
    digest.finalize()
}

pub(crate) fn export(bank: &Bank<'_>, place: Place, put: &mut dyn FnMut(u32)) {
    let mut length = 0u32;
    store(bank, &mut |_| length = length.wrapping_add(1));
    let mut writer = Writer::new(&bank.identity(), place, length, put);
    store(bank, &mut |word| writer.put(word));
    writer.finish();
}

fn store(bank: &Bank<'_>, put: &mut dyn FnMut(u32)) {
    let mut put = |word| put(word);
    bank.now.store(&mut put);
    bank.timeline.now().store(&mut put);
    put(bank.out);
    for row in bank.booked.iter() {
        let own = bank.booked_as(row);
        let (start, end) =
            own.map_or((Instant::ZERO, Instant::ZERO), |it| (it.at.start, it.at.end));
        put(row.generation);
        start.store(&mut put);
        end.store(&mut put);
        put(own.map_or(0, |it| bank.pes_of(it.id)));
    }
    put(bank.hits.len() as u32);
    bank.hits.iter().for_each(|hit| Effect::Hit(*hit).store(&mut put));
    bank.stations.export_at(Place::START, &mut put);
    bank.shared.export_at(Place::START, &mut put);
    bank.cube.export(&mut put);
}

pub(crate) fn load(
    bank: &mut Bank<'_>,
    words: &mut dyn Iterator<Item = u32>,
) -> Result<Place, BadImage> {
    let (mut reader, place) = Reader::open(words, &bank.identity())?;
    let contents = load_contents(bank, &mut || reader.word());
    let read = reader.finish(contents);
    if read.is_err() {
        forget(bank);
    }
    read.map(|()| place)
}

fn load_contents(bank: &mut Bank<'_>, take: Take<'_>) -> Result<(), BadImage> {
    let mut take = || take();
    let now = Instant::load(&mut take)?;
    let present = Instant::load(&mut take)?;
    forget_reservations(bank);
    let out = take()?;
    for at in 0..bank.booked.len() {
        let generation = take()?;
        let (start, end) = (Instant::load(&mut take)?, Instant::load(&mut take)?);
        load_row(bank, at, generation, Placement { start, end }, take()?)?;
    }
    take_out(bank, out, present)?;
    load_hits(bank, &mut take)?;
    let mut words = core::iter::from_fn(|| take().ok());
    bank.stations.load(&mut words)?;
    bank.shared.load(&mut words)?;
    // Nobody holds a lease that the journal does not know of: the epoch need not be another.
    bank.cube.restore(&mut words, Epoch(0))?;
    bank.now = now;
    Ok(())
}

fn load_row(
    bank: &mut Bank<'_>,
    at: usize,
    generation: u32,
    placed: Placement,
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
        let failed = bank.timeline.fail(pe);
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

/// Makes the bank as new. Parts that were whole have the time of the image, and the bank that of its
/// latest part.
fn forget(bank: &mut Bank<'_>) {
    forget_reservations(bank);
    forget_part(&mut bank.stations);
    forget_part(&mut bank.shared);
    let mut head = Head::default();
    bank.cube.export(|word| head.put(word));
    let as_new = bank.cube.restore(head.words, Epoch(0));
    debug_assert!(as_new.is_err(), "the image has no end");
    bank.now = bank.now.max(bank.stations.now()).max(bank.shared.now());
}

fn forget_reservations(bank: &mut Bank<'_>) {
    bank.hits.clear();
    bank.out = 0;
    bank.booked.fill(Booked::EMPTY);
    bank.timeline.clear();
}

/// A part is as new after an image of itself that ends behind the envelope.
fn forget_part(part: &mut impl Coordinate) {
    let mut head = Head::default();
    part.export_at(Place::START, &mut |word| head.put(word));
    let as_new = part.load(&mut head.words.into_iter());
    debug_assert!(as_new.is_err(), "the image has no end");
}

/// The words of an image up to its contents.
#[derive(Default)]
struct Head {
    words: [u32; HEAD],
    length: usize,
}

impl Head {
    fn put(&mut self, word: u32) {
        if let Some(place) = self.words.get_mut(self.length) {
            *place = word;
        }
        self.length += 1;
    }
}

const _: () = assert!(LIMITS.pes == PES);
const _: usize = Timeline::words(LIMITS);
