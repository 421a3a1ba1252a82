// A number, whatever follows it; a dash stands for one that is missing.
const NUMBER = /^([+-]?\d[\d,.]*(\s.*)?|–)$/;

// A click on a column's name sorts by it, another one turns the order, a third gives the first one back. Numbers
// begin with the largest.
function sortable(table) {
  const body = table.tBodies[0];
  const first = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const isNumber = first.every(row => NUMBER.test(row.cells[column].textContent));
    const orders = isNumber ? ['descending', 'ascending'] : ['ascending', 'descending'];
    const button = element('button', { type: 'button' }, ...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const order = orders[orders.indexOf(head.getAttribute('aria-sort')) + 1];
      for (const other of heads) other.removeAttribute('aria-sort');
      if (order) head.setAttribute('aria-sort', order);
      body.append(...(order ? sorted(first, column, isNumber, order) : first));
    });
  });
}

// Rows without a value stay last, equal ones in their order.
function sorted(rows, column, isNumber, order) {
  const key = row => isNumber ? numberIn(row.cells[column]) : row.cells[column].textContent;
  const compare = isNumber ? (a, b) => a - b : (a, b) => a.localeCompare(b, 'en', { numeric: true });
  const sign = order === 'ascending' ? 1 : -1;
  const keyed = rows.map(row => ({ row, key: key(row) }));
  const isMissing = ({ key }) => Number.isNaN(key);
  const there = keyed.filter(one => !isMissing(one)).sort((a, b) => sign * compare(a.key, b.key));
  return [...there, ...keyed.filter(isMissing)].map(({ row }) => row);
}

// The value before it was rounded, if it was.
function numberIn(cell) {
  return parseFloat(cell.dataset.value ?? cell.textContent.replaceAll(',', ''));
}
