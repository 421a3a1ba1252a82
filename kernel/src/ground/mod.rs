//! What crates that build coordinators take from this one: rows of storage with generations, lists and heaps inside
//! rows, sets in plain words, words of images, queues over others' rows and machines, and the macros that declare these.
//!
//! There is no promise of stability: any version may change what is here. `locox-coordinators` is of the same version
//! always.

pub mod heap;

pub use crate::bits::algebra::{count, first_from};
pub use crate::bits::packed::{Lanes, Packed};
pub use crate::bits::{bit, clear, load, ones, set_bit};
pub use crate::dispatch::backfill::easy::{Capacity, Outlook};
pub use crate::dispatch::order::discipline::{Lines, next};
pub use crate::epochs::Epochs;
pub use crate::image::Take;
pub use crate::image::envelope::{digest_of_all, seal};
pub use crate::image::stored::{Half, load_all};
pub use crate::list::{Linked, Links, List, Ref};
pub use crate::machine::held::HeldRows;
pub use crate::slab::{Row, Rows, RowsMut, Slab, Tag};
pub use crate::slices::{copy, edit, put};
pub use crate::sort::sort_backwards;
pub use crate::subcube::fold::{DECIDED, Search, scratch_words};
pub use crate::{cases, data, display, error_from, errors, half, ids, linked, mapper, named};
pub use crate::{columns::check_columns, timeshare::storage::UNTOLD};
pub use crate::{display::Count, invariant::ensure};
pub use crate::{row, rows, storage, stored, stored_as};
