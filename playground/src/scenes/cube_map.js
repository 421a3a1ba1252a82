// The cube as a Karnaugh map: neighbours in a row or column are neighbours in the cube, and so are the ends.
import { el } from "../ui/dom.js";
import { colour, letter } from "../ui/jobs.js";
import { address } from "./cube_words.js";

const gray = (i) => i ^ (i >> 1);

// `onnode` is told of a node that was clicked on; `kept` is one that a printed rule would keep back. `leftover` says of which job a free node is leftover.
export function cubeMap({ dims, picture, leftover, lit, kept, onnode }) {
  const low = Math.floor(dims / 2);
  const high = dims - low;
  const head = el("tr", {}, el("td", { class: "corner" }),
    range(low).map((column) => el("th", { scope: "col" }, address(gray(column), low))));
  const rows = range(high).map((row) => el("tr", {}, el("th", { scope: "row" }, address(gray(row), high)),
    range(low).map((column) => {
      const node = (gray(row) << low) | gray(column);
      return el("td", {}, cell(node, { dims, picture, leftover, lit, kept, onnode, first: row + column === 0 }));
    })));
  const table = el("table", { class: "map", "aria-label": `Map of the ${dims}-cube, rows and columns in Gray code`, onkeydown: walk },
    el("thead", {}, head), el("tbody", {}, rows));
  return table;
}

function range(bits) {
  return [...Array(1 << bits).keys()];
}

function cell(node, { dims, picture, leftover, lit, kept, onnode, first }) {
  const { job, outage } = picture.nodes[node];
  const of = leftover.get(node);
  const classes = [job ? colour(job) : of ? `leftover ${colour(of)}` : "free", outage ?? "", lit.has(node) ? "lit" : "", node === kept ? "kept" : ""];
  const does = job ? `job ${letter(job)}` : of ? `free, leftover of job ${letter(of)}` : node === kept ? "in the auxiliary list" : "free";
  const mark = outage === "failed" ? "✕" : outage === "drained" ? "▽" : "";
  return el("button", {
    type: "button", class: classes.join(" "), tabindex: first ? 0 : -1, "data-key": `node-${node}`,
    "aria-label": `node ${address(node, dims)}, ${does}${outage ? `, ${outage}` : ""}`,
    title: address(node, dims), onclick: () => onnode(node),
  }, mark + (job ? letter(job) : of ? letter(of).toLowerCase() : mark ? "" : node === kept ? "aux" : "·"));
}

// Arrow keys go from node to node.
function walk(event) {
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  const at = event.target.closest("td");
  if (!step || !at) return;
  event.preventDefault();
  const rows = at.closest("tbody").rows;
  const row = (at.parentElement.sectionRowIndex + step[0] + rows.length) % rows.length;
  const columns = rows[row].cells.length - 1;
  const column = ((at.cellIndex - 1 + step[1] + columns) % columns) + 1;
  rows[row].cells[column].firstChild.focus();
}
