import { element, setText } from '../shared/drawing/element.js';
import { card } from '../shared/controls/card.js';
import { palette } from '../shared/drawing/palette.js';
import { Canvas } from '../shared/drawing/canvas.js';
import { choiceText, heardCount } from './method-words.js';
import { roles } from '../shared/tree/roles.js';
import { counted, numberText } from '../shared/numbers/units.js';

const lowest = 50;
const highest = 20000;
const marks = [[100, '100 Hz'], [1000, '1 kHz'], [10000, '10 kHz']];

/** The method in use: its two bands, the microphones in each, and the latency that it adds. */
export default { topic: 'head', needs: [roles.crossover, roles.methodLatency], make: methodCard };

function methodCard(page, nodes, { listener }) {
  if (!listener?.crossover || !listener.methodLatency) return null;
  const { method, crossover, methodLatency, lowWeight, highWeight } = listener;
  const rate = page.root.find(roles.rate);
  const canvas = element('canvas', { class: 'bands', 'aria-hidden': 'true' });
  const picture = new Canvas(canvas, (context, width, height) => {
    context.save();
    draw(context, width, height, page.values.number(crossover, 0));
    context.restore();
  });
  const words = element('dl', { class: 'bands-words' });
  const rows = ['Below', 'Above', 'Added latency'].map((name) => {
    const [term, value] = [element('dt', {}, name), element('dd', {})];
    words.append(element('div', {}, term, value));
    return { term, value };
  });
  const show = () => {
    const hertz = page.values.number(crossover, 0);
    const [below, above, latency] = rows;
    const [low, high] = [lowWeight, highWeight].map((node) => (node ? heardCount(page.values.of(node)) : 0));
    setText(below.term, hertz > 0 ? `Below ${frequencyText(hertz)}` : 'All frequencies');
    setText(below.value, choiceText(low));
    above.term.parentElement.hidden = !(hertz > 0);
    setText(above.term, `Above ${frequencyText(hertz)}`);
    setText(above.value, choiceText(high));
    const samples = page.values.number(methodLatency, 0);
    const milliseconds = (1000 * samples) / page.values.number(rate, 48000);
    setText(latency.value, samples > 0 ? `${counted(samples, 'sample')} (${milliseconds.toFixed(1)} ms)` : 'none');
    picture.request();
  };
  for (const node of [crossover, methodLatency, lowWeight, highWeight, method]) if (node) page.watch(node, show);
  page.onEnd(() => picture.end());
  return card(
    'Bands and latency', 'Microphones that each ear hears, and the latency of method, racks and limiter.', canvas, words);
}

function frequencyText(hertz) {
  return hertz < 1000 ? `${hertz.toFixed(0)} Hz` : `${(hertz / 1000).toFixed(hertz < 10000 ? 2 : 1)} kHz`;
}

/** Both bands of a fourth-order Linkwitz-Riley crossover over a logarithmic axis; one band when there is none. */
function draw(context, width, height, crossover) {
  const bottom = height - 16;
  const x = (hertz) => (width * Math.log(hertz / lowest)) / Math.log(highest / lowest);
  context.font = `400 11px ${palette.font}`;
  context.textBaseline = 'alphabetic';
  context.textAlign = 'center';
  context.lineWidth = 1;
  for (const [hertz, text] of marks) {
    context.strokeStyle = palette.line;
    stroke(context, [[x(hertz), 0], [x(hertz), bottom]]);
    context.fillStyle = palette.quiet;
    context.fillText(text, x(hertz), height - 3);
  }
  // Between 0 dB at the top and 36 dB less at the bottom.
  const y = (gain) => bottom * ((-20 * Math.log10(gain)) / 36 + 0.06);
  context.textAlign = 'left';
  for (const decibels of [0, -12, -24]) {
    const height = y(10 ** (decibels / 20));
    stroke(context, [[0, height], [width, height]]);
    context.fillText(`${numberText(decibels)} dB`, 3, height + 12);
  }
  context.beginPath();
  context.rect(0, 0, width, bottom);
  context.clip();
  const curve = (gain) => {
    const points = [];
    for (let place = 0; place <= width; place += 2) {
      const hertz = lowest * (highest / lowest) ** (place / width);
      points.push([place, y(gain((hertz / crossover) ** 4))]);
    }
    return points;
  };
  const low = crossover > 0 ? curve((power) => 1 / (1 + power)) : [[0, y(1)], [width, y(1)]];
  area(context, low, width, bottom, 0.14);
  context.strokeStyle = palette.ink;
  context.lineWidth = 2;
  stroke(context, low);
  if (!(crossover > 0)) return;
  context.setLineDash([1, 5]);
  context.lineCap = 'round';
  stroke(context, curve((power) => power / (1 + power)));
}

function stroke(context, points) {
  context.beginPath();
  points.forEach(([x, y], index) => context[index === 0 ? 'moveTo' : 'lineTo'](x, y));
  context.stroke();
}

function area(context, points, width, bottom, opacity) {
  context.save();
  context.beginPath();
  points.forEach(([x, y], index) => context[index === 0 ? 'moveTo' : 'lineTo'](x, y));
  context.lineTo(width, bottom);
  context.lineTo(0, bottom);
  context.closePath();
  context.clip();
  context.globalAlpha = opacity;
  context.fillStyle = palette.ink;
  context.fillRect(0, 0, width, bottom);
  context.restore();
}
