import { element, setText } from '../shared/drawing/element.js';
import { endWords, linkWords, offerWords, peerName } from './camera-words.js';
import { Incoming } from './incoming.js';
import { LinkPlots } from './links/link-plots.js';

/** Milliseconds for which a small picture is shown: longer than until the next one comes. */
const glanceTime = 15_000;
/** Pixels of the longer side of a small picture; larger ones are not shown. */
const longestGlance = 320;
/** Milliseconds without a picture after which the tile shows a message; a strategy may ask for one picture a second. */
const longestSilence = 3000;

/** One peer that offers something: its name, its picture, and the button to receive it. */
export class PeerTile {
  #state = 'off';
  /** The received frames; null before. */
  incoming = null;
  link = null;
  /** Whether the sound of the peer is not played. */
  isMuted = false;

  /** @param world `{ send, clock }` as for `Incoming` */
  constructor(peer, world) {
    this.world = world;
    this.title = element('span', { class: 'client-name' });
    this.button = element('button', { type: 'button', class: 'plain', onclick: () => this.#press() });
    this.canvas = element('canvas', { hidden: true, role: 'img' });
    this.words = element('p', { class: 'help', role: 'status' });
    this.numbers = element('p', { class: 'help' });
    this.plots = new LinkPlots(['rate', 'lines', 'pictures', 'lost', 'delay', 'step'], 'Over time');
    this.mute = element('button', { type: 'button', class: 'plain', hidden: true, onclick: () => this.#mute(!this.isMuted) });
    this.element = element('li', { class: 'card camera-tile' },
      element('div', { class: 'camera-row' }, this.title, element('div', { class: 'camera-buttons' }, this.mute, this.button)),
      this.canvas, this.words, this.numbers, this.plots.element);
    this.show(peer);
    this.#enter('off');
  }

  /** Shows a newer description of the peer. */
  show(peer) {
    this.peer = peer;
    setText(this.title, `${peerName(peer)}: ${offerWords(peer.offer)}`);
    this.#name();
    this.#mute(this.isMuted);
  }

  #press() {
    if (this.#state === 'off') {
      this.chosenAt = this.world.clock();
      this.#enter('asking');
      setText(this.words, 'Asking.');
      this.world.send({ type: 'start', sender: this.peer.peer });
    } else if (this.link !== null) this.world.send({ type: 'stop', link: this.link });
  }

  #enter(state) {
    this.#state = state;
    this.plots.element.hidden = state !== 'open';
    this.#glance(false);
    this.#mute(this.isMuted);
  }

  /** Plays the sound of the peer, or not. */
  #mute(isMuted) {
    this.isMuted = isMuted;
    if (this.incoming) this.incoming.sound.isMuted = isMuted;
    const { offer, name } = this.peer;
    this.mute.hidden = this.#state !== 'open' || !(offer?.sound || offer?.source === 'microphone');
    setText(this.mute, 'Mute');
    this.mute.setAttribute('aria-label', `Mute: ${name}`);
    this.mute.setAttribute('aria-pressed', isMuted);
  }

  /** Shows a small picture of what is offered, while nothing larger is received. */
  async glance({ content }) {
    if (this.#state === 'open') return;
    const picture = await createImageBitmap(new Blob([content], { type: 'image/jpeg' })).catch(() => null);
    if (!picture || this.#state === 'open' || Math.max(picture.width, picture.height) > longestGlance) {
      picture?.close();
      return;
    }
    [this.canvas.width, this.canvas.height] = [picture.width, picture.height];
    this.context ??= this.canvas.getContext('2d', { alpha: false });
    this.context.drawImage(picture, 0, 0);
    picture.close();
    this.#glance(true);
  }

  /** Shows or hides the canvas; a small picture disappears when no other one follows. */
  #glance(isSmall) {
    clearTimeout(this.glanceEnd);
    this.canvas.hidden = !isSmall && (this.#state !== 'open' || this.peer.offer?.source === 'microphone');
    if (isSmall) this.glanceEnd = setTimeout(() => this.#glance(false), glanceTime);
    this.isGlance = isSmall;
    this.canvas.classList.toggle('is-glance', isSmall);
    this.#name();
  }

  #name() {
    this.canvas.setAttribute('aria-label', `${this.isGlance ? 'Small picture' : 'Picture'} of ${this.peer.name}`);
    const verb = this.peer.offer?.source === 'microphone' ? 'Hear' : 'Watch';
    const word = { off: verb, asking: 'Cancel', open: 'Stop' }[this.#state];
    setText(this.button, word);
    this.button.setAttribute('aria-label', `${word}: ${this.peer.name}`);
    this.button.setAttribute('aria-pressed', this.#state === 'open');
  }

  /** The engine has begun the link, or waits for the sender's answer. */
  started(link, state) {
    if (this.incoming?.link !== link) this.#end();
    this.link = link;
    if (state === 'asking') {
      this.incoming?.pause();
      this.#enter('asking');
      setText(this.words, `Waiting for an answer from ${this.peer.name}.`);
      return;
    }
    if (this.incoming) this.incoming.resume();
    else this.incoming = new Incoming(link, (picture) => this.#draw(picture), (message) => this.world.send(message), this.world.clock);
    this.#enter('open');
    setText(this.words, '');
  }

  /** The link has ended. */
  stopped(reason) {
    this.#end();
    this.plots.clear();
    this.link = null;
    this.#enter('off');
    setText(this.words, endWords(this.peer.name, reason));
    setText(this.numbers, '');
  }

  /** The engine has refused to begin. */
  refused(text) {
    if (this.#state !== 'asking') return;
    this.#enter('off');
    setText(this.words, `${text[0].toUpperCase()}${text.slice(1)}.`);
  }

  /** Shows the engine's measurements with those of this page. */
  measure(reading) {
    const { incoming } = this;
    if (!incoming || this.#state !== 'open') return;
    if (reading.offset !== undefined) incoming.offset = reading.offset;
    const { size, rate, delay, late } = incoming;
    const isSound = this.peer.offer?.source === 'microphone';
    setText(this.numbers, linkWords({ ...reading, ...(isSound ? {} : { ...size, rate }), late, delay }));
    const isSilent = !isSound && incoming.silence > longestSilence;
    setText(this.words, isSilent ? `No picture has arrived for a few seconds: the page of ${this.peer.name} may be in the background, or a `
      + 'network stands still.' : '');
    const seen = isSound ? {} : { lines: size.height, pictures: rate, delay: delay?.middle };
    this.plots.take(this.world.clock() / 1000, {
      rate: reading.bitrate / 1000, lost: reading.skipped + late, step: reading.step, ...seen,
    });
  }

  #draw(picture) {
    const { canvas } = this;
    if (canvas.width !== picture.displayWidth || canvas.height !== picture.displayHeight) {
      canvas.width = picture.displayWidth;
      canvas.height = picture.displayHeight;
    }
    this.context ??= canvas.getContext('2d', { alpha: false });
    this.context.drawImage(picture, 0, 0);
  }

  #end() {
    this.incoming?.end();
    this.incoming = null;
  }

  /** Ends for good. */
  remove() {
    this.#end();
    clearTimeout(this.glanceEnd);
    this.element.remove();
  }
}
