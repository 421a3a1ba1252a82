const slider = figure.querySelector('input');
const button = figure.querySelector('.controls button');
const scenes = [...figure.querySelectorAll('.scenes > figure')];

let marked; // the job that the page marks

// Moments: whenever a job arrives, starts or ends in any of the runs.
const within = time => data.from <= time && time <= data.to;
const all = data.scenes.flatMap(scene => scene.jobs);
const moments = [...new Set([data.from, ...data.arrivals,
  ...all.flatMap(job => [job.starts, job.ends]).filter(within)])].sort((a, b) => a - b);
slider.max = moments.length - 1;

// The nodes of a box, the first axis running fastest, around the ends of rings.
const nodesOfBox = ([origin, sides]) => {
  let nodes = [0], stride = 1;
  data.axes.forEach((axis, at) => {
    const along = Array.from({length: sides[at]}, (_, step) => (origin[at] + step) % axis * stride);
    nodes = along.flatMap(add => nodes.map(node => node + add));
    stride *= axis;
  });
  return nodes;
};
// The nodes of a subcube: count in the bits of its mask.
const nodesOfCube = ([base, mask]) => {
  const nodes = [];
  for (let free = 0; ; free = (free - mask) & mask) {
    nodes.push(base | free);
    if (free === mask) return nodes;
  }
};
const nodesOf = data.axes ? nodesOfBox : nodesOfCube;
// Neighbouring numbers get colours far apart.
const hue = job => Math.round(job.id * 137.508) % 360;

// Where its number stands, as a node and how many squares from there to the middle: on a cube in the first node; in each plane
// of a box in the square in the middle of what does not go round an end, if there is room.
const namesOf = ({nodes, own: [[origin, sides]]}) => {
  if (!data.axes) return [{node: nodes[0], x: 0.5, y: 0.5, wide: 1}];
  const [wide, high] = [0, 1].map(at => Math.min(sides[at], data.axes[at] - origin[at]));
  if (wide * data.cell < 20) return [];
  const plane = sides[0] * sides[1];
  const [x, y] = [wide, high].map(side => Math.floor((side - 1) / 2) + 0.5);
  return nodes.filter((_, at) => at % plane === 0).map(node => ({node, x, y, wide}));
};

for (const job of all) {
  job.nodes = job.own.flatMap(nodesOf);
  job.left = nodesOf(job.held);
  job.names = namesOf(job);
}
const cells = scenes.map(scene => {
  const cells = [];
  for (const cell of scene.querySelectorAll('g[data-node]')) cells[cell.dataset.node] = cell;
  return cells;
});
const number = value => value.toLocaleString('en', {maximumFractionDigits: 1});

// Larger subcubes first: a job in the leftover of another is drawn over it.
const running = (jobs, time) => jobs
  .filter(job => job.starts <= time && time < job.ends)
  .sort((a, b) => b.left.length - a.left.length);

// Who has arrived and not started.
const waiting = ({waiting, jobs}, time) => waiting
  + data.arrivals.filter(at => at <= time).length
  - jobs.filter(job => data.from < job.starts && job.starts <= time).length;

const draw = (scene, cells, run, time) => {
  const owner = new Map();
  const live = running(run.jobs, time);
  for (const job of live) {
    for (const node of job.left) owner.set(node, {job, kind: 'left'});
    for (const node of job.nodes) owner.set(node, {job, kind: 'busy'});
  }
  cells.forEach((cell, node) => {
    const {job, kind} = owner.get(node) ?? {};
    cell.setAttribute('class', kind ?? '');
    cell.classList.toggle('marked', job !== undefined && String(job.id) === marked);
    if (job) cell.dataset.job = job.id;
    else delete cell.dataset.job;
    cell.style.setProperty('--hue', job ? hue(job) : 0);
  });
  const names = scene.querySelector('.names');
  names.replaceChildren(...live.flatMap(job => job.names.map(({node, x, y, wide}) => {
    const name = document.createElementNS(names.namespaceURI, 'text');
    name.setAttribute('transform', cells[node].getAttribute('transform'));
    name.setAttribute('x', data.cell * x);
    name.setAttribute('y', data.cell * y + 4);
    name.textContent = job.id;
    // Long numbers are squeezed into their squares.
    const room = wide * data.cell - 3;
    if (7 * name.textContent.length > room) {
      name.setAttribute('textLength', room);
      name.setAttribute('lengthAdjust', 'spacingAndGlyphs');
    }
    return name;
  })));
  const busy = live.reduce((sum, job) => sum + job.nodes.length, 0);
  scene.querySelector('.state').textContent =
    `${number(100 * busy / (data.nodes))} % in use, ${live.length} run, ${waiting(run, time)} wait`;
  list(scene.querySelector('ul'), live.sort((a, b) => a.id - b.id));
};

// Running jobs as buttons, so that keys mark them; the one that had the focus keeps it.
const list = (place, jobs) => {
  const focused = place.contains(document.activeElement) && document.activeElement.parentElement.dataset.job;
  place.replaceChildren(...jobs.map(job => {
    const item = document.createElement('li');
    item.dataset.job = job.id;
    item.classList.toggle('marked', String(job.id) === marked);
    const button = item.appendChild(document.createElement('button'));
    button.type = 'button';
    button.textContent = `${job.id}: ${job.shape}, until ${number(job.ends - data.from)} ${data.unit}`;
    return item;
  }));
  if (focused) place.querySelector(`[data-job="${focused}"] button`)?.focus();
};

const show = () => {
  const time = moments[slider.value];
  const text = `${number(time - data.from)} ${data.unit}`;
  figure.querySelector('output').textContent = text;
  slider.setAttribute('aria-valuetext', text);
  scenes.forEach((scene, at) => draw(scene, cells[at], data.scenes[at], time));
};

// A job that is marked elsewhere on the page is shown at a time at which it runs.
document.addEventListener('locox-mark', ({detail}) => {
  marked = detail;
  const time = moments[slider.value];
  const its = all.filter(job => String(job.id) === marked);
  const runs = its.some(job => job.starts <= time && time < job.ends);
  if (its.length && !runs) {
    stop();
    slider.value = moments.findIndex(moment => moment >= Math.max(its[0].starts, data.from));
  }
  show();
});

let timer;
const stop = () => { clearInterval(timer); timer = undefined; button.textContent = 'Play'; };
const step = () => {
  if (+slider.value >= +slider.max) return stop();
  slider.value = +slider.value + 1;
  show();
};
button.addEventListener('click', () => {
  if (timer !== undefined) return stop();
  if (slider.value === slider.max) slider.value = 0;
  button.textContent = 'Pause';
  timer = setInterval(step, 150);
});
slider.addEventListener('input', show);
// The fullest moment is worth the first look.
const alive = moments.map(time => all.filter(job => job.starts <= time && time < job.ends).length);
slider.value = alive.indexOf(Math.max(...alive));
show();
