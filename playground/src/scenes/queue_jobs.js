// The jobs of the queue: what they need, and those to start with.
import { fieldsWith, sensible } from "../ui/fields.js";

export function queueFields(machine) {
  return fieldsWith({ pes: ["Processors", 1, machine] });
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
    return sensible(queueFields(machine), { arrival, pes, requested, runs });
  });
}
