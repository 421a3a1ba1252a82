//! Slices of an accelerator.

#![no_std]
#![no_main]

use locox::accelerator::SlicePool;

sizes::program! { Option<SlicePool<'static>> = None, sizes::slices }
