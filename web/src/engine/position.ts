import type { Card } from './card'

/** The number of tableau piles. */
export const pileCount = 12

/** The game at one moment, as far as the rules care. Nobody changes one; a move makes another. */
export interface Position {
  /** The rank on top, by suit. */
  readonly foundations: readonly number[]
  /** The twelve piles, each with its bottom card first. */
  readonly piles: readonly (readonly Card[])[]
  /** Infinity where the variant sets no limit. */
  readonly redealsLeft: number
}

/** How many cards are on the foundations, 4 to 52. */
export function cardsHome(p: Position): number {
  return p.foundations.reduce((sum, rank) => sum + rank, 0)
}

/** Whether all cards are on the foundations. */
export function isWon(p: Position): boolean {
  return cardsHome(p) === 52
}

/** The top card of a pile; 0, which is no card, where the pile is empty or there is none. */
export function topOf(pile: readonly Card[] | undefined): Card {
  return pile?.[pile.length - 1] ?? 0
}

/** Whether two piles hold the same cards in the same order. */
export function sameCards(a: readonly Card[], b: readonly Card[]): boolean {
  return a.length === b.length && a.every((card, i) => card === b[i])
}
