import { PhoneSensor } from '../phone/phone-sensor.js';
import { ScreenLock } from '../phone/screen-lock.js';
import { Canvas } from '../shared/drawing/canvas.js';
import { followColours } from '../shared/drawing/palette.js';
import { measureOutput } from './calibration/measure-output.js';
import { joinReason } from './join-reason.js';
import { ListenView } from './listen-view.js';
import { ListenerHead } from './listener-head.js';
import { MediaKeys } from './media-keys.js';
import { OfflineList } from './packages/offline-list.js';
import { PackageShelf } from './packages/package-shelf.js';
import { KeptStage } from './players/kept-stage.js';
import { PackagePlayer } from './players/package-player.js';
import { shareLink } from './share-link.js';
import { allSources, firstSource, recordingKey } from './sources.js';
import { TurnHandle } from './turn-handle.js';

/** Milliseconds between two updates of changing numbers. */
const interval = 250;
/** Silence of the sensors in milliseconds after which the page reports a problem. */
const longSilence = 2000;
/** Whether an engine serves this page: all its files are below this folder. A copy on any other server needs none. */
const isServed = location.pathname.startsWith('/panel/');

/**
 * The page for one who listens: it joins the engine if there is one, and plays packed recordings with and without it.
 *
 * A player is one way in which sound comes to the listener; `#make` chooses it. Every player has:
 *
 * - `mode`, a name; `modeText`, the mode with its reason; `title`; `words`, those of the main button: `{ go, end }`;
 * - `start()` from a tap, rejected with the reason; `stop()`; `end()` for good;
 * - `setHead([w, x, y, z])` and `setListener({ method, gain })`, gain in decibels;
 * - `context`, an AudioContext or null; `azimuths` of the microphones; `statistics`, `{ line, facts }` in words;
 * - `delays`, seconds to the ear: `sound` from the engine's position, `head` from a turn of the head.
 *
 * Some have: `methods` to choose from; `listener`, what is set elsewhere; `source`, a package, with `seek` and `repeat`; `refresh()` after
 * a change of the engine's tree; `sense`, `beginSensors`, `recenter`, `heading` and
 * `orientation` instead of this page's own.
 *
 * It calls `say(text, isWrong)`, `changed()`, `interrupted(isMissing)`, `picture({ weights, microphones })` for the ring, and
 * `ended(reason, isWrong)` when it stops by itself.
 */
class ListenPage {
  #wantsPlay = false;
  #key = null;
  #joinedSensors = false;
  /** Done when the page has chosen what it may play, for the last time that the engine has let it in. */
  #entering = Promise.resolve();
  /** Heads given to players so far, for tests. */
  heads = 0;
  player = null;
  engine = null;

