// Numbers over time: a line for each of several.
import { el, svg } from "./dom.js";
import { colour } from "./jobs.js";

const LEFT = 34;
const RIGHT = 22;
const HEIGHT = 180;
const BOTTOM = 20;
const TOP = 8;

// `lines` have `number`, `name` and `values`, one for each instant. `time` is marked.
export function lines({ label, width, lines: all, time }) {
  const values = all.flatMap((line) => line.values);
  const [least, most] = [Math.min(0, ...values), Math.max(1e-9, ...values)];
  const last = Math.max(1, all[0].values.length);
  const x = (at) => LEFT + (at * (width - LEFT - RIGHT)) / last;
  const y = (value) => TOP + ((most - value) * (HEIGHT - TOP - BOTTOM)) / (most - least);
  const chart = svg("svg", { class: "lines", width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": label },
    svg("path", { class: "axis", d: `M${LEFT},${TOP}V${HEIGHT - BOTTOM}M${LEFT},${y(0)}H${width - RIGHT}` }));
  const apart = y(least) - y(0) >= 12;
  for (const value of new Set(apart ? [least, 0, most] : [0, most])) {
    chart.append(svg("text", { x: LEFT - 4, y: y(value) + 4, "text-anchor": "end" }, short(value)));
  }
  for (let at = 0; at <= last; at += 10) chart.append(svg("text", { x: x(at), y: HEIGHT - 5, "text-anchor": "middle" }, String(at)));
  for (const line of all) chart.append(drawLine(line, x, y));
  chart.append(...names(all, x, y));
  chart.append(svg("path", { class: "mark now", d: `M${x(time)},${TOP}V${HEIGHT - BOTTOM}` }));
  return el("div", { class: "wide" }, chart);
}

function short(value) {
  if (Math.abs(value) >= 1e6) return `${(value / 1e6).toFixed(1)}M`;
  return Math.abs(value) >= 100 || Number.isInteger(value) ? String(Math.round(value)) : value.toFixed(1);
}

function drawLine({ number, name, values }, x, y) {
  const points = values.map((value, at) => `${x(at)},${y(value)}`);
  return svg("path", { class: `line ${colour(number)}`, d: `M${points.join("L")}` }, svg("title", {}, name));
}

// At the ends of the lines, from the lowest up, none over another and none above the picture.
function names(all, x, y) {
  let above = HEIGHT;
  const rising = [...all].sort((a, b) => a.values.at(-1) - b.values.at(-1));
  return rising.map(({ number, name, values }, at) => {
    above = Math.min(y(values.at(-1)) + 4, above - 12);
    const highest = 12 * (rising.length - at);
    return svg("text", { class: colour(number), x: x(values.length - 1) + 8, y: Math.max(above, highest) }, name);
  });
}
