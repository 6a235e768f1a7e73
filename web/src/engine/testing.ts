// What the tests of the engine share, and those of the whole program that need a log: vectors, random games.
// No page imports this.

import { readFileSync } from 'node:fs'
import { parseCard, pileLetters, rankOf, suitLetters, suitOf } from './card'
import { deal } from './deal'
import { logText, resultOf, type Result } from './log'
import { moveText, type Move } from './move'
import { pileCount, type Position } from './position'
import { apply, legalMoves, outcomeOf } from './rules'
import type { Variant } from './variant'

/** A list in a file of ../../../engine/testdata, which the Go tests read too. It throws where there is none. */
export function readVectors<T>(file: string, list: string): T[] {
  const url = new URL(`../../../engine/testdata/${file}`, import.meta.url)
  const vectors = JSON.parse(readFileSync(url, 'utf8'))[list]
  if (!Array.isArray(vectors) || vectors.length === 0) throw new Error(`${file} has no ${list}`)
  return vectors
}

/** Numbers from 0 to below 1, the same ones for a number every time (mulberry32). */
export function randomFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** One of a list, which isn't empty. */
export function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)]!
}

/** A game that was played by nobody: its moves, and the positions before, between and after them. */
export interface Walk {
  moves: Move[]
  positions: Position[]
  log: string
  result: Result
}

/**
 * A random game on the deal of a seed, of at most so many moves; it ends earlier where it is won or stuck.
 * It prefers plays to builds and both to redeals, so that it gets somewhere.
 */
export function randomWalk(v: Variant, seed: string, most: number, random: () => number): Walk {
  let p = deepFreeze(deal(seed, v))
  const moves: Move[] = []
  const positions = [p]
  while (moves.length < most && outcomeOf(v, p) === 'unfinished') {
    const legal = legalMoves(v, p)
    const plays = legal.filter(({ kind }) => kind === 'play')
    const cards = legal.filter(({ kind }) => kind !== 'redeal')
    const better = random() < 0.5 ? plays : random() < 0.9 ? cards : legal
    const m = pick(better.length > 0 ? better : legal, random)
    const next = apply(v, p, m)
    if (!next) throw new Error(`${moveText(m)} is legal, but refused`)
    p = deepFreeze(next)
    moves.push(m)
    positions.push(p)
  }
  return { moves, positions, log: logText(moves), result: resultOf(v, p, moves) }
}

/** The position itself, which can't be changed any more. */
export function deepFreeze(p: Position): Position {
  Object.freeze(p.foundations)
  p.piles.forEach((pile) => Object.freeze(pile))
  Object.freeze(p.piles)
  return Object.freeze(p)
}

/** Every token of the notation. */
export const allTokens: readonly string[] = [
  'R',
  ...[...pileLetters].flatMap((pile) => [...suitLetters].flatMap((suit) => [pile + suit, suit + pile])),
  ...[...pileLetters].flatMap((from) =>
    [...pileLetters].flatMap((to) =>
      ['', 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((count) => from + to + count),
    ),
  ),
]

/** A position of foundations such as "AC 2D JH KS" and piles such as "2C 3S 4D"; other piles are empty. */
export function layout(v: Variant, foundations: string, ...piles: string[]): Position {
  const ranks = [1, 1, 1, 1]
  for (const card of cardsOf(foundations)) ranks[suitOf(card)] = rankOf(card)
  const all = Array.from({ length: pileCount }, (_, i) => cardsOf(piles[i] ?? ''))
  return deepFreeze({ foundations: ranks, piles: all, redealsLeft: v.redeals ?? Infinity })
}

function cardsOf(text: string) {
  return text
    .split(' ')
    .filter(Boolean)
    .map((word) => {
      const card = parseCard(word)
      if (card === undefined) throw new Error(`${word} is no card`)
      return card
    })
}
