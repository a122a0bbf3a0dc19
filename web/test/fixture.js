import { readFileSync } from 'node:fs';

/** The tree of a fresh server, from the protocol's example. */
export const freshTree = () =>
  JSON.parse(readFileSync(new URL('../../protocol/namespace.json', import.meta.url), 'utf8'));

const roles = { 'microphone.azimuth': 1, 'microphone.peak': 1, 'microphone.rms': 1, 'weight.low': 2, 'weight.high': 2 };

/** The same tree with a recording of `count` microphones, clockwise from the front. */
export function treeWithMicrophones(count = 16) {
  const json = freshTree();
  const visit = (node) => {
    const role = node.TAGS?.find((tag) => tag in roles);
    if (role) {
      const length = count * roles[role];
      node.TYPE = 'f'.repeat(length);
      node.VALUE = Array.from({ length }, (_, index) => (role === 'microphone.azimuth' ? clockwise(index, count) : 0));
      node.RANGE = node.VALUE.map(() => ({ MIN: -180, MAX: 180 }));
    }
    Object.values(node.CONTENTS ?? {}).forEach(visit);
  };
  visit(json);
  return json;
}

function clockwise(index, count) {
  const azimuth = 0 - (index * 360) / count;
  return azimuth <= -180 ? azimuth + 360 : azimuth;
}

/** A clock that is advanced by the test, with timers that fire as it passes them. */
export class FakeClock {
  constructor() {
    this.time = 0;
    this.timers = new Map();
    this.next = 1;
    this.now = () => this.time;
    this.setTimer = (action, delay) => {
      this.timers.set(this.next, { at: this.time + delay, action });
      return this.next++;
    };
    this.clearTimer = (timer) => this.timers.delete(timer);
  }

  /** Advances by a number of milliseconds and lets promises settle after every timer. */
  async pass(milliseconds) {
    const end = this.time + milliseconds;
    for (;;) {
      const due = [...this.timers].filter(([, timer]) => timer.at <= end).sort((a, b) => a[1].at - b[1].at)[0];
      if (!due) break;
      this.timers.delete(due[0]);
      this.time = due[1].at;
      due[1].action();
      await settle();
    }
    this.time = end;
    await settle();
  }
}

/** Runs everything that waits for a resolved promise. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));
