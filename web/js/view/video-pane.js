import { Canvas } from '../shared/drawing/canvas.js';
import { roles } from '../shared/tree/roles.js';
import { DisplayInterval } from './display-interval.js';
import { HeadHistory } from './head-history.js';
import { Headset } from './headset.js';
import { LookHandle } from './look-handle.js';
import { ObjectHandles } from './object-handles.js';
import { OwnNudge } from './own-nudge.js';
import { SoundTime } from './sound-time.js';
import { rotation } from './sphere-geometry.js';
import { SphereMarks } from './sphere-marks.js';
import { SpherePicture } from './sphere-picture.js';
import { VideoClock } from './video-clock.js';
import { VideoControls } from './video-controls.js';

const playing = 'playing';
/** Milliseconds between two texts about the picture's distance from the sound. */
const wordsEvery = 500;
/** Frames for which no distance is shown: there are too few. */
const fewest = 10;
/** Seconds without a call about a frame after which the page looks for one itself: pages behind a headset's picture may get none. */
const longestCall = 0.1;
/** Seconds outside of the video that are passed over: between the end of a loop and its beginning. */
const brief = 0.3;
const tapWords = 'This browser plays videos only after a tap: tap the picture.';

/** Shows the recording's 360-degree video in step with the sound and with the head for which that was rendered. */
export class VideoPane {
  #time = new SoundTime();
  #clock = new VideoClock();
  #heads = new HeadHistory();
  #display = new DisplayInterval();
  #source = null;
  #unwatch = [];
  #root = null;
  #events = 0;
  #called = 0;
  #looked = null;
  #nudge = new OwnNudge();
  /** Whether the browser lets the video play only after a tap. */
  #needsTap = false;
  /** Head and time of the last frame, for tests. */
  shown = null;

