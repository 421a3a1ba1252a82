//! The status as a page.

use super::summary::Status;
use super::times;
use maud::{DOCTYPE, html};

const STYLE: &str = "body{font:16px sans-serif;margin:2em;color-scheme:light dark}table{border-collapse:collapse;margin:1em 0}\
                     td,th{border:1px solid #999;padding:.2em .6em;text-align:right}caption,.text{text-align:left}";

/// The page.
pub(super) fn page(status: &Status) -> String {
    let Status {
        now,
        mode,
        agent,
        nodes,
        jobs,
        next,
        late,
        line,
        line_more,
        left,
        kept,
        stops,
        promises,
        users,
        notes,
    } = status;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "locox-agent" }
                style { (maud::PreEscaped(STYLE)) }
            }
            body {
                h1 { "locox-agent" }
                p { (mode) ", " (agent) ", at " (times::at(*now, *now)) }
                p { (nodes.known) " nodes, " (nodes.free) " free, " (nodes.out) " out of service or somebody else's." }
                p {
                    (jobs.waiting) " jobs wait, " (jobs.held) " are held, " (jobs.never) " never fit, "
                    (jobs.starting) " start, " (jobs.running) " run, " (jobs.stopping) " are to stop."
                }
                @if let Some(next) = next {
                    p { "Next: " (next.job) ", promised for " (times::at(next.starts_by, *now)) }
                }
                p {
                    "Promises: " (promises.given) " given, " (promises.kept) " kept, "
                    (promises.moved) " times put off or taken back."
                }
                @for late in late {
                    p { "Late: " (late.job) " ends " (times::end(late.ends, *now)) ", and is to end by " (times::at(late.deadline, *now)) }
                }
                @for note in notes { p { "Note: " (note) } }
                table {
                    caption { "In line" }
                    tr { th { "job" } th { "user" } th { "nodes" } th { "limit" } th { "priority" } th.text { "why it waits" } }
                    @for job in line {
                        tr {
                            td { (job.job) } td { (job.user) } td { (job.nodes) } td { (times::limit(job.limit)) }
                            td { (job.priority) } td.text { (job.why) }
                        }
                    }
                }
                @if *line_more > 0 { p { "And " (line_more) " more in line." } }
                @for (what, all) in [("Left to the manager", left), ("Not asked for", kept), ("Stops", stops)] {
                    @if !all.is_empty() {
                        table {
                            caption { (what) }
                            tr { th { "job" } th.text { "why" } }
                            @for kept in all { tr { td { (kept.job) } td.text { (kept.why) } } }
                        }
                    }
                }
                table {
                    caption { "Users" }
                    tr { th { "user" } th { "weight" } th { "jobs" } th { "waiting" } th { "nodes" } th { "index" } }
                    @for user in users {
                        tr {
                            td { (user.user) } td { (user.weight) } td { (user.jobs) } td { (user.waiting) }
                            td { (user.nodes) } td { (format!("{:.3}", user.index)) }
                        }
                    }
                }
            }
        }
    };
    page.into_string()
}
