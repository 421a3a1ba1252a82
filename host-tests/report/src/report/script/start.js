const readings = [...document.querySelectorAll('.drawn')].map(place => new Reading(new Chart(place)));
zoomable(readings);
document.querySelectorAll('figure.plot').forEach(switchable);
for (const figure of document.querySelectorAll('figure.table')) {
  choosable(figure);
  copyable(figure);
  sortable(figure.querySelector('table'));
}
markable();
const help = [
  readings.length ? 'Plots: rest the pointer for values, drag to zoom, click a name to hide its curve; arrow keys, + and 0 do the same.' : '',
  document.querySelector('figure.table') ? 'Tables: click a column to sort.' : '',
];
document.querySelector('header').append(element('p', { class: 'note' }, help.join(' ').trim()));
