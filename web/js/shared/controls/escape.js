/**
 * Calls `cancel` when Escape is pressed while something is dragged; the key does nothing else then.
 *
 * @returns a function that ends this, when the drag has ended
 */
export function onEscape(cancel, target = window) {
  const end = () => target.removeEventListener('keydown', key, true);
  const key = (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    end();
    cancel();
  };
  target.addEventListener('keydown', key, true);
  return end;
}
