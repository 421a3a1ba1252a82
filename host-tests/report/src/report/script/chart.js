const ACROSS = 10000; // width of the view of a curve

// A plot on the page: its data, and which part of its x axis is shown.
//
// - Lengths are x, or its logarithm on a logarithmic axis. `whole` and `shown` are pairs of them.
// - Shares are of what is shown: 0 at its left end, 1 at its right end.
class Chart {
  constructor(place) {
    this.place = place;
    this.figure = place.closest('figure.plot');
    this.svg = place.querySelector('.chart');
    this.data = JSON.parse(place.querySelector('script').textContent);
    this.whole = this.shown = [this.data.x.low, this.data.x.high];
    this.columns = this.svg.querySelector('.columns');
    this.firstColumns = [...this.columns.children];
    this.marks = [...this.svg.querySelectorAll('circle, .interval')].map(node => {
      const names = node.localName === 'circle' ? ['cx'] : ['x1', 'x2'];
      return { node, names, share: parseFloat(node.getAttribute(names[0])) / 100 };
    });
  }

  // Plots with the same axis are zoomed together.
  hasAxisOf(other) {
    return this.place.dataset.axis === other.place.dataset.axis && this.data.x.log === other.data.x.log;
  }

  length(x) {
    return this.data.x.log ? Math.log10(x) : x;
  }

  share(x) {
    const [low, high] = this.shown;
    return (this.length(x) - low) / (high - low);
  }

  isZoomed() {
    return this.shown[0] !== this.whole[0] || this.shown[1] !== this.whole[1];
  }

  // The lengths between two shares of what is shown.
  between(from, to) {
    const [low, high] = this.shown;
    return [low + from * (high - low), low + to * (high - low)];
  }

  show(range) {
    this.shown = range;
    const [low, high] = range;
    const span = this.whole[1] - this.whole[0];
    const box = [ACROSS * (low - this.whole[0]) / span, ACROSS * (high - low) / span];
    for (const view of this.svg.querySelectorAll('.view')) {
      view.setAttribute('viewBox', `${box[0]} 0 ${box[1]} ${view.viewBox.baseVal.height}`);
    }
    for (const { node, names, share } of this.marks) {
      const moved = (this.whole[0] + share * span - low) / (high - low);
      for (const name of names) node.setAttribute(name, `${100 * moved}%`);
      node.classList.toggle('outside', moved < -0.001 || moved > 1.001);
    }
    this.svg.classList.toggle('zoomed', this.isZoomed());
    this.columns.replaceChildren(...(this.isZoomed() ? this.ticks().flatMap(tick => this.column(tick)) : this.firstColumns));
  }

  ticks() {
    const most = Math.max(2, Math.min(8, Math.floor(this.svg.clientWidth / 90)));
    return (this.data.x.log ? logarithmicTicks : multiples)(...this.shown, most);
  }

  // A line and a label, as those of the whole axis are.
  column(tick) {
    const [line, label] = this.firstColumns.slice(0, 2).map(node => node.cloneNode());
    if (!line) return [];
    const x = `${100 * this.share(tick)}%`;
    for (const name of ['x1', 'x2']) line.setAttribute(name, x);
    label.setAttribute('x', x);
    label.setAttribute('text-anchor', this.share(tick) > 0.97 ? 'end' : 'middle');
    label.textContent = shownNumber(tick);
    return [line, label];
  }

  isOff(at) {
    return this.figure.querySelector(`.legend [data-series="${at}"]`)?.classList.contains('off') ?? false;
  }
}
