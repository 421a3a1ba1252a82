//! A station's own scheduler.

#![no_std]
#![no_main]

use locox::node::LocalScheduler;

sizes::program! { Option<LocalScheduler> = None, sizes::node }
