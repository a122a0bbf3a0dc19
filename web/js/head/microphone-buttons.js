import { element, setAttribute, uniqueId } from '../shared/drawing/element.js';
import { toScreen } from '../shared/numbers/angles.js';
import { roles } from '../shared/tree/roles.js';

/**
 * The mutes after a press on a microphone: one value for each, 1 for a muted one.
 *
 * @param mutes current values; missing ones are 0
 * @param isSolo whether the press leaves only this one, or, when it is alone already, ends that
 */
export function pressed(mutes, index, count, isSolo) {
  const all = Array.from({ length: count }, (_, each) => (mutes[each] === 1 ? 1 : 0));
  if (!isSolo) return all.with(index, 1 - all[index]);
  const isAlone = all.every((mute, each) => mute === (each === index ? 0 : 1));
  return all.map((_, each) => (isAlone || each === index ? 0 : 1));
}

/** Buttons on the ring that mute a microphone or leave only one, and a choice between both; null without such a setting. */
export function microphoneButtons(page) {
  const node = page.root.find(roles.microphoneMute);
  const azimuths = page.root.find(roles.microphoneAzimuth);
  if (!node || !azimuths) return null;
  const name = uniqueId('press');
  let isSolo = false;
  const choice = element('div', { class: 'segments microphone-choice', role: 'radiogroup', 'aria-label': 'Press on a microphone' },
    [['Mute', false], ['Solo', true]].map(([title, value]) => element('label', { class: 'segment' },
      element('input', { type: 'radio', name, checked: !value, onchange: () => { isSolo = value; } }), element('span', {}, title))));
  const layer = element('div', { class: 'microphone-buttons', role: 'group', 'aria-label': 'Microphones' });
  const press = (index) => {
    const mutes = pressed(page.values.of(node), index, page.values.of(azimuths).length, isSolo);
    page.send(node, mutes);
  };
  const place = (all) => {
    choice.hidden = all.length === 0;
    if (layer.children.length !== all.length) {
      layer.replaceChildren(...all.map((_, index) => element('button', {
        type: 'button', class: 'microphone-button', 'aria-label': `Mute microphone ${index + 1}`, onclick: () => press(index),
      }, String(index + 1))));
    }
    all.forEach((azimuth, index) => {
      const { x, y } = toScreen(azimuth, 1);
      layer.children[index].style.setProperty('--x', x);
      layer.children[index].style.setProperty('--y', y);
    });
    mark();
  };
  const mark = () => [...layer.children].forEach((button, index) =>
    setAttribute(button, 'aria-pressed', page.values.of(node)[index] === 1));
  page.watch(azimuths, place);
  page.watch(node, mark);
  return { layer, choice };
}
