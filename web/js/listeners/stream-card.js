import { card } from '../shared/controls/card.js';
import { element, setText, uniqueId } from '../shared/drawing/element.js';
import { qrCode } from '../shared/drawing/qr-code.js';
import { roles } from '../shared/tree/roles.js';

/** Addresses under which everybody hears the listener that is chosen; hidden where the engine has no HLS. */
export default { topic: 'engine', needs: [roles.listenerAdd], make: streamCard };

function streamCard(page, _, { world, listener }) {
  const number = listener?.name ?? '1';
  const field = element('input', { type: 'text', readonly: true, id: uniqueId('stream') });
  const words = element('p', { class: 'help', role: 'status' });
  const player = element('a', { class: 'plain' }, 'Open the player');
  const code = element('details', { class: 'more' }, element('summary', {}, 'Code for phones'));
  const whole = card('Stream for everyone',
    `Everybody with the address hears listener ${number}, about a second and a half later: in browsers, and in all players of HLS.`,
    element('p', { class: 'stream-links' }, player),
    element('label', { for: field.id }, 'Address for other players'),
    element('div', { class: 'text-line' }, field, element('button', { type: 'button', class: 'plain', onclick: copy }, 'Copy')),
    words, code);
  whole.classList.add('stream-card');
  whole.hidden = true;

  async function copy() {
    field.select();
    const isCopied = await navigator.clipboard?.writeText(field.value).then(() => true, () => false);
    setText(words, isCopied ? 'The address is copied.' : 'The address is selected; copy it with the keyboard.');
  }

  world.fetch(`/hls/address?listener=${number}`, { cache: 'no-store' }).then(async (response) => {
    if (!response.ok) return;
    const found = await response.json();
    const own = new URL(found.page);
    player.href = `${own.pathname}${own.search}`;
    field.value = found.playlist;
    code.append(qrCode(found.code, 'Address of the player'), element('code', {}, found.page),
      found.path === '/hls' ? '' : element('p', { class: 'help' },
        'The addresses contain a key that gives access to the streams of this engine and nothing else.'));
    whole.hidden = false;
  }, () => {});
  return whole;
}
