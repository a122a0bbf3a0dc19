import { element, setAttribute } from '../shared/drawing/element.js';
import { roles } from '../shared/tree/roles.js';
import { tunerDisplay } from './tuner-display.js';

/**
 * The tuner over the whole screen, readable from 3 m. While it is open the tuner runs and the output is muted; a button lets it be
 * heard. Escape and Close end both, as far as the view has begun them.
 */
export function tunerStage(page, container) {
  const [note, cents, run, mute] = [roles.tunerNote, roles.tunerCents, roles.tunerRun, roles.tunerMute]
    .map((role) => container.find(role));
  const isOn = (node) => Boolean(page.values.of(node)[0]);
  let wasRunning = false;
  const silence = mute && element('button', {
    type: 'button', class: 'plain', 'aria-pressed': false, title: mute.help, onclick: () => page.send(mute, [!isOn(mute)]),
  }, mute.title);
  if (mute) page.watch(mute, ([isMuted]) => setAttribute(silence, 'aria-pressed', Boolean(isMuted)));
  const dialog = element('dialog', { class: 'tuner-stage', 'aria-label': 'Tuner' },
    tunerDisplay(page, note, cents),
    element('form', { method: 'dialog' }, silence, element('button', { type: 'submit', class: 'plain' }, 'Close')));
  dialog.addEventListener('close', () => {
    if (mute && isOn(mute)) page.send(mute, [false]);
    if (!wasRunning) page.send(run, [false]);
  });
  page.onEnd(() => dialog.close());
  const open = () => {
    wasRunning = isOn(run);
    dialog.showModal();
    if (!wasRunning) page.send(run, [true]);
    if (mute) page.send(mute, [true]);
  };
  return { element: dialog, open };
}
