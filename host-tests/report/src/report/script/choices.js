// Lets rows be chosen by the values of some columns, and by words anywhere in them.
function choosable(figure) {
  const heads = [...figure.querySelector('thead tr').cells];
  const rows = [...figure.querySelector('tbody').rows];
  const bar = toolbar(figure);
  const chosen = heads.flatMap((head, at) => head.hasAttribute('data-choices') ? [choiceOf(bar, head, at, rows)] : []);
  if (!chosen.length) return;
  const words = labelled(bar, 'search', element('input', { type: 'search' }));
  const text = row => [...row.cells].map(cell => cell.textContent).join(' ').toLowerCase();
  chosen.push(row => words.value.toLowerCase().split(/\s+/).every(word => text(row).includes(word)));
  const count = bar.appendChild(element('output'));
  const choose = () => {
    for (const row of rows) row.hidden = !chosen.every(test => test(row));
    count.textContent = `${rows.filter(row => !row.hidden).length} of ${rows.length} rows`;
  };
  bar.addEventListener('input', choose);
  choose();
}

function labelled(bar, text, control) {
  bar.append(element('label', {}, `${text} `, control));
  return control;
}

// What a row must meet, by the choice among the values of a column.
function choiceOf(bar, head, column, rows) {
  // In how many cases a claim holds does not matter here.
  const kind = row => row.cells[column].textContent.replace(/ in \d+ of \d+$/, ' in part');
  const select = labelled(bar, head.textContent, element('select', {}, new Option('all', '')));
  for (const value of new Set(rows.map(kind))) select.add(new Option(value, value));
  return row => !select.value || kind(row) === select.value;
}
