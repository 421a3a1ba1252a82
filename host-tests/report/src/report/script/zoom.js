const FINEST = 0.005; // of the axis, the smallest part that is shown
const BRUSH = 6; // pixels from which on a movement is no click

// A part of the x axis is chosen by dragging over a plot; all plots of the page with the same axis show it.
function zoomable(readings) {
  const charts = readings.map(reading => reading.chart);
  const showIn = (chart, range) => {
    for (const other of charts.filter(other => other.hasAxisOf(chart))) {
      other.show(range ?? other.whole);
      other.reset.hidden = !other.isZoomed();
    }
  };
  for (const reading of readings) {
    const { chart } = reading;
    chart.reset = element('button', { type: 'button', class: 'reset', hidden: '' }, 'Show all');
    chart.reset.addEventListener('click', () => { showIn(chart); reading.handle.focus(); });
    chart.place.append(chart.reset);
    const narrow = (from, to) => {
      const range = chart.between(from, to);
      if (range[1] - range[0] >= FINEST * (chart.whole[1] - chart.whole[0])) showIn(chart, range);
    };
    brushable(reading, narrow);
    reading.handle.addEventListener('dblclick', () => showIn(chart));
    reading.handle.addEventListener('keydown', event => {
      const middle = reading.at === undefined ? 0.5 : Math.min(1, Math.max(0, chart.share(reading.at)));
      const from = Math.min(0.5, Math.max(0, middle - 0.25));
      if (event.key === '+' || event.key === '=') narrow(from, from + 0.5);
      else if (event.key === '0' || event.key === 'Escape' || event.key === '-') showIn(chart);
    });
  }
}

function brushable(reading, narrow) {
  const { handle } = reading;
  let brush, start;
  const end = () => { brush?.remove(); brush = undefined; };
  handle.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    start = reading.shareOf(event);
    brush = element('div', { class: 'brush' });
    handle.append(brush);
    handle.setPointerCapture(event.pointerId);
  });
  handle.addEventListener('pointermove', event => {
    if (!brush) return;
    const [from, to] = [start, reading.shareOf(event)].sort((a, b) => a - b);
    brush.style.left = `${100 * from}%`;
    brush.style.width = `${100 * (to - from)}%`;
  });
  handle.addEventListener('pointerup', event => {
    if (!brush) return;
    const [from, to] = [start, reading.shareOf(event)].sort((a, b) => a - b);
    end();
    if ((to - from) * handle.clientWidth >= BRUSH) narrow(from, to);
  });
  handle.addEventListener('pointercancel', end);
}
