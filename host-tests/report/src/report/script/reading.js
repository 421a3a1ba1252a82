// Values of all curves at the x under the pointer, or at one that arrow keys move. The handle lies over the plot:
// it takes pointer and keys, and is a slider for those who hear the page.
class Reading {
  constructor(chart) {
    this.chart = chart;
    this.at = undefined;
    this.table = element('div', { class: 'values', hidden: '' });
    this.guide = element('div', { class: 'guide', hidden: '' });
    const title = chart.svg.querySelector('title').textContent;
    this.handle = element('div', {
      class: 'handle', role: 'slider', tabindex: 0, 'aria-label': `${title} Values at ${chart.data.x.label}`,
      'aria-valuemin': 0, 'aria-valuemax': 1, 'aria-valuenow': 0, 'aria-valuetext': 'arrow keys read values',
    }, this.guide);
    chart.place.append(this.handle, this.table);
    this.handle.addEventListener('pointermove', event => this.follow(event));
    this.handle.addEventListener('pointerleave', () => this.leave());
    this.handle.addEventListener('blur', () => this.leave());
    this.handle.addEventListener('keydown', event => this.key(event));
  }

  shareOf(event) {
    const box = this.handle.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  }

  follow(event) {
    this.read(nearest(this.chart, stops(this.chart), this.shareOf(event)));
  }

  key(event) {
    const all = stops(this.chart);
    const now = this.at === undefined ? -1 : firstFrom(all, this.at);
    const places = { ArrowLeft: now - 1, ArrowRight: now + 1, PageUp: now - 10, PageDown: now + 10, Home: 0, End: all.length - 1 };
    if (!(event.key in places) || !all.length) return;
    event.preventDefault();
    this.read(all[Math.min(all.length - 1, Math.max(0, places[event.key]))]);
  }

  read(x) {
    if (x === undefined) return this.leave();
    const { chart } = this;
    this.at = x;
    const rows = chart.data.series.map((series, at) => ({ at, name: series.name, value: valueAt(series, x, chart) }))
      .filter(({ at, value }) => value && !chart.isOff(at));
    const place = `${chart.data.x.label}: ${shownNumber(x)}`;
    this.table.replaceChildren(element('strong', {}, place), ...rows.map(row => this.row(row)));
    this.handle.setAttribute('aria-valuenow', chart.share(x).toFixed(3));
    this.handle.setAttribute('aria-valuetext', [place, ...rows.map(({ name, value }) => `${name} ${told(value)}`)].join('; '));
    this.guide.style.left = `${100 * chart.share(x)}%`;
    this.table.classList.toggle('before', chart.share(x) > 0.5);
    this.table.style.setProperty('--at', chart.share(x));
    this.guide.hidden = this.table.hidden = false;
  }

  row({ at, name, value }) {
    const swatch = this.chart.figure.querySelector(`.legend [data-series="${at}"] .swatch`);
    return element('div', {}, swatch?.cloneNode(true) ?? '', element('span', {}, name), element('b', {}, told(value)));
  }

  leave() {
    this.guide.hidden = this.table.hidden = true;
  }
}
