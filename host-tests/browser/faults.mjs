// What a look at a page finds wrong; runs inside the page.
export function faults(smallest) {
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || parent.closest("script, title, desc, noscript") || !parent.checkVisibility()) continue;
    const { a, b } = parent instanceof SVGElement ? parent.getScreenCTM() : { a: 1, b: 0 };
    const scale = Math.hypot(a, b);
    const size = parseFloat(getComputedStyle(parent).fontSize) * scale;
    if (size < smallest - 0.01) found.push(`“${walker.currentNode.textContent.trim()}” has ${size} px`);
  }
  for (const node of document.querySelectorAll("button, input, select, [role=button]")) {
    const name = node.getAttribute("aria-label") || node.labels?.[0]?.textContent || node.textContent;
    if (!name.trim()) found.push(`no name: ${node.outerHTML.slice(0, 80)}`);
  }
  return found;
}
