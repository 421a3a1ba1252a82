//! The coordinator of a resource manager's machine, of 64 nodes, 64 jobs and 16 users.

#![no_std]
#![no_main]

use sizes::ManagerRows;

sizes::program! {
    ManagerRows = ManagerRows::EMPTY,
    |rows: &'static mut ManagerRows| sizes::manager(rows.columns())
}
