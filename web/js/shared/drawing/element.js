const vector = 'http://www.w3.org/2000/svg';
const svgTags = new Set(['svg', 'path', 'circle', 'ellipse', 'line', 'g', 'rect', 'text']);
let numbers = 0;
/** Control characters, and those that change the direction of what follows: in a name they could hide its true end. */
const deceptive = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** A text whose deceptive characters are written as escapes, `\u{202E}`, as in the log. */
export function readable(text) {
  if (typeof text !== 'string') return text;
  return text.replace(deceptive, (sign) => `\\u{${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}}`);
}

/**
 * An element in one expression: `element('button', { class: 'plain', type: 'button', onclick: stop }, 'Stop')`.
 *
 * Functions become properties, true an empty attribute; false, null and undefined are left out.
 */
export function element(tag, attributes = {}, ...children) {
  const made = svgTags.has(tag) ? document.createElementNS(vector, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === 'function') made[name] = value;
    else made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== '').map(readable));
  return made;
}

/** An id that no other element has, for labels. */
export const uniqueId = (word) => `${word}-${++numbers}`;

/**
 * Makes these elements the children, in this order. One that stays is moved only where it must be, and keeps its focus: a press on it that
 * has begun would come to nothing otherwise.
 */
export function arrange(list, wanted) {
  const focused = list.contains(document.activeElement) ? document.activeElement : null;
  for (const each of [...list.children]) if (!wanted.includes(each)) each.remove();
  for (const [index, each] of wanted.entries()) {
    if (list.children[index] !== each) list.insertBefore(each, list.children[index] ?? null);
  }
  if (focused?.isConnected && focused !== document.activeElement) focused.focus();
}

/** Writes a text only when it differs, which avoids layout and repeated announcements. */
export function setText(target, text) {
  if (target.textContent === text) return;
  const shown = readable(text);
  if (target.textContent !== shown) target.textContent = shown;
}

/** Writes an attribute only when it differs. */
export function setAttribute(target, name, value) {
  if (target.getAttribute(name) !== String(value)) target.setAttribute(name, value);
}
