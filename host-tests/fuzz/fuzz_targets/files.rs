//! Any bytes as a file of a user: each reader takes it or says in one line what is wrong, and what is written of it
//! reads back the same. The first byte says which reader: a digit from 0 on, `:` and `;` behind 9.

#![no_main]

use locox_agent::config::Config;
use locox_models::outages;
use locox_models::sacct::{self, Options};
use locox_models::site::{Layout, SiteFile, TimesFile};
use locox_models::swf::{self, Strictness};
use locox_models::timeshare::lists;
use locox_models::workload::request_file::{read_requests_from, write_requests};
use locox_models::workload::reservations::Asking;
use locox_models::workstation::Recording;
use std::fmt::Display;
use std::io::Cursor;
use std::path::Path;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((&reader, file)) = bytes.split_first() else { return };
    let strictness = if reader & 0x80 == 0 { Strictness::Strict } else { Strictness::Lenient };
    let text = String::from_utf8_lossy(file);
    match reader % 12 {
        0 => trace(file, strictness),
        1 => requests(file, strictness),
        2 => accounting(file),
        3 => _ = told(outages::read("file", owned(file), 64, strictness)),
        4 => _ = told(Recording::read(Path::new("file"), file)),
        5 => _ = told(SiteFile::parse(Path::new("file"), &text)),
        6 => _ = told(TimesFile::read(Path::new("file"), owned(file), Layout::Size(3, 2))),
        7 => _ = told(TimesFile::read(Path::new("file"), owned(file), Layout::Machines)),
        8 => time_sharing(&text),
        9 | 10 => _ = told(Config::parse(Path::new("file"), &text)),
        _ => _ = told(locox_recorded::replay(file)),
    }
});

fn owned(file: &[u8]) -> Cursor<Vec<u8>> {
    Cursor::new(file.to_vec())
}

/// What was read; an error must be one line. Whoever prints it replaces other control characters.
fn told<T, E: Display>(read: Result<T, E>) -> Option<T> {
    let error = match read {
        Ok(it) => return Some(it),
        Err(error) => error.to_string(),
    };
    assert!(!error.is_empty() && !error.contains('\n'), "{error:?}");
    None
}

fn trace(file: &[u8], strictness: Strictness) {
    let Some(reader) = told(swf::read("file", owned(file), strictness)) else { return };
    for mut record in reader.filter_map(told) {
        record.line = 1;
        let mut line = vec![];
        swf::write_record(&record, &mut line).unwrap();
        let mut again = swf::read("file", Cursor::new(line), Strictness::Strict).unwrap();
        assert_eq!(again.next().unwrap().unwrap(), record);
    }
}

fn requests(file: &[u8], strictness: Strictness) {
    let read = |bytes: &[u8], strictness| {
        told(read_requests_from(Path::new("file"), owned(bytes), strictness))
    };
    let Some(requests) = read(file, strictness).map(|file| file.requests) else { return };
    let mut written = vec![];
    write_requests(&requests, &mut written).unwrap();
    let again = read(&written, Strictness::Strict).unwrap().requests;
    // They are numbered by their lines.
    let asked = |all: &[Asking]| all.iter().map(|it| (it.arrival, it.request)).collect::<Vec<_>>();
    assert_eq!(asked(&again), asked(&requests));
}

/// What is written of an accounting is a trace without a bad line.
fn accounting(file: &[u8]) {
    let Some(accounting) = told(sacct::import("file", owned(file), &Options::default())) else {
        return;
    };
    let mut written = vec![];
    accounting.write("file", None, true, &mut written).unwrap();
    let reader = swf::read("file", Cursor::new(written), Strictness::Strict).unwrap();
    assert_eq!(reader.map(Result::unwrap).count() as u64, accounting.report.kept.jobs);
}

fn time_sharing(text: &str) {
    if let Some(hosts) = told(lists::read_hosts(Path::new("file"), text)) {
        told(lists::read_set(Path::new("file"), text, &hosts));
    }
    told(lists::read_jobs(Path::new("file"), text, 8));
}
