import { describe, expect, it } from 'vitest'
import type { Challenge } from '../api/schema.gen'
import { cardText, deal, variantOf } from '../engine'
import { faultOf, hasSuccessor, isToday, keepsItsWord, phaseOf, sealedUntil, variantName } from './challenge'

const seed = '2026-11-30-k3v9x2m8q4t7w5z1b6n0'

export function challenge(c: Partial<Challenge> = {}): Challenge {
  return {
    id: 'cruel-2026-11-30',
    kind: 'daily',
    variant: 'cruel',
    rules_version: 1,
    date: '2026-11-30',
    seed,
    deal: deal(seed, variantOf('cruel')!).piles.map((pile) => pile.map(cardText)),
    opens_at: '2026-11-30T00:00:00Z',
    closes_at: '2026-12-01T00:00:00Z',
    grace_until: '2026-12-01T00:10:00Z',
    next_opens_at: '2026-12-01T00:00:00Z',
    winnable: true,
    par: { moves: 57, kind: 'proven', holder: null },
    difficulty: 3,
    players: 0,
    winners: 0,
    commitment: null,
    ...c,
  }
}

const at = (time: string) => Date.parse(time)

describe('a challenge from the server', () => {
  it('is right when its deal is that of its seed', () => {
    expect(faultOf(challenge())).toBeUndefined()
    expect(faultOf(challenge({ variant: 'ripple-fan', id: 'ripple-fan-2026-11-30' }))).toBeUndefined()
  })

  it('is wrong with two cards exchanged', () => {
    const cards = challenge().deal.map((pile) => [...pile])
    ;[cards[0]![0], cards[5]![2]] = [cards[5]![2]!, cards[0]![0]!]
    expect(faultOf(challenge({ deal: cards }))).toBe('deal')
  })

  it('is wrong with the seed of another day', () => {
    expect(faultOf(challenge({ seed: '2026-11-29-x' }))).toBe('deal')
    expect(faultOf(challenge({ seed: 'No seed' }))).toBe('deal')
  })

  it('is wrong with the id of another day', () => {
    expect(faultOf(challenge({ id: 'cruel-2026-11-29' }))).toBe('deal')
  })

  it('is not for this page by other rules', () => {
    expect(faultOf(challenge({ rules_version: 2 }))).toBe('rules')
    expect(faultOf(challenge({ variant: 'new' as 'cruel' }))).toBe('rules')
  })
})

describe('midnight', () => {
  const day = challenge()
  it.each([
    ['2026-11-30T23:59:59.999Z', 'open', false, true],
    ['2026-12-01T00:00:00Z', 'grace', false, false], // by the server's clock it may still be yesterday
    ['2026-12-01T00:00:02Z', 'grace', true, false],
    ['2026-12-01T00:09:59.999Z', 'grace', true, false],
    ['2026-12-01T00:10:00Z', 'over', true, false],
  ] as const)('%s', (time, phase, successor, today) => {
    expect(phaseOf(day, at(time))).toBe(phase)
    expect(hasSuccessor(day, at(time))).toBe(successor)
    expect(isToday(day, 'cruel', at(time))).toBe(today)
  })

  it('a shared challenge has no successor and is nobody’s today', () => {
    const shared = challenge({ kind: 'shared', date: null, id: 'x', next_opens_at: null })
    expect(hasSuccessor(shared, at('2027-01-01T00:00:00Z'))).toBe(false)
    expect(isToday(shared, 'cruel', at('2026-11-30T12:00:00Z'))).toBe(false)
  })

  it('the day of another variant isn’t today’s', () => {
    expect(isToday(day, 'ripple-fan', at('2026-11-30T12:00:00Z'))).toBe(false)
    expect(isToday(day, 'cruel', at('2026-11-29T23:59:59Z'))).toBe(false)
  })
})

it('a daily is sealed until its grace ends, a shared challenge until it closes', () => {
  expect(sealedUntil(challenge())).toBe('2026-12-01T00:10:00Z')
  expect(sealedUntil(challenge({ kind: 'shared' }))).toBe('2026-12-01T00:00:00Z')
})

it('knows whether a commitment was to this seed', () => {
  const commitment = {
    date: '2026-11-30',
    hash: '6a71cff9678fd101d7592a0f8665dfd429c4924d61636c2787d1dc0e21a08a67',
    committed_at: '2026-11-24T00:00:00Z',
    beforehand: true,
  }
  expect(keepsItsWord(challenge())).toBeNull()
  expect(keepsItsWord(challenge({ commitment }))).toBe(true)
  expect(keepsItsWord(challenge({ commitment, seed: '1' }))).toBe(false)
})

it('names variants', () => {
  expect(variantName('cruel')).toBe('Cruel')
  expect(variantName('limited-cruel-3')).toBe('Limited Cruel 3')
})
