import { beforeEach, describe, expect, it, vi } from 'vitest'
import { readVectors } from '../engine/testing'
import { parseLog, variantOf, type Move } from '../engine'

vi.stubGlobal('addEventListener', () => {}) // settings.svelte.ts listens to other tabs
const { settings } = await import('../app/settings.svelte')
const { cardsByRound, inShort, shareText, signed } = await import('./share')

const cruel = variantOf('cruel')!
const won =
  'bC R ag R cC hC aH aD eH eC dH dC hH hH R gS fH iH ec R bC bh bD dD dC eC aC eH eH af aS bS fS fS R bD aH aS ' +
  'aC cH cD cC fC bD dD dH df dS fS fS aS eS eS eD cD bD bD eD' // 58 moves
const seed = 'g-s'
const day = { seed, date: '2026-11-30', par: { moves: 54, kind: 'proven', holder: null } } as const

function moves(log: string): Move[] {
  const read = parseLog(log)
  if ('refused' in read) throw new Error(read.refused.token)
  return read.moves
}

describe('in English', () => {
  beforeEach(() => void (settings.language = 'en'))

  it('tells of a win', () => {
    expect(shareText(day, cruel, moves(won))).toBe(
      'Cruel 30 Nov 2026: won in 58 moves (par 54, +4), 5 redeals\nCards home per round: 5, 5, 15, 18, 30, 52',
    )
  })

  it('of one at par, and of one without a par', () => {
    const atPar = { ...day, par: { ...day.par, moves: 58 } }
    expect(shareText(atPar, cruel, moves(won))).toContain('won in 58 moves (par 58), 5 redeals')
    expect(shareText({ ...day, par: null }, cruel, moves(won))).toContain('won in 58 moves, 5 redeals')
  })

  it('of a game that wasn’t won', () => {
    expect(shareText(day, cruel, moves('bC R'))).toBe(
      'Cruel 30 Nov 2026: not won, 5 of 52 cards home in 2 moves, 1 redeal\nCards home per round: 5, 5',
    )
  })

  it('of a deal without a day', () => {
    expect(shareText({ ...day, date: null }, variantOf('ripple-fan')!, moves('bC'))).toMatch(
      /^Ripple Fan, a shared deal: /,
    )
  })
})

it('tells of a win in German', () => {
  settings.language = 'de'
  expect(shareText(day, cruel, moves(won))).toBe(
    'Cruel, 30.11.2026: gewonnen in 58 Zügen (Par 54, +4), 5-mal neu ausgelegt\n' +
      'Abgelegte Karten je Runde: 5, 5, 15, 18, 30, 52',
  )
})

describe.each(['en', 'de'] as const)('whatever the game (%s)', (language) => {
  beforeEach(() => void (settings.language = language))

  it('the text has at most 200 characters', () => {
    const endless = moves(Array(4999).fill('R').join(' '))
    const name = variantOf('cruel-top-first')!
    expect(shareText(day, name, endless).length).toBeLessThanOrEqual(200)
    expect(shareText({ ...day, date: null }, name, endless).length).toBeLessThanOrEqual(200)
  })

  it('shows no card, no pile and no move', () => {
    const games = readVectors<{ variant: string; seed: string; log: string; result?: unknown }>(
      'games.json',
      'games',
    )
    for (const { variant, seed, log } of games.filter((g) => g.result).slice(0, 60)) {
      const text = shareText({ ...day, seed }, variantOf(variant)!, moves(log))
      expect(text).not.toMatch(/[♣♦♥♠]|\b[a-l][CDHS]\b|\b[A2-9TJQK][CDHS]\b/)
      expect(text).not.toContain(seed + ' ')
    }
  })
})

it('counts the cards home at the end of each round', () => {
  expect(cardsByRound(cruel, seed, [])).toEqual([4])
  expect(cardsByRound(cruel, seed, moves('bC'))).toEqual([5])
  expect(cardsByRound(cruel, seed, moves('R R'))).toEqual([4, 4, 4])
})

it('shortens a long row of numbers', () => {
  expect(inShort([4, 9])).toBe('4, 9')
  expect(inShort(Array.from({ length: 20 }, (_, i) => i + 10))).toBe(
    '10, 11, 12, 13, 14, 15, …, 25, 26, 27, 28, 29',
  )
})

it('writes distances with a sign', () => {
  expect([-2, 0, 4].map(signed)).toEqual(['−2', '0', '+4'])
})
