import { Devices, ago } from './devices.js';
import { element, setText } from './element.js';
import { card } from './group.js';
import { qrCode } from './qr-code.js';

/** How often the list is asked for, in milliseconds. */
const interval = 3000;
const roles = { control: 'Control', view: 'Look and listen' };
/** What a code is for: a role, and the page that it opens. */
const purposes = {
  phone: { words: 'Turn a head', role: 'control', page: 'phone' },
  control: { words: roles.control, role: 'control', page: 'panel' },
  view: { words: roles.view, role: 'view', page: 'panel' },
};

/** The paired devices, and a code for another one; hidden where there is nothing to pair for. */
export function pairingCard(page, world, tell) {
  const devices = new Devices(world);
  const list = element('ul', { class: 'devices' });
  const code = element('div', { class: 'pairing-code' });
  const words = Object.fromEntries(Object.entries(purposes).map(([name, purpose]) => [name, purpose.words]));
  const purpose = choice(words, 'phone', 'What the device is for');
  const whole = card('Devices', 'Phones and browsers that have been let in. A code lets one in, once.', list,
    element('div', { class: 'pairing-start' }, purpose,
      element('button', { type: 'button', class: 'plain', onclick: pair }, 'Pair a device')), code);
  whole.hidden = true;
  let shown = '';
  let count = 0;
  let countdown = null;

  async function refresh() {
    const found = await devices.list();
    whole.hidden = found === null;
    const text = JSON.stringify(found);
    // Somebody may be at a button of the list: it is only drawn when it has changed.
    if (found && text !== shown) list.replaceChildren(...found.map(row));
    shown = text;
    if ((found?.length ?? 0) > count) hide();
    count = found?.length ?? 0;
  }

  /** Does something, says why it failed, and shows what is then. */
  async function attempt(action) {
    try {
      await action();
    } catch (error) {
      tell(error.message);
    }
    await refresh();
  }

  function row(device) {
    const role = choice(roles, device.role, `What ${device.name} may do`);
    role.addEventListener('change', () => attempt(() => devices.setRole(device.id, role.value)));
    const seen = device.connections > 0 ? 'connected' : `last seen ${ago(Date.now() / 1000 - device.seen)}`;
    return element('li', {},
      element('span', { class: 'device-name' }, device.name, element('small', {}, device.own ? `this one, ${seen}` : seen)),
      role,
      element('button', {
        type: 'button', class: 'plain', 'aria-label': `Revoke ${device.name}`,
        onclick: () => attempt(() => devices.revoke(device.id)),
      }, 'Revoke'));
  }

  function pair() {
    const { role, page: opened } = purposes[purpose.value];
    return attempt(async () => show(await devices.offer(role, opened)));
  }

  function show(offer) {
    const left = element('p', { class: 'help', role: 'status' });
    const end = performance.now() + offer.seconds * 1000;
    const tick = () => {
      const seconds = Math.ceil((end - performance.now()) / 1000);
      setText(left, `Scan this with the device’s camera. Good once, for ${Math.ceil(seconds / 60)} more `
        + `${seconds > 60 ? 'minutes' : 'minute'}.`);
      if (seconds <= 0) hide();
    };
    hide();
    code.replaceChildren(left, qrCode(offer.code, 'Pairing code'),
      element('details', { class: 'more' }, element('summary', {}, 'Without a camera'), element('code', {}, offer.url)),
      offer.trust ? trust(offer.trust) : '');
    tick();
    countdown = setInterval(tick, 1000);
  }

  function hide() {
    clearInterval(countdown);
    code.replaceChildren();
  }

  const timer = setInterval(refresh, interval);
  page.onEnd(() => {
    clearInterval(timer);
    hide();
  });
  refresh();
  return whole;
}

function trust({ url, code }) {
  return element('details', { class: 'more' },
    element('summary', {}, 'The device warns of an unknown certificate'),
    element('p', { class: 'help' }, 'Scan this one first: the page says how to trust this engine, once.'),
    qrCode(code, 'Address of the trust page'), element('code', {}, url));
}

function choice(options, chosen, label) {
  return element('select', { 'aria-label': label },
    Object.entries(options).map(([value, words]) => element('option', { value, selected: value === chosen }, words)));
}
