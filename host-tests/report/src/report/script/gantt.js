// A chart of jobs by time: it tells a bar's values, marks bars of any size, and says where a marked job is that it
// does not show.
class Gantt {
  constructor(place) {
    this.place = place;
    this.svg = place.querySelector('.bars');
    this.bars = this.svg.querySelector('svg');
    this.said = element('p', { class: 'note unseen', hidden: '' });
    this.box = element('div', { class: 'told', hidden: '' });
    place.after(this.said, this.box);
    this.outside = new Map(place.dataset.outside.split(',').filter(Boolean).map(text => {
      const [job, ...span] = text.split(' ');
      return [job, span.map(Number)];
    }));
    document.addEventListener('locox-mark', ({ detail }) => this.mark(detail));
    this.tell();
  }

  // What the browser would show of a title, sooner, and to fingers as well.
  tell() {
    for (const title of this.bars.querySelectorAll('title')) {
      title.parentElement.dataset.told = title.textContent;
      title.remove();
    }
    const barAt = event => event.target.closest('[data-told]');
    const hide = () => { this.box.hidden = true; };
    this.bars.addEventListener('pointermove', event => {
      if (barAt(event)) this.show(barAt(event), event.clientX, event.clientY);
      else hide();
    });
    this.bars.addEventListener('pointerdown', event => {
      if (barAt(event)) this.show(barAt(event), event.clientX, event.clientY);
    });
    this.bars.addEventListener('pointerleave', event => { if (event.pointerType !== 'touch') hide(); });
    this.bars.addEventListener('focusin', event => {
      if (!event.target.matches(':focus-visible')) return;
      const { right, bottom } = event.target.getBoundingClientRect();
      this.show(barAt(event), right, bottom);
    });
    this.bars.addEventListener('focusout', hide);
    document.addEventListener('pointerdown', event => { if (!this.bars.contains(event.target)) hide(); });
    document.addEventListener('scroll', hide, { capture: true, passive: true });
  }

  show(bar, x, y) {
    const [name, ...values] = bar.dataset.told.split(/: |; /);
    this.box.replaceChildren(element('strong', {}, name), ...values.map(value => element('div', {}, value)));
    this.box.hidden = false;
    const { width, height } = this.box.getBoundingClientRect();
    const isLow = y + 16 + height > innerHeight;
    this.box.style.left = `${Math.max(8, Math.min(x + 14, document.documentElement.clientWidth - width - 8))}px`;
    this.box.style.top = `${Math.max(8, isLow ? y - 12 - height : y + 16)}px`;
  }

  mark(job) {
    this.svg.querySelectorAll('.mark').forEach(node => node.remove());
    const bars = job === undefined ? [] : [...this.bars.querySelectorAll(`[data-job="${CSS.escape(job)}"]`)];
    this.said.hidden = job === undefined || bars.length > 0;
    if (!this.said.hidden) this.said.textContent = `Job ${job} is not shown: under ${this.place.dataset.of} ${this.why(job)}.`;
    if (!bars.length) return;
    // On top of all others, with a broad line around it: the smallest bar is seen and hit, too.
    for (const bar of bars) {
      const mark = this.drawn('g', { class: 'mark', style: bar.getAttribute('style'), 'data-job': job, 'data-told': bar.dataset.told });
      mark.append(...[...bar.querySelectorAll('path')].map(path => path.cloneNode()));
      this.bars.append(mark);
    }
    const { x, width } = bars[0].getBBox();
    const middle = `${100 * (x + width / 2) / this.bars.viewBox.baseVal.width}%`;
    const [top, height] = [this.bars.y.baseVal.value, this.bars.viewBox.baseVal.height];
    const name = this.drawn('text', { class: 'mark', x: middle, y: top - 6, 'text-anchor': 'middle' });
    name.append(job);
    this.svg.append(this.drawn('line', { class: 'mark', x1: middle, x2: middle, y1: top - 3, y2: top + height }), name);
  }

  why(job) {
    if (!this.outside.has(job)) return 'it has no place';
    const [start, end] = this.outside.get(job);
    const { unit } = this.place.dataset;
    const [from, to] = this.place.dataset.span.split(' ').map(Number);
    const time = at => `${at.toLocaleString('en')}${unit && ' '}${unit}`;
    if (end <= from) return `it ends ${time(from - end)} before this chart begins`;
    if (start >= to) return `it starts at ${time(start)}, after the end of this chart at ${time(to)}`;
    return 'it runs in this time, but the chart has no room for more bars';
  }

  drawn(name, attributes) {
    const node = document.createElementNS(this.svg.namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  }
}
