// Elements of the page, made in one expression.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on") || name === "value") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

// Draws a scene anew; whoever had the focus has it still.
export function redraw(root, children) {
  const focused = root.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  patchChildren(root, children.flat().filter(Boolean));
  const again = focused === undefined ? null : root.querySelector(`[data-key="${CSS.escape(focused)}"]`);
  if (again && again !== document.activeElement) again.focus({ preventScroll: true });
}

// What is alike stays in the page, so that a button is still the same one between press and release: the press may have
// ended the input of a number, and so changed the scene.
function patchChildren(parent, fresh) {
  const old = [...parent.childNodes];
  fresh.forEach((node, at) => (at < old.length ? patch(old[at], node) : parent.append(node)));
  old.slice(fresh.length).forEach((node) => node.remove());
}

function alike(old, fresh) {
  return old.nodeName === fresh.nodeName && !(fresh instanceof SVGElement) && old.dataset?.key === fresh.dataset?.key;
}

function patch(old, fresh) {
  if (!alike(old, fresh)) return old.replaceWith(fresh);
  if (fresh instanceof Text) return (old.data = fresh.data);
  // What somebody unfolded stays so.
  for (const { name } of [...old.attributes]) if (name !== "open" && !fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const name of ["onclick", "onchange", "onkeydown"]) old[name] = fresh[name];
  patchChildren(old, [...fresh.childNodes]);
  for (const name of ["value", "checked"]) if (old[name] !== fresh[name]) old[name] = fresh[name];
}

export function button(text, key, onclick, more = {}) {
  return el("button", { type: "button", "data-key": key, onclick, ...more }, text);
}

export function select(label, key, options, value, onchange) {
  const list = el("select", { "data-key": key, onchange: (event) => onchange(event.target.value) },
    options.map(([of, text]) => el("option", { value: of, selected: String(of) === String(value) }, text)));
  return el("label", {}, el("span", {}, label), list);
}

// A whole number in a range. `empty` stands for no number, where there may be none.
export function number(label, key, value, [least, most], onchange, empty) {
  const change = (event) => {
    const text = event.target.value.trim();
    if (text === "" && empty !== undefined) return onchange(null);
    const given = Math.round(Number(text));
    onchange(text === "" || Number.isNaN(given) ? value : Math.min(most, Math.max(least, given)));
  };
  const field = el("input", {
    type: "number", inputmode: "numeric", min: least, max: most, "data-key": key, value: value ?? "",
    placeholder: empty, onchange: change,
  });
  return el("label", {}, el("span", {}, label), field);
}

// One of several, by the arrow keys.
export function choice(label, key, options, value, onchange) {
  return el("fieldset", { class: "choice" }, el("legend", {}, label),
    options.map(([of, text]) => el("label", {},
      el("input", { type: "radio", name: key, value: of, checked: of === value, "data-key": `${key}-${of}`,
        onchange: () => onchange(of) }),
      el("span", {}, text))));
}
