import { card } from '../shared/controls/card.js';
import { element, setText, uniqueId } from '../shared/drawing/element.js';
import { icon } from '../shared/drawing/icons.js';
import { roles } from '../shared/tree/roles.js';

/** The sound device: its state in words, the choice of another one, and what was lost. */
export default {
  topic: 'engine',
  needs: [roles.deviceName, roles.deviceState],
  shows: [roles.deviceName, roles.deviceAvailable, roles.deviceSelect, roles.deviceOrder, roles.deviceState, roles.deviceProblem,
    roles.deviceLost, roles.deviceLosses, roles.deviceDelay, roles.deviceResidual, roles.deviceJumps, roles.deviceChannels],
  owns: 'container',
  make: deviceCard,
};

/** The devices of a list: name and words for each line. */
export function offers(text) {
  return (text ?? '').split('\n').filter(Boolean).map((line) => {
    const [name, summary, channels, rates] = line.split('\t');
    const facts = [summary, channels && `${channels} channels`, rates && `${rates} Hz`].filter(Boolean);
    return { name, words: facts.length > 0 ? `${name} – ${facts.join(', ')}` : name };
  });
}

/** A device's state in a sentence. */
export function stateWords(device, state) {
  if (state === 'lost') {
    return `${device} was lost. The engine continues without it for network listeners, and uses it again when it returns.`;
  }
  return state === 'changing' ? `Plays on ${device} until the selected device is open.` : `Plays on ${device}.`;
}

/** Losses since the start, in words; empty for none. */
export function lossWords(losses, frames, rate) {
  if (!losses) return '';
  return `Lost ${losses === 1 ? 'once' : `${losses} times`} since the start: ${(frames / rate).toFixed(1)} s of sound were not played.`;
}

/** The output's delay in words, and where the figure comes from; empty without a sound card. */
export function delayWords(delay, residual, jumps, source) {
  if (!delay) return '';
  const origin = source === 'calibrated' ? 'as measured externally'
    : `as its driver reports (give or take ${residual.toFixed(1)} ms; \`vestibule measure --apply\` measures it)`;
  const doubt = jumps > 0 ? ` ${jumps === 1 ? 'One implausible time was' : `${jumps} implausible times were`} left out.` : '';
  return `Sound leaves the device ${delay.toFixed(1)} ms after the start of its rendering, ${origin}.${doubt}`;
}

function deviceCard(page, [name, state]) {
  const find = (role) => page.root.find(role);
  const [available, select, order] = [find(roles.deviceAvailable), find(roles.deviceSelect), find(roles.deviceOrder)];
  const [problem, lost, losses] = [find(roles.deviceProblem), find(roles.deviceLost), find(roles.deviceLosses)];
  const [delay, residual, jumps] = [find(roles.deviceDelay), find(roles.deviceResidual), find(roles.deviceJumps)];
  const source = find(roles.latencySource);
  const words = element('p', {});
  const sign = element('span', { class: 'device-sign' }, icon('warning', 18));
  const reason = element('p', { class: 'help' });
  const status = element('div', { class: 'device-state', role: 'status' }, sign, words, reason);
  const sum = element('p', { class: 'help' });
  const output = element('p', { class: 'help' });
  const preferred = element('p', { class: 'help' });
  const forget = element('button', { type: 'button', class: 'plain', onclick: () => page.send(order, ['']) }, 'Forget order');
  const chosen = element('select', { id: uniqueId('device'), onchange: () => page.send(select, [chosen.value]) });
  const value = (node) => page.values.of(node)[0];

  /** The present device is chosen, also when it is not in the list. */
  function list() {
    const all = offers(value(available));
    const present = value(name) ?? '';
    if (!all.some((offer) => offer.name === present)) all.unshift({ name: present, words: present });
    chosen.replaceChildren(...all.map((offer) => element('option', { value: offer.name }, offer.words)));
    chosen.value = present;
  }

  function show() {
    const isLost = value(state) === 'lost';
    setText(words, stateWords(value(name) ?? '', value(state)));
    setText(reason, isLost ? value(problem) ?? '' : '');
    sign.hidden = !isLost;
    status.classList.toggle('is-lost', isLost);
    setText(sum, lossWords(value(losses), value(lost), value(find(roles.rate)) || 48000));
    sum.hidden = !value(losses);
    const names = (value(order) ?? '').split('\n').filter(Boolean);
    setText(preferred, `Preferred, the best first: ${names.join(', ')}. The session keeps this order.`);
    preferred.hidden = forget.hidden = names.length === 0;
  }

  function tell() {
    const text = delayWords(value(delay), value(residual), value(jumps), value(source));
    setText(output, text);
    output.hidden = text === '';
  }

  for (const node of [delay, residual, jumps, source]) if (node) page.watch(node, tell);
  for (const node of [name, state, problem, lost, losses, order]) page.watch(node, show);
  for (const node of [name, available, state]) page.watch(node, list);
  const help = 'Device that plays the listeners’ ears. Another one takes over with a fade.';
  return card('Sound device', help, element('div', { class: 'device' },
    status, sum, output,
    element('div', { class: 'control control-select' },
      element('div', { class: 'control-line' },
        element('div', { class: 'caption' }, element('label', { class: 'label', for: chosen.id }, 'Device')), chosen)),
    preferred, forget));
}
