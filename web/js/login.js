import { deviceName } from './device-name.js';
import { element, setText } from './element.js';

/** The token in an address, `#token=…`; null when there is none. */
export const tokenIn = (hash) => /^#token=([\w-]+)$/.exec(hash)?.[1] ?? null;

/** The pairing code in an address, `#pair=…`; null when there is none. */
export const codeIn = (hash) => /^#pair=([\w-]+)$/.exec(hash)?.[1] ?? null;

/**
 * Shows a token to the engine, which remembers it as a cookie that no script can read.
 *
 * Returns null when the engine takes it, else what it says.
 */
export const logIn = (world, token) => show(world, '/login', { token });

/** As `logIn`, with a pairing code, which makes this browser one of the paired devices under that name. */
export const pair = (world, token, name) => show(world, '/pairing', { token, name });

async function show(world, path, body) {
  try {
    const response = await world.fetch(path, {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
    });
    return response.ok ? null : (await response.text()).trim();
  } catch {
    return `No answer from the engine at ${world.origin}.`;
  }
}

/** A small page in front of the page, for somebody who has to show a token first. */
export class Login {
  /** @param done called when the engine has taken a token */
  constructor(world, done) {
    this.world = world;
    this.done = done;
    this.field = element('input', {
      type: 'password', name: 'token', autocomplete: 'current-password', required: true, spellcheck: 'false',
    });
    this.problem = element('p', { role: 'alert' });
    const form = element('form', { method: 'dialog' },
      element('h2', {}, 'Who is there?'),
      element('label', {}, 'Token ', this.field),
      element('button', { type: 'submit', class: 'plain' }, 'Come in'),
      element('p', {}, 'Whoever started the engine finds it there: in the address it printed, or in its token file. '
        + 'Or scan a code of the card “Devices” on a panel that is in already.'),
      this.problem);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#send(this.field.value.trim());
    });
    this.element = element('dialog', { class: 'login' }, form);
    this.element.addEventListener('cancel', (event) => event.preventDefault());
  }

  /** Says beforehand why somebody is not in. */
  explain(problem) {
    setText(this.problem, problem);
  }

  show() {
    if (this.element.open) return;
    document.body.append(this.element);
    this.element.showModal();
  }

  /** Goes away; somebody is in. */
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
 * Takes a token or a pairing code out of the page's address, where people see it, and shows it to the engine.
 *
 * Returns what the engine says against it, else null.
 */
export async function logInFromAddress(world, page = window) {
  const token = tokenIn(page.location.hash);
  const code = codeIn(page.location.hash);
  if (!token && !code) return null;
  page.history.replaceState(null, '', page.location.pathname + page.location.search);
  return code ? pair(world, code, deviceName(page.navigator?.userAgent ?? '')) : logIn(world, token);
}
