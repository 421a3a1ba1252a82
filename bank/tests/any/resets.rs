//! A reset at any command, and a cut at any write, lose nothing.

use crate::script::{Numbers, Script};
use crate::world::{Board, image};
use locox::image::Stored;
use locox::time::Instant;
use locox_bank::size::CUBE;
use locox_bank::{Answer, Bank, Command, Error, Rows};
use locox_coordinators::coordinate::{Coordinate, Durable, Snapshot};
use locox_storage::{Flash, Nor, Store};
use std::cell::Cell;
use std::collections::HashMap;

const COMMANDS: usize = 700;

/// A run without a store: what was said, the answers, how many effects were taken after each, and
/// every state that it passed through.
struct Past {
    said: Vec<(Instant, Command, Result<Answer, Error>, usize)>,
    images: HashMap<(u64, u64), Vec<u32>>,
    taken: u64,
}

impl Past {
    fn of(seed: u64) -> Self {
        let mut rows = Rows::EMPTY;
        let mut bank = Durable::new(Bank::new(&mut rows, Instant::ZERO).unwrap());
        let mut script = Script::new(seed);
        let (mut said, mut images) = (vec![], HashMap::new());
        let mut note = |bank: &Durable<Bank<'_>>| {
            let place = bank.place();
            images.insert((place.commands, place.effects), image(bank));
        };
        note(&bank);
        for _ in 0..COMMANDS {
            let (now, command) = script.next();
            let before = image(&bank);
            let answer = bank.apply_drawn(now, command, ()).map(|(answer, _)| answer);
            match &answer {
                Ok(answer) => script.learn(&command, answer),
                Err(error) => assert_eq!(image(&bank), before, "{command:?}: {error}"),
            }
            bank.coordinator().check_invariants().unwrap();
            note(&bank);
            let effects = script.hear(&mut bank).len();
            note(&bank);
            said.push((now, command, answer, effects));
        }
        let taken = bank.place().commands;
        Self { said, images, taken }
    }

    fn knows(&self, bank: &Durable<Bank<'_>>) -> bool {
        let place = bank.place();
        self.images.get(&(place.commands, place.effects)) == Some(&image(bank))
    }
}

#[test]
fn a_run_takes_much_and_refuses_much() {
    let past = Past::of(1);
    let refused = past.said.iter().filter(|(_, _, answer, _)| answer.is_err()).count();
    let told: usize = past.said.iter().map(|(.., effects)| effects).sum();
    assert!(refused > COMMANDS / 10 && past.taken > COMMANDS as u64 / 2, "{refused}");
    assert!(told > COMMANDS / 5, "{told}");
}

/// A CRC over an image with its own CRC behind it would be the same whatever the image holds.
#[test]
fn the_digest_depends_on_all_parts() {
    let mut rows = Rows::EMPTY;
    let mut bank = Durable::new(Bank::new(&mut rows, Instant::ZERO).unwrap());
    let (mut script, mut changes) = (Script::new(6), [0; 3]);
    let parts = |bank: &Durable<Bank<'_>>| {
        let bank = bank.coordinator();
        let [mut stations, mut shared] = [vec![], vec![]];
        bank.stations().export(|word| stations.push(word));
        bank.shared().store(&mut |word| shared.push(word & 0xFFFF));
        ([stations, shared, leases(bank)], bank.digest())
    };
    for _ in 0..COMMANDS {
        let (before, digest) = parts(&bank);
        // All at one time, so that the clock of the bank tells nothing.
        let (_, command) = script.next();
        if let Ok((answer, _)) = bank.apply_drawn(Instant::ZERO, command, ()) {
            script.learn(&command, &answer);
        }
        script.hear(&mut bank);
        let (after, digest_after) = parts(&bank);
        let differ = [0, 1, 2].map(|at| before[at] != after[at]);
        assert!(!differ.contains(&true) || digest != digest_after, "{command:?}");
        changes = [0, 1, 2].map(|at| changes[at] + u32::from(differ[at]));
    }
    assert!(changes.iter().all(|changes| *changes > 20), "{changes:?}");
}

fn leases(bank: &Bank<'_>) -> Vec<u32> {
    let mut words = vec![];
    bank.leases().for_each(|lease| lease.store(&mut |word| words.push(word)));
    words
}

