import { clientName } from '../shared/connection/client-name.js';
import { showConnection } from '../shared/connection/connection-status.js';
import { setText } from '../shared/drawing/element.js';
import { AllLinks } from './links/all-links.js';
import { CameraSocket } from './camera-socket.js';
import { peerName, rateWords } from './camera-words.js';
import { decodable, encodable } from './codec-support.js';
import { LinkPlots } from './links/link-plots.js';
import { OfferForm } from './offer-form.js';
import { OwnSource } from './own-source.js';
import { PeerNames } from './peer-names.js';
import { PeerTile } from './peer-tile.js';
import { PictureEncoder } from './picture-encoder.js';
import { ReceiverList } from './receiver-list.js';
import { SoundEncoder } from './sound-encoder.js';
import { StoppedList } from './stopped-list.js';
import { ThumbnailMaker } from './thumbnail-maker.js';
import { WatchDiagram } from './links/watch-diagram.js';

const part = (id) => document.getElementById(id);

/** Opens the page of cameras; start.js documents the returned object. */
export function open(world, login) {
  const page = new CameraPage(world, login);
  return { start: () => page.start(), retry: () => page.connect(), diagnostics: page };
}

/** Cameras, screens and microphones between browsers: what this one offers, and what it receives. */
class CameraPage {
  #codecs = { encodes: new Set(), decodes: new Set() };
  #peers = new Map();
  #names = new PeerNames();
  #isRefused = false;
  /** Small pictures by the number of a sender whose offer is not known yet. */
  #early = new Map();
  #isOffering = false;
  #isBusy = false;
  /** Kind of the source that is offered. */
  #offered = null;
  /** Tiles by the number of the peer. */
  tiles = new Map();

