//! The gate: what HTCondor's configuration must say.

/// Lines for the configuration of the machine that runs the schedd.
pub(super) const GATE: &str = r#"# Written by `locox-agent gate`. Save this in the folder of local configurations of the machine that runs the schedd,
# such as /etc/condor/config.d/90-locox, and run `condor_reconfig`. Jobs of the vanilla universe wait from then on until
# the agent names their slot; holds of users stay what they are.
JOB_TRANSFORM_NAMES = $(JOB_TRANSFORM_NAMES) Locox
JOB_TRANSFORM_Locox @=end
  REQUIREMENTS JobUniverse == 5
  SET LocoxGate true
  SET Requirements ($(MY.Requirements)) && (MY.LocoxSlot =?= TARGET.Name || MY.LocoxSlot =?= "any")
@end
# Only administrators change these.
PROTECTED_JOB_ATTRS = $(PROTECTED_JOB_ATTRS) LocoxSlot LocoxGate Requirements PreJobPrio1
# A job is placed in the next cycle of the negotiator: let it be soon. These stand on the machine that runs it.
NEGOTIATOR_INTERVAL = 5
NEGOTIATOR_MIN_INTERVAL = 1
NEGOTIATOR_CYCLE_DELAY = 1
"#;
