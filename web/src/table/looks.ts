// Where each of the 52 cards lies, and how it looks there.

import { apply, cardOf, runLength, type Card, type Move, type Position, type Variant } from '../engine'
import { toOf } from './choices'
import { airOf, type Face } from './face'
import {
  cardRect,
  fanOf,
  foundationPlaces,
  layOut,
  pileOf,
  pilePlaces,
  type Frame,
  type Held,
  type Layout,
  type Place,
} from './geometry'
import type { Lying } from './picture'

export interface Look extends Lying, Face {
  place: Place
  unseen: boolean
}

export const layoutOf = (frame: Frame, variant: Variant, p: Position, preview: boolean): Layout =>
  layOut(
    frame,
    p.piles.map((pile) => held(variant, pile)),
    preview,
  )

/** Its run can be folded, whether or not the variant moves it. */
const held = (variant: Variant, pile: readonly Card[]): Held => ({
  size: pile.length,
  run: runLength({ ...variant, unit: 'run' }, pile),
})

/** By card, how those will lie where a legal move leads. Nothing else is looked at, so it is soon known. */
export function landed(variant: Variant, p: Position, m: Move, layout: Layout, preview: boolean): Look[] {
  const next = apply(variant, p, m)!
  const to = toOf(m)
  const pile = pileOf(to)
  if (pile < 0) return looksAt(to, next, layout)
  const fan = fanOf(layout, held(variant, next.piles[pile]!), preview)
  return looksAt(to, next, { ...layout, fans: layout.fans.with(pile, fan) })
}

/** By card. */
export function looksOf(p: Position, layout: Layout): Look[] {
  const looks: Look[] = []
  for (const place of [...pilePlaces, ...foundationPlaces]) Object.assign(looks, looksAt(place, p, layout))
  return looks
}

function looksAt(place: Place, p: Position, layout: Layout): Look[] {
  const pile = pileOf(place)
  return pile < 0
    ? looksOfFoundation(foundationPlaces.indexOf(place), p, layout)
    : looksOfPile(pile, p.piles[pile]!, layout)
}

function looksOfPile(pile: number, cards: readonly Card[], layout: Layout): Look[] {
  const looks: Look[] = []
  const { cap, air, folded } = layout.fans[pile]!
  const all = {
    place: pilePlaces[pile]!,
    pile,
    scale: 1,
    ...layout.card,
    look: layout.fanned ? 'side' : 'upright',
    unseen: false,
    cap,
    air,
  } as const
  cards.forEach((card, order) => {
    const { x, y } = cardRect(layout, pile, order)
    const over = cards.length - 1 - order
    looks[card] = { ...all, x, y, order, visible: over === 0 ? 'all' : over <= folded ? 'edge' : 'strip' }
  })
  return looks
}

function looksOfFoundation(suit: number, p: Position, layout: Layout): Look[] {
  const looks: Look[] = []
  const top = p.foundations[suit]!
  const { width, height } = layout.card
  const { x, y, height: cropped } = layout.slots.get(foundationPlaces[suit]!)!
  const all = {
    place: foundationPlaces[suit]!,
    pile: -1,
    x,
    y,
    scale: layout.scale,
    width,
    height: layout.cropped ? cropped : height,
    look: layout.cropped ? 'short' : 'upright',
    visible: 'all',
    cap: Math.round((layout.cropped ? 0.38 : 0.3) * width),
    air: airOf(width),
  } as const
  for (let rank = 1; rank <= top; rank++) {
    // No more than those on top are in flight at once.
    looks[cardOf(rank, suit)] = { ...all, order: rank, unseen: rank < top - 4 }
  }
  return looks
}

/** The looks, but the objects of before where a card looks the same, so that a view has nothing to do there. */
export function kept(looks: readonly Look[], before: readonly Look[]): Look[] {
  return looks.map((look, card: Card) => {
    const old = before[card]
    return old && same(look, old) ? old : look
  })
}

function same(a: Look, b: Look): boolean {
  for (const key in a) if (a[key as keyof Look] !== b[key as keyof Look]) return false
  return true
}
