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
  const all = element('button', { type: 'button', class: 'clear' }, 'Clear the search');
  const choose = () => {
    for (const row of rows) row.hidden = !chosen.every(test => test(row));
    const seen = rows.filter(row => !row.hidden).length;
    count.textContent = seen ? `${seen} of ${rows.length} rows` : 'No row matches.';
    all.hidden = seen > 0;
  };
  bar.append(all);
  all.addEventListener('click', () => {
    for (const control of bar.querySelectorAll('select, [type=search]')) control.value = '';
    choose();
    words.focus();
  });
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
  const kinds = rows.map(kind);
  for (const value of new Set([...head.dataset.choices.split('|').filter(Boolean), ...kinds])) {
    select.add(new Option(`${value} (${kinds.filter(other => other === value).length})`, value));
  }
  return row => !select.value || kind(row) === select.value;
}
