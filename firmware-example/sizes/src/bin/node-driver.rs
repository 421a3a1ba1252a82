//! A station's owner and guest behind pins.

#![no_std]
#![no_main]

use sizes::Driver;

sizes::program! { Option<Driver> = None, sizes::node_driver }
