/**
 * Lets files be dropped on an element.
 *
 * @param take called with the list of files
 * @param isPossible whether files are taken at present
 */
export function takeDrops(target, take, isPossible = () => true) {
  const mark = (isOver) => target.classList.toggle('is-drop-target', isOver);
  target.addEventListener('dragover', (event) => {
    if (!isPossible() || !event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    mark(true);
  });
  target.addEventListener('dragleave', () => mark(false));
  target.addEventListener('drop', (event) => {
    mark(false);
    if (!isPossible() || event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    take(event.dataTransfer.files);
  });
}
