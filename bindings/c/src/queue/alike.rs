//! What all queues do alike: jobs that wait or run, by their tickets.

/// Functions of C, by their names: `$it` is what has the methods.
macro_rules! tickets {
    (
        $name:ident: $waiting:ident, $finished:ident, $cancel:ident, $requeue:ident, $hold:ident, $release:ident,
        $jobs:ident, $rekey:ident, $planned:ident, $wake_at:ident; |$body:ident| $it:expr
    ) => {
        $crate::interface::methods! { queue: $name |$body| $it =>
            /// How many jobs wait.
            look fn $waiting() -> (count: usize) { $body.len() }

            /// A running job has ended and its PEs are free. `job`, which may be null, is which one it was.
            act fn $finished(now: u64, ticket: *const locox_handle) -> (| job: $crate::queue::values::locox_job) {
                $body.finished(at(now), ticket.into())?
            }

            /// Removes a waiting job. `job`, which may be null, is which one it was.
            act fn $cancel(now: u64, ticket: *const locox_handle) -> (| job: $crate::queue::values::locox_job) {
                $body.cancel(at(now), ticket.into())?
            }

            /// A running job has failed, and its PEs are free: it waits again, under the same ticket, where its key
            /// and its first arrival say.
            act fn $requeue(now: u64, ticket: *const locox_handle) { $body.requeue(at(now), ticket.into())? }

            /// Passes over a waiting job until it is released: it keeps its place in line, and stands in nobody's
            /// way. What it was promised is others'.
            act fn $hold(now: u64, ticket: *const locox_handle) { $body.hold(at(now), ticket.into())? }

            /// A job that was held is offered again, from its place in line.
            act fn $release(now: u64, ticket: *const locox_handle) { $body.release(at(now), ticket.into())? }

            /// Calls `visit` for each job that waits or runs, in no order of note.
            /// While `visit` runs, every call on this queue, `const` ones too, answers `LOCOX_REENTERED`.
            look fn $jobs(visit: $crate::queue::values::locox_queued_fn, user: *mut c_void) {
                $crate::queue::values::tell_jobs($body, visit, user)?
            }

            /// Gives a job in line another key, so that it stands elsewhere.
            act fn $rekey(now: u64, ticket: *const locox_handle, key: u64) {
                $body.rekey(at(now), ticket.into(), key)?
            }

            /// From when to when a job is to run; `LOCOX_NONE` of one that has no promise.
            look fn $planned(ticket: *const locox_handle) -> (interval: $crate::timeline::locox_interval) {
                $body.planned(ticket.into())?.ok_or(LOCOX_NONE)?
            }

            /// When to ask for the next job if nothing happens before; `LOCOX_NONE` if there is nothing to
            /// wait for.
            look fn $wake_at() -> (time: u64) { $body.wake_at().ok_or(LOCOX_NONE)? }
        }
    };
}
pub(crate) use tickets;
