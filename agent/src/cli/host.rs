//! What is to be known of this host.

use crate::config::Config;
use crate::mark;
use std::fs;
use std::path::Path;

/// The name that this agent has in the manager.
pub(super) fn agent_name(config: &Config) -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host = if host.trim().is_empty() { "host" } else { host.trim() };
    let folder = std::path::absolute(&config.folder).unwrap_or_else(|_| config.folder.clone());
    mark::name(host, &folder.display().to_string())
}

/// The number of whoever runs this; 0 if the system does not say.
#[cfg(unix)]
pub(super) fn own_uid() -> u32 {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(Path::new("/proc/self")).map_or(0, |it| it.uid())
}

/// The number of whoever runs this; 0 if the system does not say.
#[cfg(not(unix))]
pub(super) fn own_uid() -> u32 {
    0
}
