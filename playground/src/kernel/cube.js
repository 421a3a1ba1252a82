// Plays a list of commands to a pool of meshes. A subcube of dimension k is a mesh of 2^k nodes in a row.
import { key, OK } from "./memory.js";

export const STRATEGIES = ["buddy", "gray_code", "free_list", "free_list_plain", "complete"];
const LEASE = 32;
const SHAPE_IN_LEASE = 20;
const LEFTOVER_REUSED = 1;
const OUTAGES = { fail: 1, drain: 2 };

// `setup` has `dims`, `strategy` (one of STRATEGIES) and `log`. Commands: {do: "allocate", sides: [x, y]},
// {do: "release" | "fail" | "drain" | "repair", node}. Answers what each node does and how the last command went.
export function playCube(kernel, setup) {
  const pool = new MeshPool(kernel, setup);
  let last = null;
  for (const command of setup.log) last = pool.say(command);
  return { ...pool.picture(), last };
}

class MeshPool {
  constructor(kernel, { dims, strategy }) {
    kernel.forget();
    this.kernel = kernel;
    this.dims = dims;
    this.at = kernel.structure("mesh_pool");
    this.lease = kernel.room(LEASE);
    this.shape = kernel.room(12);
    this.nodes = kernel.room(8);
    this.number = kernel.room(24);
    this.jobs = new Map();
    this.granted = 0;
    const words = kernel.c.locox_mesh_words(STRATEGIES.indexOf(strategy), dims);
    const start = kernel.c[`locox_mesh_start_${strategy}`];
    kernel.must(start(this.at, 1, dims, LEFTOVER_REUSED, kernel.room(4 * words), words, kernel.detailAt));
  }

  say(command) {
    if (command.do === "allocate") return this.allocate(command);
    if (command.do === "release") return this.release(command);
    return this.outage(command);
  }

  allocate(command) {
    const { kernel } = this;
    for (let axis = 0; axis < 3; axis++) kernel.put32(this.shape + 4 * axis, command.sides[axis] ?? 1);
    const status = kernel.c.locox_mesh_allocate(this.at, this.shape, this.lease, kernel.detailAt);
    if (status !== OK) return { command, ...kernel.outcome(status) };
    this.granted += 1;
    this.jobs.set(key(kernel, this.lease), this.granted);
    return { command, ...kernel.outcome(status), job: this.read() };
  }

  release(command) {
    const { kernel } = this;
    const found = kernel.c.locox_mesh_lease_at(this.at, command.node, this.lease);
    if (found !== OK) return { command, status: found, detail: 0n, text: kernel.text(found) };
    const job = this.read();
    return { command, ...kernel.outcome(kernel.c.locox_mesh_release(this.at, this.lease)), job };
  }

  outage(command) {
    const { kernel } = this;
    const { c, detailAt } = kernel;
    kernel.put32(this.nodes, command.node);
    const hit = [];
    const tell = kernel.telling((lease) => hit.push(this.jobs.get(key(kernel, lease))));
    const status =
      command.do === "repair"
        ? c.locox_mesh_repair(this.at, this.nodes, 1, detailAt)
        : c.locox_mesh_withdraw(this.at, this.nodes, 1, OUTAGES[command.do], tell, 0, detailAt);
    return { command, ...kernel.outcome(status), hit, job: this.jobAt(command.node) };
  }

  jobAt(node) {
    return this.kernel.c.locox_mesh_lease_at(this.at, node, this.lease) === OK ? this.read() : null;
  }

  // The job whose lease was written last.
  read() {
    const { kernel, lease } = this;
    const sides = [0, 1, 2].map((axis) => kernel.u32(lease + SHAPE_IN_LEASE + 4 * axis));
    const nodes = [];
    for (let x = 0; x < sides[0]; x++) {
      for (let y = 0; y < sides[1]; y++) {
        kernel.must(kernel.c.locox_mesh_node_at(lease, x, y, 0, this.number));
        nodes.push(kernel.u32(this.number));
      }
    }
    const number = this.jobs.get(key(kernel, lease));
    return { number, base: kernel.u32(lease), mask: kernel.u32(lease + 12), sides, nodes };
  }

  picture() {
    const { kernel } = this;
    const nodes = [];
    const jobs = new Map();
    for (let node = 0; node < 1 << this.dims; node++) {
      kernel.must(kernel.c.locox_mesh_node(this.at, node, this.number, kernel.detailAt));
      const outage = kernel.u32(this.number + 4);
      const job = this.jobAt(node);
      if (job) jobs.set(job.number, job);
      nodes.push({ outage: outage === 0 ? null : outage === 1 ? "failed" : "drained", job: job ? job.number : null });
    }
    const figures = kernel.room(28);
    kernel.must(kernel.c.locox_mesh_figures(this.at, figures));
    const [free, leased, out, largest, , auxiliary] = [0, 1, 2, 3, 4, 5].map((i) => kernel.u32(figures + 4 * i) | 0);
    return { nodes, jobs: [...jobs.values()].sort((a, b) => a.number - b.number), free, leased, out, largest, auxiliary };
  }
}
