//! Tables with a word altered: of the image of a cluster that holds one, and of the sets of hosts.

use crate::forged::{agree, of_one_word, of_small_words, said};
use crate::tampered::{Tampered, words_said};
use locox::handle::PoolId;
use locox::time::Instant;
use locox::timeshare::{
    Columns, Entry, FirstLevel, HostId, HostRow, JobNumber, JobRow, Load, Request, Speed, Table,
    UserId, words,
};
use locox_coordinators::cluster::{self, Arrays, Command, Config, Coordinator, Terms};

const NOW: Instant = Instant::ZERO;

type Rows = Arrays<12, 6, 8, { cluster::words(6, 2) }>;

fn fresh(rows: &mut Rows) -> Coordinator<'_, FirstLevel> {
    Coordinator::new(Config::new(PoolId(4)), 2, rows.columns(), FirstLevel::new(2), NOW).unwrap()
}

#[test]
fn each_invariant_of_a_table_refuses_the_images_that_break_it() {
    let mut rows = Rows::EMPTY;
    let mut cluster = fresh(&mut rows);
    for host in (0..6).map(HostId) {
        let speed = Speed(if host.0 == 5 { 24 } else { 16 });
        cluster
            .apply(
                NOW,
                Command::HostReport {
                    host,
                    load: Load::IDLE,
                    speed,
                    heard: cluster::Batch::default(),
                },
            )
            .unwrap();
    }
    for (user, hosts, synchronising) in [(1, 3, true), (2, 2, false), (1, 2, true), (3, 6, false)] {
        let (user, terms) = (UserId(user), Terms::default());
        cluster.apply(NOW, Command::Submit { user, hosts, synchronising, terms }).unwrap();
    }
    // The last of the second job, and the first of the third.
    cluster.apply(NOW, Command::HostLost { host: HostId(4) }).unwrap();
    let mut image = vec![];
    cluster.export(|word| image.push(word));
    let mut rows = Rows::EMPTY;
    let mut other = fresh(&mut rows);
    let forged = of_one_word(&image).chain(of_small_words(&image));
    agree(
        &said(forged, |words| other.restore(words)),
        &[
            ("a free entry is not empty", 112),
            ("a half of a word says nothing", 13),
            ("a host that never reported is to be told", 7),
            ("a job goes on without a host of it", 44),
            ("a job has more hosts than it was given", 6),
            ("a job has terms that the configuration does not know", 128),
            ("a job is in the table and does not run", 46),
            ("a job is neither to be killed nor not", 5),
            ("a job is not on as many hosts as its row counts", 96),
            ("a job is twice on a host", 12),
            ("a job that runs is not in the table", 174),
            ("a job was told in a batch that was never made", 73),
            ("a lost host has jobs", 201),
            ("a row that is not in use is not empty", 85),
            ("a row would be opened in a generation of no open row", 10),
            ("an entry is of no job", 57),
            ("an orphan", 64),
            ("hosts of different speeds pass for alike", 17),
            ("it has too few words", 6),
            ("it has too many words", 5),
            ("taken", 1200),
            ("the count of open rows", 53),
            ("the first host of a job is none of its hosts", 16),
            ("the hosts that are there are miscounted", 18),
            ("the image is of another size than the storage", 40),
            ("the pool of the jobs", 15),
            ("the queue is not that of the jobs that wait, in their lines", 70),
            ("the scratch of a placement is not clear", 51),
            ("the synchronising processes of a host are miscounted", 68),
            ("the vacant rows are closed ones, linked without a circle", 17),
        ],
    );
}

#[test]
fn a_host_that_is_free_or_not_against_its_entries_is_found() {
    let (hosts, levels) = (70, 2);
    let count = words(hosts, levels);
    let ((storage, change), cells) = (Tampered::new(count), hosts * usize::from(levels));
    let columns = Columns {
        entries: vec![Entry::EMPTY; cells],
        hosts: vec![HostRow::EMPTY; hosts],
        jobs: vec![JobRow::EMPTY; 3],
        words: storage,
    };
    let mut table = Table::new(levels, columns).unwrap();
    for host in (0..69).map(HostId) {
        table.report(NOW, host, Load::IDLE, Speed::NOMINAL).unwrap();
    }
    for (job, wanted) in [(0, 40), (1, 30)] {
        let request = Request::new(UserId(1), wanted);
        table.place(NOW, &FirstLevel::new(2), JobNumber(job), request, ()).unwrap();
    }
    let found = words_said(count, &change, || table.clone().check_invariants());
    agree(&found, &[("nothing", 26), ("the free hosts of a level", 22)]);
}
