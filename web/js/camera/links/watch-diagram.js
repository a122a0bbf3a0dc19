import { element, setText } from '../../shared/drawing/element.js';

const part = (id) => document.getElementById(id);
/** Size of the drawing, radii of the circle of peers and of a peer, pixels. */
const [width, height] = [360, 270];
const radius = { x: 110, y: 95 };
const dot = 7;

/** Each sender that somebody receives, with its receivers. */
export function receptions(peers) {
  return peers.map((sender) => ({ sender, receivers: peers.filter(({ senders }) => senders?.includes(sender.peer)) }))
    .filter(({ receivers }) => receivers.length > 0);
}

/** A list of names in words. */
export const listWords = (names) => (names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`);

/** Places of peers on an ellipse around the middle, the first one at the top. */
export function places(count) {
  return Array.from({ length: count }, (_, index) => {
    const angle = (2 * Math.PI * index) / count - Math.PI / 2;
    return { x: width / 2 + radius.x * Math.cos(angle), y: height / 2 + radius.y * Math.sin(angle) };
  });
}

/** A line from one peer to another with an arrow at its end, as the `d` of a path; bent, so that two directions stay apart. */
export function arrowPath(from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [along, across] = [{ x: dx / length, y: dy / length }, { x: -dy / length, y: dx / length }];
  const bend = { x: (from.x + to.x) / 2 + 18 * across.x, y: (from.y + to.y) / 2 + 18 * across.y };
  const [begin, end] = [from, to].map((place, index) => ({
    x: place.x + (index ? -1 : 1) * (dot + 5) * along.x, y: place.y + (index ? -1 : 1) * (dot + 5) * along.y,
  }));
  const at = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const wing = (side) => at({ x: end.x - 10 * along.x + side * 5 * across.x, y: end.y - 10 * along.y + side * 5 * across.y });
  return `M${at(begin)}Q${at(bend)} ${at(end)}L${wing(1)}M${at(end)}L${wing(-1)}`;
}

/** Draws who receives whom, and says it in a list. */
export class WatchDiagram {
  #shown = '';

  /** @param peers with `peer`, `name`, `senders`, all of them; the number of this browser among them */
  show(peers, own) {
    const named = peers.map((peer) => (peer.peer === own ? { ...peer, name: 'This browser' } : peer));
    const all = receptions(named);
    const involved = named.filter(({ peer }) =>
      all.some(({ sender, receivers }) => sender.peer === peer || receivers.some((each) => each.peer === peer)));
    const state = JSON.stringify(all.map(({ sender, receivers }) => [sender, ...receivers].map(({ peer, name }) => [peer, name])));
    if (state === this.#shown) return;
    this.#shown = state;
    part('diagram-section').hidden = all.length === 0;
    part('diagram-words').replaceChildren(...all.map(({ sender, receivers }) =>
      element('li', {}, `${sender.name} is received by ${listWords(receivers.map(({ name }) => name))}.`)));
    this.#draw(involved, all);
  }

  #draw(peers, all) {
    const at = new Map(places(peers.length).map((place, index) => [peers[index].peer, place]));
    const arrows = all.flatMap(({ sender, receivers }) => receivers.map((receiver) =>
      element('path', { class: 'diagram-arrow', d: arrowPath(at.get(sender.peer), at.get(receiver.peer)) })));
    const marks = peers.map(({ peer, name }) => {
      const { x, y } = at.get(peer);
      const label = element('text', {
        x, y: y < height / 2 ? y - 14 : y + 24, 'text-anchor': 'middle', class: 'diagram-name',
      });
      setText(label, name.length > 24 ? `${name.slice(0, 23)}…` : name);
      return element('g', {}, element('circle', { cx: x, cy: y, r: dot, class: 'diagram-peer' }), label);
    });
    part('diagram').replaceChildren(...arrows, ...marks);
  }
}
