// A job that is clicked is marked wherever the page shows it: in lists, in charts, in maps of the machine. Maps draw
// anew as time passes, so they hear of it by the event `locox-mark`, whose detail is the job, or `undefined`.
function markable() {
  if (!document.querySelector('[data-job]')) return;
  let marked;
  const bar = element('div', { class: 'marked-bar', role: 'status', hidden: '' });
  document.body.append(bar);
  const mark = job => {
    for (const node of document.querySelectorAll('.marked')) node.classList.remove('marked');
    marked = job;
    document.dispatchEvent(new CustomEvent('locox-mark', { detail: job }));
    const places = job === undefined ? [] : placesOf(job);
    places.forEach(node => node.classList.add('marked'));
    bar.hidden = job === undefined;
    bar.replaceChildren(...(job === undefined ? [] : announced(job, places, () => mark(undefined))));
  };
  document.addEventListener('click', event => {
    const job = event.target.closest('[data-job]')?.dataset.job;
    if (job && !event.target.closest('a')) mark(job === marked ? undefined : job);
  });
  document.querySelectorAll('tr[data-job] > .job').forEach(cell => {
    cell.replaceChildren(element('button', { type: 'button', title: 'mark this job' }, ...cell.childNodes));
  });
  document.querySelectorAll('.gantt .bars').forEach(walkable);
}

function placesOf(job) {
  return [...document.querySelectorAll(`[data-job="${CSS.escape(job)}"]`)];
}

// Says what is marked, where it is and where it is not, and leads from place to place.
function announced(job, places, unmark) {
  const figures = [...new Set(places.map(node => node.closest('figure')))];
  const others = [...document.querySelectorAll('figure:has(.gantt)')].filter(figure => !figures.includes(figure));
  let at = 0;
  const next = element('button', { type: 'button', class: 'next' });
  const name = () => { next.textContent = `Next (${at + 1} of ${figures.length}): ${placeName(figures[at])}`; };
  next.addEventListener('click', () => {
    bring(places.find(node => node.closest('figure') === figures[at]));
    at = (at + 1) % figures.length;
    name();
  });
  name();
  const away = element('button', { type: 'button' }, 'Unmark');
  away.addEventListener('click', unmark);
  const lacking = others.length ? `; not in ${others.map(placeName).join(', ')}` : '';
  // A map and a chart of the same are named once.
  const names = figures.map(placeName);
  const once = names.filter(name => !(name.startsWith('Gantt ') && names.includes(name.slice('Gantt '.length))));
  const where = element('span', { class: 'where' }, `In: ${once.join(', ')}${lacking}.`);
  return [element('strong', {}, `Job ${job}`), where, next, away];
}

function placeName(figure) {
  const of = figure.querySelector('.gantt')?.dataset.of;
  if (of) return `Gantt ${of}`;
  return (figure.querySelector('figcaption strong') ?? figure.querySelector('figcaption')).textContent.replace(/\.$/, '');
}

// A row is as wide as its table, which need not be moved sideways to show it.
function bring(node) {
  if (node.localName === 'tr') node.cells[0].scrollIntoView({ block: 'center', inline: 'nearest' });
  else node.scrollIntoView({ block: 'center', inline: 'center' });
}

// Arrow keys go from bar to bar in the order of their starts; Enter marks.
function walkable(svg) {
  const bars = [...svg.querySelectorAll('[data-job]')];
  if (!bars.length) return;
  svg.setAttribute('role', 'group');
  bars.forEach((bar, at) => {
    bar.setAttribute('tabindex', at ? -1 : 0);
    bar.setAttribute('role', 'button');
    bar.setAttribute('aria-label', bar.querySelector('title').textContent);
  });
  svg.addEventListener('keydown', event => {
    const now = bars.indexOf(event.target);
    const to = { ArrowRight: now + 1, ArrowDown: now + 1, ArrowLeft: now - 1, ArrowUp: now - 1, Home: 0, End: bars.length - 1 }[event.key];
    if (event.key === 'Enter' || event.key === ' ') event.target.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    else if (to === undefined || !bars[to]) return;
    else {
      bars[now].setAttribute('tabindex', -1);
      bars[to].setAttribute('tabindex', 0);
      bars[to].focus();
    }
    event.preventDefault();
  });
}
