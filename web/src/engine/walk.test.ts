import { describe, expect, test } from 'vitest'
import {
  apply,
  canMove,
  cardOf,
  cardsHome,
  finish,
  isWon,
  legalMoves,
  logText,
  moveText,
  outcomeOf,
  parseLog,
  parseMove,
  parseRecord,
  pileMoves,
  recordText,
  redealt,
  refusalOf,
  runLength,
  sameCards,
  stranded,
  variantOf,
  variants,
  verify,
  type Position,
  type Variant,
} from './index'
import { allTokens, deepFreeze, pick, randomFrom, randomWalk, readVectors, type Walk } from './testing'

const walksPerVariant = 25

/** All 52 cards of a position, sorted. */
function allCards(p: Position): number[] {
  const home = p.foundations.flatMap((rank, suit) =>
    Array.from({ length: rank }, (_, i) => cardOf(i + 1, suit)),
  )
  return [...home, ...p.piles.flat()].sort((a, b) => a - b)
}

const pack = Array.from({ length: 52 }, (_, i) => i + 4)

/** The position before and after each move of the walks, which are frozen: a change to one would throw. */
function* steps(walks: Walk[]) {
  for (const { moves, positions } of walks) {
    for (const [i, m] of moves.entries()) yield { m, before: positions[i]!, after: positions[i + 1]! }
  }
}

