import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listenWords } from '../../js/playback/listen-words.js';
import { silence } from '../../js/playback/listener-sound.js';
import { GroupClock } from '../../js/playback/stream/group-clock.js';
import { OpusDecoder, opusRefusal } from '../../js/playback/stream/opus-decoder.js';
import { plainSound, readPacket } from '../../js/playback/stream/packet.js';
import { StreamReader } from '../../js/playback/stream/stream-reader.js';

const plain = { rate: 48000, channels: 2, frames: 4, listener: 1, format: 's16le', bitrate: 0, delay: 0 };

function packet(number, frames, start, bytes) {
  const view = new DataView(new ArrayBuffer(16 + bytes));
  view.setUint32(0, number, true);
  view.setUint32(4, frames, true);
  view.setBigUint64(8, BigInt(start), true);
  for (let at = 16; at + 1 < 16 + bytes; at += 2) view.setInt16(at, at % 4 === 0 ? 16384 : -8192, true);
  return view.buffer;
}

function reader(world) {
  const events = { sent: [], begun: [], sounds: [], links: [], problems: [], reasons: [] };
  let now = 1000;
  const made = new StreamReader({
    send: (text) => events.sent.push(JSON.parse(text)),
    begin: (format) => events.begun.push(format),
    sound: (...sound) => events.sounds.push(sound),
    link: (link) => events.links.push(link),
    problem: (text) => events.problems.push(text),
    undecodable: (reason) => events.reasons.push(reason),
  }, () => (now += 1), world);
  return { made, events };
}

/** Stands in for WebCodecs: a packet that begins with 255 breaks the decoder. */
function codecs() {
  class AudioDecoder {
    static async isConfigSupported({ codec }) {
      return { supported: codec === 'opus' };
    }

    constructor(callbacks) {
      this.callbacks = callbacks;
      this.state = 'unconfigured';
      this.decodeQueueSize = 0;
    }

    configure() {
      this.state = 'configured';
    }

    decode({ timestamp, data }) {
      if (new Uint8Array(data)[0] === 255) {
        this.state = 'closed';
        this.callbacks.error(new Error('broken'));
        return;
      }
      this.callbacks.output({
        timestamp, numberOfFrames: 480, numberOfChannels: 2, close() {}, copyTo: (samples, { planeIndex }) => samples.fill(planeIndex + 1),
      });
    }

    close() {
      this.state = 'closed';
    }
  }
  class EncodedAudioChunk {
    constructor(chunk) {
      Object.assign(this, chunk);
    }
  }
  return { isSecureContext: true, AudioDecoder, EncodedAudioChunk };
}

test('a packet is read as the protocol says', () => {
  const read = readPacket(packet(7, 4, 2 ** 40 + 5, 16), plain);
  assert.deepEqual([read.number, read.frames, read.start, read.content.byteLength], [7, 4, 2 ** 40 + 5, 16]);
  const [left, right] = plainSound(read.content);
  assert.deepEqual([...left, ...right], [0.5, 0.5, 0.5, 0.5, -0.25, -0.25, -0.25, -0.25]);
});

test('packets that are truncated or of another format are refused', () => {
  const whole = packet(1, 4, 480, 16);
  for (let length = 0; length < whole.byteLength; length += 1) assert.equal(readPacket(whole.slice(0, length), plain), null);
  assert.equal(readPacket(packet(1, 5, 480, 20), plain), null);
  assert.equal(readPacket(packet(1, 4, 2n ** 63n, 16), plain), null);
  assert.equal(readPacket(packet(1, 480, 0, 1300), { format: 'opus', frames: 480 }), null);
  const { made, events } = reader();
  made.take(whole);
  made.take('{');
  assert.equal(made.refused, 2, 'before the format is known');
  made.take(JSON.stringify(plain));
  made.take(whole.slice(0, 20));
  made.take(whole);
  assert.equal(made.refused, 3);
  assert.equal(events.sounds.length, 1);
});

test('questions are answered with two times, and reports go out twice a second', () => {
  const { made, events } = reader();
  made.take(JSON.stringify(plain));
  made.take('{"type":"time","id":5}');
  assert.deepEqual(Object.keys(events.sent[0]), ['type', 'id', 'received', 'answered']);
  assert.ok(events.sent[0].received <= events.sent[0].answered);
  for (let report = 0; report < 1000; report += 1) made.report({ ...silence, packets: report });
  assert.ok(Math.abs(events.sent.length - 4) <= 1);
  assert.equal(events.sent[1].type, 'report');
});

test('Opus is placed by its sample count less the delay', () => {
  const { made, events } = reader(codecs());
  made.take(JSON.stringify({ ...plain, format: 'opus', frames: 480, delay: 120 }));
  for (const start of [480, 960, 48000 * 3600 * 50 + 480]) made.take(packet(0, 480, start, 100));
  assert.deepEqual(events.sounds.map(([start]) => start), [360, 840, 48000 * 3600 * 50 + 360]);
  assert.deepEqual([events.sounds[0][1][0], events.sounds[0][2][0]], [1, 2]);
});

