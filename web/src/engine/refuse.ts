import { ace, cardOf, king, type Card, suitOf } from './card'
import type { Move } from './move'
import { isWon, topOf, type Position } from './position'
import { apply, pileMoves, runLength, takersOf } from './rules'
import type { Variant } from './variant'

/** Why a move is refused, for a view to put into words. */
export interface Refusal {
  why:
    | 'empty_pile' // there is no card to move
    | 'empty_target' // nothing goes onto an empty pile
    | 'same_pile'
    | 'wrong_suit_foundation' // needs: what that foundation takes next, if it isn't complete
    | 'foundation_needs' // needs: what goes up before the card
    | 'needs' // needs: what the card may go onto; none for a King
    | 'run_too_long' // card: the lowest one that can go along
    | 'one_card' // runs don't move in this variant
    | 'no_returns'
    | 'ace_stays'
    | 'no_redeals_left'
    | 'redeal_only_when_stuck'
    | 'won'
  /** The card that should have moved, the lowest one of a run. */
  card?: Card
  needs?: Card[]
  /** Where the needed cards lie, and under how many others; the absent ones are on a foundation. */
  where?: { card: Card; pile: number; under: number }[]
}

/** Why the rules forbid a move; undefined where it is legal. */
export function refusalOf(v: Variant, p: Position, m: Move): Refusal | undefined {
  if (apply(v, p, m)) return undefined
  if (isWon(p)) return { why: 'won' }
  switch (m.kind) {
    case 'play':
      return refusePlay(p, m.from, m.to)
    case 'build':
      return refuseBuild(v, p, m.from, m.to, m.count)
    case 'return':
      return refuseReturn(v, p, m.from, m.to)
    case 'redeal':
      return { why: p.redealsLeft === 0 ? 'no_redeals_left' : 'redeal_only_when_stuck' }
  }
}

function refusePlay(p: Position, from: number, suit: number): Refusal {
  const card = topOf(p.piles[from])
  if (!card) return { why: 'empty_pile' }
  const why = suitOf(card) === suit ? 'foundation_needs' : 'wrong_suit_foundation'
  return { why, card, ...needed(p, nextOn(p, suit)) }
}

function refuseBuild(v: Variant, p: Position, from: number, to: number, count: number): Refusal {
  const pile = p.piles[from] ?? []
  const card = pile[pile.length - count]
  const most = runLength(v, pile)
  if (count > 1 && v.unit === 'card') return { why: 'one_card' }
  if (most === 0) return { why: 'empty_pile' }
  if (from === to) return { why: 'same_pile', card }
  if (!card || count > most) return { why: 'run_too_long', card: pile[pile.length - most] }
  return refuseTarget(v, p, card, to)
}

function refuseReturn(v: Variant, p: Position, suit: number, to: number): Refusal {
  if (!v.returns) return { why: 'no_returns' }
  const rank = p.foundations[suit] ?? ace
  const card = cardOf(rank, suit)
  return rank === ace ? { why: 'ace_stays', card } : refuseTarget(v, p, card, to)
}

function refuseTarget(v: Variant, p: Position, card: Card, to: number): Refusal {
  if (!topOf(p.piles[to])) return { why: 'empty_target', card }
  return { why: 'needs', card, ...needed(p, takersOf(v, card)) }
}

/**
 * Why no card of a pile can be moved: the cards that its top card (or its run) needs; undefined where one can
 * be moved. A King, and a card that lies on the only one that takes it, wait for their foundation.
 */
export function stranded(v: Variant, p: Position, pile: number): Refusal | undefined {
  const cards = p.piles[pile] ?? []
  const top = topOf(cards)
  if (!top) return { why: 'empty_pile' }
  if (pileMoves(v, p, pile).length > 0) return undefined
  const lowest = cards.length - runLength(v, cards)
  const card = cards[lowest] ?? top
  const takers = takersOf(v, card).filter((onto) => onto !== cards[lowest - 1])
  if (takers.length > 0) return { why: 'needs', card, ...needed(p, takers) }
  return { why: 'foundation_needs', card: top, ...needed(p, nextOn(p, suitOf(top))) }
}

/** The card that a foundation takes next, as a list; an empty one where it is complete. */
function nextOn(p: Position, suit: number): Card[] {
  const rank = p.foundations[suit] ?? king
  return rank === king ? [] : [cardOf(rank + 1, suit)]
}

function needed(p: Position, needs: Card[]): Pick<Refusal, 'needs' | 'where'> {
  const where = needs.flatMap((card) =>
    p.piles.flatMap((pile, i) => {
      const at = pile.indexOf(card)
      return at < 0 ? [] : [{ card, pile: i, under: pile.length - 1 - at }]
    }),
  )
  return { needs, where }
}
