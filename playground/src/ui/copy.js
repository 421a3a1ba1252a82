// Copies a text, and says on the button that it did. `otherwise` does what helps where a page may not copy, and answers what
// the button says then.
export async function copy(text, button, otherwise) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = otherwise();
  }
}
