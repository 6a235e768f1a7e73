// How cards get to where they lie. The page has the new position when a flight begins, or right after its first
// paint and before any other input; only the picture is behind. So input in the meantime meets the position, and
// no card can be lost.

import type { Card } from '../engine'

export interface Spot {
  x: number
  y: number
  scale: number
}

const transformOf = ({ x, y, scale }: Spot) =>
  `translate(${x}px, ${y}px)` + (scale === 1 ? '' : ` scale(${scale})`)

/** Where a card lies, and over which others. */
export interface Lying extends Spot {
  pile: number // -1 on a foundation
  order: number
}

/** Why cards lie elsewhere than before. */
export type Cause = 'move' | 'undo' | 'redeal' | 'jump' | 'layout'

const times = { move: 160, undo: 120, redeal: 340, drop: 90, return: 160 } // ms
const fade = 80
const redealSpread = 260 // between the first card's start and the last's; with its flight 600 in all
const mostStagger = 12
const pickedRise = 6 // px

const reduced = matchMedia('(prefers-reduced-motion: reduce)')
export const isReduced = () => reduced.matches

export class Picture {
  /** Times are multiplied by it; 0 is no motion. */
  speed = 1
  #elements: HTMLElement[] = [] // by card
  #spots: readonly Lying[] = []
  #flights = new Map<Card, Animation>()
  #hand: readonly Card[] = []
  #offset = { x: 0, y: 0 } // of the hand from where it took them
  #picked: readonly Card[] = []
  #raised: readonly Card[] = []
  #over = new Map<Card, number>() // the z-index of those that don't lie
  #grips = new Map<Card, Animation>()
  #dropped = new Map<Card, Spot>() // where cards were let go; the next move decides where they fly

  get holdsCards(): boolean {
    return this.#hand.length > 0
  }

  /** The element of a card, to be attached. */
  of(card: Card): (element: HTMLElement) => void {
    return (element) => {
      this.#elements[card] = element
      this.#grips.delete(card) // that was another element's
      this.#put(card)
    }
  }

  #put(card: Card): void {
    const [element, spot] = [this.#elements[card], this.#spots[card]]
    if (!element || !spot) return
    element.style.transform = transformOf(this.#hand.includes(card) ? this.#held(card) : this.#at(card))
    this.#stack(card)
  }

  /** Lays it over those below it, and what is in the hand or in the air over all that lies. */
  #stack(card: Card): void {
    this.#elements[card]!.style.zIndex = String(this.#over.get(card) ?? this.#spots[card]!.order)
  }

