// Processors upwards, time to the right: what runs when and where.
import { el, svg } from "./dom.js";
import { draggable } from "./drag.js";
import { colour, runs } from "./jobs.js";

const LEFT = 34;
const RIGHT = 22;
const BOTTOM = 20;
const TOP = 30; // room for the names of marks, which may be close to each other

// `bars` have `number`, `name`, `start`, `end`, `pes` and perhaps `ghost`, `requestedEnd`, `onclick`, `label`, `onmove`, which
// is told by how much time somebody moved the bar; `job`, under which it is lit.
// `marks` are instants with a `name`; `window` is shaded, from when to when.
export function gantt({ label, width, pes, until, bars, marks = [], window, tallest = 14 }) {
  const row = Math.max(5, Math.min(tallest, Math.floor(190 / pes)));
  const height = row * pes + BOTTOM + (marks.length > 0 ? TOP : 4);
  const scale = (width - LEFT - RIGHT) / Math.max(until, 1);
  const x = (time) => LEFT + time * scale;
  const y = (pe) => height - BOTTOM - pe * row;
  const chart = svg("svg", { class: "gantt", width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": label });
  if (window) {
    const to = Math.min(window[1] ?? until, until);
    chart.append(svg("rect", { class: "window", x: x(window[0]), y: y(pes), width: Math.max(0, x(to) - x(window[0])), height: row * pes }));
  }
  chart.append(...axes({ width, pes, until, x, y, scale }));
  for (const bar of bars) chart.append(drawBar(bar, { x, y, row, scale }));
  for (const mark of marks) chart.append(...drawMark(mark, { x, y, pes, width }));
  return el("div", { class: "wide" }, chart);
}

function axes({ width, pes, until, x, y, scale }) {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => step * scale >= 34) ?? 1000;
  const parts = [svg("path", { class: "axis", d: `M${LEFT},${y(pes)}V${y(0)}H${width - RIGHT}` })];
  for (let time = 0; time <= until; time += step) {
    parts.push(svg("path", { class: "tick", d: `M${x(time)},${y(pes)}V${y(0) + 3}` }));
    if (x(time) < width - 8) parts.push(svg("text", { x: x(time), y: y(0) + 15, "text-anchor": "middle" }, String(time)));
  }
  for (const pe of [1, pes]) parts.push(svg("text", { x: LEFT - 4, y: y(pe - 1), "text-anchor": "end" }, String(pe)));
  return parts;
}

function drawBar(bar, { x, y, row, scale }) {
  const group = svg("g", {
    class: `bar ${bar.ghost ? "ghost" : colour(bar.number)}${bar.onclick ? " live" : ""}${bar.onmove ? " moved" : ""}`,
    role: bar.onclick || bar.onmove ? "button" : "img", tabindex: bar.onclick || bar.onmove ? 0 : null, "aria-label": bar.label, "data-job": bar.job,
    "data-key": bar.onclick || bar.onmove ? `bar-${bar.number ?? "ghost"}` : null, onclick: bar.onclick,
    onkeydown: (bar.onclick || bar.onmove) && ((event) => keys(event, bar)),
  }, svg("title", {}, bar.label));
  if (bar.onmove) dragged(group, bar, scale);
  const pieces = runs(bar.pes);
  for (const [first, count] of pieces) {
    const box = { y: y(first + count), height: count * row };
    if (bar.requestedEnd > bar.end) {
      group.append(svg("rect", { class: "unused", x: x(bar.end), width: (bar.requestedEnd - bar.end) * scale, ...box }));
    }
    group.append(svg("rect", { x: x(bar.start), width: (bar.end - bar.start) * scale, ...box }));
  }
  const [first, count] = pieces.reduce((a, b) => (b[1] > a[1] ? b : a), [0, 0]);
  if (count * row >= 11 && (bar.end - bar.start) * scale >= 8 * bar.name.length) {
    group.append(svg("text", {
      x: (x(bar.start) + x(bar.end)) / 2, y: y(first + count / 2) + 4, "text-anchor": "middle",
    }, bar.name));
  }
  return group;
}

function keys(event, { onclick, onmove }) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (onmove && by) onmove(by);
  else if (onclick && ["Enter", " "].includes(event.key)) onclick();
  else return;
  event.preventDefault();
}

function dragged(group, { onmove }, scale) {
  draggable(group, () => {
    let by = 0;
    return {
      move(pixels) {
        by = Math.round(pixels / scale);
        group.setAttribute("transform", `translate(${by * scale})`);
      },
      done: () => by !== 0 && onmove(by),
      cancel: () => group.removeAttribute("transform"),
    };
  });
}

function drawMark(mark, { x, y, pes, width }) {
  const at = Math.min(x(mark.time), width - RIGHT);
  const right = at > width * 0.6;
  return [
    svg("path", { class: `mark ${mark.kind}`, d: `M${at},${y(pes) - (mark.kind === "now" ? 14 : 27)}V${y(0)}` }),
    svg("text", { class: `mark ${mark.kind}`, x: at + (right ? -4 : 4), y: y(pes) - (mark.kind === "now" ? 5 : 18), "text-anchor": right ? "end" : "start" }, mark.name),
  ];
}
