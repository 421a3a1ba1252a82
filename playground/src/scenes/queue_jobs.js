// The jobs of the queue: as text, and those to start with.

const MOST_JOBS = 40;
const MOST_TIME = 999;

// A job as arrival.processors.requested.runs
export function encodeJobs(jobs) {
  return jobs.map(({ arrival, pes, requested, runs }) => [arrival, pes, requested, runs].join(".")).join("-");
}

// Each number is brought into its range; what is no job is left out.
export function decodeJobs(text, machine) {
  return (text ?? "").split("-").slice(0, MOST_JOBS).map((word) => word.split(".").map(Number))
    .filter((numbers) => numbers.length === 4 && numbers.every(Number.isInteger))
    .map(([arrival, pes, requested, runs]) => sensible({ arrival, pes, requested, runs }, machine));
}

export function sensible({ arrival, pes, requested, runs }, machine) {
  const within = (value, least, most) => Math.min(most, Math.max(least, value));
  const longest = within(requested, 1, MOST_TIME);
  return { arrival: within(arrival, 0, MOST_TIME), pes: within(pes, 1, machine), requested: longest, runs: within(runs, 1, longest) };
}

// Twenty jobs, the same for the same seed: most narrow, some wide, many shorter than they said.
export function twentyJobs(seed, machine) {
  let state = seed;
  const draw = (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 12) % below;
  };
  let arrival = 0;
  return [...Array(20).keys()].map(() => {
    arrival += draw(4);
    const wide = draw(4) === 0;
    const pes = wide ? Math.ceil(machine / 2) + draw(Math.floor(machine / 2)) : 1 + draw(Math.ceil(machine / 3));
    const requested = 2 + draw(wide ? 8 : 16);
    const runs = draw(3) === 0 ? Math.max(1, requested - draw(requested)) : requested;
    return sensible({ arrival, pes, requested, runs }, machine);
  });
}
