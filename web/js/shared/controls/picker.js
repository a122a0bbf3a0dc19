import { claimRoles } from './displayed-roles.js';
import { element } from '../drawing/element.js';
import { roles } from '../tree/roles.js';

claimRoles(roles.listedRacks, roles.listedRecordings, roles.listedResponses, roles.listedHRTFs, roles.listedTrackers);

/** The list that holds the names for a text, and the kind of the files: `{ list, kind }`; null for a text that is free. */
export function listFor(root, node) {
  const listed = (role, kind) => (root.find(role) ? { list: root.find(role), kind } : null);
  if (node.has(roles.recording)) return listed(roles.listedRecordings, 'recordings');
  if (node.has(roles.hrtfFile)) return listed(roles.listedHRTFs, 'hrtf');
  const isOfEffect = node.isWritable && node.parent?.parent?.children.some((each) => each.has(roles.slotState));
  return isOfEffect ? listed(roles.listedResponses, 'responses') : null;
}

/** The lines of a list as pairs of a value and the words for it. */
export const namesOf = (text) => (text ?? '').split('\n').filter(Boolean).map((line) => [line, line]);

/** The kinds of trackers as pairs of a source and the words for it. */
export const trackersOfList = (text) => (text ?? '').split('\n').filter(Boolean).map((line) => {
  const [name, title, place] = line.split('\t');
  return [place && /^\d+$/.test(place) ? `${name}:${place}` : name, title || name];
});

/**
 * A choice of the names in a list; hidden while the list is empty.
 *
 * @param pairs returns the pairs of value and words of the list's text
 * @param choose called with the value that was chosen
 */
export function picker(page, list, label, pairs, choose) {
  const select = element('select', {
    class: 'picker', 'aria-label': label, onchange: () => {
      if (select.value) choose(select.value);
      select.value = '';
    },
  });
  page.watch(list, ([text]) => {
    const options = pairs(text);
    select.hidden = options.length === 0;
    select.replaceChildren(element('option', { value: '' }, 'Choose…'),
      ...options.map(([value, words]) => element('option', { value }, words)));
  });
  return select;
}
