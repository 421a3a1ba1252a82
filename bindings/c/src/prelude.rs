//! What nearly every file of functions takes.

pub(crate) use crate::fault::*;
pub(crate) use crate::handle::*;
pub(crate) use crate::interface::*;
pub(crate) use crate::memory::*;
pub(crate) use crate::status::locox_status::*;
pub(crate) use crate::time::*;
pub(crate) use crate::values::*;
pub(crate) use core::ffi::c_void;
pub(crate) use locox::handle::PoolId;
