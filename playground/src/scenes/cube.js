// Subcubes and meshes of a hypercube: who gets which nodes.
import { playCube, STRATEGIES } from "../kernel/cube.js";
import { copy } from "../ui/copy.js";
import { button, choice, el, number, select } from "../ui/dom.js";
import { colour, letter, plural } from "../ui/jobs.js";
import { player } from "../ui/player.js";
import { cubeGraph } from "./cube_graph.js";
import { decodeLog, encodeLog } from "./cube_log.js";
import { cubeMap } from "./cube_map.js";
import { decodeRoutes, encodeRoutes, route, shared } from "./cube_route.js";
import { stepOf, TRAPS } from "./cube_traps.js";
import { address, NAMES, pattern, say, shape } from "./cube_words.js";

const TOOLS = [["release", "Release"], ["fail", "Fail"], ["drain", "Drain"], ["repair", "Repair"], ["route", "Route"]];

export const cubeScene = {
  title: "Cube",
  initial: { dims: 4, strategy: "free_list", log: decodeLog("a3x2-a2x1-a4x1", 4), routes: [], hop: null, from: null, tool: "release", dim: 2, sides: [3, 2], trap: null, step: 0 },

  encode({ dims, strategy, log, routes, hop, tool, trap, step }) {
    const record = { n: dims, by: strategy, log: encodeLog(log) };
    if (routes.length > 0) record.route = encodeRoutes(routes);
    if (routes.length > 0 && hop !== null) record.hop = hop;
    if (tool !== "release") record.tool = tool;
    if (trap !== null) record.trap = trap;
    if (trap !== null && step > 0) record.step = step;
    return record;
  },

  // A trap alone is enough: all else is its own.
  decode(given) {
    const told = TRAPS.find(({ name }) => name === given.get("trap"));
    const step = Math.max(0, Math.trunc(Number(given.get("step"))) || 0);
    if (told && !given.has("log")) return { tool: "release", hop: null, ...stepOf(told, step).state(cubeScene.initial), trap: told.name, step };
    const hop = given.has("hop") ? Math.max(0, Math.trunc(Number(given.get("hop"))) || 0) : null;
    const dims = Math.min(7, Math.max(3, Number(given.get("n")) || 4));
    const strategy = STRATEGIES.includes(given.get("by")) ? given.get("by") : "free_list";
    const tool = TOOLS.some(([of]) => of === given.get("tool")) ? given.get("tool") : "release";
    return { dims, strategy, tool, hop, trap: told ? told.name : null, step, log: decodeLog(given.get("log"), dims), routes: decodeRoutes(given.get("route"), 1 << dims) };
  },

  draw({ kernel, state, set, time: passing, width }) {
    const picture = playCube(kernel, state);
    const leftover = leftovers(picture);
    const lit = new Set(state.routes.flatMap(([from, to]) => route(from, to)));
    if (state.from !== null) lit.add(state.from);
    const { kept = null, said } = stepOf(openTrap(state), state.step) ?? {};
    const onnode = (node) => touch(node, { state, set, picture });
    const share = width > 760 ? Math.floor((width - 24) / 2) : width;
    return [
      controls(state, set),
      traps(state, set),
      said ? el("p", { class: "message refused" }, said) : message(picture, state),
      el("div", { class: "pair" },
        el("figure", {}, el("figcaption", {}, mapWords(state.tool)), cubeMap({ dims: state.dims, picture, leftover, lit, kept, onnode })),
        el("figure", {}, el("figcaption", {}, routeWords(state, picture)),
          cubeGraph({ dims: state.dims, picture, leftover, kept, routes: state.routes, hop: state.hop, width: Math.min(share, 620), onnode }), hops(state, set, passing))),
      // What the kernel counts is not what the printed rule would.
      kept === null && figures(picture),
      jobs(picture, state, set),
    ];
  },
};

// A change that leaves no trap and no half of a route behind.
function next(state, set, command) {
  set({ log: [...state.log, command], from: null, trap: null, routes: [], hop: null });
}

function controls(state, set) {
  const { dims, strategy, dim, sides, tool } = state;
  const most = 1 << dims;
  const kinds = [...Array(dims + 1).keys()].map((k) => [k, `${k}: ${plural(1 << k, "node")}`]);
  const side = (axis) => (value) => set({ sides: axis === 0 ? [value, sides[1]] : [sides[0], value] });
  const allocate = (wanted) => next(state, set, { do: "allocate", sides: wanted });
  return el("section", { class: "controls", "aria-label": "What to ask the kernel" },
    el("div", {},
      select("Dimensions", "dims", [3, 4, 5, 6, 7].map((n) => [n, `${n} (${1 << n} nodes)`]), dims,
        (value) => set({ dims: Number(value), log: [], routes: [], from: null, trap: null, dim: Math.min(dim, Number(value)) })),
      select("Strategy", "strategy", STRATEGIES.map((of) => [of, NAMES[of]]), strategy,
        (value) => set({ strategy: value, from: null })),
      button("Clear", "clear", () => set({ log: [], routes: [], from: null, trap: null }))),
    el("div", {},
      select("Subcube of dimension", "dim", kinds, dim, (value) => set({ dim: Number(value) })),
      button("Allocate subcube", "subcube", () => allocate([1 << dim, 1]), { class: "main" })),
    el("div", {},
      number("Mesh, rows", "rows", sides[0], [1, most], side(0)),
      number("columns", "columns", sides[1], [1, most], side(1)),
      button("Allocate mesh", "mesh", () => allocate(sides), { class: "main" })),
    choice("A click on a node", "tool", TOOLS, tool, (value) => set({ tool: value, from: null })));
}

