import { roleOf } from '../engine/paired-clients.js';
import { HeadRing } from '../head/head-ring.js';
import { BrowserMidi } from '../midi/browser-midi.js';
import { MidiLearn } from '../midi/midi-learn.js';
import { Listen } from '../playback/listen.js';
import { showRecording, transport } from '../playback/transport.js';
import { Connection } from '../shared/connection/connection.js';
import { ConnectionStatus } from '../shared/connection/connection-status.js';
import { claimRoles } from '../shared/controls/displayed-roles.js';
import { learnUploads } from '../shared/controls/upload-kinds.js';
import { element } from '../shared/drawing/element.js';
import { ListenerScope } from '../shared/tree/listener-scope.js';
import { Page } from '../shared/tree/page.js';
import { listenersOf, sameShape } from '../shared/tree/tree.js';
import { Values } from '../shared/tree/values.js';
import { cards } from './cards.js';
import { Gesture } from './gesture.js';
import { headParts } from './head-parts.js';
import { fragment, isKiosk, listenerIn, topicIn } from './address.js';
import { Kiosk } from './kiosk.js';
import { listenerTabs } from './listener-tabs.js';
import { Notices } from './notices.js';
import { pagesOf } from './pages.js';
import { historyButtons } from '../session/history-buttons.js';
import { MuteBanner } from '../effects/mute-banner.js';
import { tapButton } from '../effects/tap-button.js';
import { listenForShortcuts } from './shortcuts.js';
import { Views } from './views.js';
import { roles } from '../shared/tree/roles.js';

claimRoles(roles.notice, roles.noticeTime, roles.gesture);
const part = (id) => document.getElementById(id);

/** Opens the panel; start.js documents the returned object. */
export function open(world, login) {
  const panel = new Panel(world, login);
  const { connection, values, listen } = panel;
  return {
    start: () => connection.start(),
    retry: () => connection.retry(),
    diagnostics: {
      get state() {
        return connection.state;
      },
      get listen() {
        return listen.diagnostics;
      },
      value: (address) => values.at(address),
    },
  };
}

/** The panel: everything that is shown of the engine's tree, and everything that stays when the tree changes. */
class Panel {
  /** Page, listeners and chosen listener of the current tree; null before the first tree. */
  #shown = null;
  #chosenListener = listenerIn(location.hash);
  #scope = new ListenerScope(this.#chosenListener);
  #lastNotice = null;
  /** Role of this browser, `control` or `view`; null until the engine has answered. */
  #role = null;
  /** Settings of cards that last when the cards are made again, such as the chosen rack. */
  #memory = new Map();

