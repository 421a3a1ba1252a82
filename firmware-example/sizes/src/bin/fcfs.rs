//! First come, first served: 32 jobs.

#![no_std]
#![no_main]

use locox::dispatch::Slot;

sizes::program! { [Slot; 32] = [Slot::EMPTY; 32], sizes::fcfs }