test('a packet that breaks the decoder is counted, and decoding goes on', () => {
  const sounds = [];
  const failures = [];
  const decoder = new OpusDecoder((start) => sounds.push(start), (reason) => failures.push(reason), codecs());
  const broken = new Uint8Array([255]).buffer;
  decoder.push(0, new ArrayBuffer(10));
  decoder.push(480, broken);
  decoder.push(960, new ArrayBuffer(10));
  assert.deepEqual([sounds, decoder.refused, failures.length], [[0, 960], 1, 0]);
  decoder.push(1440, broken);
  decoder.push(1440, broken);
  assert.equal(failures.length, 1, 'a decoder that decodes nothing any more is given up');
  decoder.push(1920, new ArrayBuffer(10));
  assert.equal(sounds.length, 2);
});

test('a browser without a decoder tells why', async () => {
  assert.equal(await opusRefusal(codecs()), null);
  assert.match(await opusRefusal({ isSecureContext: false }), /secure pages/);
  assert.match(await opusRefusal({ isSecureContext: true }), /cannot decode Opus/);
  const refusing = { isSecureContext: true, AudioDecoder: class { static async isConfigSupported() { throw new Error('no'); } } };
  assert.match(await opusRefusal(refusing), /no/);
});

test('the state is one line, with the format and the reason in the details', () => {
  const link = { roundTrip: 3.25, overflow: 2, changes: 1 };
  const stream = { format: 'opus', bitrate: 96000, milliseconds: 10, reason: null, link };
  const words = listenWords({ ...silence, playing: true, bufferMilliseconds: 24.4, stream });
  assert.equal(words.short + words.long, '24 ms buffered, none lost, Opus 96');
  assert.ok(words.facts.some((fact) => fact.includes('Opus 96 kbit/s, 10 ms packets')));
  assert.ok(words.facts.some((fact) => fact.includes('round trip 3.3 ms') && fact.includes('1 change of')));
  const uncompressed = { format: 's16le', bitrate: 0, milliseconds: 10, reason: 'no decoder', link: null };
  const other = listenWords({ ...silence, playing: true, stream: uncompressed });
  assert.ok(other.facts[0].endsWith('uncompressed, 10 ms packets: no decoder'));
  assert.equal(listenWords(silence).short, 'Waiting for sound');
});

test('a group clock is the median of what the context tells', () => {
  const followed = [];
  let performanceTime = 5000;
  const page = { setInterval: () => 1, clearInterval() {}, performance: { timeOrigin: 1e6, now: () => performanceTime } };
  const jitter = [0, 0.02, -0.001, 0.001, 0, 0.05, 0, -0.03, 0];
  const context = {
    getOutputTimestamp: () => ({ contextTime: performanceTime / 1000 - 2 + jitter[Math.round(performanceTime) % 9], performanceTime }),
  };
  const clock = new GroupClock(context, (origin) => followed.push(origin), page);
  clock.look();
  assert.deepEqual(followed, []);
  for (; performanceTime < 5009; performanceTime += 1) clock.note({ group: 150, origin: 1e6 - 3000 });
  // Sample 0 was 3 s before the page began, and is played 150 ms later; the context began 2 s after the page.
  assert.ok(Math.abs(followed.at(-1) - (-3 + 0.15 - 2)) < 1e-6, `${followed.at(-1)}`);
  clock.note({ group: 0, origin: 1 });
  assert.equal(followed.at(-1), null);
});

test('texts that are truncated, repeated, reordered, or of another kind are counted or obeyed, and nothing breaks', () => {
  const texts = [
    plain, { ...plain, format: 'opus', frames: 480, delay: 120, bitrate: 96000, reason: 'none' }, { type: 'time', id: 3 },
    { type: 'link', roundTrip: 4.5, slope: 0, overflow: 0, changes: 1, origin: 12.5, group: 200 }, { type: 'error', text: 'no' },
  ].map((message) => JSON.stringify(message));
  const wrong = ['null', '1', '"text"', '[]', '{}', '{"type":"time"}', '{"type":"time","id":"1"}', '{"type":"link"}',
    '{"type":"link","roundTrip":"4","overflow":0,"changes":0}', '{"type":"error"}', '{"type":"unheard of"}', '{"format":7}',
    '{"format":"opus","frames":-1,"rate":48000}', '{"format":"opus","frames":1e12,"rate":48000}', '{"format":"s16le","frames":4}'];
  for (const first of [...texts, ...wrong]) {
    const { made, events } = reader(codecs());
    const cut = Array.from({ length: first.length }, (_, length) => first.slice(0, length));
    for (const text of [...cut, first, first, ...texts.toReversed(), packet(1, 480, 0, 60), packet(1, 4, 0, 16), ...texts]) made.take(text);
    assert.ok(made.refused >= cut.length + (wrong.includes(first) ? 2 : 0), `${first}: ${made.refused}`);
    assert.ok(events.sounds.every(([start, left, right]) => Number.isSafeInteger(start) && left.length === right.length));
    assert.ok(events.begun.every(({ format }) => ['s16le', 'opus'].includes(format)));
    listenWords({ ...silence, stream: { format: 'opus', bitrate: 96000, milliseconds: 10, reason: null, link: made.link } });
  }
});
