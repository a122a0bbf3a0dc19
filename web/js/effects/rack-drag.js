import { before, behind, beside } from './rack-layout.js';
import { edgeStep } from '../shared/controls/edge-step.js';

/** Time in milliseconds for which a finger rests on the middle of another effect before that means in parallel. */
const restsFor = 600;

/**
 * The drop that a position on another effect means: `before`, `behind` or `beside`.
 *
 * @param share { across, down } of the effect's box, 0 to 1
 * @param isColumn whether the rack is a column
 * @param isTouch whether a finger drags: in a column it makes a branch only after a rest, `hasRested`
 */
export function dropKind({ across, down }, isColumn, isTouch, hasRested) {
  if (!isColumn) return down > 0.5 ? 'beside' : across < 0.5 ? 'before' : 'behind';
  const isMiddle = down > 0.35 && down < 0.65;
  if (isMiddle && (!isTouch || hasRested)) return 'beside';
  return down < 0.5 ? 'before' : 'behind';
}

/**
 * Follows a pointer that drags an effect, marks where it would be dropped, and scrolls at the edges. Escape cancels.
 *
 * @param start event `pointerdown` of the grip
 * @param rack { row, scroller, own, number, places }: elements of the row, of the part that scrolls and of the effect that is
 *   dragged; its slot, and a function that returns the places of the layout
 * @param drop called with the new places when it is dropped on another effect
 */
export function dragEffect(start, { row, scroller, own, number, places }, drop) {
  const handle = start.currentTarget;
  const isTouch = start.pointerType === 'touch';
  let target = null;
  let at = start;
  let rest = { effect: null, since: 0 };
  let timer = null;

  const mark = () => {
    for (const each of row.querySelectorAll('[data-drop]')) each.removeAttribute('data-drop');
    if (target) target.effect.setAttribute('data-drop', target.kind);
  };
  const over = () => {
    const effect = document.elementFromPoint(at.clientX, at.clientY)?.closest('.effect');
    if (!effect || effect === own || !row.contains(effect)) return null;
    const box = effect.getBoundingClientRect();
    const share = { across: (at.clientX - box.left) / box.width, down: (at.clientY - box.top) / box.height };
    if (rest.effect !== effect) rest = { effect, since: performance.now() };
    const isColumn = getComputedStyle(row).flexDirection === 'column';
    const kind = dropKind(share, isColumn, isTouch, performance.now() - rest.since > restsFor);
    const change = { before, behind, beside }[kind];
    return { kind, effect, places: change(places(), number, Number(effect.dataset.slot)) };
  };
  const look = () => {
    target = over();
    mark();
  };
  const scroll = () => {
    const box = scroller.getBoundingClientRect();
    scroller.scrollTop += edgeStep(at.clientY, box.top, box.bottom);
    const rowBox = row.getBoundingClientRect();
    row.scrollLeft += edgeStep(at.clientX, Math.max(rowBox.left, box.left), Math.min(rowBox.right, box.right));
    look();
  };
  const follow = (event) => {
    at = event;
    look();
  };
  const end = (isDropped) => {
    clearInterval(timer);
    handle.removeEventListener('pointermove', follow);
    for (const [name, listener] of Object.entries(ends)) handle.removeEventListener(name, listener);
    window.removeEventListener('keydown', cancel, true);
    own.classList.remove('is-dragged');
    const chosen = target;
    target = null;
    mark();
    if (isDropped && chosen) drop(chosen.places);
  };
  const cancel = (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    end(false);
  };
  const ends = { pointerup: () => end(true), pointercancel: () => end(false), lostpointercapture: () => end(false) };

  handle.setPointerCapture(start.pointerId);
  own.classList.add('is-dragged');
  handle.addEventListener('pointermove', follow);
  for (const [name, listener] of Object.entries(ends)) handle.addEventListener(name, listener);
  window.addEventListener('keydown', cancel, true);
  timer = setInterval(scroll, 30);
}
