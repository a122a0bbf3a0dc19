import { PairedClients, ago } from './paired-clients.js';
import { element, setText } from '../shared/drawing/element.js';
import { card } from '../shared/controls/card.js';
import { qrCode } from '../shared/drawing/qr-code.js';

/** Time in milliseconds between two requests for the list. */
const interval = 3000;
const roles = { control: 'Control', view: 'View and listen' };
/** Purposes of a code: its role, and the page that it opens. */
const purposes = {
  phone: { words: 'Head tracker', role: 'control', page: 'phone' },
  control: { words: roles.control, role: 'control', page: 'panel' },
  view: { words: roles.view, role: 'view', page: 'panel' },
};

/** Paired clients, and a code that pairs another one; hidden where the engine needs no pairing. */
export default { topic: 'engine', needs: [], make: pairingCard };

function pairingCard(page, nodes, { world, notices }) {
  const pairedClients = new PairedClients(world);
  const list = element('ul', { class: 'clients' });
  const none = element('p', { class: 'help' }, 'No phone or browser is paired yet. Show a code below, and scan it with the phone.');
  const code = element('div', { class: 'pairing-code' });
  const words = Object.fromEntries(Object.entries(purposes).map(([name, purpose]) => [name, purpose.words]));
  const purpose = choice(words, 'phone', 'Purpose');
  const whole = card('Paired phones and browsers',
    'Clients that may connect without a token. To add one, show a code and scan it once with the phone.', none, list,
    element('div', { class: 'pairing-start' }, purpose,
      element('button', { type: 'button', class: 'plain', onclick: pair }, 'Show a code')), code);
  whole.hidden = true;
  let shown = '';
  let count = 0;
  let countdown = null;

  async function refresh() {
    const found = await pairedClients.list();
    whole.hidden = found === null;
    const text = JSON.stringify(found);
    // The list is only drawn when it has changed, because one of its buttons may have the focus.
    if (found && text !== shown) list.replaceChildren(...found.map(row));
    shown = text;
    none.hidden = (found?.length ?? 0) > 0;
    if ((found?.length ?? 0) > count) hide();
    count = found?.length ?? 0;
  }

  /** Runs an action, shows its error if it fails, and refreshes the list. */
  async function attempt(action) {
    try {
      await action();
    } catch (error) {
      notices.add(error.message);
    }
    await refresh();
  }

  function row(client) {
    const role = choice(roles, client.role, `Role of ${client.name}`);
    role.addEventListener('change', () => attempt(() => pairedClients.setRole(client.id, role.value)));
    const seen = client.connections > 0 ? 'connected' : `last seen ${ago(Date.now() / 1000 - client.seen)}`;
    return element('li', {},
      element('span', { class: 'client-title' }, client.name, element('small', {}, client.own ? `this browser, ${seen}` : seen)),
      role,
      element('button', {
        type: 'button', class: 'plain', 'aria-label': `Revoke ${client.name}`,
        onclick: () => attempt(() => pairedClients.revoke(client.id)),
      }, 'Revoke'));
  }

  function pair() {
    const { role, page: opened } = purposes[purpose.value];
    return attempt(async () => show(await pairedClients.offer(role, opened)));
  }

  function show(offer) {
    const left = element('p', { class: 'help', role: 'status' });
    const end = performance.now() + offer.seconds * 1000;
    const tick = () => {
      const seconds = Math.ceil((end - performance.now()) / 1000);
      setText(left, `Scan this code with the phone’s camera. It pairs one phone and expires in ${Math.ceil(seconds / 60)} `
        + `${seconds > 60 ? 'minutes' : 'minute'}.`);
      if (seconds <= 0) hide();
    };
    hide();
    const needsTLS = purposes[purpose.value].page === 'phone' && location.protocol === 'http:';
    code.replaceChildren(needsTLS ? withoutTLS() : '', left, qrCode(offer.code, 'Pairing code'),
      element('details', { class: 'more' },
        element('summary', {}, 'Address, for a browser without a camera'), element('code', {}, offer.url)),
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

/** A hint for a phone that is to be a head tracker: its browser does not report the orientation without TLS. */
function withoutTLS() {
  return element('p', { class: 'pairing-hint', role: 'note' },
    'A phone is a head tracker only with TLS, which this engine does not use. Start it with --tls; the code then opens the page '
    + '/trust on the phone, which explains how to trust the engine’s certificate.');
}

function trust({ url, code }) {
  return element('details', { class: 'more' },
    element('summary', {}, 'If the phone warns of an unknown certificate'),
    element('p', { class: 'help' },
      'Scan this code first. It opens a page that explains how to trust this engine’s certificate, which is needed once.'),
    qrCode(code, 'Address of the trust page'), element('code', {}, url));
}

function choice(options, chosen, label) {
  return element('select', { 'aria-label': label },
    Object.entries(options).map(([value, words]) => element('option', { value, selected: value === chosen }, words)));
}
