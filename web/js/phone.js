import { headingInShort } from './angles.js';
import { Connection, browserWorld } from './connection.js';
import { element, setAttribute, setText } from './element.js';
import { Login, logInFromAddress } from './login.js';
import { PhoneSensor } from './phone-sensor.js';
import { trackersOf } from './tracker-card.js';
import { listenersOf } from './tree.js';
import { Values } from './values.js';

/** The source that a page feeds. */
const source = 'web';
const states = { connecting: 'Connecting', live: 'Live', stale: 'Stale', lost: 'No connection' };
const part = (id) => document.getElementById(id);
const world = browserWorld();
const values = new Values();
let root = null;
let tracker = null;
let asked = null;
let sent = 0;

const connection = new Connection(world, values, {
  state: (state) => {
    document.documentElement.dataset.link = state;
    setText(part('link-text'), states[state]);
    if (state === 'live') begin();
    if (state === 'lost' && sensor.isRunning) say(connection.reason, true);
  },
  tree: (tree) => {
    login.hide();
    root = tree;
    showListeners();
  },
  error: (text) => say(text, true),
  locked: () => login.show(),
}, (tree) => [...trackersOf(tree).map((each) => each.container), tree.find('latency')].filter(Boolean).map((node) => node.path));
const login = new Login(world, () => connection.retry());
const sensor = new PhoneSensor(window, (head) => send(head));

function say(text, isWrong = false) {
  setText(part('words'), text);
  part('words').classList.toggle('is-wrong', isWrong);
}

function showListeners() {
  const wanted = new URLSearchParams(window.location.search).get('listener');
  const listeners = listenersOf(root);
  const select = part('listener');
  const chosen = select.value || wanted || listeners[0]?.name;
  select.replaceChildren(...listeners.map((listener) =>
    element('option', { value: listener.name, selected: listener.name === chosen }, listener.title)));
  part('listeners').hidden = listeners.length < 2;
}

/** Takes the first tracker that nobody uses, and makes it this page's. */
function begin() {
  if (!sensor.isRunning || connection.state !== 'live' || !root) return;
  const trackers = trackersOf(root);
  const isFree = (each) => !values.of(each.source)[0];
  // After a break in the connection, its own again.
  const own = trackers.find((each) => each.container.path === tracker?.container.path);
  tracker = own ?? trackers.find(isFree) ?? null;
  if (!tracker) {
    say('The engine has no tracker to spare: remove one in the panel.', true);
    return;
  }
  connection.send(tracker.listener.path, [Number(part('listener').value) || 1], 'i');
  connection.send(tracker.source.path, [source], 's');
  say('Look straight ahead and press “This is straight ahead”.');
}

function release() {
  if (tracker) connection.send(tracker.source.path, [''], 's');
  tracker = null;
}

/** One orientation of the phone to the engine. */
function send(head) {
  if (!tracker || !connection.send(tracker.orientation.path, head, 'ffff')) return;
  sent += 1;
  part('recenter').disabled = false;
  // The first one has no front yet: where the phone points now is straight ahead.
  if (sent === 1) window.setTimeout(() => tracker && connection.send(tracker.recenter.path, []), 300);
}

async function toggle() {
  if (sensor.isRunning) {
    sensor.stop();
    release();
    say('Stopped. The head stays as it is.');
  } else {
    const problem = await sensor.start();
    if (problem) {
      say(problem, true);
      return;
    }
    sent = 0;
    begin();
  }
  setAttribute(part('start'), 'aria-pressed', sensor.isRunning);
  setText(part('start'), sensor.isRunning ? 'Stop' : 'Start');
  part('recenter').disabled = true;
}

/** Ten times a second: what the page shows. */
function show() {
  setText(part('rate'), sensor.isRunning ? String(Math.round(sensor.rate)) : '–');
  setText(part('wake'), sensor.wakeWords);
  if (sensor.isRunning && sensor.silence > 2000) {
    say('The browser gives no orientation. Has this device a gyroscope, and may this page use it?', true);
  }
  const pose = tracker ? values.of(tracker.pose) : [];
  if (pose.length === 0) return;
  const { number, side } = headingInShort(pose[0]);
  setText(part('number'), number);
  setText(part('side'), side);
  setAttribute(part('turned'), 'style', `transform: rotate(${-pose[0]}deg)`);
}

/** Once a second: how long a question to the engine takes, and what the engine says of all motion. */
function measure() {
  const [median] = values.of(root?.find('latency'));
  setText(part('latency'), median > 0 ? `${median.toFixed(1)} ms` : '–');
  const node = root?.find('rate');
  if (connection.state !== 'live' || !node) return;
  // This value never changes: what comes is the answer.
  if (asked === null) {
    const end = values.watch(node.path, () => {
      if (asked === null) return;
      const milliseconds = performance.now() - asked;
      asked = null;
      setText(part('trip'), `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`);
      queueMicrotask(end);
    });
  }
  asked = performance.now();
  connection.ask(node);
}

part('start').addEventListener('click', toggle);
part('recenter').addEventListener('click', () => {
  connection.send(tracker.recenter.path, []);
  say('Straight ahead is here now.');
});
part('listener').addEventListener('change', () => {
  if (tracker) connection.send(tracker.listener.path, [Number(part('listener').value)], 'i');
});
for (const input of document.querySelectorAll('[name="hold"]')) {
  input.addEventListener('change', () => {
    sensor.isUpright = input.value === 'upright';
    if (tracker) window.setTimeout(() => tracker && connection.send(tracker.recenter.path, []), 300);
  });
}
window.addEventListener('pagehide', () => release());
setInterval(show, 100);
setInterval(measure, 1000);

/** What tests and curious people may look at. */
window.vestibule = {
  get state() {
    return connection.state;
  },
  get sent() {
    return sent;
  },
};

logInFromAddress(world).then((problem) => {
  if (problem) login.explain(problem);
  connection.start();
});
