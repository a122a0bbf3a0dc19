/**
 * The OSCQuery tree as the panel reads it: nodes are found by their roles, never by address.
 *
 * Roles come from TAGS and EXTENDED_TYPE; protocol/README.md lists them.
 */

import { RoleIndex } from './role-index.js';
import { roles } from './roles.js';

const readable = 1;
const writable = 2;
const orientation = roles.orientationEuler;
/** Roles whose value has as many numbers as there are microphones, or twice as many. */
const perMicrophone = [roles.microphoneAzimuth, roles.microphonePeak, roles.microphoneRMS, roles.lowWeight, roles.highWeight, 'row',
  roles.latencyHistogram];

/** One value, command or container of the tree. */
class TreeNode {
  #index;

  /** Order after that of the last node below. */
  #end;

  constructor(json, parent = null, index = new RoleIndex()) {
    this.#index = index;
    this.path = json.FULL_PATH;
    this.parent = parent;
    this.name = this.path.split('/').pop();
    const [title, ...rest] = (json.DESCRIPTION ?? '').split('. ');
    this.description = json.DESCRIPTION ?? '';
    this.title = title.replace(/\.$/, '') || this.name;
    this.help = rest.join('. ');
    this.type = json.TYPE;
    this.isReadable = (json.ACCESS & readable) !== 0;
    this.isWritable = (json.ACCESS & writable) !== 0;
    this.tags = (json.TAGS ?? []).filter((tag) => !/^(place|only|part)\./.test(tag));
    /** Names of the numbers of a vector, in order; empty for any other value. */
    this.parts = (json.TAGS ?? []).filter((tag) => tag.startsWith('part.')).map((tag) => tag.slice(5));
    /** The interpolation method that the value matters for; null for every one. */
    this.method = json.TAGS?.find((tag) => tag.startsWith('only.'))?.slice(5) ?? null;
    /** Order within its container; nodes without a place come last. */
    this.place = Number(json.TAGS?.find((tag) => tag.startsWith('place.'))?.slice(6) ?? Infinity);
    this.extendedTypes = json.EXTENDED_TYPE ?? [];
    /** The same, without repetitions. */
    this.roles = new Set([...this.tags, ...this.extendedTypes]);
    this.unit = json.UNIT?.[0] ?? '';
    const range = json.RANGE?.[0];
    this.range = range?.MIN !== undefined || range?.MAX !== undefined
      ? { minimum: range.MIN ?? -Infinity, maximum: range.MAX ?? Infinity } : null;
    this.choices = range?.VALS ?? null;
    // A row without numbers is sent as nil.
    this.initial = this.type === 'N' && json.VALUE ? [] : json.VALUE ?? null;
    index.add(this);
    this.children = Object.values(json.CONTENTS ?? {}).map((child) => new TreeNode(child, this, index));
    this.#end = index.size;
  }

  get isContainer() {
    return this.type === undefined;
  }

  has(role) {
    return this.roles.has(role);
  }

  /** This node and everything below it, in the order of the tree. */
  *all() {
    yield this;
    for (const child of this.children) yield* child.all();
  }

  /** The first node with this role, among this one and those below; null when there is none. */
  find(role) {
    return this.#index.first(role, this.order, this.#end);
  }

  /** All nodes with this role, among this one and those below. */
  findAll(role) {
    return this.#index.all(role, this.order, this.#end);
  }

  isWithin(container) {
    for (let node = this; node; node = node.parent) if (node === container) return true;
    return false;
  }
}

/** Reads the JSON of an OSCQuery tree. */
export const readTree = (json) => new TreeNode(json);

/** The first node below a container for each role of an object, by the object's keys. */
export const nodesByRole = (container, roles) =>
  Object.fromEntries(Object.entries(roles).map(([name, role]) => [name, container.find(role)]));

/** A listener: the container that holds its pose, and the displays that belong to it. */
export class Listener {
  constructor(container, root, index) {
    this.container = container;
    this.name = container.name;
    this.pose = container.children.find((node) => node.has(orientation));
    const own = (role) => container.find(role) ?? displayOf(root, role, container, index);
    this.front = container.find(roles.front);
    this.recenter = container.find(roles.recenter);
    this.earAzimuth = container.find(roles.earAzimuth);
    this.place = container.find(roles.listenerPlace);
    this.method = container.find(roles.method);
    this.methodLatency = container.find(roles.methodLatency);
    this.crossover = container.find(roles.crossover);
    this.earPeak = own(roles.earPeak);
    this.earRms = own(roles.earRMS);
    this.earReduction = own(roles.earReduction);
    this.lowWeight = own(roles.lowWeight);
    this.highWeight = own(roles.highWeight);
    /** Container of the latency stages. */
    this.latencyStages = own(roles.latencyTotal)?.parent ?? null;
  }

  /** Title: the words of its path. */
  get title() {
    return containerTitle(this.container);
  }
}

/** The display of a listener outside its container: the one in a container of its name, else the one of its rank. */
function displayOf(root, role, container, index) {
  const found = root.findAll(role);
  return found.find((node) => node.parent?.name === container.name) ?? found[index] ?? null;
}

/** Every listener, in the order of their numbers. */
export function listenersOf(root) {
  const containers = [...root.all()].filter((node) => node.children.some((child) => child.has(orientation)));
  return containers.map((container, index) => new Listener(container, root, index))
    .sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }));
}

/** Plural titles of containers whose paths are singular, as the words of all addresses are. */
const plurals = new Map([['/array/setting', 'Array settings'], ['/cue', 'Cues']]);

/** "/listener/1" is "Listener 1". */
export function containerTitle(container) {
  if (plurals.has(container.path)) return plurals.get(container.path);
  const words = container.path.split('/').filter(Boolean).join(' ').replaceAll('-', ' ');
  return words ? words[0].toUpperCase() + words.slice(1) : 'Everything';
}

/** Whether two trees are shown by the same controls; the number of microphones makes no difference. */
export function sameShape(one, other) {
  return Boolean(one && other) && shapeOf(one) === shapeOf(other);
}

/** Containers that may come and go without a new page: slots and branches of racks. */
function transientContainers(root) {
  return root.findAll(roles.rackLayout).flatMap((layout) => layout.parent.children.filter((child) => child.isContainer));
}

function shapeOf(root) {
  const transient = transientContainers(root);
  const lasting = [...root.all()].filter((node) => !transient.some((container) => node.isWithin(container)));
  return JSON.stringify(lasting.map((node) => {
    const isList = perMicrophone.some((role) => node.has(role));
    return [node.path, node.description, node.isReadable, node.isWritable, node.tags, node.extendedTypes, node.choices,
      node.unit && !isList, isList ? null : [node.type, node.range]];
  }));
}
