// What jobs that wait are promised: a place is hatched over the jobs that run there, inside a dashed line. The map knows nothing
// of it, so that it is the same where nothing is promised: here it is drawn whenever the map has told its time.
for (const {promised = []} of data.scenes) {
  for (const promise of promised) promise.nodes = nodesOf(promise.place);
}
const corners = cells[0].map(cell => cell.getAttribute('transform').match(/\d+/g).map(Number));

// Lines from the left above to the right below, further to the right with each job, so that two of them on one place can be
// told apart; the leftover of a mesh is hatched the other way.
const hatching = (corner, job) => {
  const [x, y] = corner, side = data.cell;
  let path = '';
  for (const right of [job * side / 4 - side, job * side / 4]) {
    const [across, down] = [Math.max(right, 0), Math.max(-right, 0)];
    path += `M${x + across} ${y + down}L${x + side - down} ${y + side - across}`;
  }
  return path;
};
// The sides of squares behind which there is no square of the same place.
const outline = places => {
  const side = data.cell, inside = new Set(places.map(String));
  return places.map(([x, y]) => [[0, -1, 'h'], [0, 1, 'h'], [-1, 0, 'v'], [1, 0, 'v']]
    .filter(([right, down]) => !inside.has(String([x + right * side, y + down * side])))
    .map(([right, down, along]) => `M${x + (right > 0) * side} ${y + (down > 0) * side}${along}${side}`).join('')).join('');
};

const drawn = (group, name, d) => {
  const path = group.appendChild(document.createElementNS(group.namespaceURI, 'path'));
  path.setAttribute('class', name);
  path.setAttribute('d', d);
};

const drawPromises = () => scenes.forEach((scene, at) => {
  const time = moments[slider.value];
  const {promised} = data.scenes[at];
  if (!promised) return;
  const live = promised.filter(it => it.from <= time && time < it.until);
  cells[at].forEach(cell => cell.querySelector('title')?.remove());
  const words = live.map(it => `job ${it.id}, promised from ${number(it.starts - data.from)} ${data.unit} on`);
  const groups = live.map((promise, job) => {
    const group = document.createElementNS(scene.querySelector('svg').namespaceURI, 'g');
    group.style.setProperty('--hue', hue(promise));
    group.classList.toggle('marked', String(promise.id) === marked);
    const places = promise.nodes.map(node => corners[node]);
    const lines = places.map(corner => hatching(corner, job)).join('');
    for (const [name, path] of [['under', lines], ['lines', lines], ['under', outline(places)], ['around', outline(places)]]) {
      drawn(group, name, path);
    }
    return group;
  });
  live.forEach(({nodes}, job) => nodes.forEach(node => {
    const cell = cells[at][node];
    const title = cell.querySelector('title') ?? cell.appendChild(document.createElementNS(cell.namespaceURI, 'title'));
    title.textContent += (title.textContent && '; ') + words[job];
  }));
  scene.querySelector('.promised').replaceChildren(...groups.reverse());
  scene.querySelector('.promises').replaceChildren(...live.map((promise, job) => {
    const item = document.createElement('li');
    item.style.setProperty('--hue', hue(promise));
    item.textContent = `${words[job]}: ${promise.shape}`;
    return item;
  }));
});
new MutationObserver(drawPromises).observe(figure.querySelector('output'), {childList: true});
drawPromises();
