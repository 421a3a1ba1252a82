// Replays recorded runs: all that a coordinator was told, to the digest of what it answered and of its last state.
import { Kernel } from "./memory.js";

const ANSWER = 512;
const LAST_LINE = "\nhistory\n";

// `module` is the compiled replay.wasm. Each replay has an instance of its own, whose memory goes with it.
export function replay(module, bytes) {
  const kernel = new Kernel(new WebAssembly.Instance(module));
  const at = kernel.room(bytes.length);
  const answer = kernel.room(ANSWER);
  new Uint8Array(kernel.c.memory.buffer, at, bytes.length).set(bytes);
  const written = kernel.c.locox_replay(at, bytes.length, answer, ANSWER);
  const text = new TextDecoder().decode(new Uint8Array(kernel.c.memory.buffer, answer, written));
  const found = /^(commands (\d+)\neffects (\d+) (\w+)\nstate (\w+)\n)mended (\d+)\n$/.exec(text);
  if (!found) return { error: text };
  const [, digest, commands, told, effects, state, mended] = found;
  return { digest, commands: Number(commands), told: Number(told), effects, state, mended: Number(mended) };
}

// The lines before the history: what the coordinator is.
export function headOf(bytes) {
  return latin(bytes.subarray(0, historyBegins(bytes))).split("\n").slice(1, -2);
}

// The first byte behind those lines, or 0 if they do not end.
export function historyBegins(bytes) {
  const end = latin(bytes.subarray(0, 2048)).indexOf(LAST_LINE);
  return end < 0 ? 0 : end + LAST_LINE.length;
}

function latin(bytes) {
  return new TextDecoder("latin1").decode(bytes);
}

// A copy in which one bit of each of these bytes is another.
export function withBits(bytes, places) {
  const turned = Uint8Array.from(bytes);
  for (const at of places) turned[at] ^= 1;
  return turned;
}

// Each command is a record of this many bytes, behind all else.
export const RECORD = 64;

// Where the first of so many commands begins.
export function commandsBegin(bytes, commands) {
  return bytes.length - RECORD * commands;
}

// A copy without one of so many commands; the first one has number 1.
export function withoutCommand(bytes, commands, number) {
  const at = commandsBegin(bytes, commands) + RECORD * (number - 1);
  const shorter = new Uint8Array(bytes.length - RECORD);
  shorter.set(bytes.subarray(0, at));
  shorter.set(bytes.subarray(at + RECORD), at);
  return shorter;
}
