// What a series says at x: its value there, whether it is read between two points, and half of its interval.
// `undefined` where it says nothing.
function valueAt(series, x, chart) {
  const { x: xs, y: ys, half, shape } = series;
  const next = firstFrom(xs, x);
  if (xs[next] === x) return { y: ys[next], half: half[next] ?? undefined };
  if (next === 0 || next === xs.length || shape === 'points' || shape === 'published') return undefined;
  if (shape === 'step') return { y: ys[next - 1] };
  const [from, to] = [chart.length(xs[next - 1]), chart.length(xs[next])];
  return { y: along(ys[next - 1], ys[next], (chart.length(x) - from) / (to - from), chart.data.y.log), isBetween: true };
}

// The first place in rising numbers whose number is at least x.
function firstFrom(numbers, x) {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (numbers[middle] < x) from = middle + 1;
    else to = middle;
  }
  return from;
}

// A straight line in the picture is one of logarithms on a logarithmic axis.
function along(a, b, share, log) {
  return log ? a * (b / a) ** share : a + (b - a) * share;
}

// All x at which a series that is seen has a point, of the part that is shown.
function stops(chart) {
  const seen = chart.data.series.filter((_, at) => !chart.isOff(at));
  const all = new Set(seen.flatMap(series => series.x));
  return [...all].filter(x => chart.share(x) >= 0 && chart.share(x) <= 1).sort((a, b) => a - b);
}

function nearest(chart, numbers, share) {
  const apart = x => Math.abs(chart.share(x) - share);
  return numbers.reduce((best, x) => apart(x) < apart(best) ? x : best, numbers[0]);
}

function told({ y, half, isBetween }) {
  return (isBetween ? '≈ ' : '') + shownNumber(y, 4) + (half ? ` ± ${shownNumber(half, 2)}` : '');
}
