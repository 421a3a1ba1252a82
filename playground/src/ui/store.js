// What the page shows, as text behind the # of its address: a link to it shows the same.

export class Store {
  // `scenes` by name: each has `initial`, `encode` (state to a record of texts) and `decode` (the other way).
  constructor(scenes, show) {
    this.scenes = scenes;
    this.show = show;
    this.states = new Map();
    this.before = [];
    addEventListener("hashchange", () => this.read());
    this.read();
  }

  // Goes to what the address says; what it does not say is as at first.
  read() {
    const [name, text] = location.hash.slice(1).split("?");
    this.name = this.scenes[name] ? name : Object.keys(this.scenes)[0];
    const scene = this.scenes[this.name];
    if (text) this.states.set(this.name, { ...scene.initial, ...scene.decode(new URLSearchParams(text)) });
    this.show();
  }

  get state() {
    return this.states.get(this.name) ?? this.scenes[this.name].initial;
  }

  hash() {
    return `#${this.name}?${new URLSearchParams(this.scenes[this.name].encode(this.state))}`;
  }

  // A change that can be undone.
  set(change) {
    this.note();
    this.states.set(this.name, { ...this.state, ...change });
    this.go();
  }

  // A change of a time that passes by itself: `note` before the first, `settle` after the last.
  pass(change) {
    this.states.set(this.name, { ...this.state, ...change });
    this.show();
  }

  // Only now, because browsers slow pages down that change their address many times a second.
  settle() {
    this.go();
  }

  open(name) {
    if (name === this.name) return;
    this.note();
    this.name = name;
    this.go();
  }

  note() {
    this.before.push([this.name, this.state]);
  }

  undo() {
    const last = this.before.pop();
    if (!last) return;
    this.name = last[0];
    this.states.set(...last);
    this.go();
  }

  go() {
    history.replaceState(null, "", this.hash());
    this.show();
  }
}
