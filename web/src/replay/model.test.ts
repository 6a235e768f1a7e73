import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { variantOf } from '../engine'
import { alongside, filmOf, jumpRound, moveOfHash, partingOf, roundAt, roundsOf } from './model'

const { games } = JSON.parse(
  readFileSync(new URL('../../../engine/testdata/games.json', import.meta.url), 'utf8'),
)
const won = games.find((g: { result: { outcome: string } }) => g.result?.outcome === 'won')
const cruel = variantOf('cruel')!

describe('a film', () => {
  test('has a position more than moves, and the result that the log proves', () => {
    const film = filmOf(variantOf(won.variant)!, won.seed, won.log)
    expect(film.positions).toHaveLength(film.moves.length + 1)
    expect(film.result).toEqual(won.result)
    expect(film.refused).toBeUndefined()
  })
  test('of a log that does not hold ends before the move', () => {
    const film = filmOf(cruel, '2', 'jS cH R aa')
    expect(film.refused).toMatchObject({ index: 4, token: 'aa', code: 'illegal' })
    expect(film.moves).toHaveLength(3)
  })
  test('of a log with a syntax error has no moves before it is read', () => {
    expect(filmOf(cruel, '2', 'jS ?').moves).toHaveLength(0)
  })
})

describe('rounds', () => {
  const film = filmOf(cruel, '2', 'jS cH R cd R eC')
  const rounds = roundsOf(film.moves, film.positions)
  test('end with their redeals', () => {
    expect(rounds).toEqual([
      { from: 0, to: 3, home: 6 },
      { from: 3, to: 5, home: 6 },
      { from: 5, to: 6, home: 7 },
    ])
  })
  test.each([
    [0, 0],
    [1, 0],
    [3, 0],
    [4, 1],
    [5, 1],
    [6, 2],
  ])('after %i moves it is round %i', (at, round) => {
    expect(roundAt(rounds, at)).toBe(round)
  })
  test.each([
    [0, true, 3],
    [3, true, 5],
    [6, true, 6],
    [6, false, 5],
    [4, false, 3],
    [0, false, 0],
  ])('from %i forward=%s leads to %i', (at, forward, to) => {
    expect(jumpRound(rounds, at, forward)).toBe(to)
  })
  test('a game without a move has one', () => {
    const empty = filmOf(cruel, '2', '')
    expect(roundsOf(empty.moves, empty.positions)).toEqual([{ from: 0, to: 0, home: 4 }])
  })
})

test('an address names a move', () => {
  expect(moveOfHash('#m=37')).toBe(37)
  expect(moveOfHash('#m=0')).toBe(0)
  for (const bad of ['', '#', '#m=', '#m=-1', '#m=12345', '#m=1x']) expect(moveOfHash(bad)).toBeUndefined()
})

test('two games go on by rounds, and end together', () => {
  const of = (log: string) => {
    const { moves, positions } = filmOf(cruel, '2', log)
    return roundsOf(moves, positions)
  }
  const [short, long] = [of('jS cH R cd'), of('jS R cH R cd R eC')] // rounds to 3, 4; and to 2, 4, 6, 7
  expect([0, 1, 2, 3, 4].map((at) => alongside(short, long, at))).toEqual([0, 1, 2, 2, 7])
  expect([0, 1, 2, 3, 4, 5, 6, 7].map((at) => alongside(long, short, at))).toEqual([0, 1, 3, 4, 4, 4, 4, 4])
})

test('two games part at their first difference', () => {
  const of = (log: string) => filmOf(cruel, '2', log)
  expect(partingOf(of('jS cH'), of('jS cH'))).toBeUndefined()
  expect(partingOf(of('jS cH'), of('jS R'))).toBe(1)
  expect(partingOf(of('jS'), of('jS R'))).toBe(1)
})
