// What the text mode says about a game: sentences from a position.

import {
  canMove,
  mayRedeal,
  legalMoves,
  moveText,
  pileLetters,
  rankOf,
  redealt,
  suitOf,
  topOf,
  type Card,
  type Move,
  type Position,
  type Variant,
} from '../engine'
import { cards } from '../i18n/cards'
import { typed } from '../i18n/typed'
import { redealChangesNothing } from './redeal'
import { inWords } from '../replay/words'

const nameOf = (card: Card) => (card ? cards.name(rankOf(card), suitOf(card)) : typed.empty)

/** "a King of hearts, b five of clubs, …" of the piles that are asked for. */
function topsOf(p: Position, wanted: (pile: number) => boolean): string {
  return p.piles
    .flatMap((pile, i) => (wanted(i) ? [`${pileLetters.charAt(i)} ${nameOf(topOf(pile))}`] : []))
    .join(', ')
}

export const tops = (p: Position) => typed.tops(topsOf(p, (i) => p.piles[i]!.length > 0))

export function pileText(p: Position, i: number): string {
  const pile = p.piles[i] ?? []
  const letter = pileLetters.charAt(i)
  if (pile.length === 0) return typed.pileEmpty(letter)
  return typed.pileIs(letter, pile.length, pile.toReversed().map(nameOf).join(', '))
}

export const foundations = (p: Position) =>
  typed.foundations(p.foundations.map((rank, suit) => cards.name(rank, suit)).join(', '))

/** Every move of a card, with its notation, and whether one may redeal. */
export function possible(v: Variant, p: Position): string {
  const moves = legalMoves(v, p).filter((m) => m.kind !== 'redeal')
  const list = moves.map((m) => `${moveText(m)} ${inWords(p, m)}`).join('; ')
  return [
    moves.length > 0 ? typed.cardMoves(list) : typed.noCardMoves,
    ...(mayRedeal(v, p) ? [typed.mayRedeal] : []),
  ].join(' ')
}

/** What a redeal would bring: which piles stay, and what would be on top of the others. */
export function nextText(v: Variant, p: Position): string {
  if (redealChangesNothing(v, p)) return typed.nextSame
  const after = redealt(v, p)
  const opens = canMove(v, after) ? legalMoves(v, after).filter((m) => m.kind !== 'redeal').length : 0
  return typed.next(kept(p, after), topsOf(after, changed(p, after)), opens)
}

const changed = (before: Position, after: Position) => (i: number) => after.piles[i] !== before.piles[i]

function kept(before: Position, after: Position): string {
  const letters = [...pileLetters].filter((_, i) => !changed(before, after)(i))
  return letters.length > 0 ? typed.keeps(letters.join(', ')) : typed.keepsNone
}

export const lastText = (before: Position | undefined, m: Move | undefined) =>
  before && m ? typed.last(inWords(before, m)) : typed.noLast
