// Texts whose contrast to what lies behind them is below `least`, by the rule of WCAG 2; runs inside the page. Behind
// a text of a drawing is the last shape before it that holds its middle.
export function paleTexts(least) {
  const channels = (text) => (text.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
  const isClear = ([, , , alpha = 1]) => alpha === 0;
  const over = ([r, g, b, alpha = 1], under) => [r, g, b].map((part, at) => part * alpha + under[at] * (1 - alpha));
  const luminance = (colour) => {
    const [r, g, b] = colour.map((part) => (part /= 255) <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const backOf = (node) => {
    if (!node) return [255, 255, 255];
    const own = node instanceof SVGElement ? [0, 0, 0, 0] : channels(getComputedStyle(node).backgroundColor);
    return isClear(own) ? backOf(node.parentElement) : over(own, backOf(node.parentElement));
  };
  const shapes = new Map();
  const shapesOf = (svg) => {
    if (!shapes.has(svg)) shapes.set(svg, [...svg.querySelectorAll("rect, path, circle")]);
    return shapes.get(svg);
  };
  const holds = (shape, x, y) => {
    const box = shape.getBoundingClientRect();
    if (x < box.left || x > box.right || y < box.top || y > box.bottom) return false;
    return shape.isPointInFill(new DOMPoint(x, y).matrixTransform(shape.getScreenCTM().inverse()));
  };
  const behind = (node) => {
    const svg = node.farthestViewportElement ?? node.closest("svg:not(svg svg)");
    if (!(node instanceof SVGElement) || !svg) return backOf(node);
    const box = node.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const before = (shape) => shape.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING;
    const under = shapesOf(svg).filter((shape) => before(shape) && getComputedStyle(shape).fill !== "none" && holds(shape, x, y));
    return under.reduce((back, shape) => over(channels(getComputedStyle(shape).fill), back), backOf(svg));
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    if (!text || node.closest("script, title, desc, noscript, option") || !node.checkVisibility()) continue;
    const style = getComputedStyle(node);
    const back = behind(node);
    const ink = over(channels(node instanceof SVGElement ? style.fill : style.color), back);
    const [light, dark] = [luminance(ink), luminance(back)].sort((a, b) => b - a);
    const contrast = (light + 0.05) / (dark + 0.05);
    if (contrast < least) found.push(`“${text.slice(0, 40)}” has a contrast of ${contrast.toFixed(2)}`);
  }
  return found;
}