  constructor(world, login) {
    this.world = world;
    this.values = new Values();
    this.notices = new Notices(part('notices'));
    this.views = new Views(part('tabs'), part('views'));
    this.listen = new Listen((reason, remedy) => {
      this.notices.add(`${reason} ${remedy}`);
      this.kiosk?.ended(reason);
    }, (name) => this.#choose(name));
    this.kiosk = isKiosk(location.hash) ? new Kiosk(this.listen) : null;
    this.connection = new Connection(world, this.values, {
      state: (state) => {
        this.status.show(state);
        this.kiosk?.show(state);
        if (state === 'lost') {
          this.midi.learn.turn(false);
          this.gesture.forget();
        }
      },
      tree: (root) => {
        login.hide();
        this.#show(root);
        this.#learnRole();
      },
      error: (text) => this.notices.add(text),
      locked: () => login.show(),
    }, undefined, this.#scope);
    this.status = new ConnectionStatus(this.connection);
    this.midi = { learn: new MidiLearn(), browser: new BrowserMidi((bytes) => this.#sendMidi(bytes)) };
    this.gesture = new Gesture((isBegin) => this.#tellGesture(isBegin));
    this.mute = new MuteBanner();
    part('banner').after(this.mute.element, this.midi.learn.element);
    listenForShortcuts(() => this.#shown && { ...this.#shown, learn: this.midi.learn });
  }

  /** Sends triples of node, values and types as one packet; false, with a notice, when there is no connection. */
  #deliver(...parts) {
    if (this.#role === 'view') {
      this.notices.add(`“${parts[0][0].title}” was not changed: this browser may watch and listen, not control. A browser with the `
        + 'role “control” can change that on its page Engine.');
      return false;
    }
    if (this.midi.learn.takes(parts)) return false;
    this.gesture.begin();
    if (this.connection.sendTogether(parts.map(([node, ...sent]) => [node.path, ...sent]))) return true;
    this.notices.add(`“${parts[0][0].title}” was not sent, because the engine is not connected. `
      + 'Repeat the change once the panel is live again.');
    return false;
  }

  /** Reports the beginning or the end of a drag. */
  #tellGesture(isBegin) {
    const node = this.#shown?.page.root.find(roles.gesture);
    if (node) this.connection.send(node.path, [isBegin], isBegin ? 'T' : 'F');
  }

  /** Sends a message of a MIDI port of this browser. Without a connection it is lost, as it would be with its cable unplugged. */
  #sendMidi(bytes) {
    const node = this.#shown?.page.root.find(roles.midiMessage);
    if (node && this.#role !== 'view') this.connection.send(node.path, bytes, 'iii');
  }

  /** Builds the page again when the tree has another shape; changes of values need no rebuild. */
  #show(root, isForced = false) {
    if (!isForced && sameShape(this.#shown?.page.root, root)) {
      this.#shown.page.update(root);
      return;
    }
    this.#shown?.page.end();
    const page = new Page(root, this.values, (...parts) => this.#deliver(...parts));
    const listeners = listenersOf(root);
    const listener = this.#listenerOf(listeners);
    this.#shown = { page, listeners, listener };
    part('head').replaceChildren(...this.#headParts());
    part('dock').replaceChildren(...this.#dockParts());
    part('history').replaceChildren(...historyButtons(page));
    this.midi.learn.use(page);
    this.mute.use(page);
    this.views.fill(pagesOf(cards, page, this.#context()));
    this.noticeTime = root.find(roles.noticeTime);
    showRecording(page, part('now'));
    page.watch(root.find(roles.notice), ([text]) => this.#showNotice(text));
    const missing = this.kiosk && this.#chosenListener !== listener?.name ? this.#chosenListener : null;
    this.kiosk?.name(listeners.length > 1 && missing === null ? listener.title : '', missing);
    const heard = missing ?? listener?.name;
    if (heard !== undefined) this.listen.choose(heard, this.values.number(root.find(roles.rate), 48000));
  }

  /** The chosen listener, or the first one instead of one that does not exist any more. A kiosk waits for the one that it plays. */
  #listenerOf(listeners) {
    const found = listeners.find(({ name }) => name === this.#chosenListener);
    if (!found && this.kiosk) this.#scope.chosen = this.#chosenListener;
    else if (!found && this.#chosenListener && this.#chosenListener === this.#shown?.listener?.name) {
      this.notices.add(`Listener ${this.#chosenListener} was removed. ${listeners[0]?.title ?? 'No listener'} is shown instead.`);
      this.#choose(null);
    }
    return found ?? listeners[0];
  }

  /** Shows another listener; null for the first one. A network listener is read from the engine first. */
  #choose(name) {
    this.#chosenListener = name;
    history.replaceState(null, '', fragment(topicIn(location.hash), name));
    const isThere = this.#shown?.listeners.some((listener) => listener.name === name) ?? false;
    if (this.#scope.isNetwork(name) || name === null) this.#scope.chosen = name;
    if (isThere) this.#show(this.#shown.page.root, true);
    else if (name !== null) this.connection.readAgain();
  }

  /** Asks what this browser may do, and shows when that is to watch and listen only. */
  async #learnRole() {
    this.#role = await roleOf(this.world);
    part('view-only').hidden = this.#role !== 'view';
    document.body.classList.toggle('is-view-only', this.#role === 'view');
    if (this.#role === 'control') await learnUploads(this.world);
  }

  #showNotice(text) {
    // The first one may be older than this page, so it only goes into the log.
    if (text && text !== this.#lastNotice) {
      if (this.#lastNotice === null) this.notices.keep(text, this.#timeOfNotice());
      else this.notices.add(text);
    }
    this.#lastNotice = text;
  }

  /** The time of the engine's latest notice; the current for an engine that does not tell. */
  #timeOfNotice() {
    const date = new Date(this.noticeTime ? this.values.of(this.noticeTime)[0] : NaN);
    return Number.isNaN(date.getTime()) ? undefined : date;
  }

  #headParts() {
    const { page, listeners, listener } = this.#shown;
    if (!listener) return [];
    const ring = new HeadRing(page, listener);
    page.onEnd(() => ring.end());
    const tabs = listenerTabs(listeners, listener, (name) => this.#choose(name));
    return [element('div', { class: 'head-choices' }, tabs, headParts()), ring.element];
  }

  #dockParts() {
    const parts = transport(this.#shown.page, this.world);
    return [parts?.buttons, parts?.bar, tapButton(this.#shown.page), this.listen.element].filter(Boolean);
  }

  /** Everything besides the tree that cards are made with. */
  #context() {
    return { ...this.#shown, world: this.world, notices: this.notices, memory: this.#memory, midi: this.midi, listen: this.listen,
      choose: (name) => this.#choose(name) };
  }
}