  /** Where a card rests. */
  #at(card: Card): Spot {
    const spot = this.#spots[card]!
    return this.#picked.includes(card) ? { ...spot, y: spot.y - pickedRise } : spot
  }

  /** Makes cards ready to be moved, over all others: that is half of the work, and a press has time for it. */
  raise(cards: readonly Card[]): void {
    this.#raised = cards
    for (const card of [...this.#over.keys()]) this.#lower(card)
    cards.forEach((card, i) => {
      this.#over.set(card, 300 + i) // over those in flight, too
      this.#stack(card)
      if (this.#grips.has(card)) return
      const element = this.#elements[card]!
      element.classList.add('lifted')
      // It never begins, but while it is there browsers change the place of a layer without a look at the others.
      const grip = element.animate({ transform: ['none', 'none'] }, { duration: 1, delay: 1 })
      grip.pause()
      this.#grips.set(card, grip)
    })
  }

  /** What is neither in the hand nor in the air lies like the others. */
  #lower(card: Card): void {
    if (this.#raised.includes(card) || this.#hand.includes(card) || this.#flights.has(card)) return
    this.#over.delete(card)
    this.#stack(card)
    this.#elements[card]!.classList.remove('lifted')
    this.#grips.get(card)?.cancel()
    this.#grips.delete(card)
  }

  /** Picked cards are up and stand out; those that were picked before lie again. */
  pick(cards: readonly Card[]): void {
    if (cards.length === 0 && this.#picked.length === 0) return
    this.#standOut(cards)
    this.raise(cards)
  }

  #standOut(cards: readonly Card[]): void {
    const before = this.#picked
    this.#picked = cards
    for (const card of [...before, ...cards]) this.#put(card)
  }

  lift(cards: readonly Card[]): void {
    this.#hand = cards
    this.#offset = { x: 0, y: 0 }
    this.raise(cards) // it may be another one than was pressed, or have been lowered since
    for (const card of cards) this.#flights.get(card)?.cancel()
  }

  /** Writes transforms and nothing else; by whole pixels of the screen, or the card would be drawn anew with each. */
  drag(dx: number, dy: number): void {
    const whole = (n: number) => Math.round(n * devicePixelRatio) / devicePixelRatio
    this.#offset = { x: whole(dx), y: whole(dy) }
    for (const card of this.#hand) this.#elements[card]!.style.transform = transformOf(this.#held(card))
  }

  #held(card: Card): Spot {
    const { x, y, scale } = this.#spots[card]!
    return { x: x + this.#offset.x, y: y + this.#offset.y, scale }
  }

  letGo(): void {
    const hand = this.#hand
    for (const card of hand) this.#dropped.set(card, this.#held(card))
    this.#hand = []
    for (const card of hand) this.#put(card)
  }

  /** Brings back what was let go and no move took. */
  bringBack(): void {
    for (const [card, from] of this.#dropped) this.#fly(card, from, times.return)
    this.#dropped.clear()
    this.raise([])
  }

  /** Puts cards where they lie now, and shows how they come there. */
  settle(spots: readonly Lying[], cause: Cause): void {
    const before = this.#spots
    const changed = [...spots.keys()].filter((card) => before[card] !== spots[card])
    const moved = changed.filter((card) => before[card] && !same(before[card], spots[card]!))
    moved.sort((a, b) => spots[a]!.pile - spots[b]!.pile || spots[a]!.order - spots[b]!.order)
    // All reads before all writes, or each card would cost a layout.
    const from = moved.map((card) => this.#dropped.get(card) ?? this.#seen(card))
    this.#spots = spots
    if (cause !== 'layout') this.#standOut([])
    for (const card of changed) this.#put(card)
    if (cause === 'layout' || cause === 'jump') for (const flight of this.#flights.values()) flight.finish()
    if (cause === 'layout') return
    const stagger = cause === 'redeal' ? Math.min(mostStagger, redealSpread / moved.length) : 0
    moved.forEach((card, i) => {
      const wasDropped = this.#dropped.delete(card)
      if (isReduced() || cause === 'jump') {
        this.#elements[card]!.animate({ opacity: [0, 1] }, isReduced() ? fade : fade * this.speed)
      } else this.#fly(card, from[i]!, wasDropped ? times.drop : times[cause], i * stagger, i)
    })
    this.bringBack()
  }

  shake(card: Card): void {
    this.#elements[card]?.animate({ translate: ['0', '3px', '-3px', '2px', '-1px', '0'] }, 220)
  }

  #seen(card: Card): Spot {
    if (!this.#flights.has(card)) return this.#at(card)
    const { e: x, f: y, a: scale } = new DOMMatrix(getComputedStyle(this.#elements[card]!).transform)
    return { x, y, scale }
  }

  #fly(card: Card, from: Spot, duration: number, delay = 0, order = 0): void {
    this.#flights.get(card)?.cancel()
    if (this.speed === 0 || isReduced()) return
    const element = this.#elements[card]!
    const flight = element.animate(
      { transform: [transformOf(from), transformOf(this.#at(card))] },
      {
        duration: duration * this.speed,
        delay: delay * this.speed,
        easing: 'cubic-bezier(0.25, 0.7, 0.3, 1)',
        fill: 'backwards',
      },
    )
    this.#flights.set(card, flight)
    // Over all that lies; not in the keyframes, which would take the flight off the compositor.
    if (!this.#grips.has(card)) this.#over.set(card, 100 + order)
    this.#stack(card)
    flight.onfinish = flight.oncancel = () => {
      if (this.#flights.get(card) !== flight) return
      this.#flights.delete(card)
      this.#lower(card)
    }
  }
}

const same = (a: Spot, b: Spot) => a.x === b.x && a.y === b.y && a.scale === b.scale
