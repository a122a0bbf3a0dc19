/** Columns of the CSV file, in this order. */
const columns = ['trial', 'time', 'a', 'b', 'x', 'answer', 'right', 'switches', 'seconds'];

/**
 * An ABX comparison of two choices: X is one of them, drawn at random for each trial.
 *
 * @param a, b names of the choices
 * @param world { random(): [0, 1), now(): milliseconds }; real ones by default
 */
export class ABXTest {
  constructor(a, b, world = { random: Math.random, now: Date.now }) {
    this.a = a;
    this.b = b;
    this.world = world;
    this.answers = [];
    this.#draw();
  }

  #draw() {
    this.x = this.world.random() < 0.5 ? this.a : this.b;
    this.heard = 'A';
    this.switches = 0;
    this.begin = this.world.now();
  }

  /** Switches to 'A', 'B' or 'X'; returns the choice to play. */
  switchTo(letter) {
    if (letter !== this.heard) this.switches += 1;
    this.heard = letter;
    return { A: this.a, B: this.b, X: this.x }[letter];
  }

  /** Records the answer, 'A' or 'B', and draws the next X. */
  answer(letter) {
    const now = this.world.now();
    const chosen = letter === 'A' ? this.a : this.b;
    this.answers.push({
      trial: this.answers.length + 1, time: new Date(now).toISOString(), a: this.a, b: this.b, x: this.x, answer: chosen,
      right: chosen === this.x, switches: this.switches, seconds: (now - this.begin) / 1000,
    });
    this.#draw();
  }

  get right() {
    return this.answers.filter((answer) => answer.right).length;
  }

  /** Probability of at least this many correct answers by guessing: the tail of the binomial distribution. */
  get guessing() {
    const count = this.answers.length;
    let term = 0.5 ** count;
    let tail = 0;
    for (let hits = 0; hits <= count; hits += 1) {
      if (hits >= this.right) tail += term;
      term *= (count - hits) / (hits + 1);
    }
    return Math.min(tail, 1);
  }

  get csv() {
    const quoted = (value) => (/[",\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : value);
    const rows = this.answers.map((answer) => columns.map((column) => quoted(answer[column])).join(','));
    return [columns.join(','), ...rows, ''].join('\n');
  }
}
