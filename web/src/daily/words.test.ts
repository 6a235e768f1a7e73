import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Hint, Standing, Verdict } from '../api/schema.gen'
import { apply, deal, parseMove, variantOf } from '../engine'

vi.stubGlobal('addEventListener', () => {}) // settings.svelte.ts listens to other tabs
const { settings } = await import('../app/settings.svelte')
const { hintWords, moveWords, verdictWords } = await import('./words')

beforeEach(() => void (settings.language = 'en'))

// The moves here are legal on the deal of seed "2".
const returns = variantOf('cruel-returns')!
const start = deal('2', returns)
const after = (...tokens: string[]) => tokens.reduce((p, t) => apply(returns, p, parseMove(t)!)!, start)

describe('a move in words', () => {
  it.each([
    ['cH', after('jS'), 'Pile c: two of hearts to its foundation.'],
    ['cd', after('jS', 'cH', 'R'), 'Pile c: four of diamonds onto five of diamonds in pile d.'],
    ['R', start, 'Redeal.'],
  ])('%s', (token, position, words) => {
    expect(moveWords(position, parseMove(token)!)).toBe(words)
  })

  it('in German', () => {
    settings.language = 'de'
    expect(moveWords(after('jS'), parseMove('cH')!)).toBe('Stapel c: Herz 2 auf die Ablage.')
  })
})

describe('a hint', () => {
  const cases: [string, Hint, number, string][] = [
    ['a move', { winnable: true, move: 'R', moves: 60 }, 3, 'Redeal. That win has 60 moves from here.'],
    ['lost', { winnable: false, move: null, moves: null }, 3, 'This can’t be won any more. Take moves back.'],
    ['lost from the start', { winnable: false, move: null, moves: null }, 0, 'This deal can’t be won.'],
    [
      'not found out',
      { winnable: null, move: null, moves: null },
      3,
      'No win was found in the time. That proves nothing.',
    ],
    [
      'back',
      { winnable: true, move: null, moves: 50 },
      3,
      'The way to a win leads back to where this game has been. Take moves back.',
    ],
    ['won', { winnable: true, move: null, moves: 0 }, 48, 'It is won.'],
  ]
  it.each(cases)('%s', (_, hint, moves, words) => {
    expect(hintWords(hint, start, moves)).toBe(words)
  })
})

describe('a verdict', () => {
  const best = { rank: 3, outcome: 'won', moves: 60, cards: 52 } as Standing
  const verdict = (v: Partial<Verdict>) =>
    verdictWords({ late: false, would_rank: null, personal_best: best, ...best, ...v } as Verdict)

  it('of a new best', () => {
    expect(verdict({ improved: true })).toBe('Checked by the server. It counts for the board.')
  })
  it('of the best once more', () => {
    expect(verdict({ improved: false })).toBe('Checked by the server, and on the board.')
  })
  it('of a worse game', () => {
    expect(verdict({ moves: 65, improved: false })).toBe(
      'Checked by the server. Your best here is still 60 moves, rank 3.',
    )
  })
  it('that came too late', () => {
    expect(verdict({ late: true, would_rank: 7, personal_best: null })).toBe(
      'Checked by the server, but too late for the board (it would be rank 7).',
    )
  })
})
