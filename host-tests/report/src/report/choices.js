// Lets rows be chosen by the values of some columns, and by words anywhere in them.
const [head, body] = [figure.querySelector('thead tr'), figure.querySelector('tbody')];
const rows = [...body.rows];
const bar = figure.insertBefore(document.createElement('p'), figure.querySelector('.scroll'));
bar.className = 'choices';
const tests = [];
const labelled = (text, control) => {
  const label = bar.appendChild(document.createElement('label'));
  label.append(text, ' ', control);
  return control;
};
[...head.cells].forEach((cell, at) => {
  if (!cell.hasAttribute('data-choices')) return;
  const select = labelled(cell.textContent, document.createElement('select'));
  const kind = row => row.cells[at].textContent.replace(/ in \d+ of \d+$/, ' in part');
  select.add(new Option('all', ''));
  for (const value of new Set(rows.map(kind))) select.add(new Option(value, value));
  tests.push(row => !select.value || kind(row) === select.value);
});
const text = row => [...row.cells].map(cell => cell.textContent).join(' ').toLowerCase();
const words = labelled('words', document.createElement('input'));
words.type = 'search';
tests.push(row => words.value.toLowerCase().split(/\s+/).every(word => text(row).includes(word)));
const told = bar.appendChild(document.createElement('output'));
const choose = () => {
  for (const row of rows) row.hidden = !tests.every(test => test(row));
  const left = rows.filter(row => !row.hidden).length;
  told.textContent = `${left} of ${rows.length} rows`;
};
bar.addEventListener('input', choose);
choose();
