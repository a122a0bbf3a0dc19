import { blindCard } from './blind-card.js';
import { clientsCard } from './clients-card.js';
import { Connection, browserWorld } from './connection.js';
import { genericContainers } from './control-kind.js';
import { textControl } from './control.js';
import { earMeters } from './ears.js';
import { element } from './element.js';
import { engineCard } from './engine.js';
import { card, controls, groupCard } from './group.js';
import { HeadRing } from './head-ring.js';
import { latencyCard } from './latency.js';
import { Link } from './link.js';
import { Listen } from './listen.js';
import { listenerTabs } from './listener-tabs.js';
import { Login, logInFromAddress } from './login.js';
import { methodCard } from './method-card.js';
import { Notices } from './notices.js';
import { metronomeCard } from './metronome.js';
import { objectsOf } from './objects.js';
import { ObjectsView } from './objects-view.js';
import { Page } from './page.js';
import { racksOf } from './rack.js';
import { RackCard } from './rack-card.js';
import { pairingCard } from './pairing-card.js';
import { scenesCard, scenesOf } from './scenes-card.js';
import { isTyping, sessionCard, sessionOf, undoKey } from './session-card.js';
import { trackerCard, trackersAt, trackersOf } from './tracker-card.js';
import { showRecording, transport } from './transport.js';
import { listenersOf, sameShape } from './tree.js';
import { tunerCard } from './tuner.js';
import { Values } from './values.js';
import { topicOf, Views } from './views.js';
import { wayCard } from './way-card.js';

const part = (id) => document.getElementById(id);
const values = new Values();
const notices = new Notices(part('notices'));
const views = new Views(part('tabs'), part('views'));
const listen = new Listen((text) => notices.add(text));
let page = null;
let chosen = null;
let racks = null;
let lastNotice = null;

const world = browserWorld();
const connection = new Connection(world, values, {
  state: (state) => link.show(state),
  tree: (root) => {
    login.hide();
    show(root);
  },
  error: (text) => notices.add(text),
  locked: () => login.show(),
});
const login = new Login(world, () => connection.retry());
const link = new Link(connection);

/** Sends what is each [node, values, types] as one packet, or says why not. */
function deliver(...parts) {
  if (connection.sendTogether(parts.map(([node, ...sent]) => [node.path, ...sent]))) return true;
  notices.add(`${parts[0][0].title} was not sent: there is no connection to the engine.`);
  return false;
}

/** Builds the page anew when the tree has another shape; values alone find their places by themselves. */
function show(root, isForced = false) {
  if (!isForced && sameShape(page?.root, root)) {
    racks?.update(root);
    return;
  }
  const rack = racks?.chosen;
  page?.end();
  page = new Page(root, values, deliver);
  const listeners = listenersOf(root);
  const listener = listeners.find(({ name }) => name === chosen) ?? listeners[0];
  part('head').replaceChildren(...headParts(listeners, listener));
  part('dock').replaceChildren(...dockParts());
  racks = racksOf(root).length > 0 ? new RackCard(page, rack) : null;
  if (racks) page.onEnd(() => racks.end());
  views.fill(pages(listeners, listener));
  showRecording(page, part('now'));
  page.watch(root.find('notice'), ([text]) => {
    if (text && text !== lastNotice) notices[lastNotice === null ? 'keep' : 'add'](text);
    lastNotice = text;
  });
  if (listener) listen.choose(listener.name, values.number(root.find('rate'), 48000));
}

function headParts(listeners, listener) {
  if (!listener) return [];
  const ring = new HeadRing(page, listener);
  page.onEnd(() => ring.end());
  const tabs = listenerTabs(listeners, listener, (name) => {
    chosen = name;
    show(page.root, true);
  });
  return [tabs, ring.element].filter(Boolean);
}

/** What stands on each page. */
function pages(listeners, listener) {
  const cards = new Map();
  for (const [topic, card] of [...displays(listeners, listener), ...groups(listeners, listener)]) {
    if (card) cards.set(topic, [...cards.get(topic) ?? [], card]);
  }
  const made = new Map([...cards].map(([topic, all]) => [topic, [element('div', { class: 'cards' }, all)]]));
  if (racks) made.set('effects', [racks.element, ...made.get('effects') ?? []]);
  const objects = objectsOf(page.root);
  if (objects.length > 0) {
    const view = new ObjectsView(page, objects, listener);
    page.onEnd(() => view.end());
    made.set('objects', [view.element, ...made.get('objects') ?? []]);
  }
  return made;
}

