// The corpus of recorded runs leads to the digests of hosts in the page's wasm too. No browser: node recorded.mjs replay.wasm
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { commandsBegin, headOf, replay, withBits, withoutCommand } from "../src/kernel/recorded.js";

const corpus = new URL("../../host-tests/recorded/tests/corpus/", import.meta.url);
const module = new WebAssembly.Module(readFileSync(process.argv[2]));
const runs = readdirSync(corpus).filter((name) => name.endsWith(".run"));
assert.ok(runs.length >= 9, `${runs.length} runs`);
for (const name of runs) {
  const bytes = readFileSync(new URL(name, corpus));
  const digest = readFileSync(new URL(name.replace(/run$/, "digest"), corpus), "utf8");
  const answer = replay(module, bytes);
  assert.equal(answer.digest, digest, name);
  assert.equal(answer.mended, 0, name);
  assert.match(headOf(bytes)[0], /^coordinator (cluster|site|station)$/);
  // A bit that turned in the last record is turned back; what is no run is said to be none.
  const mended = replay(module, withBits(bytes, [bytes.length - 40]));
  assert.deepEqual([mended.digest, mended.mended], [digest, 1], name);
  assert.match(replay(module, withBits(bytes, [0])).error, /^line 1: it is no recorded run/);
  const begin = commandsBegin(bytes, answer.commands);
  assert.match(replay(module, withBits(bytes, [begin - 1])).error, /image is damaged/, name);
  assert.match(replay(module, withBits(bytes, [begin + 10, begin + 30])).error, /^record 1 at byte .* it is cut or damaged/, name);
  assert.match(replay(module, withoutCommand(bytes, answer.commands, 1)).error, /a record is missing: the next is number 1/, name);
  // A run that ends earlier is a run, of another digest.
  const { error, digest: shorter } = replay(module, withoutCommand(bytes, answer.commands, answer.commands));
  assert.equal(error, undefined, name);
  assert.notEqual(shorter, digest, name);
}
assert.match(replay(module, new Uint8Array(0)).error, /^line 1/);
console.log(`${runs.length} recorded runs lead to the digests of hosts`);