describe.each(variants)('walks of $id', (v) => {
  const random = randomFrom(1)
  const walks = Array.from({ length: walksPerVariant }, (_, i) => randomWalk(v, `walk-${i}`, i * 10, random))
  const positions = walks.flatMap((walk) => walk.positions)

  test('a position holds the 52 cards; its piles have no Ace and at most 15', () => {
    for (const p of positions) {
      if (allCards(p).join() !== pack.join()) expect(allCards(p)).toEqual(pack)
      expect(p.piles.every((pile) => pile.length <= 15 && pile.every((card) => card >= 8))).toBe(true)
    }
  })

  test('what a move leaves as it was is the same object', () => {
    for (const { m, before, after } of steps(walks)) {
      before.piles.forEach((pile, i) => {
        const other = after.piles[i]!
        if (pile !== other) expect(sameCards(pile, other), moveText(m)).toBe(false)
      })
      if (m.kind === 'build' || m.kind === 'redeal') expect(after.foundations).toBe(before.foundations)
      expect(after.redealsLeft).toBe(before.redealsLeft - (m.kind === 'redeal' ? 1 : 0))
      if (m.kind === 'redeal') expect(after).toEqual(redealt(v, before))
    }
  })

  test('the legal moves are in order and all; every other one is refused for a reason', () => {
    for (const p of positions.filter((_, i) => i % 40 === 0)) {
      const legal = legalMoves(v, p).map(moveText)
      expect(legal).toEqual([...new Set(legal)].sort())
      expect(canMove(v, p)).toBe(legal.some((token) => token !== 'R'))
      expect(p.piles.flatMap((_, from) => pileMoves(v, p, from).map(moveText))).toEqual(
        legal.filter((token) => /^[a-l]/.test(token)),
      )
      const accepted: string[] = []
      for (const token of allTokens) {
        const m = parseMove(token)!
        const taken = apply(v, p, m) !== undefined
        if (taken) accepted.push(token)
        if (taken !== (refusalOf(v, p, m) === undefined))
          expect.fail(`${token}: ${taken}, but ${refusalOf(v, p, m)?.why}`)
      }
      expect(accepted.sort()).toEqual(legal)
    }
  })

  test('a pile is stranded when none of its cards can be moved, and waits for cards that are there', () => {
    for (const p of positions.filter((_, i) => i % 10 === 0)) {
      p.piles.forEach((pile, i) => {
        const refusal = stranded(v, p, i)
        if (pile.length === 0) return expect(refusal).toEqual({ why: 'empty_pile' })
        expect(refusal === undefined).toBe(pileMoves(v, p, i).length > 0)
        if (!refusal) return
        expect(pile.slice(pile.length - runLength(v, pile))).toContain(refusal.card)
        for (const card of refusal.needs!) {
          const where = refusal.where!.filter((place) => place.card === card)
          const lies = p.piles.findIndex((pile) => pile.includes(card))
          expect(where).toEqual(
            lies < 0 ? [] : [{ card, pile: lies, under: p.piles[lies]!.toReversed().indexOf(card) }],
          )
        }
        expect(refusal.needs).not.toEqual([])
      })
    }
  })

  test('a game is stuck when no card can be moved after any number of redeals', () => {
    for (const p of positions) expect(outcomeOf(v, p)).toBe(slowOutcome(v, p))
  })

  test('a log reads back, and verify agrees with playing by hand', () => {
    for (const [i, { moves, log, result }] of walks.entries()) {
      expect(parseLog(log)).toEqual({ moves })
      expect(verify(v, `walk-${i}`, log)).toEqual({ result, moves })
      expect(result.plays + result.builds + result.returns + result.redeals).toBe(result.moves)
      expect(result.cards).toBe(4 + result.plays - result.returns)
      expect(result.outcome === 'won').toBe(result.cards === 52)
    }
  })

  test('a record reads back', () => {
    for (const [i, { moves, result }] of walks.entries()) {
      const headers = i % 2 ? [{ name: 'Player', value: `Ada ${i}` }] : []
      const record = {
        variant: v,
        seed: `walk-${i}`,
        log: moves,
        result: result.outcome,
        moves: result.moves,
        headers,
      }
      expect(parseRecord(recordText(record))).toEqual({ record })
    }
  })

  test('positions that were kept are the way back', () => {
    for (const { moves, positions } of walks) {
      const back = Math.floor(random() * (moves.length + 1))
      const again = moves.slice(back).reduce<Position>((p, m) => apply(v, p, m)!, positions[back]!)
      expect(again).toEqual(positions.at(-1))
      expect(allCards(positions[0]!)).toEqual(pack)
    }
  })

  test('plays finish a game exactly where plays in any order do', () => {
    const games = readVectors<{ variant: string; seed: string; log: string; result: { outcome?: string } }>(
      'games.json',
      'games',
    ).filter((game) => game.variant === v.id && game.result.outcome === 'won')
    let finished = 0
    for (const { seed, log } of games) {
      const won = verify(v, seed, log)
      if ('refused' in won) throw new Error(`${seed} is refused`)
      let p = randomWalk(v, seed, 0, random).positions[0]!
      for (const m of won.moves) {
        const plays = finish(v, p)
        expect(plays !== undefined).toBe(winsByPlays(v, p, random))
        if (plays) {
          finished++
          expect(plays.every(({ kind }) => kind === 'play')).toBe(true)
          expect(plays).toHaveLength(52 - cardsHome(p))
          const end = plays.reduce<Position>((p, m) => apply(v, p, m)!, p)
          expect(isWon(end)).toBe(true)
        }
        p = deepFreeze(apply(v, p, m)!)
      }
      expect(finish(v, p)).toBeUndefined()
    }
    expect(finished).toBeGreaterThan(0)
    for (const p of positions) expect(finish(v, p) !== undefined).toBe(winsByPlays(v, p, random))
  })
})

/** The outcome as rule 10 says it: a program follows the redeals until a layout repeats. */
function slowOutcome(v: Variant, p: Position) {
  if (isWon(p)) return 'won'
  const seen = new Set<string>()
  for (; legalMoves(v, p).every(({ kind }) => kind === 'redeal'); p = redealt(v, p)) {
    const text = JSON.stringify(p.piles)
    if (p.redealsLeft === 0 || seen.has(text)) return 'stuck'
    seen.add(text)
  }
  return 'unfinished'
}

function winsByPlays(v: Variant, p: Position, random: () => number): boolean {
  if (isWon(p)) return false
  for (;;) {
    const plays = legalMoves(v, p).filter(({ kind }) => kind === 'play')
    if (plays.length === 0) return isWon(p)
    p = apply(v, p, pick(plays, random))!
  }
}

test('walks are the same every time, and differ from seed to seed', () => {
  const v = variantOf('cruel')!
  const log = (seed: string) => randomWalk(v, seed, 50, randomFrom(7)).log
  expect(log('a')).toBe(log('a'))
  expect(log('a')).not.toBe(log('b'))
  expect(logText(randomWalk(v, 'a', 50, randomFrom(7)).moves)).toBe(log('a'))
})
