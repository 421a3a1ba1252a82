//! The printed table of Up-Down, of 64 stations.

#![no_std]
#![no_main]

use locox::fair::ScheduleIndex;

sizes::program! { [ScheduleIndex; 64] = [ScheduleIndex::ZERO; 64], sizes::up_down }
