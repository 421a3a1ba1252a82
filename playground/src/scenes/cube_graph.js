// The cube as a graph: one direction in the picture for each dimension.
import { svg } from "../ui/dom.js";
import { colour, letter } from "../ui/jobs.js";
import { channels, route, shared } from "./cube_route.js";
import { address } from "./cube_words.js";

// Where a dimension leads. No edge goes through another node, so they lean a little.
const NEAR = [[1, 0], [0, 1], [0.42, -0.36]];
const WIDE = [...NEAR, [2.15, 0.2], [0.24, 2.2], [4.45, -0.3], [-0.3, 4.5]];
const TALL = [...NEAR, [0.2, 2.15], [2.2, 0.24], [-0.3, 4.45], [4.5, -0.3]];
const MARGIN = 24;
const LETTER = 7;
const MOST_NAMED = 5; // dimensions: addresses of larger cubes would hide the cube

// `hop`: so many channels of each route are shown; null: all.
export function cubeGraph({ dims, picture, leftover, kept, routes, hop, width, onnode }) {
  const places = layout(dims, width);
  const graph = svg("svg", {
    class: "graph", width, height: places.height, viewBox: `0 0 ${width} ${places.height}`,
    role: "img", "aria-label": `The ${dims}-cube as a graph; the map beside it has the same nodes`,
  });
  graph.append(...arrows(), ...edges(dims, picture, places.at));
  const both = shared(routes);
  routes.forEach(([from, to], i) => graph.append(...drawRoute(route(from, to).slice(0, (hop ?? Infinity) + 1), i, both, places)));
  for (let node = 0; node < 1 << dims; node++) graph.append(drawNode(node, { dims, picture, leftover, kept, places, onnode }));
  graph.append(...addresses(dims, places));
  return graph;
}

function layout(dims, width) {
  const narrow = width < 480;
  const letters = dims <= MOST_NAMED ? LETTER * dims : 0; // room for an address to the right
  const raw = [...Array(1 << dims).keys()].map((node) => {
    const steps = (narrow ? TALL : WIDE).slice(0, dims).filter((_, bit) => (node >> bit) & 1);
    return [0, 1].map((axis) => steps.reduce((sum, step) => sum + step[axis], 0));
  });
  const [left, top] = [0, 1].map((axis) => Math.min(...raw.map((place) => place[axis])));
  const [right, bottom] = [0, 1].map((axis) => Math.max(...raw.map((place) => place[axis])));
  const unit = Math.min((width - 2 * MARGIN - letters) / (right - left), narrow ? 100 : 150);
  const indent = (width - letters - unit * (right - left)) / 2;
  return {
    at: raw.map(([x, y]) => [indent + (x - left) * unit, MARGIN + (y - top) * unit]),
    height: Math.ceil(unit * (bottom - top) + 2 * MARGIN),
    radius: Math.max(5, Math.min(15, unit * 0.14)),
    named: dims <= MOST_NAMED,
  };
}

function arrows() {
  return [svg("defs", {}, ["one", "two", "both"].map((kind) =>
    svg("marker", { id: `arrow-${kind}`, class: `route ${kind}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 3.4, markerHeight: 3.4, orient: "auto" },
      svg("path", { d: "M0,0L8,4L0,8Z" }))))];
}

function edges(dims, picture, at) {
  const found = [];
  for (let node = 0; node < 1 << dims; node++) {
    for (let bit = 0; bit < dims; bit++) {
      const other = node ^ (1 << bit);
      if (other < node) continue;
      const job = picture.nodes[node].job;
      const inside = job && job === picture.nodes[other].job;
      found.push(svg("path", { class: inside ? `edge ${colour(job)}` : "edge", d: `M${at[node]}L${at[other]}` }));
    }
  }
  return found.sort((a, b) => a.classList.length - b.classList.length);
}

// From rim to rim of its nodes, so that the arrow can be seen.
function drawRoute(path, index, both, { at, radius }) {
  return channels(path).map((channel, i) => {
    const [[x1, y1], [x2, y2]] = [at[path[i]], at[path[i + 1]]];
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [((x2 - x1) / length) * (radius + 1), ((y2 - y1) / length) * (radius + 1)];
    const kind = both.has(channel) ? "both" : index === 0 ? "one" : "two";
    return svg("path", { class: `route ${kind}`, "marker-end": `url(#arrow-${kind})`, d: `M${x1 + dx},${y1 + dy}L${x2 - dx},${y2 - dy}` });
  });
}

function drawNode(node, { dims, picture, leftover, kept, places, onnode }) {
  const { job, outage } = picture.nodes[node];
  const of = leftover.get(node);
  const [x, y] = places.at[node];
  const kind = job ? colour(job) : of ? `leftover ${colour(of)}` : node === kept ? "kept" : "free";
  const group = svg("g", { class: `node ${kind} ${outage ?? ""}`, onclick: () => onnode(node) },
    svg("title", {}, address(node, dims)),
    svg("circle", { cx: x, cy: y, r: places.radius }));
  if (outage) {
    const r = places.radius * 0.7;
    group.append(svg("path", { class: "cross", d: outage === "failed" ? `M${x - r},${y - r}L${x + r},${y + r}M${x - r},${y + r}L${x + r},${y - r}` : `M${x - r},${y}H${x + r}` }));
  } else if (job && places.radius >= 9) {
    group.append(svg("text", { x, y: y + 4, "text-anchor": "middle" }, letter(job)));
  }
  return group;
}

// Above all else, so that no edge crosses them out.
function addresses(dims, { at, radius, named }) {
  if (!named) return [];
  return at.map(([x, y], node) => svg("text", { class: "address", x: x + radius + 2, y: y - radius + 1 }, address(node, dims)));
}
