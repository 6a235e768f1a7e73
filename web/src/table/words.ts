// What the table says in words: the names of its places, and a sentence for what happened.

import {
  cardOf,
  pileLetters,
  rankOf,
  runLength,
  sameCards,
  suitOf,
  topOf,
  type Card,
  type Move,
  type Position,
  type Variant,
} from '../engine'
import { cards } from '../i18n/cards'
import { table } from '../i18n/table'
import { toOf } from './choices'
import { foundationPlaces, pileOf, type Place } from './geometry'

const nameOf = (c: Card) => cards.name(rankOf(c), suitOf(c))

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** "can go to foundation or onto pile e"; empty where there is no move. */
export function goals(moves: readonly Move[]): string {
  if (moves.length === 0) return ''
  return table.canGo(moves.map(goal).join(table.or))
}

function goal(m: Move): string {
  return m.kind === 'play' ? table.toFoundation : table.ontoPile(toOf(m))
}

/** "Pile c, three of hearts, 4 cards". */
export function pileName(v: Variant, p: Position, pile: number): string {
  const cardsOf = p.piles[pile] ?? []
  const letter = pileLetters.charAt(pile)
  if (cardsOf.length === 0) return table.emptyPile(letter)
  const name = table.pile(letter, nameOf(topOf(cardsOf)), cardsOf.length)
  const run = runLength(v, cardsOf)
  return run > 1 ? `${name}, ${table.run(run, nameOf(cardsOf[cardsOf.length - run]!))}` : name
}

export function foundationName(p: Position, suit: number): string {
  return table.foundation(cards.suit(suit), nameOf(cardOf(p.foundations[suit]!, suit)))
}

/** The rest of a pile from top to bottom, and what a redeal would bring where that is asked for. */
export function descriptionOf(p: Position, next: Position | null, pile: number): string {
  const rest = (p.piles[pile] ?? []).slice(0, -1).reverse().map(nameOf).join(', ')
  return [rest && table.below(rest), next && previewOf(p, next, pile)].filter(Boolean).join('. ')
}

function previewOf(p: Position, next: Position, pile: number): string {
  const then = topOf(next.piles[pile])
  if (!then) return table.previewEmpty
  return then === topOf(p.piles[pile]) ? table.previewSame : table.preview(nameOf(then))
}

export function fromTop(p: Position, pile: number): string {
  return table.spread(pileLetters.charAt(pile), (p.piles[pile] ?? []).toReversed().map(nameOf).join(', '))
}

/** The cards that are picked: "three of hearts", or a run. */
export function pickedName(p: Position, from: Place, count: number): string {
  const suit = foundationPlaces.indexOf(from)
  if (suit >= 0) return sentence(nameOf(cardOf(p.foundations[suit]!, suit)))
  const pile = p.piles[pileOf(from)] ?? []
  const lowest = nameOf(pile[pile.length - count] ?? 0)
  return sentence(count > 1 ? table.run(count, lowest) : lowest)
}

/** What a move did, or that it was undone, in one sentence or two. */
export function happened(before: Position, after: Position, move: Move, undone: boolean): string {
  // An undone move is told as it was made.
  const [earlier, later] = undone ? [after, before] : [before, after]
  if (move.kind === 'redeal')
    return `${undone ? table.redealUndone : table.redealt} ${changes(before, after)}`
  const what = told(earlier, later, move)
  const from = move.kind === 'return' ? move.to : move.from
  return `${undone ? table.undone(what) : what} ${now(after, from)}`
}

function told(earlier: Position, later: Position, move: Exclude<Move, { kind: 'redeal' }>): string {
  switch (move.kind) {
    case 'play':
      return table.played(pickedName(earlier, pileLetters.charAt(move.from), 1))
    case 'build':
      return table.built(
        pickedName(earlier, pileLetters.charAt(move.from), move.count),
        pileLetters.charAt(move.to),
      )
    case 'return':
      return table.returned(pickedName(later, pileLetters.charAt(move.to), 1), pileLetters.charAt(move.to))
  }
}

function now(p: Position, pile: number): string {
  const letter = pileLetters.charAt(pile)
  const top = topOf(p.piles[pile])
  return top ? table.pileNow(letter, nameOf(top)) : table.pileEmpty(letter)
}

/** Which piles a redeal left alone, and what lies on top of the others. */
function changes(before: Position, after: Position): string {
  const all = [...pileLetters].map((letter, i) => ({
    letter,
    top: topOf(after.piles[i]),
    same: sameCards(before.piles[i] ?? [], after.piles[i] ?? []),
  }))
  const same = all.filter((pile) => pile.same && pile.top)
  const other = all.filter((pile) => !pile.same && pile.top)
  const empty = all.filter((pile) => !pile.same && !pile.top)
  if (other.length + empty.length === 0) return table.allAsBefore
  const letters = (list: typeof all) => list.map((pile) => pile.letter).join(', ')
  const parts: string[] = []
  if (same.length) parts.push(table.asBefore(letters(same), same.length))
  if (other.length)
    parts.push(table.nowOnTop(other.map((pile) => `${pile.letter} ${nameOf(pile.top)}`).join(', ')))
  if (empty.length) parts.push(table.nowEmpty(letters(empty), empty.length))
  return parts.join(' ')
}
