import { card } from '../shared/controls/card.js';
import { control } from '../shared/controls/control.js';
import { element, setText } from '../shared/drawing/element.js';
import { roles } from '../shared/tree/roles.js';

/** Groups of sound objects that move, turn and change their level together; those without members are hidden. */
export default {
  topic: 'objects',
  needs: [roles.objectGroupMembers],
  shows: [roles.objectGroupName, roles.objectGroupXYZ, roles.objectGroupYaw, roles.objectGroupGain, roles.objectGroupMute,
    roles.objectGroupMembers],
  isWide: true,
  make: groupsCard,
};

function groupsCard(page) {
  const groups = page.root.findAll(roles.objectGroupMembers).map((members) => groupPart(page, members));
  const made = card('Object groups', 'Choose the members beside the map. They move together and turn around their centre.',
    element('div', { class: 'object-groups' }, groups.map(({ part }) => part)));
  const whole = element('div', { class: 'objects is-single', hidden: true }, made);
  const show = () => { whole.hidden = groups.every(({ part }) => part.hidden); };
  for (const { members } of groups) page.watch(members, show);
  return whole;
}

function groupPart(page, members) {
  const own = (role) => members.parent.children.find((node) => node.has(role)) ?? null;
  const nodes = [roles.objectGroupName, roles.objectGroupGain, roles.objectGroupMute, roles.objectGroupYaw, roles.objectGroupXYZ].map(own);
  const title = element('h3', {});
  const part = element('section', { class: 'object-group', hidden: true, 'data-group': members.parent.name }, title,
    element('div', { class: 'controls' }, nodes.filter(Boolean).map((node) => control(page, node))));
  page.watch(members, ([count]) => {
    part.hidden = !count;
    setText(title, `Group ${members.parent.name}: ${count} object${count === 1 ? '' : 's'}`);
  });
  return { part, members };
}
