// Plays jobs to the table of hosts that are shared in time, under one placement.
import { OK } from "./memory.js";

export const PLACEMENTS = [
  ["first_level", "First level"],
  ["calm", "First level on calm hosts"],
  ["non_interfering", "Non-interfering"],
];
// Thousandths: a busy host is above the load up to which hosts are shared.
export const LOADS = { calm: 200, busy: 950 };
const THRESHOLD = 800;
const BELIEVED = 1000n;
const SPEED = 16;
const NOBODY = 0xffff_ffff;

// `setup` has `hosts`, `levels`, `seed` and `log`. Commands: {do: "submit", hosts, barrier}, {do: "end", job}, {do: "load",
// host, busy}. Jobs are numbered from 1 as they are submitted, refused ones too. Answers the jobs of each host by level, and
// how each submission went.
export function playHosts(kernel, placement, setup) {
  kernel.forget();
  const table = new HostTable(kernel, placement, setup);
  for (const command of setup.log) table.say(command);
  return table.picture();
}

class HostTable {
  constructor(kernel, placement, { hosts, levels, seed, log }) {
    Object.assign(this, { kernel, hosts, seed });
    this.now = 0n;
    this.loads = Array(hosts).fill(LOADS.calm);
    this.asked = [];
    this.at = kernel.structure("timeshare");
    this.why = kernel.room(16);
    this.request = kernel.room(12);
    this.open(levels, log.length + 1);
    this.placing = kernel.room(32);
    [PLACEMENTS.findIndex(([of]) => of === placement) + 1, levels, THRESHOLD, 1].forEach((value, i) => kernel.put32(this.placing + 4 * i, value));
    kernel.put64(this.placing + 16, BELIEVED);
    this.report();
  }

  open(levels, jobs) {
    const { kernel, hosts } = this;
    const { c } = kernel;
    const count = { shared_entry: hosts * levels, shared_host: hosts, shared_job: jobs };
    const rows = kernel.room(32);
    const parts = Object.entries(count).map(([of, many]) => [kernel.room(many * c[`locox_size_of_${of}`]()), many]);
    const words = c.locox_timeshare_words(hosts, levels);
    [...parts, [kernel.room(4 * words), words]].flat().forEach((value, i) => kernel.put32(rows + 4 * i, value));
    kernel.must(c.locox_timeshare_start(this.at, levels, rows, kernel.detailAt));
  }

  // All hosts say that they are there, and how busy.
  report() {
    const { kernel } = this;
    this.loads.forEach((load, host) =>
      kernel.must(kernel.c.locox_timeshare_report(this.at, this.now, host, load, SPEED, 0, kernel.detailAt)));
  }

  say(command) {
    this.now += 1n;
    if (command.do === "load") this.loads[command.host] = command.busy ? LOADS.busy : LOADS.calm;
    this.report();
    if (command.do === "submit") this.submit(command);
    if (command.do === "end") this.end(command.job);
  }

  submit({ hosts, barrier }) {
    const { kernel } = this;
    const job = this.asked.length + 1;
    [job, hosts, barrier ? 1 : 0].forEach((value, i) => kernel.put32(this.request + 4 * i, value));
    const draw = Math.imul(job + 16 * this.seed, 0x9e3779b1) >>> 0;
    const status = kernel.c.locox_timeshare_place(this.at, this.now, this.placing, job - 1, this.request, draw, this.why, kernel.detailAt);
    const [kind, level, owner, shared] = [0, 1, 2, 3].map((i) => kernel.u32(this.why + 4 * i));
    const why = status === OK ? { kind, level, owner: owner === NOBODY ? null : owner + 1, shared } : null;
    this.asked.push({ job, hosts, barrier, ended: false, why, ...kernel.outcome(status) });
  }

  // A job that never got hosts has nothing to end.
  end(job) {
    const asked = this.asked[job - 1];
    if (!asked || asked.ended || asked.status !== OK) return;
    this.kernel.must(this.kernel.c.locox_timeshare_remove(this.at, this.now, job - 1, 0, 0, this.kernel.detailAt));
    asked.ended = true;
  }

  picture() {
    const { kernel } = this;
    const columns = this.loads.map((load, host) => {
      const jobs = [];
      const visit = kernel.telling((place) => jobs.push({ level: kernel.u32(place + 4), job: kernel.u32(place + 8) + 1 }));
      kernel.must(kernel.c.locox_timeshare_column(this.at, host, visit, 0));
      return { host, busy: load === LOADS.busy, jobs };
    });
    return { columns, asked: this.asked };
  }
}
