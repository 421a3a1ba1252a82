// An element with attributes and content; `undefined` attributes are left out.
function element(name, attributes = {}, ...content) {
  return filled(document.createElement(name), attributes, content);
}

function drawing(name, attributes = {}, ...content) {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, content);
}

function filled(node, attributes, content) {
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) node.setAttribute(key, value);
  node.append(...content);
  return node;
}

// The row of controls of a figure, which scripts alone put there.
function toolbar(figure) {
  const bar = figure.querySelector(':scope > .tools') ?? element('div', { class: 'tools' });
  if (!bar.isConnected) figure.querySelector(':scope > figcaption').after(bar);
  return bar;
}
