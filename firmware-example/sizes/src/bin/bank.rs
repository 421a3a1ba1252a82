//! A bank behind a serial line, with its journal in a flash.

#![no_std]
#![no_main]

use locox_bank::Rows;

sizes::program! { Rows = Rows::EMPTY, sizes::bank }