function touch(node, { state, set, picture }) {
  if (state.tool !== "route") return next(state, set, { do: state.tool, node });
  const { job } = picture.nodes[node];
  if (job === null) return set({ from: null });
  if (state.from === null || picture.nodes[state.from].job !== job) return set({ from: node });
  const routes = state.from === node ? [] : [...state.routes.slice(-1), [state.from, node]];
  set({ routes, hop: null, from: null });
}

function message(picture, state) {
  const { kind, text } = say(picture, state.dims);
  return el("p", { class: `message ${kind}` }, text);
}

function mapWords(tool) {
  if (tool === "route") return "Click on two nodes of a job to see the route of a message between them.";
  const what = { release: "release its job", fail: "let it fail", drain: "drain it", repair: "repair it" }[tool];
  return `Click on a node to ${what}. A small letter is leftover of that job's mesh: free for others.`;
}

function routeWords(state, picture) {
  const { dims, routes, from } = state;
  if (from !== null) return `From ${address(from, dims)}: click on another node of job ${letter(picture.nodes[from].job)}.`;
  if (routes.length === 0) return "Each line is a link with a channel in each direction.";
  const both = [...shared(routes)].map((channel) => channel.split(">").map((node) => address(Number(node), dims)).join(" → "));
  const paths = routes.map(([a, b]) => route(a, b).map((node) => address(node, dims)).join(" → "));
  const words = `E-cube, the lowest differing bit first: ${paths.join(" and ")}.`;
  return both.length > 0 ? `${words} Both use the channel ${both.join(", ")}.` : words;
}

// A message goes a channel at each tick.
function hops({ routes, hop }, set, { begin, step, done }) {
  if (routes.length === 0) return null;
  const last = Math.max(...routes.map(([from, to]) => route(from, to).length - 1));
  const at = Math.min(hop ?? last, last);
  return el("div", { class: "clock" },
    el("label", {}, el("span", {}, `Channel ${at} of ${last}`),
      el("input", { type: "range", min: 0, max: last, value: at, "data-key": "hop", onchange: (event) => set({ hop: Number(event.target.value) }) })),
    player({ name: "cube", at, last, begin, step: (to) => step({ hop: to }), done }));
}

function figures(picture) {
  const largest = picture.largest < 0 ? "none" : `dimension ${picture.largest}`;
  const all = [["Free", picture.free], ["of these leftover", picture.auxiliary], ["Leased", picture.leased],
    ["Out of service", picture.out], ["Largest that would be granted", largest]];
  return el("dl", { class: "figures" }, all.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, String(value)))));
}

function jobs(picture, state, set) {
  if (picture.jobs.length === 0) return null;
  const words = (job) => `${letter(job.number)}: ${shape(job.sides)} in ${pattern(job.base, job.mask, state.dims)}`;
  return el("section", { "aria-label": "Jobs" }, el("h2", {}, "Jobs"),
    el("ul", { class: "chips" }, picture.jobs.map((job) => el("li", {},
      button(words(job), `job-${job.number}`, () => next(state, set, { do: "release", node: job.nodes[0] }),
        { class: colour(job.number), "aria-label": `Release job ${words(job)}`, title: "Release" })))));
}

function openTrap(state) {
  return TRAPS.find(({ name }) => name === state.trap);
}

function traps(state, set) {
  const open = openTrap(state);
  const show = (trap, step) => set({ from: null, routes: [], hop: null, ...stepOf(trap, step).state(state), trap: trap.name, step });
  return el("section", { class: "traps", "aria-label": "Traps of the papers" }, el("h2", {}, "Traps of the papers"),
    el("div", {}, TRAPS.map((trap) => button(trap.title, `trap-${trap.name}`, () => show(trap, 0), { "aria-pressed": String(trap === open) }))),
    open && el("div", { class: "told" }, el("p", {}, open.text), steps(open, state, show), command(open)));
}

function steps(trap, { step }, show) {
  if (!trap.steps) return null;
  return choice("What is shown", "step", trap.steps.map(({ title }, at) => [at, title]), step, (at) => show(trap, at));
}

function command({ command: found }) {
  if (!found) return null;
  const [what, text] = found;
  const select = (event) => {
    getSelection().selectAllChildren(event.target.previousSibling);
    return "Selected";
  };
  return el("p", { class: "command" }, what, el("code", {}, text),
    button("Copy", "copy-command", (event) => copy(text, event.target, () => select(event))));
}

// Free nodes of the subcubes of meshes, each with the mesh of the smallest such subcube.
function leftovers(picture) {
  const found = new Map();
  const size = (job) => job.mask.toString(2).replaceAll("0", "").length;
  for (const job of [...picture.jobs].sort((a, b) => size(b) - size(a))) {
    picture.nodes.forEach(({ job: of }, node) => {
      if (of === null && (node & ~job.mask) === (job.base & ~job.mask) && !job.nodes.includes(node)) found.set(node, job.number);
    });
  }
  return found;
}
