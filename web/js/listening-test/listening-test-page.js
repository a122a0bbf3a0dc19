import { Listen } from '../playback/listen.js';
import { showConnection } from '../shared/connection/connection-status.js';
import { element, setText } from '../shared/drawing/element.js';
import { ABXTrial } from './abx-trial.js';
import { MushraTrial } from './mushra-trial.js';
import { PassageBar } from './passage-bar.js';
import { TestSocket } from './test-socket.js';

const part = (id) => document.getElementById(id);

/** Opens the participant's page; start.js documents the returned object. */
export function open(world, login) {
  const page = new TestPage(world, login);
  return {
    start: () => page.connect(),
    retry: () => page.connect(),
    diagnostics: {
      get view() {
        return page.view;
      },
      get listen() {
        return page.listen.diagnostics;
      },
    },
  };
}

/** The participant's page. It learns of the test what the engine reports it, and nothing of the engine's parameters. */
class TestPage {
  view = null;
  #trial = null;
  #shown = '';

  constructor(world, login) {
    this.world = world;
    this.login = login;
    this.socket = new TestSocket(world, {
      view: (view) => this.#show(view),
      position: (seconds) => this.bar.move(seconds),
      problem: (text) => this.#say(text),
      state: (isOpen) => this.#showState(isOpen),
    });
    const send = (order) => this.socket.send(order);
    this.bar = new PassageBar(send);
    this.listen = new Listen((reason, remedy) => this.#say(`${reason} ${remedy}`));
    this.words = element('p', { class: 'test-words', role: 'status' });
    const flush = () => this.#trial?.flush?.();
    window.addEventListener('pagehide', flush);
    const next = () => {
      flush();
      send({ type: 'next' });
    };
    this.next = element('button', { type: 'button', class: 'test-next', onclick: next }, 'Next');
    this.recenter = element('button', { type: 'button', class: 'plain', onclick: () => send({ type: 'recenter' }) }, 'Set straight ahead');
    part('dock').append(this.bar.element, this.listen.element);
    document.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Opens the socket, or asks for a token first. */
  async connect() {
    const response = await this.world.fetch('/?HOST_INFO', { cache: 'no-store' }).catch(() => null);
    if (response?.status === 401) this.login.show();
    else this.socket.start();
  }

  #showState(isOpen) {
    showConnection(isOpen ? 'live' : 'lost');
    if (!isOpen) this.#say('The connection was lost. The test continues where you were as soon as it is restored.');
    else setText(this.words, '');
  }

  #say(text) {
    setText(this.words, text);
    setText(part('spoken'), text);
  }

  #show(view) {
    const before = this.view;
    this.view = view;
    this.listen.choose(String(view.listener), 48000);
    this.listen.element.hidden = !view.isHeardHere;
    const isTrial = view.phase === 'trial';
    setText(part('participant'), view.participant && isTrial ? `${view.participant} · ${trialName(view)}` : view.participant);
    part('dock').hidden = !isTrial;
    const key = isTrial ? `trial ${view.trial} ${view.kind} ${view.sounds}` : `${view.phase} ${view.title} ${view.trial}`;
    if (key !== this.#shown) {
      this.#shown = key;
      this.#trial = isTrial ? new { mushra: MushraTrial, abx: ABXTrial }[view.kind](view, (order) => this.socket.send(order)) : null;
      part('stage').replaceChildren(...(isTrial ? this.#trialParts(view) : this.#messageParts(view)));
      if (isTrial) this.bar.move(0);
    }
    if (!isTrial) return;
    this.#trial.show(view);
    this.bar.show(view);
    this.next.disabled = !this.#trial.isAnswered;
    setText(this.next, view.trial === view.trials ? 'Finish' : 'Next');
    setText(this.words, this.#trial.missing);
    if (before && before.heard !== view.heard && before.trial === view.trial) {
      setText(part('spoken'), `${soundName(view)} plays`);
    }
  }

  #trialParts(view) {
    const isTraining = view.trial === 0;
    return [
      element('header', { class: 'test-head' },
        element('h2', {}, view.question),
        element('p', { class: 'help' }, isTraining
          ? 'Get to know the sounds and the controls. These answers do not count.'
          : view.kind === 'mushra'
            ? 'Listen to the reference and to every sound, as often as you like, and rate each. Turn your head freely.'
            : 'Listen to A, B and X as often as you like. Turn your head freely.'),
        view.trials > 0 ? element('progress', { max: view.trials, value: Math.max(0, view.trial - 1), 'aria-label': 'Progress' }) : null),
      this.#trial.element,
      element('footer', { class: 'test-foot' }, this.words, this.recenter, this.next),
    ];
  }

  #messageParts(view) {
    const [title, ...lines] = messages[view.phase](view);
    const begin = element('button', { type: 'button', class: 'test-begin', onclick: () => this.#begin() },
      view.isBegun ? 'Continue' : 'Begin');
    return [element('section', { class: 'test-message' }, element('h2', {}, title),
      lines.filter(Boolean).map((line) => element('p', {}, line)), view.phase === 'ready' ? begin : null)];
  }

  /** Begins the test, and the sound with it: browsers allow sound only after a click. */
  #begin() {
    if (this.view.isHeardHere && !this.listen.isOn) this.listen.toggle();
    this.socket.send({ type: 'start' });
  }

  #key(event) {
    if (!this.#trial || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (event.key === ' ' && !event.target.closest('button')) this.bar.toggle();
    else if (!this.#trial.key(event)) return;
    event.preventDefault();
  }
}

const trialName = (view) => (view.trial === 0 ? 'Training' : `Trial ${view.trial} of ${view.trials}`);
const soundName = ({ kind, heard }) => (kind === 'abx' ? `Sound ${'ABX'[heard]}` : heard === 0 ? 'The reference' : `Sound ${heard}`);

/** Title and lines of each phase other than a trial. */
const messages = {
  idle: () => ['No test is running', 'This page shows the test as soon as the experimenter starts it.'],
  preparing: (view) => [view.title || 'One moment', 'The test is being prepared.'],
  ready: (view) => [view.title, view.question,
    view.kind === 'mushra'
      ? 'You hear a reference and several sounds, numbered. Rate each sound from 0 (bad) to 100 (excellent, like the reference). '
        + 'One of them is the reference itself.'
      : 'You hear three sounds, A, B and X. X is either A or B. Choose which.',
    'Put on the headphones, look straight ahead, and begin. Move your head freely.',
    view.kind === 'mushra'
      ? 'Keys: 0 plays the reference, 1 to 9 the sounds, arrow keys move the slider of the sound that plays, the space bar pauses.'
      : 'Keys: A, B and X switch, the space bar pauses.'],
  complete: (view) => ['Thank you',
    `The test is complete, and all answers of ${view.participant} are saved. You may take off the headphones.`],
};
