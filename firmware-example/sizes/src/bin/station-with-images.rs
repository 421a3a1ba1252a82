//! The coordinator of 64 stations and a bank of 8, with images of its state.

#![no_std]
#![no_main]

use locox::fair::TimedRow;
use sizes::Rows;

sizes::program! {
    ([TimedRow; 64], Rows) = ([TimedRow::EMPTY; 64], Rows::EMPTY),
    |(indices, rows): &'static mut ([TimedRow; 64], Rows)| sizes::station_with_images((indices, rows))
}
