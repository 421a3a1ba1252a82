// The jobs of the torus: what they need, those to start with, and their nodes in words.
import { SIDE } from "../kernel/boxes.js";
import { decodeJobs, fieldsWith } from "../ui/fields.js";
import { runs } from "../ui/jobs.js";

export const FIELDS = fieldsWith({ columns: ["Columns", 1, SIDE], rows: ["Rows", 1, SIDE] });

// Job 5 is large, and smaller ones come for as long as it waits. Job 2 ends long before it said.
export const FIRST = decodeJobs(FIELDS, [
  "0.4.4.12.12", "0.4.4.20.13", "1.8.2.14.14", "2.4.2.10.10", "3.6.8.10.10", "5.4.4.12.12", "8.8.2.14.14", "11.4.4.14.14",
  "14.2.8.20.20", "17.4.4.12.10", "20.4.2.16.16", "23.4.4.10.10",
].join("-"));

export function size({ columns, rows }) {
  return { words: `${columns} × ${rows} nodes`, short: `${columns}×${rows}` };
}

// The box of some nodes as runs of columns and of rows: two where it passes an edge.
export function boxOf(pes) {
  const along = (of) => runs([...new Set(pes.map(of))].sort((a, b) => a - b));
  return { columns: along((pe) => pe % SIDE), rows: along((pe) => Math.floor(pe / SIDE)) };
}

export function boxWords(pes) {
  const { columns, rows } = boxOf(pes);
  return `${line("column", columns)} and ${line("row", rows)}`;
}

function line(word, pieces) {
  const many = pieces.length > 1 || pieces[0][1] > 1;
  const ranges = pieces.map(([first, count]) => (count > 1 ? `${first + 1}–${first + count}` : `${first + 1}`));
  return `${word}${many ? "s" : ""} ${ranges.join(", ")}`;
}