  constructor() {
    this.query = new URLSearchParams(location.search);
    this.view = new ListenView();
    this.head = new ListenerHead((head) => this.#turn(head));
    this.head.set(Number(this.query.get('yaw')) || 0);
    this.sensor = new PhoneSensor(window, (head) => this.#sense(head));
    this.lock = new ScreenLock(window);
    this.handle = new TurnHandle(this.view.turn, this.head);
    this.canvas = new Canvas(this.view.ring,
      (...place) => this.view.draw(place, this.player?.heading ?? this.head.yaw, this.handle.isHeld));
    this.shelf = new PackageShelf(this.query.get('shelf') ?? (isServed ? '/recordings/' : 'recordings/'));
    this.keys = new MediaKeys({
      play: () => this.#play(true), pause: () => this.#play(false), front: () => this.#recenter(),
    });
    const stage = new KeptStage();
    this.events = {
      stage: (...wishes) => stage.take(...wishes),
      say: (text, isWrong) => this.view.say(text, isWrong),
      changed: () => this.#refresh(),
      interrupted: (isMissing) => {
        if (isMissing) this.view.say('The phone has paused the sound. It resumes automatically or with a tap.');
        else if (this.#wantsPlay) this.view.say('The sound is back.');
      },
      ended: (reason, isWrong = true) => {
        this.#play(false);
        this.view.say(reason, isWrong);
      },
      played: (report) => this.view.take(report, this.player.source.index.rate),
      picture: (picture) => {
        this.view.takePicture(picture);
        this.canvas.request();
      },
    };
  }

  /** State of the connection to the engine; null without one. */
  get state() {
    return this.engine?.connection.state ?? null;
  }

  async start() {
    followColours();
    this.#listen();
    this.head.drift.rate = this.view.drift;
    setInterval(() => this.#look(), interval);
    if (isServed && !window.isSecureContext) this.view.warn();
    if (isServed) await this.#connect();
    if (this.engine && this.query.has('view')) await this.#showVideo();
    await this.#enter();
  }

  // MARK: Sources

  async #connect() {
    this.view.showConnection();
    this.view.say('Connecting to the engine.');
    const { openEngine } = await import('./engine/open-engine.js');
    this.engine = await openEngine({
      entered: () => this.#enter(),
      error: (text) => this.view.say(text, true),
      state: (state) => this.#follow(state),
      changed: () => {
        this.player?.refresh?.();
        this.pane?.refresh();
        this.#refresh();
      },
    }, this.query.has('view'));
    const { GroupRecording } = await import('./engine/group-recording.js');
    this.groupRecording = new GroupRecording(this.engine, (name) => this.#switchTo(name ? recordingKey(name) : 'live'));
  }

  /** Shows the recording's 360-degree video. */
  async #showVideo() {
    const { VideoPane } = await import('../view/video-pane.js');
    this.pane = new VideoPane(this.engine, this.head, () => this.player);
    document.body.classList.add('has-view');
    this.view.main.prepend(this.pane.section);
    this.pane.refresh();
  }

  /** Asks what this browser may do. */
  async #learnRole() {
    if (!this.pane) return;
    const { roleOf } = await import('../engine/paired-clients.js');
    this.pane.controls.permit(await roleOf(this.engine.world) !== 'view');
  }

  /**
   * The engine has let this page in. One entry waits for the one before, since a choice ends what plays.
   *
   * @param isFirst whether there is nothing to do once there is a player
   */
  #enter(isFirst = false) {
    this.#entering = this.#entering.then(async () => {
      if (isFirst && this.player) return;
      await this.shelf.read();
      await this.#learnRole();
      if (this.#wantsPlay) this.#offer();
      else await this.#choose(firstSource(this));
    });
    return this.#entering;
  }

  #follow(state) {
    if (state === 'lost' && this.player?.mode === 'tracker' && this.#wantsPlay) this.view.say(this.engine.connection.reason, true);
    if (state === 'live') this.player?.refresh?.();
    if (state === 'live' && !this.player && this.engine) this.#enter(true);
  }

  #offer() {
    this.view.offer(allSources(this), this.#key);
  }

  async #choose(key) {
    this.#play(false);
    this.player?.end();
    this.offline?.end();
    this.offlineListener?.end();
    this.offlineListener = null;
    this.player = null;
    this.#key = key;
    this.view.wait();
    try {
      const player = await this.#make(key);
      if (this.#key !== key) {
        player.end();
        return;
      }
      this.player = player;
    } catch (error) {
      this.view.say(error.message, true);
    }
    this.#offer();
    this.view.show(this.player);
    if (!this.player) return;
    this.view.isUpright = this.player.mode !== 'tracker';
    this.sensor.isUpright = this.view.isUpright;
    this.player.setHead(this.head.head);
    if (this.player.source) {
      this.player.setListener({ method: this.view.method, gain: this.view.gain });
      this.player.repeat(this.view.isRepeated);
    }
    this.view.explain(this.#usesSensors ? joinReason(this.player.mode) : '');
    if (this.player.mode !== 'tracker') this.view.say(`Press ${this.player.words.go}, and put headphones on.`);
    else this.view.say('Press Start, then fix the phone so that it turns with the head.');
    this.#refresh();
  }

