import { browserWorld } from './shared/connection/connection.js';
import { Login, logInFromAddress } from './shared/connection/login.js';
import { followColours } from './shared/drawing/palette.js';

/**
 * Start of every page: `data-page` of the document names the module.
 *
 * A module exports `open(world, login)`, which returns `{ start(), retry(), diagnostics }`: `start` opens the page's own
 * connection, `retry` is called once the engine has accepted a token, and `diagnostics` is read by tests.
 */
const pages = {
  panel: () => import('./panel/panel.js'),
  telemetry: () => import('./telemetry/telemetry-page.js'),
  camera: () => import('./camera/camera-page.js'),
  hls: () => import('./hls/hls-page.js'),
  'listening-test': () => import('./listening-test/listening-test-page.js'),
};

const { open } = await pages[document.documentElement.dataset.page]();
followColours();
const world = browserWorld();
const login = new Login(world, () => page.retry());
const page = open(world, login);

/** State of the page, for tests and for the browser's console. */
window.vestibule = page.diagnostics;

const problem = await logInFromAddress(world);
if (problem) login.explain(problem);
page.start();
