// The page without a network. The built files are kept (files.json lists them); nothing of the API ever is, so
// yesterday's answer can't meet today's page.

const name = 'cruel'

/** Brings what is kept to what the server has now. */
async function renew() {
  const files = await (await fetch('/files.json', { cache: 'no-cache' })).json()
  const cache = await caches.open(name)
  const kept = (await cache.keys()).map((request) => new URL(request.url).pathname)
  // Names in /assets/ have a hash: what is there is right. The others may have changed.
  await cache.addAll(files.filter((file) => !file.startsWith('/assets/') || !kept.includes(file)))
  // A tab that is still of the release before may want parts of it, which the server doesn't have any more.
  if ((await clients.matchAll({ type: 'window' })).length > 1) return
  await Promise.all(kept.filter((file) => !files.includes(file)).map((file) => cache.delete(file)))
}

/** From the server; what is kept where it isn't reached, or has nothing but trouble. */
async function fromNetworkOr(kept, request) {
  const response = await fetch(request).catch(() => null)
  if (response && response.status < 500) return response
  return (await caches.match(kept)) ?? response ?? Response.error()
}

addEventListener('install', (event) => {
  event.waitUntil(renew().then(() => self.skipWaiting()))
})

addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim())
})

addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (pathname.startsWith('/assets/')) {
    event.respondWith(caches.match(request).then((found) => found ?? fetch(request)))
  } else if (request.mode === 'navigate') {
    if (/^\/(v1|docs|problems|openapi\.yaml|feed\.atom|daily\.ics|healthz|readyz|metrics)\b/.test(pathname))
      return
    event.respondWith(fromNetworkOr('/', request))
    event.waitUntil(renew().catch(() => {})) // offline: the next time
  } else if (/^\/[\w-]+\.(svg|js|webmanifest)$/.test(pathname)) {
    event.respondWith(fromNetworkOr(request, request))
  }
})
