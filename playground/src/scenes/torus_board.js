// The torus as squares: the boxes of running jobs, and over them the box that is promised, hatched.
import { SIDE } from "../kernel/boxes.js";
import { svg } from "../ui/dom.js";
import { colour } from "../ui/jobs.js";
import { boxOf } from "./torus_jobs.js";

const EDGE = 20; // for the numbers of columns and rows
const LETTER = 7; // pixels, about

// `boxes` have `id`, `pes` and `label`; `promise` has them too, and `start`, or is null. `onselect(id)` when a box is touched.
export function board({ width, label, boxes, promise, selected, onselect }) {
  const cell = Math.floor((width - EDGE - 2) / SIDE);
  const side = EDGE + SIDE * cell + 2;
  const chart = svg("svg", { class: "board gantt", width: side, height: side, viewBox: `0 0 ${side} ${side}`, role: "group", "aria-label": label });
  chart.append(...squares(cell), ...boxes.map((box) => running(box, cell, { selected, onselect })));
  if (promise) chart.append(promised(promise, cell, onselect));
  return chart;
}

function squares(cell) {
  return [...Array(SIDE).keys()].flatMap((at) => [
    svg("text", { class: "note", x: EDGE + (at + 0.5) * cell, y: 13, "text-anchor": "middle" }, String(at + 1)),
    svg("text", { class: "note", x: 12, y: EDGE + (at + 0.5) * cell + 4, "text-anchor": "end" }, String(at + 1)),
    ...[...Array(SIDE).keys()].map((column) => svg("rect", { class: "square", ...piece([column, 1], [at, 1], cell) })),
  ]);
}

// A box that passes an edge is in two pieces or four.
function pieces(pes, cell) {
  const { columns, rows } = boxOf(pes);
  return columns.flatMap((across) => rows.map((down) => piece(across, down, cell)));
}

function piece([left, across], [top, down], cell) {
  return { x: EDGE + left * cell, y: EDGE + top * cell, width: across * cell, height: down * cell };
}

function widest(all) {
  return all.reduce((a, b) => (b.width * b.height > a.width * a.height ? b : a));
}

function group(kind, { id, label }, onselect) {
  const keys = (event) => {
    if (!["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    onselect(id);
  };
  return svg("g", {
    class: `bar live ${kind} ${colour(id + 1)}`, role: "button", tabindex: 0, "aria-label": label, "data-key": `${kind}-${id}`,
    "data-job": id + 1, onclick: () => onselect(id), onkeydown: keys,
  }, svg("title", {}, label));
}

function running(box, cell, { selected, onselect }) {
  const all = pieces(box.pes, cell);
  const { x, y } = widest(all);
  const drawn = group("box", box, onselect);
  drawn.classList.toggle("chosen", box.id === selected);
  drawn.append(...all.map((at) => svg("rect", at)), svg("text", { x: x + 5, y: y + 14 }, String(box.id + 1)));
  return drawn;
}

// Its text is at the lower edge: the numbers of boxes are at the upper edges of squares.
function promised(promise, cell, onselect) {
  const all = pieces(promise.pes, cell);
  const drawn = group("promised", promise, onselect);
  const { x, y, width, height } = widest(all);
  const [name, start] = [promise.id + 1, promise.start];
  const words = [`job ${name}, promised from ${start} on`, `${name}, from ${start}`, String(name)]
    .find((words) => words.length * LETTER + 8 <= width) ?? "";
  const [middle, foot, plate] = [x + width / 2, y + height - 4, words.length * LETTER + 6];
  drawn.append(
    svg("path", { class: "hatch", d: all.map((at) => hatch(at, cell)).join("") }), ...all.map((at) => svg("rect", at)),
    svg("rect", { class: "plate", x: middle - plate / 2, y: foot - 17, width: plate, height: 17 }),
    svg("text", { class: "note", x: middle, y: foot - 4, "text-anchor": "middle" }, words));
  return drawn;
}

// Diagonals, two for each square.
function hatch({ x, y, width, height }, cell) {
  const half = cell / 2;
  const lines = [];
  for (let left = x; left < x + width - 1; left += half) {
    for (let top = y; top < y + height - 1; top += half) lines.push(`M${left},${top + half}l${half},${-half}`);
  }
  return lines.join("");
}
