//! Hosts that number their messages: which message is next, leases, and what is told again.

use super::error::{Error, Outcome};
use super::storage::{NodeRow, Pending, Presence};
use super::tables::Tables;
use super::{Command, JobId, Message, Misuse, Refusal, Sender};
use locox::ground::Ref;

impl Tables<'_> {
    /// Takes note of a command, if it is its sender's turn.
    pub(super) fn apply_message(&mut self, message: Message) -> Outcome<Option<JobId>> {
        let Some(from) = message.from else { return self.apply_command(message.command) };
        self.check_report(message.command)?;
        let node = self.known_node(from.node)?;
        let is_restarted = self.check_turn(&self.node(node), from)?;
        if is_restarted {
            self.node_lost(node);
        }
        let answer = self.apply_command(message.command);
        // Behind it: what says itself that it was lost goes on in its boot.
        let now = self.now;
        self.edit_node(node, |row| {
            row.boot = from.boot;
            row.number = from.number;
            row.heard = now;
        });
        match answer {
            // It was answered, and nothing else has changed.
            Err(Error::Misused(Misuse::RunOver | Misuse::Job(_))) => Ok(None),
            other => other,
        }
    }

    /// Whether a message is the next one of its boot, and that one a new one.
    fn check_turn(&self, row: &NodeRow, from: Sender) -> Outcome<bool> {
        if from.boot == 0 || from.number == 0 {
            return Err(Misuse::Unnumbered.into());
        }
        if from.boot < row.boot {
            return Err(Refusal::BootOver { next: row.next_boot() }.into());
        }
        let is_restarted = from.boot > row.boot;
        let last = if is_restarted { 0 } else { row.number };
        let next = last.wrapping_add(1);
        if from.number < next {
            return Err(Refusal::Old.into());
        }
        if from.number > next { Err(Refusal::Early { next }.into()) } else { Ok(is_restarted) }
    }

    /// After this the command can be refused only for a run that is over.
    fn check_report(&self, command: Command) -> Result<(), Misuse> {
        match command {
            Command::NodeIdle { node } | Command::NodeLost { node } => {
                self.known_node(node).map(|_| ())
            }
            Command::OwnerBack { station } => self.station(station).map(|_| ()),
            Command::Continued { .. }
            | Command::Checkpointed { .. }
            | Command::Vacated { .. }
            | Command::Finished { .. }
            | Command::Heard { .. }
            | Command::Tick => Ok(()),
            _ => Err(Misuse::NoReport),
        }
    }

    pub(super) fn heard(&mut self, (_, node): (u32, u32)) {
        self.edit_node(node, |row| {
            let may_stay = row.told == Pending::Preempt && row.occupant == row.holder;
            if row.told == Pending::Start || may_stay {
                row.told = Pending::Nothing;
            }
        });
    }

    /// What is due for hosts that number their messages at the end of an interval: one pass.
    pub(super) fn review_hosts(&mut self) {
        for node in 0..self.rows.nodes.len() as u32 {
            let Some(row) = self.rows.nodes.get(node as usize) else { return };
            if row.boot == 0 || row.presence == Presence::Absent {
                continue;
            }
            if self.has_lost_its_lease(row) {
                self.node_lost(node);
            } else if let Some(what) = unheard(row) {
                self.tell(node, what);
            }
        }
    }

    fn has_lost_its_lease(&self, row: &NodeRow) -> bool {
        let silent = self.now.since(row.heard);
        self.config.lease.is_some_and(|lease| silent.is_some_and(|silent| silent > lease))
    }
}

/// What the host was told and has not answered to.
fn unheard(row: &NodeRow) -> Option<Pending> {
    let may_wait = matches!(row.pending, Pending::Nothing | Pending::Checkpoint);
    if row.occupant == Ref::NONE || !may_wait {
        return None;
    }
    match (row.occupant == row.holder, row.told) {
        (true, Pending::Start) => Some(Pending::StartAgain),
        // It was to leave and may stay, and perhaps it never was there.
        (true, Pending::Preempt) => Some(Pending::Ask),
        (false, Pending::Start) => Some(Pending::Ask),
        (false, Pending::Preempt) => Some(Pending::Preempt),
        _ => None,
    }
}
