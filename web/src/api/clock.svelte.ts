// The server's clock counts; the device's may be minutes off.

let offset = $state(0) // ms that the server is ahead
let best = Infinity // round trip of the best sample so far, ms

/** The time by the server's clock, ms since 1970. */
export const serverNow = () => Date.now() + offset

/**
 * Takes in one sample: the server said `at` in answer to what was sent and came back in between. The one
 * with the shortest way counts, unless the device's clock was set since: then they contradict each other.
 */
export function sample(at: number, sent: number, back: number): void {
  const trip = back - sent
  if (trip < 0) return
  const ahead = at - (sent + back) / 2
  if (trip > best && Math.abs(ahead - offset) <= (trip + best) / 2) return
  best = trip
  offset = ahead
}

/** How wrong the clock may be, ms. */
export const uncertainty = () => best / 2

/**
 * The Date header has whole seconds only, and may be as old as an answer was slow, but it is on each answer and
 * needs no call: good for midnight. A clock that is known better gives way to it only where no delay explains
 * the difference: then the device's clock was set.
 */
export function notice(response: Response): void {
  const date = Date.parse(response.headers.get('Date') ?? '')
  if (Number.isNaN(date)) return
  const ahead = date + 500 - Date.now()
  if (Math.abs(ahead - offset) <= (best < 1000 ? 30_000 : 1500)) return
  best = Infinity
  offset = ahead
}

let tick = $state(0)
setInterval(() => (tick = Date.now()), 1000)
addEventListener('visibilitychange', () => (tick = Date.now())) // timers sleep in a hidden tab

/** serverNow that a component follows, once a second. */
export const now = () => (void tick, serverNow())
