// Where each of the 52 cards lies, and how it looks there.

import { cardOf, type Card, type Position } from '../engine'
import { airOf, type Face } from './face'
import { cardRect, foundationPlaces, pilePlaces, type Layout, type Place } from './geometry'
import type { Lying } from './picture'

export interface Look extends Lying, Face {
  place: Place
  unseen: boolean
}

/** By card. */
export function looksOf(p: Position, layout: Layout): Look[] {
  const looks: Look[] = []
  const { width, height } = layout.card
  p.piles.forEach((cards, pile) => {
    const { cap, air, folded } = layout.fans[pile]!
    const all = {
      place: pilePlaces[pile]!,
      pile,
      scale: 1,
      width,
      height,
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
  })
  p.foundations.forEach((top, suit) => {
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
  })
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
