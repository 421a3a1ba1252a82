//! Times of a job that no column of a table has: of machines by their specifications, of clusters by what their
//! machines take and their interconnect.
//!
//! A cluster takes what its machines take if the work is split so that all end at once, and then
//! what the interconnect takes.

use super::site_file::{Group, SiteFile};
use super::specification::{Kind, PARTS};
use super::{Decimal, Fault};
use locox::mapping::Times;
use locox::time::Duration;

/// Fills in the times of a job of this kind on all resources that have no column.
pub(super) fn complete(
    site: &SiteFile,
    kind: &str,
    row: &mut [Option<Decimal>],
    has_column: &[bool],
) -> Result<(), Fault> {
    let found = site.kinds.iter().find(|it| it.name == kind);
    let kind = found.ok_or_else(|| Fault::Kind(kind.into()))?;
    for (at, machine) in site.machines.iter().enumerate().filter(|(at, _)| !has_column[*at]) {
        row[at] = kind.time(&machine.abilities, machine.speed, &machine.name)?;
    }
    for (at, group) in (site.machines.len()..).zip(&site.clusters) {
        if !has_column[at] {
            row[at] = on_cluster(site, kind, group, row)?;
        }
    }
    Ok(())
}

fn on_cluster(
    site: &SiteFile,
    kind: &Kind,
    group: &Group,
    row: &[Option<Decimal>],
) -> Result<Option<Decimal>, Fault> {
    let Some(traffic) = kind.traffic else { return Ok(None) };
    let times = group.members.iter().map(|&at| row[at as usize].map(Decimal::value));
    let Some(times) = times.collect::<Option<Vec<f64>>>() else { return Ok(None) };
    let together = 1.0 / times.iter().map(|time| 1.0 / time).sum::<f64>();
    let too_long = || Fault::TooLong { kind: kind.name.clone(), on: group.name.clone() };
    let computes = (together * PARTS as f64).round() as u64;
    let wire = group.interconnect.and_then(|at| site.wires.get(at as usize));
    let sends = match wire {
        Some(wire) => wire.time(traffic, times.len()).ok_or_else(too_long)?,
        None => Duration::ZERO,
    };
    if sends == Times::NEVER {
        return Ok(None);
    }
    let all = computes.checked_add(sends.ticks()).ok_or_else(too_long)?;
    Ok(Some(Decimal::parts(all, PARTS)))
}

#[cfg(test)]
mod tests {
    use super::super::{Layout, TimesFile};
    use super::*;
    use std::path::Path;

    const SITE: &str = "[[machine]]\nname = \"a\"\nspeed = 2\nmemory = 64\nsystem = \"solaris\"\n\
                        [[machine]]\nname = \"b\"\nspeed = 0.5\nmemory = 256\n\
                        [[machine]]\nname = \"c\"\nspeed = 3\nmemory = 256\nsystem = \"solaris\"\n\
                        [[interconnect]]\nname = \"bus\"\nlatency = 0.01\nbandwidth = 1000\n\
                        traffic = 200\n\
                        [[interconnect]]\nname = \"switch\"\nbandwidth = 1000\nswitched = true\n\
                        [[cluster]]\nname = \"ac\"\nmembers = [\"a\", \"c\"]\ninterconnect = \"bus\"\n\
                        [[cluster]]\nname = \"all\"\nmembers = [\"a\", \"b\", \"c\"]\n\
                        interconnect = \"switch\"\n\
                        [[kind]]\nname = \"sort\"\nwork = 30\nparallel = true\nmessages = 100\n\
                        bytes = 400\n\
                        [[kind]]\nname = \"large\"\nwork = 10\nmemory = 128\nparallel = true\n\
                        [[kind]]\nname = \"bound\"\nwork = 1\nsystem = \"solaris\"\n";

    fn read(site: &str, times: &str) -> Result<Vec<Option<u64>>, String> {
        let site = SiteFile::parse(Path::new("s"), site).map_err(|error| error.to_string())?;
        let input = std::io::Cursor::new(times.to_owned().into_bytes());
        let file = TimesFile::read(Path::new("t"), input, Layout::Site(&site));
        let (file, _) = file.map_err(|error| error.to_string())?;
        Ok(file.cells.iter().map(|cell| cell.and_then(|cell| cell.ticks(1000))).collect())
    }

    #[test]
    fn work_by_speed_where_the_machine_has_what_is_needed() {
        let cells = read(SITE, "job kind\nx sort\ny large\nz bound\n").unwrap();
        // Split 2 to 3, or 4 to 1 to 6; two share 800 bytes a unit of time, or each has 1000.
        let sort = [15_000, 60_000, 10_000, 6_000 + 1_000 + 1_000, 5_455 + 400].map(Some);
        let large = [None, Some(20_000), Some(3_333), None, None];
        let bound = [Some(500), None, Some(333), None, None];
        assert_eq!(cells, [sort, large, bound].concat());
    }

    #[test]
    fn columns_go_first_and_clusters_follow_their_machines() {
        let cells = read(SITE, "kind,a,b,all\nsort,10,-,7\n-,1,2,3\n").unwrap();
        let first = [Some(10_000), None, Some(10_000), Some(5_000 + 2_000), Some(7_000)];
        assert_eq!(
            cells,
            [first, [1_000, 2_000, 0, 0, 3_000].map(|it| (it > 0).then_some(it))].concat()
        );
    }

    #[test]
    fn what_is_missing_is_told() {
        let wrong = |site: &str, times: &str| read(site, times).unwrap_err();
        assert!(wrong(SITE, "job kind\nx sorts\n").starts_with("t:2:3: `sorts` is no kind"));
        let slow = SITE.replace("speed = 2\n", "");
        assert!(
            wrong(&slow, "job kind\nx sort\n").starts_with("t:2:3: kind sort has no work, or a no")
        );
        assert!(read(&slow, "job kind a\nx sort 5\n").is_ok());
        let zero = SITE.replace("speed = 2\n", "speed = 0\n");
        assert!(wrong(&zero, "kind\nsort\n").starts_with("t:2:1: kind sort takes too long on a"));
        let busy = SITE.replace("traffic = 200", "traffic = 1000");
        assert_eq!(read(&busy, "kind\nsort\n").unwrap()[3], None);
        assert!(wrong(SITE, "job a b c\nx 1 2 3\n").contains("no column for `ac`"));
        assert!(wrong(SITE, "kind kind\n- -\n").starts_with("t:1:6: column `kind`"));
        assert!(wrong(SITE, "kind\n-\n").starts_with("t:2:1: no machine can run job 0"));
        let negative = SITE.replace("memory = 64", "memory = -64");
        assert!(wrong(&negative, "kind\nsort\n").starts_with("s:4:10: machine a, memory: `-64`"));
        let twice = format!("{SITE}[[kind]]\nname = \"sort\"\n");
        assert!(wrong(&twice, "kind\nsort\n").contains("`sort` is there twice"));
    }
}
