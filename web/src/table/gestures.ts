// One finger or one mouse on the table: a tap, a hold, or a drag. Whatever ends a press in another way than
// its own release (a second finger, a lost capture, another tab) cancels it, and nothing was done.

export interface Point {
  x: number
  y: number
}

export interface Gestures {
  /** It is down, and nobody knows yet what it will be. */
  press(at: Point): void
  /** `again` where it is the further click of a double click. */
  tap(start: Point, end: Point, again: boolean): void
  /** Pressed for a while, or the right button; false where nothing comes of it. */
  hold(at: Point): boolean
  release(): void
  /** A drag begins; false where there is nothing to take. */
  lift(at: Point): boolean
  drag(dx: number, dy: number): void
  drop(dx: number, dy: number): void
  cancel(): void
  /** It is up again, or doesn't count any more: after any of the above. */
  end(): void
}

const holdAfter = 350
const slack = { mouse: 6, pen: 10, touch: 10 } as Record<string, number>

interface Press {
  pointer: number
  start: Point
  origin: Point // of the table in the window
  doing: 'pressing' | 'holding' | 'dragging' | 'nothing'
  again: boolean
  timer: number
}

let lifted = -Infinity // when a finger's pointer went up last, ms
addEventListener('pointerup', (e) => e.pointerType === 'touch' && (lifted = e.timeStamp), { capture: true })

/**
 * At the end of a touch: its pointer has done all; the mouse that browsers make of it too only costs time. A touch
 * without a pointer is a screen reader's on iOS, which clicks only if nobody minds.
 */
export const noMouse = (e: TouchEvent) => e.cancelable && e.timeStamp - lifted < 100 && e.preventDefault()

export function follow(node: HTMLElement, to: Gestures): () => void {
  let press: Press | undefined

  const at = (e: PointerEvent, origin: Point): Point => ({ x: e.clientX - origin.x, y: e.clientY - origin.y })

  function end(): Press | undefined {
    const ended = press
    press = undefined
    clearTimeout(ended?.timer)
    return ended
  }

  function cancel() {
    const ended = end()
    if (ended?.doing === 'dragging') to.cancel()
    if (ended?.doing === 'holding') to.release()
    if (ended) to.end()
  }

  function hold() {
    if (press?.doing === 'pressing') press.doing = to.hold(press.start) ? 'holding' : 'pressing'
  }

  function down(e: PointerEvent) {
    if (press || !e.isPrimary) return cancel()
    if (e.button !== 0 && e.button !== 2) return
    const { left: x, top: y } = node.getBoundingClientRect()
    const origin = { x, y }
    node.setPointerCapture(e.pointerId)
    const timer = window.setTimeout(hold, holdAfter)
    press = { pointer: e.pointerId, start: at(e, origin), origin, doing: 'pressing', again: false, timer }
    to.press(press.start)
    if (e.button === 2) {
      hold()
      if (press.doing === 'pressing') cancel()
    }
  }

  function move(e: PointerEvent) {
    if (press?.pointer !== e.pointerId) return
    if (e.buttons === 0) return cancel() // the release was lost outside of the window
    const { x, y } = at(e, press.origin)
    const dx = x - press.start.x
    const dy = y - press.start.y
    if (press.doing === 'pressing' && Math.hypot(dx, dy) > (slack[e.pointerType] ?? 10)) {
      clearTimeout(press.timer)
      press.doing = to.lift(press.start) ? 'dragging' : 'nothing'
    }
    if (press.doing === 'dragging') to.drag(dx, dy)
  }

  function up(e: PointerEvent) {
    if (press?.pointer !== e.pointerId) return
    const { doing, start, origin, again } = end()!
    const now = at(e, origin)
    try {
      if (doing === 'dragging') to.drop(now.x - start.x, now.y - start.y)
      else if (doing === 'holding') to.release()
      else to.tap(start, now, again)
    } finally {
      to.end()
    }
  }

  // Only mouse events count clicks.
  const count = (e: MouseEvent) => {
    if (press) press.again = e.detail > 1
  }
  const lost = (e: PointerEvent) => {
    if (press?.pointer === e.pointerId) cancel()
  }
  const noMenu = (e: Event) => e.preventDefault()

  const off = new AbortController()
  const { signal } = off
  node.addEventListener('pointerdown', down, { signal })
  node.addEventListener('pointermove', move, { signal })
  node.addEventListener('pointerup', up, { signal })
  node.addEventListener('pointercancel', lost, { signal })
  node.addEventListener('lostpointercapture', lost, { signal })
  node.addEventListener('mousedown', count, { signal })
  node.addEventListener('touchend', noMouse, { signal, passive: false })
  node.addEventListener('contextmenu', noMenu, { signal })
  window.addEventListener('blur', cancel, { signal })
  document.addEventListener('visibilitychange', cancel, { signal })
  document.addEventListener('keydown', (e) => e.key === 'Escape' && cancel(), { signal, capture: true })
  return () => {
    cancel()
    off.abort()
  }
}
