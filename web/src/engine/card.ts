/**
 * One of the 52 cards, four times its rank plus its suit: 4 (AC) to 55 (KS). card + 4 is the next rank in
 * suit; 0 is no card.
 */
export type Card = number

/** 0 clubs, 1 diamonds, 2 hearts, 3 spades. */
export type Suit = number

/** The ranks that the rules name. */
export const ace = 1
export const king = 13

/** The suits in notation, by number. */
export const suitLetters = 'CDHS'

/** The piles in notation, by number. */
export const pileLetters = 'abcdefghijkl'

const rankLetters = 'A23456789TJQK'

/** The rank of a card, 1 (Ace) to 13 (King). */
export function rankOf(c: Card): number {
  return c >> 2
}

/** The suit of a card. */
export function suitOf(c: Card): Suit {
  return c & 3
}

/** The card of a rank and a suit. */
export function cardOf(rank: number, suit: Suit): Card {
  return rank * 4 + suit
}

/** Whether a suit is diamonds or hearts. */
export function isRed(suit: Suit): boolean {
  return suit === 1 || suit === 2
}

/** A card in notation, rank then suit: "TH". */
export function cardText(c: Card): string {
  return rankLetters.charAt(rankOf(c) - 1) + suitLetters.charAt(suitOf(c))
}

/** The card that cardText writes so; undefined where there is none. */
export function parseCard(text: string): Card | undefined {
  if (text.length !== 2) return undefined
  const rank = rankLetters.indexOf(text.charAt(0)) + 1
  const suit = suitLetters.indexOf(text.charAt(1))
  return rank > 0 && suit >= 0 ? cardOf(rank, suit) : undefined
}
