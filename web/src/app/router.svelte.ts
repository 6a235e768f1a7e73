// Addresses. The server gives the one page for each of them (api/page.go has the same list).

export type Route =
  | { page: 'play'; challenge?: string }
  | { page: 'practice'; variant: string; seed: string }
  | { page: 'board'; challenge?: string }
  | { page: 'archive' }
  | { page: 'replay'; submission: string } // "par-…" is the par of a challenge, "race-CODE-SEAT" a race's log
  | { page: 'races' }
  | { page: 'race'; code: string }
  | { page: 'player'; name: string }
  | { page: 'rules' }
  | { page: 'account' }
  | { page: 'nothing' }

export function parse(path: string): Route {
  const [first = '', second, third, ...more] = path.split('/').slice(1).map(decodeSafely)
  if (more.length > 0) return { page: 'nothing' }
  if (third !== undefined) {
    return first === 'practice' && second
      ? { page: 'practice', variant: second, seed: third }
      : { page: 'nothing' }
  }
  switch (first) {
    case '':
      return second === undefined ? { page: 'play' } : { page: 'nothing' }
    case 'play':
      return second ? { page: 'play', challenge: second } : { page: 'nothing' }
    case 'board':
      return second ? { page: 'board', challenge: second } : { page: 'board' }
    case 'replay':
      return second ? { page: 'replay', submission: second } : { page: 'nothing' }
    case 'races':
      return second ? { page: 'race', code: second.toLowerCase() } : { page: 'races' }
    case 'players':
      return second ? { page: 'player', name: second } : { page: 'nothing' }
    case 'archive':
    case 'rules':
    case 'account':
      return second === undefined ? { page: first } : { page: 'nothing' }
  }
  return { page: 'nothing' }
}

function decodeSafely(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

// The path alone: what follows it, such as the page itself, doesn't begin anew with each step of a replay.
let path = $state(location.pathname)
let here = $state.raw({ query: location.search, hash: location.hash })

export const address = {
  get route() {
    return parse(path)
  },
  get path() {
    return path
  },
  get query() {
    return new URLSearchParams(here.query)
  },
  get hash() {
    return here.hash
  },
}

function read(): void {
  path = location.pathname
  here = { query: location.search, hash: location.hash }
}

addEventListener('popstate', read)

/** Goes to an address of this page; `replace` leaves no entry in the history. */
export function go(to: string, { replace = false } = {}): void {
  const before = location.pathname
  history[replace ? 'replaceState' : 'pushState'](null, '', to)
  read()
  if (location.pathname !== before) scrollTo(0, 0)
}

/** Links of the page to itself don't load it anew. */
export function followLinks(e: MouseEvent): void {
  const link = (e.target as Element).closest?.('a')
  if (!link || e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey)
    return
  if (link.target || link.hasAttribute('download') || link.origin !== location.origin) return
  if (parse(link.pathname).page === 'nothing') return // /docs and the like are the server's
  // Within a page it is the browser's, which takes the focus there too.
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return
  e.preventDefault()
  go(link.href)
}
