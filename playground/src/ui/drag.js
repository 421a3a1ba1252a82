// Lets a pointer drag an element to the left and to the right. `begin(event)` answers what follows: `move(by)`, pixels from
// where it began, then `done()` or `cancel()`.
export function draggable(node, begin) {
  node.addEventListener("pointerdown", (down) => {
    if (down.button !== 0) return;
    const { move, done, cancel } = begin(down);
    const follow = (event) => move(event.clientX - down.clientX);
    const ends = (act) => () => (node.removeEventListener("pointermove", follow), act());
    node.setPointerCapture(down.pointerId);
    node.addEventListener("pointermove", follow);
    node.addEventListener("pointerup", ends(done), { once: true });
    node.addEventListener("pointercancel", ends(cancel), { once: true });
  });
}
