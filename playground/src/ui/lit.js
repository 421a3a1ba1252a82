// A job under the pointer, or the focus, is lit wherever it is shown: what shows a job has `data-job`.

function light({ target }) {
  const job = target.closest?.("[data-job]")?.dataset.job;
  for (const node of document.querySelectorAll("[data-job]")) node.classList.toggle("lit", node.dataset.job === job);
}

export function lightJobs() {
  addEventListener("pointerover", light);
  addEventListener("focusin", light);
}
