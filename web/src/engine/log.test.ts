import { describe, expect, test } from 'vitest'
import {
  apply,
  better,
  deal,
  isWon,
  logText,
  mostMoves,
  parseLog,
  parseMove,
  variantOf,
  verify,
  type Result,
} from './index'
import { allTokens, readVectors } from './testing'

const cruel = variantOf('cruel')!

interface Game {
  variant: string
  seed: string
  log: string
  result: { outcome?: string }
}

const won = readVectors<Game>('games.json', 'games').filter(({ result }) => result.outcome === 'won')

describe('parseLog', () => {
  test('any space of the four between tokens, and one when written', () => {
    const read = parseLog(' \r\n\taH\t ab4\r\n\nSd R ')
    expect('moves' in read && logText(read.moves)).toBe('aH ab4 Sd R')
    expect(parseLog('')).toEqual({ moves: [] })
    expect(parseLog(' \t\r\n')).toEqual({ moves: [] })
    expect(logText([])).toBe('')
  })
  // case V11: texts that are no logs.
  test.each([
    ...[
      '1.5',
      '1e400',
      '"3"',
      'null',
      'true',
      '-0',
      '[[[',
      'x',
      'r',
      'RR',
      'AB',
      '\ufeffR',
      'R\0',
      'R\u00a0R',
      'R\vR',
    ],
    ...['R,R', 'R\u2028R', 'R\fR', '\ud800'],
  ])('%j is refused', (text) => {
    expect(parseLog(text)).toEqual({ refused: { index: 1, token: text, code: 'syntax' } })
    expect(verify(cruel, '0', text)).toEqual(parseLog(text))
  })
  test('a long token is shown by its first 20 characters', () => {
    expect(parseLog('é'.repeat(100_000))).toEqual({
      refused: { index: 1, token: 'é'.repeat(20), code: 'syntax' },
    })
    expect(parseLog('🂡'.repeat(30))).toEqual({ refused: { index: 1, token: '🂡'.repeat(20), code: 'syntax' } })
  })
})

describe('verify', () => {
  const { variant, seed, log } = won[0]!
  const v = variantOf(variant)!
  const end = log.split(' ').length + 1
  test.each([
    ['syntax', 'R aX R', 2, 'aX', 'syntax'],
    ['illegal', 'R aa R', 2, 'aa', 'illegal'],
    ['syntax goes before illegal', 'aa R R x', 4, 'x', 'syntax'],
    ['the first illegal one', 'R aa bb cc', 2, 'aa', 'illegal'],
    ['after the win', log + ' R', end, 'R', 'after_win'],
    ['after the win, illegal too', log + ' aa', end, 'aa', 'after_win'],
    ['syntax goes before a win', log + ' R x', end + 1, 'x', 'syntax'],
    ['too long goes before illegal', 'aa' + ' R'.repeat(mostMoves), mostMoves + 1, 'R', 'too_long'],
    ['too long stops the reading', 'R '.repeat(mostMoves) + '? !', mostMoves + 1, '?', 'too_long'],
  ])('%s', (_, log, index, token, code) => {
    expect(verify(v, seed, log)).toEqual({ refused: { index, token, code } })
  })

  // case V08: a log at the limit is taken, and a flood costs no more.
  test('a log at the limit is taken; a flood is read no further', () => {
    expect(verify(cruel, 'cruel', 'R '.repeat(mostMoves))).toMatchObject({ result: { moves: mostMoves } })
    expect(parseLog('R '.repeat(1_000_000))).toMatchObject({ refused: { index: mostMoves + 1 } })
  })

  // case R04: redeals that change nothing count a move and a redeal each.
  test('redeals count', () => {
    expect(verify(cruel, 'cruel', 'R R R')).toEqual({
      result: { outcome: 'unfinished', moves: 3, plays: 0, builds: 0, returns: 0, redeals: 3, cards: 4 },
      moves: Array(3).fill({ kind: 'redeal' }),
    })
  })

  // case V02: no proper prefix of a winning log wins.
  test('prefixes of a win', () => {
    for (let n = 0; n < log.length; n++) {
      const prefix = log.slice(0, n)
      const got = verify(v, seed, prefix)
      const tokens = prefix.split(' ').filter(Boolean).length
      if ('refused' in got) expect(got.refused.index).toBe(tokens)
      else expect(got.result).toMatchObject({ moves: tokens, outcome: expect.not.stringContaining('won') })
    }
  })

  // case V03: an illegal alternative to a move of a winning log is refused at its place.
  test('changed moves of a win', () => {
    const tokens = log.split(' ')
    let p = deal(seed, v)
    tokens.forEach((right, i) => {
      for (let k = i; k < allTokens.length; k += 61) {
        const token = allTokens[k]!
        if (apply(v, p, parseMove(token)!)) continue
        const got = verify(v, seed, tokens.with(i, token).join(' '))
        expect(got).toEqual({ refused: { index: i + 1, token, code: 'illegal' } })
      }
      p = apply(v, p, parseMove(right)!)!
    })
    expect(isWon(p)).toBe(true)
  })
})

test('better: wins, then fewer moves; else more cards, then fewer moves', () => {
  const result = (outcome: Result['outcome'], moves: number, cards: number) => ({ outcome, moves, cards })
  const results = [
    result('won', 48, 52),
    result('won', 90, 52),
    result('stuck', 10, 30),
    result('unfinished', 11, 30),
    result('unfinished', 0, 4),
    result('stuck', 1, 4),
  ]
  results.forEach((a, i) => results.forEach((b, j) => expect(better(a, b)).toBe(i < j)))
  expect(better(result('stuck', 10, 30), result('unfinished', 10, 30))).toBe(false)
  expect(better(result('unfinished', 10, 30), result('stuck', 10, 30))).toBe(false)
})
