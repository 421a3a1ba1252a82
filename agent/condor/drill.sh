# Runs inside the folder that ci/condor makes: the agent starts twelve jobs, each on the slot that was decided.
set -euo pipefail
export CONDOR_CONFIG=/etc/condor/locox.config
agent() { /opt/locox-agent --config /opt/agent.toml "$@"; }
running=
# Not by the function: the process to be killed would be a shell.
begin() {
  /opt/locox-agent --config /opt/agent.toml run >>/tmp/agent.log 2>&1 &
  running=$!
}
fail() { echo "ci/condor: $*" >&2; exit 1; }
until_so() { # WHAT SECONDS COMMAND...
  local what=$1 left=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    [ "$left" -gt 0 ] || fail "$what: not in time; $(condor_q -allusers -nobatch -af:h ClusterId ProcId JobStatus LocoxSlot RemoteHost 2>&1)"
    left=$((left - 1))
    sleep 1
  done
}
end() {
  local master
  [ -z "$running" ] || kill "$running" 2>/dev/null || true
  master=$(cat /var/lib/locox-condor/master.pid 2>/dev/null) || return 0
  condor_rm -all >/dev/null 2>&1 || true
  kill -QUIT "$master" 2>/dev/null || true
  for _ in $(seq 100); do kill -0 "$master" 2>/dev/null || return 0; sleep 0.1; done
  kill -KILL "$master"
}
trap end EXIT

rm -rf /var/lib/locox-condor /opt/history /tmp/agent.log
for part in run log lock spool execute; do mkdir -p /var/lib/locox-condor/$part; done
chown -R condor /var/lib/locox-condor
id anna >/dev/null 2>&1 || useradd -m anna
cat >/opt/agent.toml <<'END'
manager = "htcondor"
folder = "history"
mode = "authoritative"
poll = 1
nodes = 8
ranking = "priority"
END
agent gate >/etc/condor/gate.config
condor_master -pidfile /var/lib/locox-condor/master.pid
slots() { [ "$(condor_status -af Name | wc -l)" = 8 ]; }
until_so "eight slots are up" 60 slots
agent doctor || fail "doctor finds something"
echo "eight slots are up, and the gate is there"

cat >/tmp/job.sub <<'END'
executable = /bin/sleep
arguments = 8
transfer_executable = false
should_transfer_files = NO
queue 12
END
su anna -c 'cd /tmp && CONDOR_CONFIG=/etc/condor/locox.config condor_submit job.sub' >/dev/null
cluster=$(condor_q -allusers -af ClusterId | head -1)
! su anna -c "CONDOR_CONFIG=/etc/condor/locox.config condor_qedit $cluster.0 LocoxSlot '\"any\"'" >/dev/null 2>&1 ||
  fail "a user opens the gate"
su anna -c "CONDOR_CONFIG=/etc/condor/locox.config condor_hold $cluster.3" >/dev/null
begin
runs() { [ "$(condor_q -allusers -constraint 'JobStatus == 2' -af ProcId | wc -l)" -ge 4 ]; }
until_so "some jobs run" 60 runs
condor_q -allusers -constraint 'JobStatus == 2 && LocoxSlot =!= RemoteHost' -af ProcId | grep -q . && fail "a job runs on a slot that was not decided"
[ "$(condor_q "$cluster.3" -af JobStatus)" = 5 ] || fail "a job that its owner holds was started"
agent why "$cluster.3"
kill -KILL "$running"
wait "$running" 2>/dev/null || true
begin
su anna -c "CONDOR_CONFIG=/etc/condor/locox.config condor_release $cluster.3" >/dev/null
none() { [ -z "$(condor_q -allusers -af ProcId)" ]; }
until_so "twelve jobs end" 120 none
[ "$(condor_history -constraint "ClusterId == $cluster && NumJobStarts == 1 && LocoxSlot == LastRemoteHost" -af ProcId | wc -l)" = 12 ] ||
  fail "not all jobs started once, on the slot that was decided: $(condor_history -af:h ProcId NumJobStarts LocoxSlot LastRemoteHost)"
echo "twelve of twelve jobs ran once, on the slot that was decided, with the agent killed meanwhile"

# It may run for 600 s, and is to have ended in 300.
sed "s/^arguments.*/arguments = 2/; s/^queue.*/allowed_job_duration = 600\n+LocoxDeadline = $(($(date +%s) + 300))\nqueue/" \
  /tmp/job.sub >/tmp/late.sub
su anna -c 'cd /tmp && CONDOR_CONFIG=/etc/condor/locox.config condor_submit late.sub' >/dev/null
late() { grep -q ' ends 3[0-9][0-9] s after its deadline' /tmp/agent.log; }
until_so "a job that will miss its deadline is told" 30 late
until_so "it ends" 60 none
grep -o 'note: .* after its deadline' /tmp/agent.log
kill "$running"
wait "$running" 2>/dev/null || true
running=

su anna -c 'cd /tmp && CONDOR_CONFIG=/etc/condor/locox.config condor_submit job.sub' >/dev/null
agent release-all >/dev/null
until_so "released jobs run" 60 runs
echo "release-all gives everything back"
