/** Units of OSCQuery as signs, and numbers as text. */

const short = new Map([
  ['gain.db', 'dB'],
  ['gain.linear', ''],
  ['time.hz', 'Hz'],
  ['time.second', 's'],
  ['time.ms', 'ms'],
  ['time.samples', 'frames'],
  ['angle.degree', '°'],
  ['distance.m', 'm'],
  ['time.cents', 'cents'],
  ['time.bpm', 'bpm'],
  ['angle.degree-per-minute', '°/min'],
  ['ratio.percent', '%'],
  ['ratio.ppm', 'ppm'],
  ['temperature.celsius', '°C'],
  ['data.kilobit-per-second', 'kbit/s'],
]);

/** The sign of a unit; an unknown unit is shown by its last word. */
export function unitText(unit) {
  if (!unit) return '';
  return short.get(unit) ?? unit.split('.').pop();
}

/** Number of decimals at which about 300 steps of a range differ. */
export function decimalsFor(range) {
  if (!range || !Number.isFinite(range.maximum - range.minimum)) return 2;
  const span = range.maximum - range.minimum;
  if (span <= 4) return 3;
  if (span <= 40) return 2;
  if (span <= 1000) return 1;
  return 0;
}

/** A number with at most this number of decimals, without trailing zeros, with a minus sign instead of a hyphen. */
export function numberText(value, decimals = 2) {
  if (typeof value !== 'number' || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const fixed = value.toFixed(decimals);
  const trimmed = fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed;
  return (trimmed === '-0' ? '0' : trimmed).replace('-', '−');
}

/** A number for a readout: about three figures, thousands separated. */
export function readoutText(value) {
  if (typeof value !== 'number' || Number.isNaN(value)) return '–';
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString('en').replaceAll(',', '\u202f');
  if (Number.isInteger(value)) return numberText(value, 0);
  if (size >= 100) return numberText(value, 0);
  return numberText(value, size >= 10 ? 1 : size >= 1 ? 2 : 4);
}

/** A number and its unit, separated by a space except for the degree sign. */
export function withUnit(text, unit) {
  const sign = unitText(unit);
  if (!sign) return text;
  return sign === '°' ? `${text}°` : `${text}\u00a0${sign}`;
}

/** A number and its noun, in the singular for one: "1 gap", "2 gaps". */
export const counted = (count, noun, plural = `${noun}s`) => `${count} ${count === 1 ? noun : plural}`;

/** A time on the transport: 1:05, or 1:00:05. */
export function clockText(seconds) {
  const whole = Math.max(0, Math.floor(seconds || 0));
  const two = (number) => String(number).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** A time in words: "1 minute 5 seconds". */
export function spokenTime(seconds) {
  const whole = Math.max(0, Math.floor(seconds || 0));
  const parts = [
    [Math.floor(whole / 3600), 'hour'],
    [Math.floor(whole / 60) % 60, 'minute'],
    [whole % 60, 'second'],
  ].filter(([count], index) => count > 0 || (index === 2 && whole === 0));
  return parts.map(([count, word]) => counted(count, word)).join(' ');
}
