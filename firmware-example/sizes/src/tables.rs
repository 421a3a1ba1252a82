use crate::{now, read, tell};
use core::hint::black_box;
use locox::time::Duration;
use locox::timeshare::{
    HostId, JobNumber, Load, NonInterfering, Request, Slices, Speed, Table, Threshold, UserId,
};

pub(crate) const LEVELS: u8 = 4;

pub(crate) fn non_interfering() -> Option<NonInterfering> {
    Some(NonInterfering {
        degree: LEVELS,
        threshold: Threshold::from_thousandths(700).ok()?,
        believed: Duration::from_ticks(60),
        settled: Duration::from_ticks(1),
    })
}

pub(crate) fn load() -> Load {
    Load::from_thousandths(read() as u16)
}

/// The table of levels by hosts, under the third version of the placement.
pub fn timeshare(columns: Slices<'static>) -> Option<()> {
    let mut table = Table::new(LEVELS, columns).ok()?;
    let table = black_box(&mut table);
    let placement = non_interfering()?;
    loop {
        match read() {
            0 => {
                tell(&table.report(now(), HostId(read()), load(), Speed(read() as u8)));
            }
            1 => {
                let request = Request::new(UserId(read()), read());
                tell(&table.place(now(), &placement, JobNumber(read()), request, ()));
            }
            2 => tell(&table.remove(now(), JobNumber(read()), &mut |host| tell(&host))),
            3 => tell(&table.lose(HostId(read()), &mut |host| tell(&host))),
            _ => table.places(JobNumber(read())).for_each(|place| tell(&place)),
        }
    }
}
