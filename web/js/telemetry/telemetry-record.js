/** Seconds of old rows that are dropped at a time. */
const slack = 10;

/**
 * Telemetry of the last seconds: for each topic rows of a time and numbers, null for missing ones.
 *
 * Times are seconds of the engine's own clock.
 */
export class TelemetryRecord {
  /** @param columns for each topic the names of its numbers, as in the CSV file */
  constructor(columns, seconds) {
    this.columns = columns;
    this.seconds = seconds;
    this.tables = Object.fromEntries(Object.keys(columns).map((topic) => [topic, []]));
    this.last = -Infinity;
  }

  /** Takes a frame. A clock that goes back means that the engine was restarted, and all earlier rows are dropped. */
  take(topic, time, values) {
    if (time < this.last - 1) this.clear();
    this.last = time;
    const rows = this.tables[topic];
    rows.push([time, ...values.map((value) => (Number.isFinite(value) ? value : null))]);
    if (rows[0][0] >= time - this.seconds - slack) return;
    rows.splice(0, rows.findIndex((row) => row[0] >= time - this.seconds));
  }

  /** Drops all rows. */
  clear() {
    for (const rows of Object.values(this.tables)) rows.length = 0;
  }

  rows(topic) {
    return this.tables[topic];
  }

  /** A copy of the current state. */
  copy() {
    const made = new TelemetryRecord(this.columns, this.seconds);
    for (const topic of Object.keys(this.tables)) made.tables[topic] = [...this.tables[topic]];
    made.last = this.last;
    return made;
  }

  /** All rows since a time as CSV, in the order of time; frames of the same time share a line. */
  csv(from = -Infinity) {
    const topics = Object.keys(this.columns);
    const lines = new Map();
    let place = 1;
    const width = 1 + topics.reduce((sum, topic) => sum + this.columns[topic].length, 0);
    for (const topic of topics) {
      for (const [time, ...values] of this.tables[topic]) {
        if (time < from) continue;
        if (!lines.has(time)) lines.set(time, [time, ...new Array(width - 1).fill(null)]);
        lines.get(time).splice(place, values.length, ...values);
      }
      place += this.columns[topic].length;
    }
    const text = (value, index) => (value === null ? '' : value.toFixed(index === 0 ? 4 : 3));
    const sorted = [...lines.values()].sort((one, other) => one[0] - other[0]);
    return `${[['time_s', ...topics.flatMap((topic) => this.columns[topic])], ...sorted.map((line) => line.map(text))]
      .map((line) => line.join(',')).join('\r\n')}\r\n`;
  }
}

/** Index of the row nearest to a time; -1 for no rows. */
export function nearestRow(rows, time) {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle][0] < time) low = middle + 1;
    else high = middle;
  }
  if (low === rows.length) return low - 1;
  return low > 0 && time - rows[low - 1][0] < rows[low][0] - time ? low - 1 : low;
}

/** Index of the first row that a chart from this time on needs: the one before it, so that the line begins at the edge. */
export function firstRow(rows, from) {
  const next = rows.findIndex((row) => row[0] >= from);
  return next < 0 ? Math.max(0, rows.length - 1) : Math.max(0, next - 1);
}
