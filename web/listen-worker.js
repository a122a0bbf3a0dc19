/**
 * Opens the page “Listen” without a network: keeps copies of its files, and gives them out when the network has none. While there is a
 * network, every file comes from it. Other pages of the same server are left alone.
 */

const cache = 'listen-1';
const page = /\/listen(\.html)?$|\/$|\/index\.html$/;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('message', ({ data }) => {
  if (!Array.isArray(data?.keep)) return;
  const own = data.keep.filter((url) => typeof url === 'string' && new URL(url).origin === self.location.origin);
  caches.open(cache).then((files) => Promise.all([...new Set(own)].map((url) => files.add(url).catch(() => {}))))
    .then(() => self.clients.matchAll()).then((clients) => clients.forEach((client) => client.postMessage({ isKept: true })));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin || url.pathname.includes('/recordings/')) return;
  event.respondWith(answer(request, url));
});

async function answer(request, url) {
  try {
    return await fetch(request);
  } catch (error) {
    const files = await caches.open(cache);
    const kept = await files.match(request, { ignoreSearch: page.test(url.pathname) });
    if (kept) return kept;
    throw error;
  }
}
