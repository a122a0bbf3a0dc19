import { codecs } from './camera-wire.js';

const pictures = ['vp8', 'h264', 'av1'];
const size = { width: 640, height: 360 };

async function supported(names, ask) {
  const known = await Promise.all(names.map((name) => ask(codecs[name].config).then((answer) => answer.supported, () => false)));
  return new Set(names.filter((_, index) => known[index]));
}

/** Codecs of pictures that this browser decodes. */
export async function decodable(world = globalThis) {
  if (!world.VideoDecoder) return new Set();
  return supported(pictures, ({ codec }) => world.VideoDecoder.isConfigSupported({ codec }));
}

/** Codecs of pictures that this browser encodes. */
export async function encodable(world = globalThis) {
  if (!world.VideoEncoder) return new Set();
  return supported(pictures, (config) =>
    world.VideoEncoder.isConfigSupported({ ...config, ...size, bitrate: 500_000, framerate: 25, latencyMode: 'realtime' }));
}