/** A field for another recording, in the card of the container that has it. */
function recordingControl(container) {
  const recording = page.root.find('recording');
  return recording?.parent === container ? element('div', { class: 'control' }, ...textControl(page, recording, 'Load')) : null;
}

/** Pairs of a topic and a card. */
function displays(listeners, listener) {
  const { root } = page;
  const latency = root.find('latency');
  const load = root.find('load');
  const kick = root.find('kick');
  const session = sessionOf(root);
  const scenes = scenesOf(root);
  return [
    ['head', listener?.earPeak && earMeters(page, listener)],
    ['head', latency && latencyCard(page, latency)],
    ['head', listener?.crossover && listener.methodLatency && methodCard(page, listener)],
    ['head', listener?.method?.choices?.length > 1 && blindCard(page, listener.method)],
    ['trackers', trackerCard(page, listeners)],
    ['trackers', listener?.way && wayCard(page, listener.way)],
    ['effects', root.find('tuner.note') && tunerCard(page, root.find('tuner.note'))],
    ['effects', root.find('metronome.beat') && metronomeCard(page, root.find('metronome.beat'))],
    ['session', session && sessionCard(page, session)],
    ['session', scenes && scenesCard(page, scenes)],
    ['session', session && card('Recording', 'What plays, and heads that are recorded.', recordingControl(session.container),
      controls(page, session.container))],
    ['engine', load && engineCard(page, load.parent)],
    ['engine', kick && clientsCard(page, world, kick.parent.find('count'), kick)],
    ['engine', pairingCard(page, world, (text) => notices.add(text))],
    ['engine', notices.log],
  ];
}

/** Every container with generic controls that no display took in, other listeners' left out, with its topic. */
function groups(listeners, listener) {
  const { root } = page;
  const taken = [...['latency', 'load'].map((role) => root.find(role)?.parent),
    ...['tuner.note', 'metronome.beat'].map((role) => root.find(role)?.parent),
    sessionOf(root)?.container, scenesOf(root)?.container, ...trackersOf(root).map((tracker) => tracker.container)];
  const effects = racksOf(root).map((rack) => rack.container);
  const others = listeners.filter((each) => each !== listener).map((each) => each.container);
  const recording = root.find('recording');
  const containers = genericContainers(root)
    .filter((container) => !taken.includes(container)
      && ![...others, ...effects].some((other) => container.isWithin(other)));
  const order = (container) => rank(container, listener, recording);
  return [...containers].sort((one, other) => order(one) - order(other))
    .map((container) => [topicOf(container), groupCard(page, container, recordingControl(container))]);
}

/** The chosen listener first, then the recording, then what can be set, then what can be read. */
function rank(container, listener, recording) {
  if (listener && container.isWithin(listener.container)) return 0;
  if (recording?.parent === container) return 1;
  return container.children.some((node) => node.isWritable) ? 2 : 3;
}

function dockParts() {
  const parts = transport(page);
  return [parts?.buttons, parts?.bar, listen.element].filter(Boolean);
}

/** Alt and R: what turns the head that is shown points straight ahead now, the head itself where no tracker turns it. */
window.addEventListener('keydown', (event) => {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== 'KeyR' || !page) return;
  const listeners = listenersOf(page.root);
  const listener = listeners.find(({ name }) => name === chosen) ?? listeners[0];
  if (!listener) return;
  event.preventDefault();
  const trackers = trackersAt(trackersOf(page.root), values, listener);
  const nodes = trackers.length > 0 ? trackers.map((tracker) => tracker.recenter) : [listener.recenter];
  for (const node of nodes) if (node) page.send(node, []);
});

/** Control and Z, with Shift for the way forth again; where something is typed, that has a way back of its own. */
window.addEventListener('keydown', (event) => {
  const way = undoKey(event);
  if (!way || !page || isTyping(event.target) || document.querySelector('dialog[open]')) return;
  const session = sessionOf(page.root);
  if (!session?.[way]) return;
  event.preventDefault();
  page.send(session[way], []);
});

/** What tests and curious people may look at. */
window.vestibule = {
  get state() {
    return connection.state;
  },
  get listen() {
    return listen.diagnostics;
  },
  value: (address) => values.at(address),
};

logInFromAddress(world).then((problem) => {
  if (problem) login.explain(problem);
  connection.start();
});
