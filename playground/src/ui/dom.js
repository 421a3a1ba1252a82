// Elements of the page, made in one expression.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value") node.value = value;
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
  root.replaceChildren(...children.flat().filter(Boolean));
  if (focused !== undefined) root.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
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
