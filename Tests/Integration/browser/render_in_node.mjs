/**
 * Renders a recording with web/renderer in Node: a peer of `vestibule render`.
 *
 * Arguments: a file of orders as JSON, and the output file of interleaved 32-bit floats. Orders: { samples, channels, rate, array, method,
 * heads, block, frames, ceiling, objects }, where `samples`, `heads` and an object's `samples` are files of 32-bit floats.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Renderer } from '../../../web/renderer/renderer.js';

const floats = (path) => new Float32Array(new Uint8Array(readFileSync(path)).buffer);
const [orders, output] = process.argv.slice(2);
const { samples, rate, array, method, heads, block, frames, ceiling = null, objects = [] } = JSON.parse(readFileSync(orders, 'utf8'));
const module = await Renderer.compile(readFileSync(new URL('../../../web/renderer/renderer.wasm', import.meta.url)));
const renderer = new Renderer(module, { rate, objects: objects.length });
renderer.setListener({ ceiling });
const source = samples ? floats(samples) : null;
if (source) renderer.setArray(array);
renderer.method = method;
objects.forEach((object, index) => {
  renderer.setSound(index, floats(object.samples));
  renderer.setObject(index, object);
});
renderer.setPlaying(true);
const motion = floats(heads);
const ears = new Float32Array(2 * frames);
const channels = source ? array.azimuths.length : 0;
let spent = 0n;
for (let at = 0; at + block <= frames; at += block) {
  const place = (at / block) * 4;
  renderer.setHead(...motion.subarray(place, place + 4));
  if (source) renderer.input(block).set(source.subarray(at * channels, (at + block) * channels));
  const begin = process.hrtime.bigint();
  const [left, right] = renderer.render(block);
  spent += process.hrtime.bigint() - begin;
  for (let i = 0; i < block; i += 1) {
    ears[2 * (at + i)] = left[i];
    ears[2 * (at + i) + 1] = right[i];
  }
}
writeFileSync(output, new Uint8Array(ears.buffer));
console.log(JSON.stringify({ latency: renderer.latency, nanoseconds: Number(spent) / frames, method: renderer.method }));
