/** Bytes that are computed at a time, between which the page can do other things: a few milliseconds. */
const portion = 2 ** 18;

/** The first 32 bits of the fractional part of a number. */
const fraction = (value) => Math.floor((value - Math.floor(value)) * 2 ** 32);

const primes = [];
for (let number = 2; primes.length < 64; number += 1) if (primes.every((prime) => number % prime)) primes.push(number);
const initial = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const constants = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));

/** Adds blocks of 64 bytes to the eight words of a state. */
function compress(state, view, begin, end, words) {
  for (let place = begin; place < end; place += 64) {
    for (let i = 0; i < 16; i += 1) words[i] = view.getInt32(place + 4 * i);
    for (let i = 16; i < 64; i += 1) {
      const [early, late] = [words[i - 15], words[i - 2]];
      const first = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3);
      const second = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10);
      words[i] = (words[i - 16] + first + words[i - 7] + second) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i += 1) {
      const first = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const one = (h + first + ((e & f) ^ (~e & g)) + constants[i] + words[i]) | 0;
      const second = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const other = (second + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + other) | 0;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
  }
}

/**
 * SHA-256 (FIPS 180-4) of an ArrayBuffer, for pages without TLS, where browsers have no `crypto.subtle`.
 *
 * @param rest called between portions; returns a promise
 * @returns an ArrayBuffer of 32 bytes, as from `crypto.subtle.digest`
 */
export async function sha256(buffer, rest = () => new Promise((done) => setTimeout(done))) {
  const [state, words] = [Int32Array.from(initial), new Int32Array(64)];
  const view = new DataView(buffer);
  const whole = buffer.byteLength - (buffer.byteLength % 64);
  for (let begin = 0; begin < whole; begin += portion) {
    if (begin > 0) await rest();
    compress(state, view, begin, Math.min(whole, begin + portion), words);
  }
  // A single bit after the message, and its length in bits at the end.
  const left = buffer.byteLength - whole;
  const tail = new Uint8Array(left < 56 ? 64 : 128);
  tail.set(new Uint8Array(buffer, whole));
  tail[left] = 0x80;
  const end = new DataView(tail.buffer);
  end.setUint32(tail.length - 8, Math.floor(buffer.byteLength / 2 ** 29));
  end.setUint32(tail.length - 4, buffer.byteLength * 8);
  compress(state, end, 0, tail.length, words);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setInt32(4 * i, word));
  return digest.buffer;
}
