// The kernel as wasm, and the memory that its callers own.

export const OK = 0;
export const NEVER = 0xffff_ffff_ffff_ffffn;

export class Kernel {
  constructor(instance) {
    this.c = instance.exports;
    // Everything below is the module's own: its data and its stack.
    this.start = this.c.memory.buffer.byteLength;
    this.forget();
  }

  static async from(bytes) {
    const { instance } = await WebAssembly.instantiate(bytes);
    return new Kernel(instance);
  }

  // Nothing that lived in the memory is used again: each scene plays its commands from the start.
  forget() {
    this.free = this.start;
    this.detailAt = this.room(8);
  }

  room(bytes) {
    const at = this.free;
    this.free += (bytes + 7) & ~7;
    const missing = this.free - this.c.memory.buffer.byteLength;
    if (missing > 0) this.c.memory.grow(Math.ceil(missing / 65536));
    new Uint8Array(this.c.memory.buffer, at, this.free - at).fill(0);
    return at;
  }

  // A structure of the interface with a size of its own, all zeros: not started.
  structure(name) {
    return this.room(this.c[`locox_size_of_${name}`]());
  }

  view() {
    return new DataView(this.c.memory.buffer);
  }
  u32(at) {
    return this.view().getUint32(at, true);
  }
  u64(at) {
    return this.view().getBigUint64(at, true);
  }
  put32(at, value) {
    this.view().setUint32(at, value, true);
  }
  put64(at, value) {
    this.view().setBigUint64(at, BigInt(value), true);
  }

  // All bytes from there on.
  bytes(at) {
    return new Uint8Array(this.c.memory.buffer, at);
  }

  // How a call went: its status, and the number that goes with a refusal.
  outcome(status) {
    return { status, detail: status === OK ? 0n : this.u64(this.detailAt), text: this.text(status) };
  }

  must(status) {
    if (status !== OK) throw new Error(`the kernel answers ${status}: ${this.text(status)}`);
  }

  text(status) {
    return this.string(this.c.locox_status_str(status));
  }

  version() {
    return this.string(this.c.locox_version());
  }

  string(at) {
    const bytes = this.bytes(at);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  // The members of a set of so many numbers.
  members(at, count) {
    return [...Array(count).keys()].filter((i) => (this.u32(at + 4 * (i >> 5)) >>> (i & 31)) & 1);
  }

  // A pointer by which the kernel asks `call` with an address. One at a time: it is the same pointer for all.
  asking(call) {
    this.call = call;
    this.askPointer ??= pointerTo(this.c.__indirect_function_table, (at) => this.call(at), 2, [1, 0x7f]);
    return this.askPointer;
  }

  // The same for a function that answers nothing.
  telling(call) {
    this.call = call;
    this.tellPointer ??= pointerTo(this.c.__indirect_function_table, (at) => this.call(at), 2, [0]);
    return this.tellPointer;
  }

  // A pointer by which the kernel calls `fill` with a number and the address to write to, later too: until there is another
  // `fill`.
  filling(fill) {
    this.fill = fill;
    this.fillPointer ??= pointerTo(this.c.__indirect_function_table, (id, at) => this.fill(id, at), 3, [0]);
    return this.fillPointer;
  }
}

// A function of JavaScript in the table of a module: what goes there must come out of another module. It takes so many
// numbers of 32 bits, and the last one is not used; `answers` is what it answers, as the format of wasm has it.
function pointerTo(table, call, takes, answers) {
  const type = [1, 0x60, takes, ...Array(takes).fill(0x7f), ...answers];
  const handOn = [2, 7, 1, 1, 0x65, 1, 0x66, 0, 0, 7, 5, 1, 1, 0x66, 0, 0];
  const module = new WebAssembly.Module(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, type.length, ...type, ...handOn]));
  const { f } = new WebAssembly.Instance(module, { e: { f: call } }).exports;
  const index = table.grow(1);
  table.set(index, f);
  return index;
}

const HANDLE = 12;

// The bytes of a handle, as a key of a map.
export function key(kernel, at) {
  return `${kernel.u32(at)}.${kernel.u32(at + 4)}.${kernel.u32(at + 8)}`;
}

// A copy of a handle, for callers who keep it.
export function copyHandle(kernel, at) {
  const to = kernel.room(HANDLE);
  for (let i = 0; i < HANDLE; i += 4) kernel.put32(to + i, kernel.u32(at + i));
  return to;
}
