import { expect, test } from 'vitest'
import {
  apply,
  cardText,
  deal,
  isSeed,
  legalMoves,
  logText,
  moveText,
  outcomeOf,
  parseLog,
  variantOf,
  variants,
  verify,
  type Outcome,
  type Position,
  type RefusedMove,
  type Result,
  type Variant,
} from './index'
import { readVectors } from './testing'

interface Game {
  variant: string
  seed: string
  log: string
  result: Result | { error: RefusedMove['code']; index: number; token: string }
}

function mustVariant(id: string): Variant {
  const v = variantOf(id)
  if (!v) throw new Error(`no variant ${id}`)
  return v
}

function pileTexts(p: Position): string[] {
  return p.piles.map((pile) => pile.map(cardText).join(' '))
}

/** The position that a log of the vectors leads to. */
function played(v: Variant, seed: string, log: string): Position {
  const read = parseLog(log)
  if ('refused' in read) throw new Error(`${seed}: ${log} is refused`)
  return read.moves.reduce(
    (p, m) => {
      const next = apply(v, p, m)
      if (!next) throw new Error(`${seed}: ${moveText(m)} is refused`)
      return next
    },
    deal(seed, v),
  )
}

test('deals: seeds give their piles, in every variant', () => {
  for (const { seed, piles } of readVectors<{ seed: string; piles: string[] }>('deals.json', 'deals')) {
    for (const v of variants) {
      const p = deal(seed, v)
      expect(pileTexts(p), `${v.id} ${seed}`).toEqual(piles)
      expect(p.foundations).toEqual([1, 1, 1, 1])
      expect(p.redealsLeft).toBe(v.redeals ?? Infinity)
    }
  }
})

test('deals: texts that are no seeds', () => {
  for (const text of readVectors<string>('deals.json', 'refused')) {
    expect(isSeed(text), text).toBe(false)
    expect(() => deal(text, variants[0]!)).toThrow(RangeError)
  }
})

test.each(['games.json', 'edge.json'])('%s: each log gives its result or its refusal', (file) => {
  for (const { variant, seed, log, result } of readVectors<Game>(file, 'games')) {
    const got = verify(mustVariant(variant), seed, log)
    const name = `${variant} ${seed} ${log.slice(0, 100)}`
    if ('error' in result) {
      const { error: code, index, token } = result
      expect(got, name).toEqual({ refused: { index, token, code } })
    } else {
      const read = parseLog(log)
      expect(got, name).toEqual({ result, ...read })
      if ('moves' in read) expect(parseLog(logText(read.moves)), name).toEqual(read)
    }
  }
})

// case R14: the shared positions with their legal moves and outcomes.
test('positions: logs lead to them, with these legal moves and outcomes', () => {
  interface Vector {
    variant: string
    seed: string
    log: string
    foundations: string[]
    piles: string[]
    legal: string[]
    outcome: Outcome
  }
  for (const want of readVectors<Vector>('positions.json', 'positions')) {
    const v = mustVariant(want.variant)
    const p = played(v, want.seed, want.log)
    const name = `${want.variant} ${want.seed}`
    expect(
      p.foundations.map((rank, suit) => cardText(rank * 4 + suit)),
      name,
    ).toEqual(want.foundations)
    expect(pileTexts(p), name).toEqual(want.piles)
    expect(legalMoves(v, p).map(moveText), name).toEqual(want.legal)
    expect(outcomeOf(v, p), name).toBe(want.outcome)
  }
})

test('par: a deal that can be won is unfinished before the first move', () => {
  for (const { variant, seed, winnable } of readVectors<{ variant: string; seed: string; winnable: boolean }>(
    'par.json',
    'par',
  )) {
    const v = mustVariant(variant)
    if (winnable) expect(outcomeOf(v, deal(seed, v)), `${variant} ${seed}`).toBe('unfinished')
  }
})

test('every variant has vectors, and a won game among them', () => {
  const won = readVectors<Game>('games.json', 'games').filter(
    ({ result }) => 'outcome' in result && result.outcome === 'won',
  )
  const positions = readVectors<{ variant: string }>('positions.json', 'positions')
  for (const { id } of variants) {
    expect(won.map(({ variant }) => variant)).toContain(id)
    expect(positions.map(({ variant }) => variant)).toContain(id)
  }
})
