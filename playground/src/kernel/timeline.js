// Plays a list of commands to a timeline, and asks all policies for a place.
import { copyHandle, NEVER, OK } from "./memory.js";

// In the order of LOCOX_FIT_...
export const POLICIES = [
  ["FF", "the earliest start"],
  ["PE_B", "the fewest free processors"],
  ["PE_W", "the most free processors"],
  ["Du_B", "the shortest rectangle"],
  ["Du_W", "the longest rectangle"],
  ["PEDu_B", "the smallest product of both"],
  ["PEDu_W", "the largest product of both"],
];
const MOST = 100;
const LOWEST = 0;
const CONTIGUOUS = 1;

export class Timeline {
  constructor(kernel, pes) {
    this.kernel = kernel;
    this.pes = pes;
    this.at = kernel.structure("timeline");
    this.requestAt = kernel.room(32);
    this.choiceAt = kernel.room(20);
    this.placed = kernel.room(32);
    this.setWords = Math.ceil(pes / 32);
    this.set = kernel.room(4 * this.setWords);
    const words = kernel.c.locox_timeline_words(pes, MOST);
    kernel.must(kernel.c.locox_timeline_start(this.at, 1, pes, MOST, kernel.room(4 * words), words, kernel.detailAt));
  }

  advance(now) {
    this.kernel.must(this.kernel.c.locox_timeline_advance(this.at, BigInt(now)));
  }

  // A request has `pes`, `duration`, `ready` and `deadline` (null: none).
  ask(request, policy, pick) {
    const { kernel } = this;
    kernel.put64(this.requestAt, request.ready);
    kernel.put64(this.requestAt + 8, request.duration);
    kernel.put64(this.requestAt + 16, request.deadline ?? NEVER);
    kernel.put32(this.requestAt + 24, request.pes);
    kernel.put32(this.choiceAt, policy);
    kernel.put32(this.choiceAt + 4, pick);
  }

  // Where a policy would put a request. Nothing changes.
  find(request, policy) {
    const { kernel } = this;
    this.ask(request, policy, LOWEST);
    const status = kernel.c.locox_timeline_find(
      this.at, this.requestAt, this.choiceAt, this.placed, this.set, this.setWords, kernel.detailAt);
    if (status !== OK) return kernel.outcome(status);
    const [start, end] = [Number(kernel.u64(this.placed)), Number(kernel.u64(this.placed + 8))];
    return { ...kernel.outcome(status), start, end, pes: kernel.members(this.set, this.pes) };
  }

  reserve(request, policy, pick = LOWEST) {
    const { kernel } = this;
    this.ask(request, policy, pick);
    const status = kernel.c.locox_timeline_reserve(this.at, this.requestAt, this.choiceAt, this.placed, kernel.detailAt);
    if (status !== OK) return kernel.outcome(status);
    const handle = copyHandle(kernel, this.placed);
    const [start, end] = [Number(kernel.u64(this.placed + 16)), Number(kernel.u64(this.placed + 24))];
    kernel.must(kernel.c.locox_timeline_pes_of(this.at, handle, this.set, this.setWords, kernel.detailAt));
    return { ...kernel.outcome(status), handle, start, end, pes: kernel.members(this.set, this.pes) };
  }

  // Processors side by side where there are such, else any: easier to look at, and the same refusals.
  reserveTogether(request) {
    const together = this.reserve(request, 0, CONTIGUOUS);
    return together.status === OK ? together : this.reserve(request, 0);
  }

  cancel(handle) {
    return this.kernel.outcome(this.kernel.c.locox_timeline_cancel(this.at, handle, 0));
  }
}

// `setup` has `pes`, `log` and `request`. Commands: {do: "reserve", request, policy}, {do: "cancel", number}.
export function playTimeline(kernel, setup) {
  kernel.forget();
  const timeline = new Timeline(kernel, setup.pes);
  const live = new Map();
  let granted = 0;
  let last = null;
  for (const command of setup.log) {
    if (command.do === "cancel") {
      const known = live.get(command.number);
      if (!known) continue;
      last = { command, ...timeline.cancel(known.handle) };
      live.delete(command.number);
      continue;
    }
    const answer = timeline.reserve(command.request, command.policy);
    last = { command, ...answer };
    if (answer.status === OK) live.set(++granted, { number: granted, ...answer });
  }
  const answers = POLICIES.map((_, policy) => timeline.find(setup.request, policy));
  return { reservations: [...live.values()], answers, last };
}
