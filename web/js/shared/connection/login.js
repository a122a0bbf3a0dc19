import { clientName } from './client-name.js';
import { element, setText } from '../drawing/element.js';

/** The token in an address, `#token=…`; null when there is none. */
export const tokenIn = (hash) => /^#token=([\w-]+)$/.exec(hash)?.[1] ?? null;

/** The pairing code in an address, `#pair=…`; null when there is none. */
export const codeIn = (hash) => /^#pair=([\w-]+)$/.exec(hash)?.[1] ?? null;

/**
 * Sends a token to the engine, which answers with a cookie that no script can read.
 *
 * Returns null when the engine accepts it, otherwise its answer.
 */
export const logIn = (world, token) => post(world, '/login', { token }, { 401: 'Wrong token.' });

/** Sends a pairing code, which adds this browser to the paired clients under a name; returns as `logIn` does. */
export const pair = (world, token, name) => post(world, '/pairing', { token, name });

/** @param words answers by status, instead of the engine's */
async function post(world, path, body, words = {}) {
  try {
    const response = await world.fetch(path, {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
    });
    return response.ok ? null : words[response.status] ?? (await response.text()).trim();
  } catch {
    return `The engine at ${world.origin} does not answer. Check that “vestibule serve” is running.`;
  }
}

/** Dialog that asks for the token. */
export class Login {
  /** @param done called when the engine has accepted a token */
  constructor(world, done) {
    this.world = world;
    this.done = done;
    this.field = element('input', {
      type: 'password', name: 'token', autocomplete: 'current-password', required: true, spellcheck: 'false',
    });
    this.problem = element('p', { role: 'alert' });
    const form = element('form', { method: 'dialog' },
      element('h2', {}, 'Sign in'),
      element('label', {}, 'Token ', this.field),
      element('button', { type: 'submit', class: 'plain' }, 'Connect'),
      element('p', {},
        'The engine prints the token as part of its address when it starts, and stores it in its token file. Instead of entering '
        + 'it, you can scan a code from the card “Paired phones and browsers” of a panel that is already signed in.'),
      this.problem);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#send(this.field.value.trim());
    });
    this.element = element('dialog', { class: 'login' }, form);
    this.element.addEventListener('cancel', (event) => event.preventDefault());
  }

  /** Shows why an earlier login failed. */
  explain(problem) {
    setText(this.problem, problem);
  }

  show() {
    if (this.element.open) return;
    document.body.append(this.element);
    this.element.showModal();
  }

  /** Closes the dialog. */
  hide() {
    this.field.value = '';
    this.element.close();
    this.element.remove();
  }

  async #send(token) {
    const problem = await logIn(this.world, token);
    setText(this.problem, problem ?? '');
    if (problem !== null) {
      this.field.select();
      return;
    }
    this.hide();
    this.done();
  }
}

/**
 * Removes a token or a pairing code from the page's address, where it would stay visible, and sends it to the engine.
 *
 * Returns the engine's answer when it refuses it, otherwise null.
 */
export async function logInFromAddress(world, page = window) {
  const token = tokenIn(page.location.hash);
  const code = codeIn(page.location.hash);
  if (!token && !code) return null;
  page.history.replaceState(null, '', page.location.pathname + page.location.search);
  return code ? pair(world, code, clientName(page.navigator?.userAgent ?? '')) : logIn(world, token);
}