  /** Plays another source at once. */
  async #switchTo(key) {
    await this.#choose(key);
    await this.#play(true);
  }

  /** Name of the packed recording that plays; null for the engine's sound. */
  get #recording() {
    if (this.#key === 'live') return null;
    return this.#key?.startsWith('recording:') ? this.#key.slice('recording:'.length) : undefined;
  }

  async #make(key) {
    if (key === 'live') {
      if (this.engine.isLive && this.engine.refusal) throw new Error(`Live sound is not available on this page: ${this.engine.refusal}.`);
      const { EnginePlayer } = await import('./players/engine-player.js');
      const { sceneRefusal } = await import('../scene/scene-listening.js');
      return new EnginePlayer(this.engine, PackagePlayer.refusal ?? await sceneRefusal(), this.events);
    }
    if (key?.startsWith('head:')) {
      const { TrackerPlayer } = await import('./players/tracker-player.js');
      return new TrackerPlayer(this.engine, key.slice('head:'.length), this.sensor, this.events);
    }
    const refusal = PackagePlayer.refusal;
    if (refusal) throw new Error(`A recording cannot be rendered here: ${refusal}.`);
    const { source, store } = await this.shelf.open(this.#recording);
    const player = new PackagePlayer(source, this.events);
    this.offline = new OfflineList(source, store, this.view);
    await this.offline.refresh();
    if (this.engine) await this.#keepListener(key, player);
    return player;
  }

  /** The page's own listener stays at the engine while the page plays a recording. */
  async #keepListener(key, player) {
    const { OfflineListener } = await import('./engine/offline-listener.js');
    if (this.#key === key) this.offlineListener = new OfflineListener(this.engine, player);
  }

  // MARK: Controls

  #listen() {
    const { view } = this;
    view.onPlay = () => this.#play(!this.#wantsPlay);
    view.onSeek = (seconds) => this.player?.seek?.(seconds);
    view.onRepeat = (isOn) => this.player?.repeat?.(isOn);
    view.onMethod = (method) => this.player?.setListener({ method });
    view.onVolume = (gain) => {
      if (!this.offlineListener?.setGain(gain)) this.player?.setListener({ gain });
    };
    view.onDrift = (rate) => { this.head.drift.rate = rate; };
    view.onYawOnly = (isOn) => {
      this.head.isYawOnly = isOn;
      this.#turn(this.head.head);
    };
    view.onHold = (isUpright) => {
      this.sensor.isUpright = isUpright;
      (this.player?.beginSensors ? this.player : this.head).beginSensors();
    };
    view.onRecenter = () => this.#recenter();
    view.onSensors = () => this.#toggleSensors();
    view.onShare = () => view.share(shareLink(this.#recording, this.head.yaw));
    view.onCalibrate = () => measureOutput(this.player, view);
    view.onSource = (key) => this.#choose(key);
    document.addEventListener('keydown', (event) => {
      if (event.key !== ' ' || event.target !== document.body || !this.player) return;
      event.preventDefault();
      this.#play(!this.#wantsPlay);
    });
    window.addEventListener('pagehide', () => {
      this.player?.end();
      this.offlineListener?.end();
    });
    window.addEventListener('pageshow', ({ persisted }) => persisted && this.#choose(this.#key));
  }

  #recenter() {
    if (this.player?.recenter) {
      this.player.recenter();
      this.view.say('This direction is now straight ahead.');
    } else {
      this.head.recenter();
    }
  }

  /** Whether the main button starts the motion sensors as well. */
  get #usesSensors() {
    return this.player?.mode === 'tracker' || navigator.maxTouchPoints > 0;
  }

  /** Starts or pauses. What needs a tap is asked for at once: sensors, sound and the screen's lock. */
  async #play(isPlaying) {
    const { player } = this;
    if (!player || (!isPlaying && !this.#wantsPlay)) return;
    this.#wantsPlay = isPlaying;
    this.view.showPlaying(isPlaying);
    this.#keepScreen();
    const sensors = isPlaying && this.#usesSensors && !this.sensor.isRunning ? this.#startSensors() : null;
    if (sensors) this.#joinedSensors = true;
    try {
      if (isPlaying) {
        if (player.mode === 'tracker') {
          const problem = await sensors;
          if (problem) throw new Error(problem);
        }
        this.keys.begin(player);
        if (this.player === player && this.#wantsPlay) await player.start();
        if (player.source) this.offline?.keepPage();
      } else {
        player.stop();
        if (this.#joinedSensors) this.#stopSensors();
        if (player.leaves) this.view.say('You have left. Press Join to listen again.');
      }
    } catch (error) {
      if (this.player !== player) return;
      this.#wantsPlay = false;
      if (this.#joinedSensors) this.#stopSensors();
      this.view.say(error.message, true);
    }
    this.#keepScreen();
    this.view.showPlaying(this.#wantsPlay);
    this.keys.show(this.#wantsPlay);
    this.#refresh();
  }

  /** Keeps the screen on while a phone plays, whether or not its sensors run, and while sensors run. */
  #keepScreen() {
    this.lock.want((this.#wantsPlay && this.#usesSensors) || this.sensor.isRunning);
  }

  // MARK: Motion

  /** Starts the sensors; returns null, or the problem in words. */
  async #startSensors() {
    this.sensor.isUpright = this.view.isUpright;
    this.head.beginSensors();
    const problem = await this.sensor.start();
    this.#keepScreen();
    this.view.showSensors(this.sensor.isRunning, this.lock.words);
    if (problem && this.player?.mode !== 'tracker') this.view.saySensors(problem, true);
    if (!problem) this.view.saySensors('');
    return problem;
  }

  #stopSensors() {
    this.#joinedSensors = false;
    this.sensor.stop();
    if (this.player?.mode !== 'tracker') this.head.forgetSensors();
    this.#keepScreen();
    this.view.showSensors(false, this.lock.words);
  }

  async #toggleSensors() {
    if (this.sensor.isRunning) {
      this.#stopSensors();
      this.view.saySensors('');
      return;
    }
    if (await this.#startSensors()) return;
    this.view.saySensors('Hold the phone upright in front of you and turn. “Face the front” makes this direction straight ahead.');
  }

  #sense(head) {
    if (this.pane?.headset?.isOn) return;
    if (this.player?.sense) this.player.sense(head);
    else this.head.sense(head);
  }

  #turn(head) {
    this.heads += 1;
    this.player?.setHead(head);
    this.handle?.show(this.player?.heading ?? this.head.yaw);
    this.canvas?.request();
  }

  // MARK: Display

  #refresh() {
    if (!this.player) return;
    this.offlineListener?.follow();
    if ((this.offlineListener?.gain ?? null) !== null) this.view.showVolume(this.offlineListener.gain);
    this.view.refresh(this.player);
    this.keys.name(this.player.title);
    this.canvas.request();
  }

  #look() {
    this.#refresh();
    if (this.#wantsPlay) this.groupRecording?.look(this.#recording);
    if (this.player?.mode === 'tracker') this.handle.show(this.player.heading ?? 0);
    this.view.showSensors(this.sensor.isRunning, this.lock.words);
    if (this.sensor.isRunning && this.player?.mode === 'tracker' && this.sensor.silence > longSilence) {
      this.view.say('This browser does not report the phone’s orientation. Use a phone with a gyroscope, and allow motion sensors.', true);
    }
  }
}

const page = new ListenPage();
/** State of the page, for tests and for the browser's console. */
window.vestibule = page;
page.start();
