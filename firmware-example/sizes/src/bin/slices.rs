//! Slices of an accelerator.

#![no_std]
#![no_main]

sizes::program! { [u8; 0] = [0; 0], sizes::slices }
