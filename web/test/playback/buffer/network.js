export const rate = 48000;
const quantum = 128;

/** Numbers that look random and are the same in every run. Prints the seed. */
export function randomNumbers(seed) {
  console.log(`seed ${seed}`);
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A sine in consecutive packets; the right ear hears its negative. */
export class Sender {
  constructor({ frequency = 440, frames = 480, start = 1_000_000, level = 0.5 } = {}) {
    Object.assign(this, { frequency, frames, start, level });
  }

  packet() {
    const left = new Float32Array(this.frames);
    for (let frame = 0; frame < this.frames; frame += 1) {
      left[frame] = this.level * Math.sin((2 * Math.PI * this.frequency * ((this.start + frame) % rate)) / rate);
    }
    this.start += this.frames;
    return [this.start - this.frames, left, left.map((value) => -value)];
  }
}

/**
 * Sends and plays for a number of seconds.
 *
 * @param {number} options.speed of the sender's clock
 * @param {function(number): (number | null)} options.delay seconds on the network for a packet that is sent at a time; null loses it
 * @param {function(Float32Array, number)} options.hear receives each block of the left ear, and its time
 */
export function play(buffer, sender, seconds, { speed = 1, delay = () => 0, hear = () => {} } = {}) {
  const begin = buffer.now;
  const first = sender.start;
  let waiting = [];
  const [left, right] = [new Float32Array(quantum), new Float32Array(quantum)];
  while (buffer.now - begin < seconds) {
    const now = buffer.now - begin;
    for (;;) {
      const due = (sender.start + sender.frames - first) / rate / speed;
      if (due > now + 1e-9) break;
      const packet = sender.packet();
      const late = delay(due);
      if (late !== null) waiting.push({ at: due + late, packet });
    }
    for (const { packet } of waiting.filter(({ at }) => at <= now + 1e-9)) buffer.push(...packet);
    waiting = waiting.filter(({ at }) => at > now + 1e-9);
    buffer.pull(left, right);
    hear(left, now, right);
  }
}

/** Plays as above, and returns the left ear. */
export function heard(buffer, sender, seconds, options = {}) {
  const samples = [];
  play(buffer, sender, seconds, { ...options, hear: (left) => samples.push(...left) });
  return samples;
}

export const rms = (samples) => Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);

/** Largest difference of neighbours. */
export const largestStep = (samples) =>
  samples.reduce((most, value, index) => (index ? Math.max(most, Math.abs(value - samples[index - 1])) : 0), 0);

/** Everything besides a sine, in dB of the sine; its frequency, level and phase are fitted. */
export function distortion(samples, frequency) {
  const window = samples.map((_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / samples.length));
  const residue = (hertz) => {
    let [a, b, ss, sc, cc] = [0, 0, 0, 0, 0];
    const step = (2 * Math.PI * hertz) / rate;
    samples.forEach((value, index) => {
      const [sine, cosine] = [Math.sin(step * index), Math.cos(step * index)];
      ss += window[index] * sine * sine;
      sc += window[index] * sine * cosine;
      cc += window[index] * cosine * cosine;
      a += window[index] * value * sine;
      b += window[index] * value * cosine;
    });
    const determinant = ss * cc - sc * sc;
    const [inSine, inCosine] = [(a * cc - b * sc) / determinant, (b * ss - a * sc) / determinant];
    let [error, power] = [0, 0];
    samples.forEach((value, index) => {
      const fitted = inSine * Math.sin(step * index) + inCosine * Math.cos(step * index);
      error += window[index] * (value - fitted) ** 2;
      power += window[index] * fitted ** 2;
    });
    return 10 * Math.log10(error / power);
  };
  let [low, high] = [frequency * (1 - 4e-4), frequency * (1 + 4e-4)];
  for (let round = 0; round < 60; round += 1) {
    const [one, two] = [low + 0.382 * (high - low), low + 0.618 * (high - low)];
    if (residue(one) < residue(two)) high = two;
    else low = one;
  }
  return residue((low + high) / 2);
}
