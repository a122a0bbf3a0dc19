/**
 * Layout of a rack, the order of its slots, as the engine writes it: `1 (2 3 | 4) 5`.
 *
 * A place is `{ slot }` or `{ rows: [[slot, …], …] }`; an empty row lets the sound pass unchanged. Nothing here
 * changes what it is given.
 */

/** The places that a layout's text means. */
export function parseLayout(text) {
  const places = [];
  let rows = null;
  for (const token of (text ?? '').match(/[()|]|\d+/g) ?? []) {
    if (token === '(') rows = [[]];
    else if (token === '|') rows?.push([]);
    else if (token === ')') {
      if (rows) places.push({ rows });
      rows = null;
    } else if (rows) rows.at(-1).push(Number(token));
    else places.push({ slot: Number(token) });
  }
  return places;
}

/** The layout as the engine writes it. */
export function formatLayout(places) {
  return places.map((place) => (place.rows
    ? `(${place.rows.map((row) => row.join(' ')).join(' | ')})` : String(place.slot))).join(' ');
}

/** All slots, in order. */
export const slotsOf = (places) => places.flatMap((place) => place.rows?.flat() ?? [place.slot]);

/** Position of a slot: index of its place and, in rows, of row and column; null when the layout does not have it. */
export function find(places, slot) {
  for (const [place, each] of places.entries()) {
    if (each.slot === slot) return { place };
    for (const [row, slots] of (each.rows ?? []).entries()) {
      const column = slots.indexOf(slot);
      if (column >= 0) return { place, row, column };
    }
  }
  return null;
}

const copy = (places) => places.map((place) => (place.rows ? { rows: place.rows.map((row) => [...row]) } : { ...place }));

/** The layout without a slot. A row that becomes empty is removed, and a single remaining row is no longer parallel. */
export function without(places, slot) {
  const at = find(places, slot);
  if (!at) return places;
  const rest = copy(places);
  if (at.row === undefined) rest.splice(at.place, 1);
  else {
    const { rows } = rest[at.place];
    rows[at.row].splice(at.column, 1);
    if (rows[at.row].length === 0) rows.splice(at.row, 1);
    flatten(rest, at.place);
  }
  return rest;
}

function flatten(places, index) {
  const { rows } = places[index];
  if (rows.length > 1 && rows.some((row) => row.length > 0)) return;
  places.splice(index, 1, ...(rows[0] ?? []).map((slot) => ({ slot })));
}

/** Moves a slot before another one, into its row. */
export const before = (places, slot, target) => placed(places, slot, target, 0);

/** Moves a slot after another one, into its row. */
export const behind = (places, slot, target) => placed(places, slot, target, 1);

function placed(places, slot, target, offset) {
  if (slot === target) return places;
  const rest = copy(without(places, slot));
  const at = find(rest, target);
  if (!at) return places;
  if (at.row === undefined) rest.splice(at.place + offset, 0, { slot });
  else rest[at.place].rows[at.row].splice(at.column + offset, 0, slot);
  return rest;
}

/** Moves a slot parallel to another one: into a row of its own next to that slot's row. */
export function beside(places, slot, target) {
  if (slot === target) return places;
  const rest = copy(without(places, slot));
  const at = find(rest, target);
  if (!at) return places;
  if (at.row === undefined) rest[at.place] = { rows: [[target], [slot]] };
  else rest[at.place].rows.splice(at.row + 1, 0, [slot]);
  return rest;
}

/** Moves a slot one step towards the start; from the beginning of a row, out of it. */
export function earlier(places, slot) {
  const at = find(places, slot);
  if (!at) return places;
  if (at.column > 0) return before(places, slot, places[at.place].rows[at.row][at.column - 1]);
  if (at.row !== undefined) return alone(places, slot, 0);
  if (at.place === 0) return places;
  const rest = copy(places);
  rest.splice(at.place - 1, 0, ...rest.splice(at.place, 1));
  return rest;
}

/** Moves a slot one step towards the end; from the end of a row, out of it. */
export function later(places, slot) {
  const at = find(places, slot);
  if (!at) return places;
  const row = at.row === undefined ? null : places[at.place].rows[at.row];
  if (row && at.column < row.length - 1) return behind(places, slot, row[at.column + 1]);
  if (row) return alone(places, slot, 1);
  if (at.place === places.length - 1) return places;
  const rest = copy(places);
  rest.splice(at.place + 1, 0, ...rest.splice(at.place, 1));
  return rest;
}

/** Moves a slot out of parallel rows, before (0) or after (1) them. */
function alone(places, slot, offset) {
  const { place } = find(places, slot);
  const others = places[place].rows.flat().filter((each) => each !== slot);
  const rest = copy(without(places, slot));
  const anchor = others.map((each) => find(rest, each)?.place).filter((index) => index !== undefined);
  const index = anchor.length === 0 ? place : offset ? Math.max(...anchor) + 1 : Math.min(...anchor);
  rest.splice(index, 0, { slot });
  return rest;
}

/** Moves a slot parallel to the one before it, or to the next one when it is the first. */
export function besideNeighbour(places, slot) {
  const at = find(places, slot);
  if (!at || at.row !== undefined) return places;
  const neighbour = places[at.place - 1] ?? places[at.place + 1];
  if (!neighbour) return places;
  return beside(places, slot, neighbour.slot ?? neighbour.rows.flat().at(-1));
}
