// What the texts of the traps say the kernel answers, it answers. No browser: node traps.mjs locox.wasm
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { playCube, STRATEGIES } from "../src/kernel/cube.js";
import { Kernel } from "../src/kernel/memory.js";
import { channels, route, shared } from "../src/scenes/cube_route.js";
import { stepOf, TRAPS } from "../src/scenes/cube_traps.js";

const kernel = await Kernel.from(readFileSync(process.argv[2]));
const OK = 0, FRAGMENTED = 5;
// The last step of a trap is what the kernel does.
const played = (name, strategy) => playCube(kernel, { ...stepOf(TRAPS.find((trap) => trap.name === name), Infinity).state({ strategy }), strategy });
const answers = (name) => STRATEGIES.map((strategy) => played(name, strategy).last.status);

for (const strategy of STRATEGIES) {
  assert.deepEqual(played("lost", strategy).jobs.map(({ number, nodes }) => [number, nodes.length]), [[4, 8]]);
  assert.deepEqual(played("partition", strategy).jobs.map(({ nodes }) => nodes.length), [25, 8, 8, 4]);
  const alone = played("shared", strategy);
  assert.equal(alone.last.status, FRAGMENTED);
  assert.deepEqual([5, 7].map((node) => alone.nodes[node]), [5, 7].map(() => ({ outage: null, job: null })), "101 and 111 are free");
}
// In the order of STRATEGIES: buddy, Gray code, free list with search, that of the literature, complete.
assert.deepEqual(answers("pairs"), [FRAGMENTED, OK, OK, FRAGMENTED, OK]);
assert.deepEqual(answers("buddy"), [FRAGMENTED, FRAGMENTED, OK, OK, OK]);

// The route of the mesh and that of the joined subcube share the channel that the text names.
const { routes } = TRAPS.find(({ name }) => name === "shared").state({});
assert.deepEqual([...shared(routes)], ["7>5"]);
assert.deepEqual(channels(route(6, 1)), ["6>7", "7>5", "5>1"]);
console.log(`${TRAPS.length} traps are as told`);
