const readings = [...document.querySelectorAll('.drawn')].map(place => new Reading(new Chart(place)));
zoomable(readings);
document.querySelectorAll('figure.plot').forEach(switchable);
for (const figure of document.querySelectorAll('figure.table')) {
  choosable(figure);
  copyable(figure);
  sortable(figure.querySelector('table'));
}
markable();
document.querySelectorAll('.gantt').forEach(place => new Gantt(place));
const isTouched = matchMedia('(hover: none)').matches;
const [curves, bars] = isTouched
  ? ['Curves: tap for values, drag sideways to zoom, tap a name to hide its curve.', 'Gantt charts: tap a bar for its values.']
  : ['Curves: rest the pointer for values, drag to zoom, click a name to hide its curve; arrow keys, + and 0 do the same.',
    'Gantt charts: rest the pointer on a bar for its values, click it to mark its job.'];
const help = [
  readings.length ? curves : '',
  document.querySelector('.gantt') ? bars : '',
  document.querySelector('figure.table') ? `Tables: ${isTouched ? 'tap' : 'click'} a column to sort.` : '',
];
document.querySelector('header').append(element('p', { class: 'note' }, help.filter(Boolean).join(' ')));
