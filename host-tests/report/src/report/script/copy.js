// The rows that are seen, with all columns and unrounded values, as the files of data have them.
function csvOf(table) {
  const heads = [...table.tHead.rows[0].cells];
  const names = heads.flatMap(({ dataset }) => 'estimate' in dataset ? [dataset.key, `${dataset.key}_half_width`] : [dataset.key]);
  const seen = [...table.tBodies[0].rows].filter(row => !row.hidden);
  const fields = row => [...row.cells].flatMap((cell, at) => {
    const value = plain(cell);
    return 'estimate' in heads[at].dataset ? [value, cell.dataset.half ?? ''] : [value];
  });
  return [names, ...seen.map(fields)].map(row => row.map(quoted).join(',')).join('\n') + '\n';
}

function plain(cell) {
  if (cell.dataset.value !== undefined) return cell.dataset.value;
  const text = cell.textContent;
  if (!cell.classList.contains('number')) return text;
  return text === '–' ? '' : text.replaceAll(',', '');
}

function quoted(field) {
  return /[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

// Where a page has no clipboard, as on plain HTTP, a selected text is copied.
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.body.appendChild(element('textarea', {}, text));
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  if (!isDone) throw new Error('the browser does not copy');
}

function copyable(figure) {
  const button = element('button', { type: 'button', class: 'copy' }, 'Copy as CSV');
  const said = element('output', { class: 'note' });
  button.addEventListener('click', async () => {
    const text = csvOf(figure.querySelector('table'));
    try {
      await copy(text);
      said.textContent = `${text.split('\n').length - 2} rows copied`;
    } catch (error) {
      said.textContent = `not copied: ${error.message}`;
    }
  });
  const all = figure.querySelector(':scope > .all-columns') ?? '';
  toolbar(figure).append(all, button, said);
}
