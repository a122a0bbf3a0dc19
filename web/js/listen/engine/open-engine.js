import { browserWorld } from '../../shared/connection/connection.js';
import { Login, logInFromAddress } from '../../shared/connection/login.js';
import { EngineLink } from './engine-link.js';

/**
 * Connects the page to the engine that serves it: shows a token or a pairing code of the address, and asks for a token where the engine
 * wants one.
 *
 * @param events `entered()` after a login by hand, and `state`, `error` and `changed` of `EngineLink`
 * @param isView whether the page shows the recording's video
 * @returns {Promise<EngineLink>} once it is clear whether the engine is there
 */
export async function openEngine(events, isView = false) {
  const world = browserWorld();
  let isLocked = false;
  const login = new Login(world, () => link.connection.retry());
  const link = new EngineLink(world, {
    locked: () => {
      isLocked = true;
      login.show();
    },
    error: events.error,
    state: (state) => {
      events.state(state);
      if (state !== 'live' || !isLocked) return;
      isLocked = false;
      login.hide();
      events.entered();
    },
    changed: events.changed,
  }, isView);
  const problem = await logInFromAddress(world);
  if (problem) login.explain(problem);
  await link.open();
  return link;
}