  constructor(world, login) {
    this.world = world;
    this.login = login;
    this.clock = () => performance.timeOrigin + performance.now();
    const send = (message) => this.socket.send(message);
    this.socket = new CameraSocket(world, () => ({
      type: 'hello', version: 1, name: this.form.name || clientName(navigator.userAgent), decodes: [...this.#codecs.decodes],
    }), this.clock, {
      state: (isOpen, why) => this.#follow(isOpen, why), message: (message) => this.#take(message), frame: (frame) => this.#receive(frame),
      locked: () => this.login.show(),
    });
    this.stopped = new StoppedList({ send, present: () => [...this.#peers.values()] });
    this.receivers = new ReceiverList({
      send, stopped: (peer) => this.stopped.add(peer), peerOf: (number) => this.#peers.get(number),
    });
    this.form = new OfferForm((id) => this.#change(id));
    this.source = new OwnSource({ ended: (text) => this.#end(text) });
    const failed = (text) => this.#end(text);
    this.pictures = new PictureEncoder(part('preview'),
      { frame: send, waiting: () => this.socket.waiting, unable: (codec) => this.#without(codec), failed, clock: this.clock });
    this.sounds = new SoundEncoder({ frame: send, failed, clock: this.clock });
    this.thumbnails = new ThumbnailMaker(part('preview'), {
      frame: send, isWanted: () => this.form.hasThumbnail && this.#peers.size > 0 && !document.hidden && this.socket.isOpen
        && (this.form.admits !== 'ask' || this.receivers.watching > 0),
    });
    this.diagram = new WatchDiagram();
    this.links = new AllLinks({
      send, clock: this.clock, nameOf: (number) => (this.#peers.has(number) ? peerName(this.#peers.get(number)) : `Peer ${number}`),
    });
    part('diagram-section').append(this.links.element);
    this.encoderPlots = new LinkPlots(['rate', 'lines', 'pictures'], 'Encoder over time');
    part('encoder-plots').append(this.encoderPlots.element);
  }

  get state() {
    return this.socket.isOpen ? 'live' : 'lost';
  }

  async start() {
    showConnection('connecting');
    part('insecure').hidden = window.isSecureContext;
    if (!part('name').value) part('name').placeholder = clientName(navigator.userAgent);
    part('go').addEventListener('click', () => (this.#isOffering ? this.#end('') : this.#begin()));
    document.addEventListener('visibilitychange', () => this.#showBackground());
    this.#codecs = { encodes: await encodable(), decodes: await decodable() };
    this.form.offerCodecs(this.#codecs.encodes);
    await this.connect();
  }

  /** Opens the socket, or asks for a token first: a WebSocket does not say why it was refused, a request does. */
  async connect() {
    const response = await this.world.fetch('/?HOST_INFO', { cache: 'no-store' }).catch(() => null);
    if (response?.status === 401) this.login.show();
    else this.socket.start();
  }

  #say(text, isWrong = false) {
    setText(part('words'), text);
    part('words').classList.toggle('is-wrong', isWrong);
  }

  // MARK: The engine

  #follow(isOpen, why) {
    showConnection(isOpen ? 'live' : 'lost');
    this.#offerButton();
    if (isOpen) {
      this.#explain('');
      return;
    }
    if (!why.wasOpen) this.socket.refusal().then((text) => this.#explain(this.socket.isOpen ? '' : text));
    if (why.code === 1009) this.#say(`The engine closed the connection: ${why.reason}.`, true);
    this.receivers.clear();
    this.pictures.turn(false);
    this.sounds.stop();
    for (const tile of this.tiles.values()) tile.remove();
    this.tiles.clear();
    this.#peers.clear();
    this.diagram.show([], null);
    this.links.clear();
    this.form.forgetStrangers();
  }

  /** Says why the engine takes no peer; removes it once it does. */
  #explain(refusal) {
    if (refusal) this.#say(refusal, true);
    else if (this.#isRefused) this.#say('');
    this.#isRefused = refusal !== '';
  }

  #take(message) {
    switch (message.type) {
      case 'hello':
        this.stopped.restart();
        if (this.links.element.open) this.links.ask();
        if (this.#isOffering) this.#sendOffer();
        break;
      case 'update': this.#showPeers(message.peers); break;
      case 'start': this.#started(message); break;
      case 'stop': this.#stopped(message); break;
      case 'key': this.pictures.key(); break;
      case 'arrived': this.pictures.confirm(message.picture); break;
      case 'strategy': this.#steer(message); break;
      case 'links':
        for (const link of message.links) this.#measure(link);
        this.links.show(message.links, this.socket.peer);
        this.#plotEncoder();
        break;
      case 'warning': this.#warn(message); break;
      default:
    }
  }

  #showPeers(peers) {
    const others = this.#names.distinct(peers.filter(({ peer }) => peer !== this.socket.peer));
    this.#peers = new Map(others.map((peer) => [peer.peer, peer]));
    this.diagram.show([...peers.filter(({ peer }) => peer === this.socket.peer), ...others], this.socket.peer);
    this.receivers.showNames();
    this.stopped.refresh();
    const offering = others.filter(({ offer }) => offer);
    for (const [number, tile] of this.tiles) {
      if (offering.some(({ peer }) => peer === number)) continue;
      tile.remove();
      this.tiles.delete(number);
    }
    for (const peer of offering) {
      const tile = this.tiles.get(peer.peer);
      if (tile) tile.show(peer);
      else this.#addTile(peer);
    }
    part('others-none').hidden = offering.length > 0;
    this.#early.clear();
    this.form.offerPeers(others);
  }

  #addTile(peer) {
    const tile = new PeerTile(peer, { send: (message) => this.socket.send(message), clock: this.clock });
    this.tiles.set(peer.peer, tile);
    const early = this.#early.get(peer.peer);
    if (early) tile.glance(early);
    part('tiles').append(tile.element);
  }

  #tileOf(link) {
    return [...this.tiles.values()].find((tile) => tile.link === link);
  }

  #started({ link, sender, receiver, state, pictures }) {
    if (sender !== undefined) {
      this.tiles.get(sender)?.started(link, state);
      return;
    }
    if (state === 'asking') this.receivers.ask(link, receiver);
    else this.receivers.open(link, receiver, pictures);
    this.#encode();
  }

  #stopped({ link, reason }) {
    this.#tileOf(link)?.stopped(reason);
    this.receivers.close(link);
    this.#encode();
  }

  #receive(frame) {
    if (frame.kind === 'still') this.#glance(frame);
    else this.tiles.get(frame.sender)?.incoming?.take(frame);
  }

  /** Shows a small picture, which may come before the offer that it belongs to. */
  #glance(frame) {
    const tile = this.tiles.get(frame.sender);
    if (tile) tile.glance(frame);
    else this.#early.set(frame.sender, frame);
  }

  #measure(reading) {
    this.#tileOf(reading.link)?.measure(reading);
    this.receivers.measure(reading);
  }

  /** Notes how the own encoder is to work. */
  #plotEncoder() {
    const { strategy, isOn } = this.pictures;
    if (!isOn || !strategy) return;
    this.encoderPlots.take(performance.now() / 1000, { rate: strategy.bitrate / 1000, lines: strategy.height, pictures: strategy.rate });
  }

  #warn({ text, about, sender }) {
    if (about === 'start') this.tiles.get(sender)?.refused(text);
    else this.#say(`${text[0].toUpperCase()}${text.slice(1)}.`, true);
  }

  // MARK: The offer

  #offerButton() {
    const go = part('go');
    go.disabled = this.#isBusy || (!this.#isOffering && (!this.socket.isOpen || !navigator.mediaDevices));
    go.setAttribute('aria-pressed', this.#isOffering);
    setText(go, this.#isOffering ? 'End offer' : 'Offer');
  }

  async #begin() {
    this.#isBusy = true;
    this.#offerButton();
    this.#say('Waiting for the browser’s permission.');
    try {
      if (this.form.source !== 'microphone' && !this.#codecs.encodes.has('vp8')) {
        throw new Error('This browser cannot encode pictures (WebCodecs with VP8). It can still watch.');
      }
      await this.source.open(this.form.source, { input: this.form.input, sound: this.form.wantsSound, ...this.form.best });
      [this.#isOffering, this.#offered] = [true, this.form.source];
      await this.#showOwn();
      this.#sendOffer();
      if (this.source.picture) this.thumbnails.start();
      this.#say('Offered. Nothing is sent until somebody watches.');
      if (document.hidden) this.#showBackground();
      this.form.offerInputs(await this.source.inputs(this.form.source));
    } catch (error) {
      this.source.close();
      this.#isOffering = false;
      this.#say(error.message, true);
    }
    this.#isBusy = false;
    this.#offerButton();
  }

  async #showOwn() {
    const preview = part('preview');
    preview.hidden = !this.source.picture;
    preview.srcObject = this.source.picture ? this.source.stream : null;
    if (this.source.picture) await preview.play().catch(() => {});
  }

  #sendOffer() {
    const offer = this.form.offer(this.#codecs.encodes, Boolean(this.source.sound));
    this.socket.send({ ...offer, stopped: this.stopped.identities });
  }

  async #change(id) {
    if (id === 'name') {
      // A name is part of the hello.
      if (!this.#isOffering && this.socket.isOpen) this.socket.socket.close();
      return;
    }
    if (id === 'source') this.form.offerInputs([]);
    if (!this.#isOffering) return;
    if (!['source', 'input', 'sound'].includes(id)) this.#sendOffer();
    else if ((this.form.source === 'microphone') === (this.#offered === 'microphone')) await this.#replace();
    else {
      this.#end('');
      await this.#begin();
    }
  }

  /** Offers another camera, screen or microphone instead of the current one. Those who receive stay. */
  async #replace() {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#offerButton();
    let opened = null;
    try {
      // The user may choose something else while the browser asks for its permission.
      while (this.#isOffering && opened !== this.form.wish) {
        opened = this.form.wish;
        this.pictures.turn(false);
        this.sounds.stop();
        await this.source.open(this.form.source, { input: this.form.input, sound: this.form.wantsSound, ...this.form.best });
      }
      if (this.#isOffering) {
        this.#offered = this.form.source;
        await this.#showOwn();
        this.#sendOffer();
        this.#encode();
        this.form.offerInputs(await this.source.inputs(this.form.source));
      } else this.source.close();
    } catch (error) {
      this.#end(error.message);
    }
    this.#isBusy = false;
    this.#offerButton();
  }

  /** Goes on with VP8 instead of a codec that this browser cannot encode in the wanted size. */
  #without(codec) {
    this.#codecs.encodes.delete(codec);
    this.form.offerCodecs(this.#codecs.encodes);
    if (this.#isOffering) this.#sendOffer();
  }

  #steer(strategy) {
    this.pictures.follow(strategy);
    this.#encode();
  }

  /** Encodes while somebody receives. */
  #encode() {
    const isWanted = this.#isOffering && this.receivers.count > 0;
    const isWatched = this.#isOffering && this.receivers.watching > 0;
    this.pictures.turn(isWatched && Boolean(this.source.picture) && this.pictures.strategy !== null);
    part('encoder-plots').hidden = !this.pictures.isOn;
    if (isWanted && this.source.sound) this.sounds.start(this.source.sound);
    else this.sounds.stop();
    if (this.#isOffering && !document.hidden) {
      this.#say(isWanted ? 'Others are receiving it.' : 'Offered. Nothing is sent until somebody watches.');
    }
    const { strategy } = this.pictures;
    setText(part('strategy'), isWatched && this.source.picture && strategy
      ? `${strategy.codec.toUpperCase()}, up to ${rateWords(strategy.bitrate)}, ${strategy.rate} pictures/s, `
        + `${strategy.height} lines` : '');
  }

  #showBackground() {
    if (!this.#isOffering || !this.source.picture) return;
    if (document.hidden) {
      this.#say('This page is in the background, where browsers may stop its picture. It continues when you return.', true);
    } else this.#say('The page is back in the foreground; the picture continues.');
  }

  #end(text) {
    if (!this.#isOffering) return;
    this.#isOffering = false;
    this.pictures.turn(false);
    this.sounds.stop();
    this.thumbnails.stop();
    part('encoder-plots').hidden = true;
    this.source.close();
    this.receivers.clear();
    this.socket.send({ type: 'stop' });
    part('preview').hidden = true;
    part('preview').srcObject = null;
    setText(part('strategy'), '');
    this.#say(text, text !== '');
    this.#offerButton();
  }
}
