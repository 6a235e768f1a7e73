// What an act needs done that needn't be seen at once. The browser paints between an input and its answer, and
// all that is done before delays the answer; so what matters to the eye is done at once, and the rest here.

let waiting: (() => void)[] = []

// A message comes right after the paint; timers are held back by browsers while a finger is down. One that comes
// late, after a catch-up, isn't for what has been waiting since.
const { port1: after, port2: paint } = new MessageChannel()
let frame = 0
after.onmessage = (e) => e.data === frame && catchUp()

/** Does something after the next paint, or before the next input, whichever is first. */
export function afterPaint(act: () => void): void {
  if (waiting.push(act) > 1) return
  const next = ++frame
  requestAnimationFrame(() => paint.postMessage(next))
}

/** Does at once what still waits for the paint. */
function catchUp(): void {
  const acts = waiting
  waiting = []
  for (const act of acts) {
    try {
      act()
    } catch (error) {
      reportError(error) // and the others are done all the same
    }
  }
}

// Before anyone else hears of it. A page that is hidden may never be painted again.
for (const type of ['pointerdown', 'pointerup', 'keydown', 'click', 'input', 'pagehide', 'visibilitychange'])
  addEventListener(type, catchUp, { capture: true })
