// E-cube routes: each message corrects the lowest bit in which its node differs from the one it goes to.

export function route(from, to) {
  const path = [from];
  for (let at = from; at !== to; path.push(at)) {
    const differs = at ^ to;
    at ^= differs & -differs;
  }
  return path;
}

// The channels of a path: links with a direction.
export function channels(path) {
  return path.slice(1).map((to, i) => `${path[i]}>${to}`);
}

// Channels that more than one of these routes use.
export function shared(routes) {
  const all = routes.flatMap(([from, to]) => channels(route(from, to)));
  return new Set(all.filter((channel, i) => all.indexOf(channel) !== i));
}

export function encodeRoutes(routes) {
  return routes.map(([from, to]) => `${from}-${to}`).join("_");
}

export function decodeRoutes(text, nodes) {
  return (text ?? "").split("_").map((pair) => pair.split("-").map(Number))
    .filter((pair) => pair.length === 2 && pair.every((node) => Number.isInteger(node) && node >= 0 && node < nodes));
}
