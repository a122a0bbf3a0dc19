import { codecs } from './camera-wire.js';

/** Levels of H.264: number in the name, blocks of 16 x 16 pixels in a picture and in a second. From the lowest that all devices have. */
const h264 = [
  ['1F', 3600, 108_000], ['20', 5120, 216_000], ['28', 8192, 245_760], ['2A', 8704, 522_240], ['32', 22_080, 589_824],
  ['33', 36_864, 983_040], ['34', 36_864, 2_073_600],
];
/** Levels of AV1: number in the name, pixels of a picture and in a second, and the longest side. */
const av1 = [
  ['04', 665_856, 19_975_680, 2048], ['05', 1_065_024, 31_950_720, 2816], ['08', 2_359_296, 70_778_880, 4096],
  ['09', 2_359_296, 141_557_760, 4096], ['12', 8_912_896, 267_386_880, 8192], ['13', 8_912_896, 534_773_760, 8192],
];

/** The first sufficient level; the highest if none is. */
const levelFor = (levels, area, side, rate) =>
  (levels.find(([, most, everySecond, longest = Infinity]) => area <= most && area * rate <= everySecond && side <= longest)
    ?? levels.at(-1))[0];

/** Configuration for WebCodecs of a codec's lowest level that holds pictures of a size and a rate. */
export function codecConfig(codec, { width, height, rate }) {
  const { config } = codecs[codec];
  if (codec === 'h264') {
    const blocks = Math.ceil(width / 16) * Math.ceil(height / 16);
    return { ...config, codec: `avc1.42E0${levelFor(h264, blocks, 0, rate)}` };
  }
  if (codec === 'av1') return { ...config, codec: `av01.0.${levelFor(av1, width * height, Math.max(width, height), rate)}M.08` };
  return config;
}
