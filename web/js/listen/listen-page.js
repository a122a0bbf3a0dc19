import { Canvas } from '../shared/drawing/canvas.js';
import { followColours } from '../shared/drawing/palette.js';
import { ListenView } from './listen-view.js';
import { ListenerHead } from './listener-head.js';
import { OfflineList } from './offline-list.js';
import { PackageStore } from './package-store.js';
import { PhoneSensor } from '../phone/phone-sensor.js';
import { RecordingPackage } from './recording-package.js';
import { SceneSound } from './scene-sound.js';
import { TurnHandle } from './turn-handle.js';

/** Folder of the recordings, with `list.json`: [{ path, title }]. Beside this page, unless the address names another one. */
const shelf = new URL(new URLSearchParams(location.search).get('shelf') ?? 'recordings/', location.href);

/** The page that plays a packed recording: the browser renders it, so that a turn of the head needs no network. */
class ListenPage {
  #wantsPlay = false;
  #told = null;
  #locked = false;
  #opening = null;
  #hasProblem = false;
  /** Messages to the worklet so far, for tests. */
  heads = 0;

  constructor() {
    const query = new URLSearchParams(location.search);
    this.view = new ListenView();
    this.head = new ListenerHead((head) => this.#turn(head));
    this.head.set(Number(query.get('yaw')) || 0);
    this.query = query;
    this.sensor = new PhoneSensor(window, (head) => this.head.sense(head));
    this.handle = new TurnHandle(this.view.turn, this.head);
    this.canvas = new Canvas(this.view.ring, (...place) => this.view.draw(place, this.head.yaw, this.handle.isHeld));
  }

  async start() {
    followColours();
    this.#listen();
    if (!window.isSecureContext) {
      this.view.say(
        `Browsers render sound on secure pages only, and this one is ${location.origin}. Open it by https, or on this computer.`, true);
      return;
    }
    if (!globalThis.AudioWorkletNode || !globalThis.WebAssembly) {
      this.view.say('This browser is too old to render the sound itself. The engine’s panel plays what the engine renders.', true);
      return;
    }
    try {
      if (shelf.origin !== location.origin) throw new Error('The recordings come from the same server as this page.');
      const list = await this.#list();
      this.view.offer(list, this.query.get('recording'));
      await this.#open(this.query.get('recording') ?? list[0]?.path);
    } catch (error) {
      this.view.say(error.message, true);
    }
  }

  /** Recordings beside this page, and those that were stored. */
  async #list() {
    let list = [];
    try {
      const answer = await fetch(new URL('list.json', shelf));
      if (answer.ok) list = await answer.json();
      else if (answer.status === 401) this.#locked = true;
    } catch {
      // Without a network, those that were stored are left.
    }
    const stored = PackageStore.isSupported ? await PackageStore.list() : [];
    for (const { url, title } of stored) {
      if (!list.some(({ path }) => this.#address(path).href === url)) list.push({ path: url, title });
    }
    return list;
  }

  #address(path) {
    return new URL(path.endsWith('/') ? path : `${path}/`, shelf);
  }

  async #open(path) {
    if (this.#locked) throw new Error('This server asks for a login: open its panel once on this device, then this page.');
    if (!path) {
      throw new Error('There is no recording here yet. “vestibule package” makes one; docs/listening-in-a-browser.md tells where it goes.');
    }
    const url = this.#address(path);
    if (url.origin !== location.origin) throw new Error('A recording comes from the same server as this page.');
    const store = PackageStore.isSupported ? new PackageStore(url.href) : null;
    this.source = await RecordingPackage.open(url, store);
    this.view.show(this.source.index);
    this.offline = new OfflineList(this.source, store, this.view);
    await this.offline.refresh();
    this.view.say('Press Play, and put headphones on.');
  }

  #listen() {
    const { view } = this;
    view.onPlay = () => this.#toggle();
    view.onSeek = (seconds) => this.sound?.seek(seconds);
    view.onRepeat = (isOn) => this.sound?.order({ loop: isOn });
    view.onMethod = (method) => this.sound?.order({ method });
    view.onVolume = (gain) => this.sound?.order({ listener: { gain } });
    view.onYawOnly = (isOn) => {
      this.head.isYawOnly = isOn;
      this.#turn(this.head.head);
    };
    view.onRecenter = () => this.head.recenter();
    view.onSensors = () => this.#toggleSensors();
    view.onShare = () => view.share(this.#link());
    view.onRecording = (path) => {
      const next = new URL(location.href);
      next.searchParams.set('recording', path);
      location.assign(next);
    };
    const keys = { play: () => this.#play(true), pause: () => this.#play(false) };
    // A headset has no button of its own for it.
    keys.nexttrack = keys.previoustrack = () => this.head.recenter();
    for (const [key, action] of Object.entries(keys)) navigator.mediaSession?.setActionHandler(key, action);
    document.addEventListener('visibilitychange', () => this.#resume());
    document.addEventListener('keydown', (event) => {
      if (event.key !== ' ' || event.target !== document.body || !this.source) return;
      event.preventDefault();
      this.#toggle();
    });
    navigator.mediaDevices?.addEventListener('devicechange', () => this.#resume());
  }

  #link() {
    const link = new URL(location.href);
    link.searchParams.set('yaw', Math.round(this.head.yaw));
    return link.href;
  }

  #toggle() {
    return this.#play(!this.#wantsPlay);
  }

  async #play(isPlaying) {
    this.#wantsPlay = isPlaying;
    this.view.showPlaying(isPlaying);
    try {
      if (isPlaying) {
        this.#opening ??= this.#begin();
        await this.#opening;
        await this.sound.context.resume();
      }
      this.sound?.order({ playing: this.#wantsPlay });
    } catch (error) {
      this.#opening = null;
      this.#wantsPlay = false;
      this.view.say(error.message, true);
    }
    this.view.showPlaying(this.#wantsPlay);
    if (navigator.mediaSession) navigator.mediaSession.playbackState = this.#wantsPlay ? 'playing' : 'paused';
  }

  /** Starts the renderer. Controls that were used meanwhile count. */
  async #begin() {
    // iOS mutes Web Audio by its silent switch otherwise.
    if (navigator.audioSession) navigator.audioSession.type = 'playback';
    const { index } = this.source;
    const context = new AudioContext({ sampleRate: index.rate, latencyHint: 'interactive' });
    context.onstatechange = () => this.#resume();
    const sound = new SceneSound(context, this.source, (report) => this.#show(report));
    this.view.say('Loading the first seconds.');
    try {
      await sound.open();
    } catch (error) {
      sound.close();
      throw error;
    }
    this.sound = sound;
    sound.order({
      loop: this.view.isRepeated, method: this.view.method, listener: { gain: this.view.gain }, head: this.head.head,
    });
    if (this.view.wantedSeconds > 0) sound.seek(this.view.wantedSeconds);
    if (navigator.mediaSession) navigator.mediaSession.metadata = new MediaMetadata({ title: index.title, artist: 'Vestibule' });
    this.offline.keepPage();
  }

  /** Goes on after a call, an alarm or a locked screen. */
  #resume() {
    const context = this.sound?.context;
    if (!context || !this.#wantsPlay || context.state === 'running' || context.state === 'closed') return;
    context.resume().catch(() => this.view.say('The phone has paused the sound. Press Play to go on.'));
  }

  async #toggleSensors() {
    if (this.sensor.isRunning) {
      this.sensor.stop();
      this.head.forgetSensors();
    } else {
      this.sensor.isUpright = true;
      const problem = await this.sensor.start();
      if (problem) {
        this.view.say(problem, true);
        return;
      }
      this.view.say('Hold the phone upright in front of you and turn. “Face the front” makes this direction straight ahead.');
    }
    this.view.showSensors(this.sensor.isRunning);
  }

  #turn(head) {
    this.heads += 1;
    this.sound?.order({ head });
    this.handle?.show(this.head.yaw);
    this.canvas?.request();
  }

  /** Says how it is going, when that changes; problems in between stay until then. */
  #tell(text) {
    if (text === this.#told) return;
    this.#told = text;
    this.#hasProblem = false;
    if (text) this.view.say(text);
  }

  #show(report) {
    if (report.problem) {
      this.#hasProblem = true;
      this.view.say(report.problem, true);
      return;
    }
    if (!this.sound) return;
    if (report.hasEnded) {
      this.#play(false);
      this.#tell('The recording has ended.');
      return;
    }
    this.report = report;
    const waits = this.#wantsPlay && report.isWaiting;
    // A problem that is the reason stays.
    if (waits && !this.#hasProblem) this.#tell('Waiting for the network.');
    if (!waits) this.#tell(this.#wantsPlay ? 'Playing. Turn the head by dragging the ring.' : null);
    this.view.take(report, this.sound);
    this.view.showDelay(this.sound.context);
    this.canvas.request();
  }
}

const page = new ListenPage();
/** State of the page, for tests and for the browser's console. */
window.vestibule = page;
page.start();
