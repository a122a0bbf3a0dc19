import { aboutWords, titleOf } from './about.js';
import { sizeText } from '../shared/controls/upload-kinds.js';
import { counted } from '../shared/numbers/units.js';

/** Kinds of files in the order of the choice, and their words for one and for many. */
export const kinds = {
  recordings: ['Recording', 'Recordings'], videos: ['Video', 'Videos'], takes: ['Take', 'Takes'], sounds: ['Sound', 'Sounds'],
  responses: ['Impulse response', 'Impulse responses'], hrtf: ['HRTF', 'HRTFs'], presets: ['Preset', 'Presets'],
  sessions: ['Session', 'Sessions'], motion: ['Head motion', 'Head motion'], rooms: ['Room', 'Rooms'],
  tests: ['Listening test', 'Listening tests'],
};

/** Word for a kind of files, those of an engine of another version included. */
export const kindWord = (kind) => kinds[kind]?.[0] ?? kind;

/** Orders of the list: the texts of the choice, and values that are compared, the larger ones first if `isFalling`. */
export const orders = {
  name: { title: 'Name', value: (file) => titleOf(file).toLowerCase() },
  changed: { title: 'Latest first', value: (file) => file.changed, isFalling: true },
  size: { title: 'Largest first', value: (file) => file.size, isFalling: true },
  seconds: { title: 'Longest first', value: (file) => file.sound?.seconds ?? file.video?.seconds ?? 0, isFalling: true },
  loudness: { title: 'Loudest first', value: (file) => file.sound?.loudness ?? -Infinity, isFalling: true },
};

/** Names in which numbers count as such: 2 before 10. */
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/**
 * The files that are shown: of a kind, with a tag, with all words of the search in name, kind or description, in an order.
 *
 * @param search words between spaces, in any order
 * @param kind one of `kinds`; empty for all
 * @param tag empty for all
 */
export function chosen(files, { search = '', kind = '', tag = '', order = 'name' }) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const { value, isFalling } = orders[order] ?? orders.name;
  const byName = (one, other) => collator.compare(titleOf(one), titleOf(other));
  return files.filter((file) => {
    const text = `${file.name} ${kindWord(file.kind)} ${file.place} ${aboutWords(file)}`.toLowerCase();
    return (!kind || file.kind === kind) && (!tag || file.about?.tags?.includes(tag)) && words.every((word) => text.includes(word));
  }).sort((one, other) => {
    if (!isFalling) return byName(one, other);
    const [first, second] = [value(one), value(other)];
    return first === second ? byName(one, other) : second > first ? 1 : -1;
  });
}

/** Minutes and seconds, or hours: "0:05", "1:02:03"; less than a second in decimals: "0.25 s". */
export function lengthText(seconds) {
  if (seconds < 1) return `${Number(seconds.toPrecision(2))} s`;
  const whole = Math.round(seconds);
  const two = (number) => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** Layouts of stereoscopic videos. */
const layouts = { 'top-bottom': 'stereo, one above the other', 'side-by-side': 'stereo, side by side' };

/** Facts about a file in one line. */
export function factsText({ kind, place, size, isFolder, sound, video, hrtf }) {
  const facts = [kindWord(kind)];
  if (sound) {
    const { array } = sound;
    const channels = array ? `${counted(array.microphones, 'microphone')}, radius ${array.radius / 10} cm`
      : counted(sound.channels, 'channel');
    facts.push(lengthText(sound.seconds), channels, `${sound.rate / 1000} kHz`);
    // Sounds shorter than 0.4 s have no loudness.
    if (sound.loudness !== undefined) facts.push(`${sound.loudness.toFixed(1)} LUFS`);
    else if (sound.peak === undefined) facts.push('silent');
    if (sound.peak !== undefined) facts.push(`peak ${sound.peak.toFixed(1)} dB`);
  }
  if (video) {
    if (video.seconds) facts.push(lengthText(video.seconds));
    facts.push(`${video.width} × ${video.height}`);
    if (video.rate) facts.push(`${video.rate} frames/s`);
    facts.push(video.codec);
    if (video.isEquirectangular) facts.push('360°');
    if (video.layout !== 'mono') facts.push(layouts[video.layout] ?? video.layout);
  }
  if (hrtf) {
    facts.push(counted(hrtf.directions, 'direction'), `${counted(hrtf.samples, 'sample')} at ${hrtf.rate / 1000} kHz`,
      `elevation ${hrtf.lowest}° to ${hrtf.highest}°`);
  }
  if (isFolder) facts.push('folder of mono files');
  facts.push(sizeText(size));
  if (place.startsWith('folder') || place.startsWith('named')) facts.push('read only');
  return facts.join(' · ').replaceAll('-', '−');
}

/** Magnitudes from 0 to 1 of an outline of hexadecimal digits. */
export function outlineOf(digits) {
  return Array.from({ length: Math.floor(digits.length / 2) }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16) / 255);
}

/** Size of the library in words, with its limit. */
export function totalText({ files, size, limit, waiting, isTruncated, trash = 0 }) {
  const parts = [`${counted(files.length, 'file')}, ${sizeText(size)}${limit === undefined ? '' : ` of ${sizeText(limit)}`}`];
  if (trash > 0) parts.push(`${sizeText(trash)} of it in the trash`);
  if (isTruncated) parts.push('only the first 10,000 files are listed');
  if (waiting > 0) parts.push(`reading ${counted(waiting, 'file')}`);
  return `${parts.join('; ')}.`;
}

/** The address of a file. */
export const addressOf = ({ place, name }) => `/library/${place}/${name.split('/').map(encodeURIComponent).join('/')}`;

/** The kind of files that one with this name is sent as, among those that the engine takes; undefined for none. */
export function kindFor(name, accepted, wanted) {
  const ending = name.includes('.') ? name.split('.').pop().toLowerCase() : '';
  // Pictures are sent from the description of their file.
  const fitting = accepted.filter(({ name: kind, endings }) => kind !== 'covers' && endings.includes(ending));
  return fitting.find(({ name: kind }) => kind === wanted) ?? fitting.find(({ name: kind }) => kind in kinds) ?? fitting[0];
}
