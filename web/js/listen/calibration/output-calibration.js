import { findChirp, makeChirp } from '../../shared/sound/chirp.js';
import { keepOutputDelay } from '../../shared/sound/output-delay.js';

/** Chirps, seconds between their beginnings, and before the first one. */
const count = 3;
const interval = 0.9;
const lead = 0.3;
/** Seconds in which a chirp returns. */
const longest = 0.8;
/** Level of a chirp, and seconds by which the measurements may differ. */
const level = 0.5;
const agreement = 0.002;
/** Processing of speech would disturb the chirp. */
const wishes = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

/**
 * Measures how much later the sound leaves the loudspeaker, or headphones that are held to the microphone, than the browser reports, and
 * keeps it for this output.
 *
 * @param context a running AudioContext
 * @returns {Promise<{ total: number, extra: number }>} seconds from the page to the microphone, and those that the browser knows nothing
 *   of; rejected with the reason
 */
export async function calibrate(context, page = window) {
  const { mediaDevices } = page.navigator;
  if (!mediaDevices?.getUserMedia) throw new Error('This browser does not support microphone access on this page.');
  let stream;
  try {
    stream = await mediaDevices.getUserMedia({ audio: wishes });
  } catch (error) {
    throw new Error(`There is no microphone for this page: ${error.message}. Allow it in the site’s settings, and try again.`);
  }
  try {
    const blocks = await record(context, stream);
    const total = delayOf(blocks, context.sampleRate);
    const [track] = stream.getAudioTracks();
    const input = track?.getSettings?.().latency ?? 0;
    const extra = total - input - (context.outputLatency || context.baseLatency || 0);
    keepOutputDelay(await outputName(mediaDevices), extra);
    return { total, extra };
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}

/** Name of the current output; empty when the browser does not report it. */
async function outputName(mediaDevices) {
  const devices = await mediaDevices.enumerateDevices?.() ?? [];
  const outputs = devices.filter(({ kind }) => kind === 'audiooutput');
  return (outputs.find(({ deviceId }) => deviceId === 'default') ?? outputs[0])?.label ?? '';
}

/** Plays the chirps and records meanwhile: the microphone's sound from the beginning of each. */
async function record(context, stream) {
  await context.audioWorklet.addModule(new URL('microphone-worklet.js', import.meta.url));
  const microphone = context.createMediaStreamSource(stream);
  const recorder = new AudioWorkletNode(context, 'microphone', { numberOfOutputs: 0 });
  const chirp = makeChirp(context.sampleRate);
  const buffer = new AudioBuffer({ length: chirp.length, sampleRate: context.sampleRate });
  buffer.copyToChannel(chirp.map((value) => value * level), 0);
  // Chirps begin with a whole frame.
  const first = Math.ceil((context.currentTime + lead) * context.sampleRate);
  const starts = Array.from({ length: count }, (_, i) => first + Math.round(i * interval * context.sampleRate));
  for (const start of starts) {
    const source = new AudioBufferSourceNode(context, { buffer });
    source.connect(context.destination);
    source.start(start / context.sampleRate);
  }
  const size = Math.round(longest * context.sampleRate) + chirp.length;
  const found = starts.map((start) => ({ start, sound: new Float32Array(size) }));
  const end = starts.at(-1) + size;
  await new Promise((done) => {
    recorder.port.onmessage = ({ data: { frame, sound } }) => {
      for (const { start, sound: all } of found) {
        for (let i = 0; i < sound.length; i += 1) if (frame + i >= start && frame + i < start + size) all[frame + i - start] = sound[i];
      }
      if (frame >= end) done();
    };
    microphone.connect(recorder);
    // A microphone that gives nothing is noticed by the missing chirps.
    setTimeout(done, 1000 * (lead + count * interval + longest) + 1000);
  });
  recorder.port.postMessage('end');
  microphone.disconnect();
  return found.map(({ sound }) => sound);
}

/** Seconds from the page to the microphone: the median of recordings that agree. */
export function delayOf(recordings, rate) {
  const chirp = makeChirp(rate);
  const delays = recordings.map((sound) => findChirp(sound, chirp)).filter((place) => place !== null).sort((one, two) => one - two);
  if (delays.length < 2) {
    throw new Error('The chirps were not found in the microphone’s signal. Turn the volume up, and hold it to the headphones.');
  }
  const middle = delays[delays.length >> 1];
  if (delays.filter((delay) => Math.abs(delay - middle) < agreement * rate).length < 2) {
    throw new Error('The chirps were heard at different times. Measure again in a quiet place.');
  }
  return middle / rate;
}
