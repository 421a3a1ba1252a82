// An element with attributes and content.
function element(name, attributes = {}, ...content) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...content);
  return node;
}

// The row of controls of a figure, which scripts alone put there.
function toolbar(figure) {
  const bar = figure.querySelector(':scope > .tools') ?? element('div', { class: 'tools' });
  if (!bar.isConnected) figure.querySelector(':scope > figcaption').after(bar);
  return bar;
}