  /**
   * @param engine an `EngineLink`
   * @param head the page's `ListenerHead`
   * @param player function: the page's player, or null
   */
  constructor(engine, head, player) {
    Object.assign(this, { engine, head, player, headset: null });
    this.objects = new ObjectHandles(engine);
    this.controls = new VideoControls({
      objects: this.objects,
      play: () => this.#press(this.#time.isPlaying ? roles.pause : roles.play),
      seek: (seconds) => this.#send(roles.seek, seconds),
      nudge: (milliseconds) => this.#nudge.add(milliseconds),
      headset: () => this.headset.toggle().catch(({ message }) =>
        this.controls.say(`The headset could not be started: ${message}`, true)),
      film: () => ({ source: this.#source, layout: this.#layout, offset: this.#number(roles.videoOffset) / 1000 }),
    });
    const { section, canvas, marks } = this.controls;
    this.section = section;
    this.video = document.createElement('video');
    Object.assign(this.video, { muted: true, playsInline: true, preload: 'auto', crossOrigin: 'anonymous' });
    this.video.addEventListener('error', () => this.#explain());
    this.video.addEventListener('loadeddata', () => this.controls.say(this.#needsTap ? tapWords : ''));
    try {
      this.picture = new SpherePicture(canvas);
      this.headset = this.#makeHeadset();
    } catch (error) {
      this.controls.say(`The picture cannot be shown: ${error.message}.`, true);
    }
    this.marks = new SphereMarks();
    this.overlay = new Canvas(marks, (context, width, height) => this.#mark(context, width, height));
    this.look = new LookHandle(canvas, head, this.controls);
    this.#awaitFrame();
    this.#draw();
  }

  /** Follows the engine's tree, after each change of it. */
  refresh() {
    const { engine } = this;
    if (engine.root === this.#root) return;
    this.#root = engine.root;
    for (const end of this.#unwatch) end();
    this.objects.refresh();
    const now = () => performance.now() / 1000;
    const watch = (role, take) => {
      const node = engine.find(role);
      return node ? engine.values.watch(node.path, ([value]) => take(value)) : () => {};
    };
    this.#unwatch = [
      watch(roles.state, (state) => {
        this.#time.setPlaying(state === playing, now());
        this.controls.showPlaying(state === playing);
        if (state !== playing) this.#clock.reset();
      }),
      watch(roles.position, (position) => this.#time.take(position, now()) && this.#clock.reset()),
      watch(roles.videoFile, () => this.#open()),
      watch(roles.videoVersion, () => this.#open()),
      watch(roles.videoFound, (text) => this.controls.describe(text)),
    ];
  }

  // MARK: Headset

  #makeHeadset() {
    const headset = new Headset(this.picture, {
      begin: () => {
        // The headset knows where up is; its direction at the beginning is that of the page.
        this.head.beginSensors({ isLevel: true });
        this.controls.showHeadset(true);
      },
      sense: (rotation) => {
        this.player()?.sense?.(rotation);
        this.head.sense(rotation);
      },
      frame: () => {
        const now = performance.now() / 1000;
        if (now - this.#called > longestCall && !this.video.paused) this.#take(this.video.currentTime, now);
        this.#step(now);
        // The picture has the current pose, or it would sway before the eyes; the sound follows as soon as it can.
        return { ...this.#frame, head: this.head.whole };
      },
      pressed: () => this.controls.playButton.click(),
      ended: () => {
        this.head.forgetSensors();
        this.controls.showHeadset(false);
      },
    });
    headset.watch((isThere) => this.controls.offerHeadset(isThere));
    return headset;
  }

  // MARK: Engine

  #number(role) {
    return this.engine.values.number(this.engine.find(role));
  }

  #press(role) {
    const node = this.engine.find(role);
    if (node) this.engine.connection.send(node.path, []);
  }

  #send(role, value) {
    this.engine.send(this.engine.find(role), [value]);
  }

  /** Loads the video that the engine names. */
  #open() {
    const [file = ''] = this.engine.values.of(this.engine.find(roles.videoFile));
    const isElsewhere = isAddress(String(file));
    const source = isElsewhere ? file : this.#number(roles.videoVersion) > 0 ? `/video?version=${this.#number(roles.videoVersion)}` : '';
    if (source === this.#source) return;
    this.#source = source;
    this.#clock.reset();
    if (this.picture) this.picture.hasFrame = false;
    if (isPlaylist(source) && !this.video.canPlayType('application/vnd.apple.mpegurl')) {
      this.video.removeAttribute('src');
      this.controls.say('This browser cannot play this HLS video. Chrome and Edge from version 142 on and Safari can.',
        true);
    } else if (source) {
      this.controls.say('Loading the video.');
      this.video.src = source;
    } else {
      this.video.removeAttribute('src');
      this.video.load();
      this.controls.say('The recording has no video. Choose one on the panel, page Session.');
    }
  }

  /** Shows why the video cannot be played. */
  async #explain() {
    const source = this.#source;
    if (!source || !this.video.getAttribute('src')) return;
    const text = await problemOf(this.video.error, source);
    if (source === this.#source) this.controls.say(text, true);
  }

  // MARK: Frames

  /** Delays in seconds: from the engine's position to the ear, and from a turn of the head to the ear. */
  get #delays() {
    return this.player()?.delays ?? { sound: 0, head: 0 };
  }

  /** The place in the video that belongs to what is heard at a time. */
  #wanted(now) {
    return this.#time.at(now - this.#delays.sound) - (this.#number(roles.videoOffset) + this.#nudge.milliseconds) / 1000;
  }

  #awaitFrame() {
    this.video.requestVideoFrameCallback?.((now, { mediaTime, expectedDisplayTime }) => {
      this.#called = performance.now() / 1000;
      // The video itself may be seen with this display frame; the canvas is with the next.
      this.#take(mediaTime, Math.max(expectedDisplayTime / 1000, now / 1000 + this.#display.seconds));
      this.#awaitFrame();
    });
  }

  /** Takes a frame of the video that is shown at a time. */
  #take(shown, now) {
    try {
      this.picture?.take(this.video);
    } catch (error) {
      const { videoWidth, videoHeight } = this.video;
      this.controls.say(error instanceof RangeError
        ? `The video has ${videoWidth} × ${videoHeight} pixels; this browser supports ${error.message} at most. Use a smaller copy of it.`
        : 'The server of the video does not let this page use its pictures: it must send Access-Control-Allow-Origin.', true);
    }
    if (!this.#time.isPlaying || this.video.paused) return;
    const { rate, seek } = this.#clock.follow(shown, this.#wanted(now), now);
    if (seek !== undefined) this.video.currentTime = seek;
    else if (this.video.playbackRate !== rate) this.video.playbackRate = rate;
  }

  /** Starts and stops the video with the sound; at rest it shows the frame of the position. */
  #keepStep(now) {
    const { video } = this;
    if (!this.#source || video.readyState < HTMLMediaElement.HAVE_METADATA) return;
    const wanted = this.#wanted(now);
    if (this.#time.isPlaying && wanted >= 0 && wanted < video.duration) {
      if (video.paused && !this.#needsTap) {
        video.currentTime = wanted;
        video.play().catch(({ name }) => name === 'NotAllowedError' && this.#awaitTap());
      }
      this.controls.showOutside(0);
      return;
    }
    if (this.#time.isPlaying && wanted > -brief && wanted < video.duration + brief) return;
    if (!video.paused) video.pause();
    this.controls.showOutside(this.#time.isPlaying ? wanted - Math.max(0, Math.min(wanted, video.duration)) : 0);
    const place = Math.min(Math.max(0, wanted), video.duration);
    if (!video.seeking && Math.abs(video.currentTime - place) > 0.02) video.currentTime = place;
  }

  /** Lets the user start the video: some browsers ask for a tap, such as those that save power. */
  #awaitTap() {
    if (this.#needsTap) return;
    this.#needsTap = true;
    this.controls.say(tapWords);
    const go = () => {
      for (const event of ['pointerup', 'keydown']) document.removeEventListener(event, go);
      this.#needsTap = false;
      if (this.controls.words.textContent === tapWords) this.controls.say('');
      this.#keepStep(performance.now() / 1000);
    };
    for (const event of ['pointerup', 'keydown']) document.addEventListener(event, go);
  }

  /** Looks for a frame where the browser does not report it. */
  #look(now) {
    if (this.video.requestVideoFrameCallback || this.video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
    const { currentTime } = this.video;
    if (this.picture?.hasFrame && currentTime === this.#looked) return;
    this.#looked = currentTime;
    this.#take(currentTime, now + this.#display.seconds);
  }

  #draw() {
    requestAnimationFrame((time) => {
      this.#display.take(time / 1000);
      this.#draw();
    });
    // A headset asks for its own frames.
    if (!this.section.isConnected || this.headset?.isOn) return;
    const now = performance.now() / 1000;
    this.#step(now);
    this.#look(now);
    this.picture?.draw({ ...this.view, ...this.#frame, spacing: this.controls.spacing });
    if (this.controls.hasMarks) this.overlay.request();
    this.objects.show(this.controls.hasMarks && !this.controls.isSplit ? this.view : null);
  }

  /** Keeps picture, sound and head together at a time. */
  #step(now) {
    const { orientation, delays } = this.player() ?? {};
    const head = orientation ? rotation(...orientation) : this.head.head;
    this.#heads.add(head, now, orientation ? null : this.head.turnedAt);
    this.#keepStep(now);
    // A drawing is seen from the next display frame on.
    const heard = this.#heads.at(now + this.#display.seconds - (delays?.head ?? 0)) ?? head;
    this.view = { head: heard, field: this.look.field, isSplit: this.controls.isSplit };
    this.shown = { head: heard, now, wanted: this.#wanted(now) };
    this.#tell(now);
  }

  /** Orientation and layout of the video, as the engine has them. */
  get #frame() {
    const [yaw, pitch, roll] = [roles.videoYaw, roles.videoPitch, roles.videoRoll].map((role) => this.#number(role));
    return { yaw, pitch, roll, layout: this.#layout };
  }

  /** The layout of a frame; the engine's text about the file ends with the one that its metadata say. */
  get #layout() {
    const [chosen, found] = [roles.videoLayout, roles.videoFound].map((role) => this.engine.values.of(this.engine.find(role))[0]);
    return chosen && chosen !== 'auto' ? chosen : String(found ?? '').split(', ').at(-1);
  }

  #mark(context, width, height) {
    if (this.controls.hasMarks && !this.controls.isSplit) {
      const [earAzimuth = 90] = this.engine.values.of(this.engine.own(roles.earAzimuth));
      this.marks.draw(context, width, height, this.view, this.player()?.azimuths ?? [], earAzimuth);
    }
    return false;
  }

  /** Shows the position, and the distance between picture and sound. */
  #tell(now) {
    if (1000 * (now - this.#events) < wordsEvery) return;
    this.#events = now;
    this.controls.showTime(this.#time.at(now), this.#number(roles.duration));
    const { median, p95, frames } = this.statistics;
    this.controls.showDistance(frames < fewest || !this.#time.isPlaying ? ''
      : `Picture and sound: ${median.toFixed(0)} ms apart, 95 % within ${p95.toFixed(0)} ms`, this.#nudge.milliseconds);
  }

  get statistics() {
    return { ...this.#clock.statistics, seeks: this.#clock.seeks };
  }
}

/** Whether a video is at an address elsewhere, whose scheme may be in capitals. */
const isAddress = (source) => /^https:\/\//i.test(source);

/** Whether an address is that of an HLS playlist. */
const isPlaylist = (source) => isAddress(source) && new URL(source).pathname.endsWith('.m3u8');

/** An error of the video in words. Browsers report a file that is not there as one that they cannot decode, so the engine is asked. */
async function problemOf(error, source) {
  const { MEDIA_ERR_DECODE, MEDIA_ERR_SRC_NOT_SUPPORTED } = MediaError;
  const codec = 'This browser cannot show the video: it does not know its codec or container, or the file is damaged.';
  if (error?.code === MEDIA_ERR_DECODE) return codec;
  if (error?.code !== MEDIA_ERR_SRC_NOT_SUPPORTED) return 'The video could not be loaded.';
  if (!source.startsWith('/')) {
    return `The video could not be loaded from ${new URL(source).host}: the server is not there or has no such file, or it does not send `
      + 'Access-Control-Allow-Origin, or this browser does not know the codec.';
  }
  try {
    const { ok } = await fetch(source, { method: 'HEAD' });
    return ok ? codec : 'The engine cannot read the video file. The panel’s page Session has details.';
  } catch {
    return 'The video could not be loaded: the engine does not answer.';
  }
}
