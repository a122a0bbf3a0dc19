/**
 * Opens the page “Listen” without a network: keeps copies of its files, and gives them out when the network has none. While there is a
 * network, every file comes from it; one that does not answer soon counts as none. Other pages of the same server are left alone.
 */

const cache = 'listen-1';
const page = /\/listen(\.html)?$|\/$|\/index\.html$/;
/** Milliseconds after which a copy is given out although the network may still answer; and those while it has just been that slow. */
const deadline = 3000;
const shortDeadline = 100;
let isSlow = false;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('message', (event) => {
  const { data } = event;
  if (Array.isArray(data?.keep)) event.waitUntil(keep(data.keep));
});

/** Keeps copies of files, and reports to the pages how many are missing. */
async function keep(urls) {
  const own = [...new Set(urls.filter((url) => typeof url === 'string' && new URL(url).origin === self.location.origin))];
  let missing = [];
  try {
    const files = await caches.open(cache);
    const results = await Promise.all(own.map((url) => files.add(url).then(() => true, () => false)));
    missing = own.filter((_, i) => !results[i]);
  } catch {
    missing = own;
  }
  for (const client of await self.clients.matchAll()) client.postMessage({ isKept: missing.length === 0, missing });
}

/** Address of the engine that leads to the page. The worker has a registration of its own for it, which does nothing else. */
const door = '/listen';
const isDoor = new URL(self.registration.scope).pathname === door;

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (isDoor) {
    if (request.mode === 'navigate' && url.pathname === door) event.respondWith(lead(request, url));
    return;
  }
  if (request.method !== 'GET' || url.origin !== self.location.origin || url.pathname.includes('/recordings/')) return;
  event.respondWith(answer(request, url));
});

/** Leads to the page as the engine does, which may be away. */
async function lead(request, url) {
  const page = Response.redirect(new URL(`/panel/listen.html${url.search}`, url), 302);
  let timer;
  const late = new Promise((done) => { timer = setTimeout(() => done(page), deadline); });
  const answered = await Promise.race([fetch(request).catch(() => page), late]);
  clearTimeout(timer);
  return answered;
}

async function answer(request, url) {
  const network = fetch(request).then((response) => {
    isSlow = false;
    return response;
  });
  const copy = caches.open(cache).then((files) => files.match(request, { ignoreSearch: page.test(url.pathname) })).catch(() => undefined);
  let timer;
  const late = new Promise((done) => { timer = setTimeout(done, isSlow ? shortDeadline : deadline); }).then(async () => {
    const kept = await copy;
    // Without a copy there is nothing but the network to wait for.
    if (!kept) return network;
    isSlow = true;
    return kept;
  });
  try {
    return await Promise.race([network, late]);
  } catch (error) {
    const kept = await copy;
    if (kept) return kept;
    throw error;
  } finally {
    clearTimeout(timer);
    network.catch(() => {});
  }
}
