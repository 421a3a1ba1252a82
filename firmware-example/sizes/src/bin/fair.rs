//! Up-Down by itself, of 64 stations.

#![no_std]
#![no_main]

use locox::fair::TimedRow;

sizes::program! { [TimedRow; 64] = [TimedRow::EMPTY; 64], sizes::fair }
