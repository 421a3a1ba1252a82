//! What nearly every file of functions takes.

pub(crate) use crate::fault::*;
pub(crate) use crate::handle::*;
pub(crate) use crate::interface::*;
pub(crate) use crate::memory::*;
pub(crate) use crate::status::locox_status::*;
pub(crate) use crate::time::*;
pub(crate) use crate::values::*;
pub(crate) use core::ffi::c_void;
pub(crate) use locox::bits::Word;
pub(crate) use locox::cube::Node;
pub(crate) use locox::draw::Draw;
pub(crate) use locox::handle::{Epoch, Handle, PoolId};
pub(crate) use locox::image::BadImage;
pub(crate) use locox::invariant::InvariantViolation;
pub(crate) use locox::time::{Duration, Instant};
pub(crate) use locox_coordinators::coordinate::Durable;
