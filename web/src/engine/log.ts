import { deal } from './deal'
import { moveText, parseMove, type Move } from './move'
import { cardsHome, isWon, type Position } from './position'
import { apply, outcomeOf, type Outcome } from './rules'
import type { Variant } from './variant'

/** The most moves that a log may have. */
export const mostMoves = 5000

/** Why a log is refused, and where. It is read before it is played, so the first two codes go before the others. */
export interface RefusedMove {
  /** Of the token, from 1. */
  index: number
  /** At most its first 20 characters. */
  token: string
  code:
    | 'syntax' // the token is not in notation
    | 'too_long' // the token is one more than mostMoves
    | 'illegal' // the rules forbid the move
    | 'after_win' // the game was already won
}

/** Reads a log, or says at which token it is refused. Whether the moves are legal is for verify to say. */
export function parseLog(text: string): { moves: Move[] } | { refused: RefusedMove } {
  const moves: Move[] = []
  for (const [token] of text.matchAll(/[^ \t\n\r]+/g)) {
    const move = parseMove(token)
    const index = moves.length + 1
    if (index > mostMoves) return refuse(index, token, 'too_long')
    if (!move) return refuse(index, token, 'syntax')
    moves.push(move)
  }
  return { moves }
}

function refuse(index: number, token: string, code: RefusedMove['code']): { refused: RefusedMove } {
  return { refused: { index, token: [...token.slice(0, 40)].slice(0, 20).join(''), code } }
}

/** The log of moves, with one space between them. */
export function logText(moves: readonly Move[]): string {
  return moves.map(moveText).join(' ')
}

/** What a log proves, with the fields of the contract's Result. */
export interface Result {
  outcome: Outcome
  /** All of the following together. */
  moves: number
  plays: number
  /** A run is one. */
  builds: number
  returns: number
  redeals: number
  /** On the foundations at the end. */
  cards: number
}

/**
 * Plays a log on the deal of a seed. The first token that is out of notation or over mostMoves is named
 * before any that is illegal. It throws a RangeError on a text that is no seed.
 */
export function verify(
  v: Variant,
  seed: string,
  log: string,
): { result: Result; moves: Move[] } | { refused: RefusedMove } {
  let p = deal(seed, v)
  const read = parseLog(log)
  if ('refused' in read) return read
  for (const [i, m] of read.moves.entries()) {
    const next = apply(v, p, m)
    if (!next) return refuse(i + 1, moveText(m), isWon(p) ? 'after_win' : 'illegal')
    p = next
  }
  return { result: resultOf(v, p, read.moves), moves: read.moves }
}

/** The result of the moves that have led to a position. */
export function resultOf(v: Variant, p: Position, moves: readonly Move[]): Result {
  const count = { play: 0, build: 0, return: 0, redeal: 0 }
  for (const m of moves) count[m.kind]++
  return {
    outcome: outcomeOf(v, p),
    moves: moves.length,
    plays: count.play,
    builds: count.build,
    returns: count.return,
    redeals: count.redeal,
    cards: cardsHome(p),
  }
}

/**
 * Whether a is a better result than b: a win before anything else, of two wins the one with fewer moves, of
 * two others the one with more cards, then fewer moves. Of two equal results neither is better.
 */
export function better(
  a: Pick<Result, 'outcome' | 'moves' | 'cards'>,
  b: Pick<Result, 'outcome' | 'moves' | 'cards'>,
): boolean {
  const won = a.outcome === 'won'
  if (won !== (b.outcome === 'won')) return won
  if (!won && a.cards !== b.cards) return a.cards > b.cards
  return a.moves < b.moves
}
