//! What the coordinator hears: names and commands.

use crate::coordinate::{JobId, Run, variants};
use locox::fair::StationId;
use locox::ground::{Ref, ids};
use locox::image::{BadImage, Stored};
use locox::time::Duration;

ids! {
    /// A processor. The first ones are the stations', under their numbers; the rest is the bank.
    pub struct NodeId;
    /// The host's name for a saved state of a job; the coordinator only hands it back.
    pub struct Checkpoint;
}

impl From<StationId> for NodeId {
    /// The station's own processor.
    fn from(station: StationId) -> Self {
        Self(station.0)
    }
}

variants! {
    /// What happened.
    pub enum Command {
        /// A job waits at the station `home`. The answer is its name. `serial` is one more than at the
        /// station's submission before, and 1 at its first. The same once more, if the answer did not
        /// arrive, is answered with the same name. It is a sign of life: a station of which nothing was
        /// known is there from now on, its owner present until it says otherwise.
        Submit { home: StationId, serial: u32 } = 0,
        /// A processor is available: the station's owner is away, or the processor of the bank works.
        /// Says nothing of a run that is still on it.
        NodeIdle { node: NodeId } = 1,
        /// The owner is at the station. Its local scheduler suspends or preempts what runs there.
        OwnerBack { station: StationId } = 2,
        /// The owner left while the run was still suspended in memory, and it goes on.
        Continued { run: Run } = 3,
        /// A checkpoint of the run is safe at the job's home; the host calls it `checkpoint`.
        Checkpointed { run: Run, checkpoint: Checkpoint } = 4,
        /// The run is no longer where it was, finished or not started; what counts is its job's last
        /// checkpoint.
        Vacated { run: Run } = 5,
        /// The job is done, and this run of it finished it.
        Finished { run: Run } = 6,
        /// A processor is gone, and with it what ran there; also to be said after it restarted. Jobs
        /// of a station that is gone wait until it is back; those that run elsewhere go on.
        NodeLost { node: NodeId } = 7,
        /// Nothing but time passed. In a message it is a sign of life.
        Tick = 8,
        /// The host has the run, and need not be told again to start it.
        Heard { run: Run } = 9,
        /// The job is not wanted any more. If it is on a processor it leaves that first.
        Cancel { job: JobId } = 10,
        /// The job shall have no processor until it is released.
        Hold { job: JobId } = 11,
        /// The job may have a processor again, whatever kept it from one.
        Release { job: JobId } = 12,
        /// All runs of the job together may take as long as `limit`, looked at when an interval ends;
        /// then it is stopped until it is released with another limit. Zero is no limit.
        Limit { job: JobId, limit: Duration } = 13,
        /// The processors are given to nobody until they are restored; what runs there leaves.
        Drain { nodes: Nodes } = 14,
        /// The processors may be given to jobs again, drained or set aside.
        Restore { nodes: Nodes } = 15,
        /// The station has a share of `weight` times that of a station of weight 1 from now on, as
        /// [`TimedUpDown::set_weight`](locox::fair::TimedUpDown::set_weight) says; not zero. The ranking must have
        /// weights.
        SetWeight { station: StationId, weight: u16 } = 16,
    }
}

variants! {
    /// One processor or several.
    pub enum Nodes {
        /// This one.
        One { node: NodeId } = 0,
        /// All of the bank.
        Bank = 1,
    }
}

locox::ground::data! {
    /// Who says something, and as his how manieth message.
    pub struct Sender {
        /// The host's processor.
        pub node: NodeId,
        /// How often it restarted, from 1 on. A host whose lease ended counts as restarted.
        pub boot: u32,
        /// Counts the messages of this boot, from 1 on; not those of submissions, which have a serial.
        pub number: u32,
    }

    /// A command, and who says it if that may arrive late, twice, or in another order.
    pub struct Message {
        /// The sender; `None` for one whose commands arrive once and in order.
        pub from: Option<Sender>,
        /// What he says.
        pub command: Command,
    }
}

impl From<Command> for Message {
    fn from(command: Command) -> Self {
        Self { from: None, command }
    }
}

/// The variant of the command, then the sender, then the rest.
impl Stored for Message {
    fn store(&self, put: &mut impl FnMut(u32)) {
        let mut from = Some(self.from);
        self.command.store(&mut |word| {
            put(word);
            if let Some(from) = from.take() {
                let node = from.map_or(Ref::NONE, |from| Ref::to(from.node.0));
                put(node.raw());
                put(from.map_or(0, |from| from.boot));
                put(from.map_or(0, |from| from.number));
            }
        });
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        let mut variant = Some(take()?);
        let (node, boot, number) = (Ref::from_raw(take()?), take()?, take()?);
        let from = node.get().map(|node| Sender { node: NodeId(node), boot, number });
        let command = Command::load(&mut || variant.take().map_or_else(&mut *take, Ok))?;
        Ok(Self { from, command })
    }
}
