import { element } from '../shared/drawing/element.js';
import { peerName } from './camera-words.js';
import { isOwn, lowerBounds } from './saving.js';

const part = (id) => document.getElementById(id);
const numbers = ['best-bitrate', 'lowest-bitrate', 'best-rate', 'lowest-rate', 'best-height', 'lowest-height'];
const storageKey = 'vestibule.camera';
/** Whether an identity outlasts the connection of its peer; those of peers that are not paired have a space. */
const isLasting = (identity) => !identity.includes(' ');

/** Choices of the user about what this browser offers, kept for the next time. */
export class OfferForm {
  /** Identities of named peers that may not be there at the moment, and their names. */
  #named = new Map();

  /** @param changed called with the id of the control after each change */
  constructor(changed, storage = globalThis.localStorage) {
    this.storage = storage;
    this.#restore();
    for (const id of ['source', 'input', 'sound', 'thumbnail', 'admit', 'name', 'codec', 'follow', 'saving', ...numbers]) {
      part(id).addEventListener('change', () => {
        this.#store();
        this.#show();
        changed(id);
      });
    }
    this.changed = changed;
    this.#show();
  }

  #restore() {
    let kept = {};
    try {
      kept = JSON.parse(this.storage.getItem(storageKey)) ?? {};
    } catch {
      // A browser without a memory begins with the usual choices.
    }
    for (const [id, value] of Object.entries(kept.values ?? {})) if (part(id)) part(id).value = value;
    this.#named = new Map(kept.named ?? []);
  }

  #store() {
    const values = Object.fromEntries(['admit', 'name', 'codec', 'follow', 'saving', ...numbers].map((id) => [id, part(id).value]));
    // Peers that are not paired have another identity next time.
    const named = [...this.#named].filter(([identity]) => isLasting(identity));
    try {
      this.storage.setItem(storageKey, JSON.stringify({ values, named }));
    } catch {
      // Without a memory the choices hold for this time.
    }
  }

  #show() {
    part('sound-line').hidden = this.source === 'microphone';
    part('thumbnail-line').hidden = this.source === 'microphone';
    part('named-line').hidden = part('admit').value !== 'named';
    for (const name of ['bitrate', 'rate', 'height']) part(`lowest-${name}-line`).hidden = !isOwn(part('saving').value, name);
  }

  /** Forgets the named peers that are not paired: after a loss of the connection nobody knows whether they are still the same. */
  forgetStrangers() {
    this.#named = new Map([...this.#named].filter(([identity]) => isLasting(identity)));
    this.offerPeers([]);
  }

  get name() {
    return part('name').value.trim();
  }

  get source() {
    return part('source').value;
  }

  get input() {
    return part('input-line').hidden ? '' : part('input').value;
  }

  /** Choices that decide what has to be opened, as one text. */
  get wish() {
    return JSON.stringify([this.source, this.input, this.wantsSound]);
  }

  get wantsSound() {
    return this.source === 'microphone' || part('sound').checked;
  }

  /** Whether others may see a small picture before they ask. */
  get hasThumbnail() {
    return part('thumbnail').checked;
  }

  get admits() {
    return part('admit').value;
  }

  #strategy(word) {
    const number = (id) => {
      const { value, min, max } = part(`${word}-${id}`);
      return Math.min(Number(max), Math.max(Number(min), Math.round(Number(value)) || Number(min)));
    };
    return { bitrate: 1000 * number('bitrate'), rate: number('rate'), height: number('height') };
  }

  get best() {
    return this.#strategy('best');
  }

  /** Lower bounds for the encoder. */
  get lowest() {
    return lowerBounds(part('saving').value, this.best, this.#strategy('lowest'));
  }

  /** The `update` message. @param codecs those that this browser encodes */
  offer(codecs, hasSound) {
    // VP8 is what all have in common: the engine falls back to it as soon as somebody lacks the other one.
    const wanted = [...new Set([part('codec').value, 'vp8'])];
    return {
      type: 'update', source: this.source, sound: hasSound,
      codecs: this.source === 'microphone' ? [] : wanted.filter((each) => codecs.has(each)),
      admit: part('admit').value, named: [...this.#named.keys()], follow: part('follow').value, best: this.best,
      lowest: this.lowest,
    };
  }

  /** Offers the codecs that this browser encodes. */
  offerCodecs(codecs) {
    for (const option of part('codec').options) option.disabled = option.value !== 'vp8' && !codecs.has(option.value);
  }

  /** Shows the inputs of the source. */
  offerInputs(inputs) {
    const chosen = part('input').value;
    part('input-line').hidden = inputs.length < 2;
    part('input').replaceChildren(...inputs.map(({ id, title }) => element('option', { value: id, selected: id === chosen }, title)));
  }

  /** Shows the peers that can be named. */
  offerPeers(peers) {
    const present = new Map(peers.map((peer) => [peer.identity, peerName(peer)]));
    const all = new Map([...this.#named, ...present]);
    part('named-none').hidden = all.size > 0;
    const focused = document.activeElement?.dataset?.identity;
    part('named').replaceChildren(...[...all].map(([identity, name]) => element('label', {}, element('input', {
      type: 'checkbox', checked: this.#named.has(identity), 'data-identity': identity, onchange: ({ target }) => {
        if (target.checked) this.#named.set(identity, name);
        else this.#named.delete(identity);
        this.#store();
        this.changed('named');
      },
    }), name)));
    if (focused) [...part('named').querySelectorAll('input')].find((each) => each.dataset.identity === focused)?.focus();
  }
}
