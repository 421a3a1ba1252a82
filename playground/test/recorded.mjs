// The corpus of recorded runs leads to the digests of hosts in the page's wasm too. No browser: node recorded.mjs replay.wasm
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { headOf, replay, withBit } from "../src/kernel/recorded.js";

const corpus = new URL("../../recorded/tests/corpus/", import.meta.url);
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
  const mended = replay(module, withBit(bytes, bytes.length - 40));
  assert.deepEqual([mended.digest, mended.mended], [digest, 1], name);
  assert.match(replay(module, withBit(bytes, 0)).error, /^line 1: it is no recorded run/);
}
assert.match(replay(module, new Uint8Array(0)).error, /^line 1/);
console.log(`${runs.length} recorded runs lead to the digests of hosts`);
