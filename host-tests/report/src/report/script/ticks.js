// Round values from `low` to `high`, at most so many: the rule of the page's axes, for a part of one.
function multiples(low, high, most) {
  const least = (high - low) / Math.max(1, most - 1);
  const decade = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map(factor => factor * decade).find(step => step >= least) ?? least;
  const ticks = [];
  for (let at = Math.ceil(low / step - 1e-9); at <= Math.floor(high / step + 1e-9); at++) ticks.push(at * step);
  return ticks;
}

// On a logarithmic axis the ends are logarithms; a part of less than a decade is divided as a linear one is.
function logarithmicTicks(low, high, most) {
  if (high - low < 1) return multiples(10 ** low, 10 ** high, most);
  const steps = high - low < 3 ? [1, 2, 5] : [1];
  const ticks = [];
  for (let decade = Math.floor(low); decade <= Math.ceil(high); decade++) {
    ticks.push(...steps.map(step => step * 10 ** decade).filter(tick => low <= Math.log10(tick) && Math.log10(tick) <= high));
  }
  // Every second one, or third, and so on, so that the first one stays.
  const every = Math.max(1, Math.ceil(ticks.length / most));
  return ticks.filter((tick, at) => at % every === 0);
}

function shownNumber(value, digits = 6) {
  return value.toLocaleString('en', { maximumSignificantDigits: digits });
}
