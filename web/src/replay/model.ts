// A replayed game as data: all its positions, its rounds, and where two games part.

import {
  apply,
  cardsHome,
  deal,
  pileLetters,
  parseLog,
  rankOf,
  resultOf,
  sameMove,
  suitOf,
  verify,
  type Move,
  type Position,
  type RefusedMove,
  type Result,
  type Variant,
} from '../engine'

export interface Film {
  variant: Variant
  seed: string
  moves: readonly Move[]
  positions: readonly Position[] // after 0, 1, … moves
  result: Result // what the log proves
  refused?: RefusedMove // the log holds up to the move before
}

/** Plays a log, as far as it holds. Throws a RangeError on a text that is no seed. */
export function filmOf(variant: Variant, seed: string, log: string): Film {
  const verdict = verify(variant, seed, log)
  const read = parseLog(log)
  const all = 'moves' in read ? read.moves : []
  const moves = 'refused' in verdict ? all.slice(0, verdict.refused.index - 1) : verdict.moves
  const positions = [deal(seed, variant)]
  for (const m of moves) positions.push(apply(variant, positions.at(-1)!, m)!)
  const result = 'result' in verdict ? verdict.result : resultOf(variant, positions.at(-1)!, moves)
  return {
    variant,
    seed,
    moves,
    positions,
    result,
    ...('refused' in verdict && { refused: verdict.refused }),
  }
}

/** A stretch of a game from one redeal to the next. The redeal belongs to the round that it ends. */
export interface Round {
  from: number // index of its first move
  to: number // of the move after its last
  home: number // cards on the foundations at its end
}

/** The rounds of a game so far; one at least. A redeal at the very end opens one that is still empty. */
export function roundsOf(moves: readonly Move[], positions: readonly Position[]): Round[] {
  const rounds: Round[] = []
  let from = 0
  const close = (to: number) => {
    rounds.push({ from, to, home: cardsHome(positions[to]!) })
    from = to
  }
  moves.forEach((m, i) => m.kind === 'redeal' && close(i + 1))
  close(moves.length)
  return rounds
}

/** The round, from 0, that a position after `at` moves belongs to: that of the move which led to it. */
export function roundAt(rounds: readonly Round[], at: number): number {
  const found = rounds.findIndex((r) => at <= r.to && (at > r.from || at === 0))
  return found < 0 ? rounds.length - 1 : found
}

/** Where the previous or next redeal leads from `at` moves: the ends of rounds, the deal and the end. */
export function jumpRound(rounds: readonly Round[], at: number, forward: boolean): number {
  const stops = [0, ...rounds.map((r) => r.to)]
  return forward ? (stops.find((s) => s > at) ?? at) : (stops.findLast((s) => s < at) ?? 0)
}

/** The move that an address asks for by "#m=37"; undefined where it asks for none. */
export function moveOfHash(hash: string): number | undefined {
  const found = /^#m=(\d{1,4})$/.exec(hash)
  return found ? Number(found[1]) : undefined
}

/** The index of the first move in which two games differ; undefined where one doesn't. */
export function partingOf(a: Film, b: Film): number | undefined {
  const most = Math.max(a.moves.length, b.moves.length)
  for (let i = 0; i < most; i++) {
    const [m, n] = [a.moves[i], b.moves[i]]
    if (!m || !n || !sameMove(m, n)) return i
  }
  return undefined
}

/** What a move is about, for words: the letter of the pile, and the card that moves first. */
export function meaningOf(p: Position, m: Move) {
  const top = (pile: number, under = 0) => p.piles[pile]!.at(-1 - under)!
  switch (m.kind) {
    case 'redeal':
      return { kind: m.kind } as const
    case 'return':
      return { kind: m.kind, rank: p.foundations[m.from]!, suit: m.from, to: pileLetters[m.to]! } as const
    case 'play':
      return {
        kind: m.kind,
        from: pileLetters[m.from]!,
        rank: rankOf(top(m.from)),
        suit: suitOf(top(m.from)),
      } as const
    case 'build': {
      const card = top(m.from, m.count - 1)
      return {
        kind: m.kind,
        from: pileLetters[m.from]!,
        to: pileLetters[m.to]!,
        count: m.count,
        rank: rankOf(card),
        suit: suitOf(card),
      } as const
    }
  }
}

/** The moment of another game of the same deal that goes with one: the same move of the same round. */
export function alongside(rounds: readonly Round[], others: readonly Round[], at: number): number {
  if (at === 0) return 0
  if (at === rounds.at(-1)!.to) return others.at(-1)!.to // both at their ends
  const r = roundAt(rounds, at)
  const [round, other] = [rounds[r]!, others[r]]
  if (!other) return others.at(-1)!.to // it was over by then
  return at === round.to ? other.to : Math.min(other.from + at - round.from, other.to)
}
