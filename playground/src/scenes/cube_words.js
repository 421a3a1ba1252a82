// What the kernel answered, in words.
import { letter, plural } from "../ui/jobs.js";

export const NAMES = {
  buddy: "Buddy",
  gray_code: "Gray code",
  free_list: "Free list with search",
  free_list_plain: "Free list of the literature",
  complete: "Complete recognition",
};

export function address(node, dims) {
  return node.toString(2).padStart(dims, "0");
}

// A subcube as its addresses, with a star for each dimension: 1*0.
export function pattern(base, mask, dims) {
  return [...address(base, dims)].map((bit, i) => ((mask >> (dims - 1 - i)) & 1 ? "*" : bit)).join("");
}

export function shape(sides) {
  const [x, y] = sides;
  return y === 1 && (x & (x - 1)) === 0 ? plural(x, "node") : `a mesh of ${x} × ${y}`;
}

const TOO_LARGE = 1;
const FAULTY = 2;
const TOO_FEW_FREE = 3;
const FRAGMENTED = 5;
const NONE = 14;

function asked({ sides }, dims) {
  const [x, y] = sides;
  return y === 1 && (x & (x - 1)) === 0 ? `A subcube of dimension ${Math.log2(x)}` : `A mesh of ${x} × ${y} in a ${dims}-cube`;
}

function why({ status, detail }, picture) {
  if (status === TOO_LARGE) return "It is never possible.";
  if (status === FAULTY) return "It must wait for a repair, and not only for jobs to end.";
  if (status === TOO_FEW_FREE) return `Only ${plural(Number(detail), "node")} would be there.`;
  if (status === FRAGMENTED) {
    return `${plural(picture.free, "node")} are free, but the largest subcube that would be granted has dimension ${detail}.`;
  }
  return "";
}

// {kind: "granted" | "refused" | "note", text}
export function say(picture, dims) {
  const { last } = picture;
  if (!last) return { kind: "note", text: "All nodes are free. Ask for a subcube or a mesh, then click on a node." };
  const { command, status, text, job } = last;
  const node = address(command.node ?? 0, dims);
  if (command.do === "allocate" && status === 0) {
    const left = 2 ** bits(job.mask) - job.nodes.length;
    const rest = left > 0 ? ` It leaves ${plural(left, "node")} of the subcube over, for others.` : "";
    return { kind: "granted", text: `Job ${letter(job.number)} has ${shape(job.sides)} in subcube ${pattern(job.base, job.mask, dims)}.${rest}` };
  }
  if (command.do === "allocate") {
    return { kind: "refused", text: `${asked(command, dims)} is refused: ${text}. ${why(last, picture)}`.trim() };
  }
  if (status === NONE) return { kind: "refused", text: `Node ${node} has no job that could be released.` };
  if (status !== 0) return { kind: "refused", text: `Node ${node}: ${text}.` };
  if (command.do === "release") return { kind: "note", text: `Job ${letter(job.number)} gave back ${plural(job.nodes.length, "node")}.` };
  return { kind: "note", text: outage(command.do, node, job, last.hit) };
}

function outage(what, node, job, hit) {
  if (what === "repair") return `Node ${node} is back in service.`;
  const done = what === "fail" ? "has failed" : "is drained: it takes no new work";
  const around = hit.filter((number) => number !== job?.number).map(letter);
  if (around.length > 0) return `Node ${node} ${done}. Hit: ${job ? `job ${letter(job.number)}, and ` : ""}the mesh of ${around.join(", ")}, whose messages may pass it.`;
  if (!job) return `Node ${node} ${done}.`;
  const rest = what === "fail" ? "It is for the caller to end it." : "The job may go on until it ends.";
  return `Node ${node} ${done}. Job ${letter(job.number)} has it. ${rest}`;
}

function bits(mask) {
  return mask.toString(2).replaceAll("0", "").length;
}
