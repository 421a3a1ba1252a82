// How jobs are called and coloured.

export function letter(number) {
  const at = number - 1;
  return String.fromCharCode(65 + (at % 26)) + (at < 26 ? "" : Math.floor(at / 26));
}

// One of eight colours of the style sheet.
export function colour(number) {
  return `job-${number % 8}`;
}

// Runs of neighbouring numbers: [0, 1, 2, 5] is [[0, 3], [5, 1]], first and how many.
export function runs(numbers) {
  const found = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last && last[0] + last[1] === number) last[1] += 1;
    else found.push([number, 1]);
  }
  return found;
}

export function plural(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