#[test]
fn an_image_and_back_is_the_same_bank() {
    let past = Past::of(2);
    for image in past.images.values() {
        let mut rows = Rows::EMPTY;
        let mut bank = Durable::new(Bank::new(&mut rows, Instant::ZERO).unwrap());
        bank.load(&mut image.iter().copied()).unwrap();
        assert_eq!(self::image(&bank), *image);
    }
}

#[test]
fn an_image_that_is_damaged_anywhere_leaves_a_bank_as_new() {
    let past = Past::of(3);
    let image = past.images.values().max_by_key(|image| image.len()).unwrap();
    for at in 0..image.len() {
        let mut rows = Rows::EMPTY;
        let mut bank = Durable::new(Bank::new(&mut rows, Instant::ZERO).unwrap());
        let mut damaged = image.clone();
        damaged[at] ^= 1 << (at % 32);
        assert!(bank.load(&mut damaged.into_iter()).is_err(), "word {at}");
        let bank = bank.coordinator();
        bank.check_invariants().unwrap();
        assert_eq!((bank.free_nodes(), bank.reservations()), (CUBE, 0), "word {at}");
        assert_eq!((bank.stations().free(), bank.shared().table().there()), (0, 0), "word {at}");
        assert_eq!(bank.peek_effect(), None, "word {at}");
    }
}

/// What a power cut leaves: the state before or after the command that it met.
#[test]
fn a_cut_at_any_write_leaves_a_state_of_the_run() {
    let past = Past::of(4);
    let mut numbers = Numbers(5);
    let mut cuts = 0;
    for _ in 0..150 {
        let mut board = Board::new();
        let left = Cell::new(Nor::FOR_EVER);
        let mut durable = board.format(&left);
        left.set(numbers.below(COMMANDS as u64 * 16) as u32);
        let mut answered = 0;
        for (now, command, answer, effects) in &past.said {
            match durable.apply(*now, *command) {
                Err(locox_storage::ApplyError::Store(_)) => break,
                Err(locox_storage::ApplyError::Coordinator(error)) => {
                    assert_eq!(Err(error), *answer)
                }
                Ok(taken) => {
                    assert_eq!(Ok(taken), *answer);
                    answered += 1;
                }
            }
            for _ in 0..*effects {
                durable.take_effect();
            }
        }
        drop(durable);
        cuts += u64::from(answered < past.taken);
        left.set(Nor::FOR_EVER);
        let mut flash = Flash::new(Nor::new(&mut board.cells, &left)).unwrap();
        let mut bank = Durable::new(Bank::new(&mut board.rows, Instant::ZERO).unwrap());
        flash.recover(&mut bank).unwrap();
        let commands = bank.place().commands;
        assert!(past.knows(&bank), "a state that never was, at {commands}");
        assert!(commands == answered || commands == answered + 1, "{commands} of {answered}");
    }
    assert!(cuts > 50, "{cuts}");
}

/// The same commands, the same answers, and in the end the same state, whatever resets lie between.
#[test]
fn resets_at_any_command_are_not_noticed() {
    for seed in 0..6 {
        let past = Past::of(10 + seed);
        let mut numbers = Numbers(seed);
        let straight = run(&past, |_| false);
        assert_eq!(run(&past, |_| numbers.below(20) == 0), straight, "seed {seed}");
    }
}

/// The digest after a run and a last reset.
fn run(past: &Past, mut resets: impl FnMut(usize) -> bool) -> u32 {
    let (mut board, left) = (Board::new(), Cell::new(Nor::FOR_EVER));
    drop(board.format(&left));
    let mut durable = board.recover(&left);
    for (at, (now, command, answer, _)) in past.said.iter().enumerate() {
        if resets(at) {
            drop(durable);
            board.rows = Rows::EMPTY;
            durable = board.recover(&left);
        }
        while durable.take_effect().is_some() {}
        match durable.apply(*now, *command) {
            Ok(taken) => assert_eq!(Ok(taken), *answer, "command {at}: {command:?}"),
            Err(locox_storage::ApplyError::Coordinator(error)) => {
                assert_eq!(Err(error), *answer, "command {at}: {command:?}");
            }
            Err(stored) => panic!("{stored:?}"),
        }
    }
    drop(durable);
    durable = board.recover(&left);
    while durable.take_effect().is_some() {}
    durable.coordinator().digest()
}
