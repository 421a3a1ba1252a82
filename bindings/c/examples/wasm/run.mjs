// A pool and a timeline from JavaScript, over the library built for wasm32-unknown-unknown.
//
//   node run.mjs locox_c.wasm
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const OK = 0, TOO_FEW_FREE = 3, LATE = 7, NULL = 100, STALE = 107, NONE = 14;
const FREE_LIST = 2, NEVER = 0xffff_ffff_ffff_ffffn;

const module = new WebAssembly.Module(readFileSync(process.argv[2]));
assert.deepEqual(WebAssembly.Module.imports(module), [], "it needs nothing");
const { exports: c } = new WebAssembly.Instance(module);

// Storage is the caller's: from the end of what the module itself has, in whole pages.
let free = c.memory.buffer.byteLength;
function room(bytes) {
  const at = free;
  free += (bytes + 7) & ~7;
  const missing = free - c.memory.buffer.byteLength;
  if (missing > 0) c.memory.grow(Math.ceil(missing / 65536));
  return at;
}
const u32 = (at) => new DataView(c.memory.buffer).getUint32(at, true);
const u64 = (at) => new DataView(c.memory.buffer).getBigUint64(at, true);

function text(status) {
  const bytes = new Uint8Array(c.memory.buffer, c.locox_status_str(status));
  return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
}
const check = (status) => assert.equal(status, OK, text(status));

const detail = room(8);

function subcubes() {
  const pool = room(c.locox_size_of_pool());
  const words = c.locox_pool_words(FREE_LIST, 10);
  check(c.locox_pool_start_free_list(pool, 1, 10, room(4 * words), words, detail));
  const lease = room(20), other = room(20);
  check(c.locox_pool_allocate(pool, 3, lease, detail));
  console.log(`8 nodes from ${u32(lease)} on, mask 0x${u32(lease + 12).toString(16)}`);
  assert.deepEqual([u32(lease), u32(lease + 12)], [0, 7]);
  assert.equal(c.locox_pool_allocate(pool, 10, other, detail), TOO_FEW_FREE);
  assert.equal(u64(detail), 1016n);
  assert.equal(c.locox_pool_lease_at(pool, 7, other), OK);
  assert.equal(c.locox_pool_lease_at(pool, 8, other), NONE);
  check(c.locox_pool_release(pool, lease));
  assert.equal(c.locox_pool_release(pool, lease), STALE);
  assert.equal(text(STALE), "what the name stood for is over");
  assert.equal(c.locox_pool_release(pool, 0), NULL);
  check(c.locox_pool_check(pool));
}

function reservations() {
  const timeline = room(c.locox_size_of_timeline());
  const words = c.locox_timeline_words(100, 20);
  check(c.locox_timeline_start(timeline, 2, 100, 20, room(4 * words), words, detail));
  const request = room(32), first = room(32), second = room(32);
  const view = new DataView(c.memory.buffer);
  view.setBigUint64(request, 0n, true);
  view.setBigUint64(request + 8, 100n, true);
  view.setBigUint64(request + 16, 150n, true);
  view.setUint32(request + 24, 80, true);
  check(c.locox_timeline_reserve(timeline, request, 0, first, detail));
  console.log(`${u32(first + 12)} PEs from ${u64(first + 16)} to ${u64(first + 24)}`);
  assert.deepEqual([u64(first + 16), u64(first + 24)], [0n, 100n]);
  assert.equal(c.locox_timeline_reserve(timeline, request, 0, second, detail), LATE);
  assert.equal(u64(detail), 200n);
  view.setBigUint64(request + 16, NEVER, true);
  check(c.locox_timeline_reserve(timeline, request, 0, second, detail));
  assert.equal(u64(second + 16), 100n);
  check(c.locox_timeline_check(timeline));
}

subcubes();
reservations();
