// Names in a legend become switches: what is off is not seen, in all plots of the figure.
function switchable(figure) {
  for (const item of figure.querySelectorAll('.legend > li')) {
    const button = element('button', { type: 'button', 'aria-pressed': 'true' }, ...item.childNodes);
    item.append(button);
    button.addEventListener('click', () => {
      const isOff = item.classList.toggle('off');
      button.setAttribute('aria-pressed', !isOff);
      for (const series of figure.querySelectorAll(`.series[data-series="${item.dataset.series}"]`)) {
        series.classList.toggle('off', isOff);
      }
    });
  }
}
