// Replays recorded runs: all that a coordinator was told, to the digest of what it answered and of its last state.
import { Kernel } from "./memory.js";

const ANSWER = 512;

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
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, 2048));
  const end = text.indexOf("\nhistory\n");
  return end < 0 ? [] : text.slice(0, end).split("\n").slice(1);
}

// A copy in which one bit of a byte is another.
export function withBit(bytes, at) {
  const turned = Uint8Array.from(bytes);
  turned[at] ^= 1;
  return turned;
}
