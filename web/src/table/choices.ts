// What a player has in hand, and where it may go. Places are written as in the log, so the two ends of a move
// are the first two letters of its token.

import { moveText, parseMove, type Move } from '../engine'
import { pileOf, type Place } from './geometry'

/** Cards that were picked: so many top ones of a pile, or the top one of a foundation. */
export interface Pick {
  from: Place
  count: number
}

export const samePick = (a: Pick, b: Pick) => a.from === b.from && a.count === b.count

export const fromOf = (m: Move): Place => moveText(m).charAt(0)
export const toOf = (m: Move): Place => moveText(m).charAt(1)

/** The moves of just these cards, as a hand holds them. */
export function movesOf(legal: readonly Move[], { from, count }: Pick): Move[] {
  return legal.filter((m) => m.kind !== 'redeal' && fromOf(m) === from && carried(m) === count)
}

/** The moves that take the cards along, a longer run included: its top card alone could only go home. */
export function movesWith(legal: readonly Move[], { from, count }: Pick): Move[] {
  return legal.filter((m) => m.kind !== 'redeal' && fromOf(m) === from && carried(m) >= count)
}

const carried = (m: Move) => (m.kind === 'build' ? m.count : 1)

/** The move that would put the cards onto a place, legal or not; undefined where notation has none. */
export function wish({ from, count }: Pick, to: Place): Move | undefined {
  return parseMove(from + to + (count > 1 && pileOf(to) >= 0 ? count : ''))
}
