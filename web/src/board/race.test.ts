import { expect, test } from 'vitest'
import type { Race } from '../api/schema.gen'
import { seenBy } from './race'

const entrant = (id: string) => ({ player: { id, name: id, guest: false } })
const race = (part: Partial<Race>): Race =>
  ({
    state: 'finished',
    outcome: null,
    winner: null,
    entrants: [entrant('a'), entrant('b')],
    ...part,
  }) as Race

test('a race is won by one and lost by the other', () => {
  const won = race({ outcome: 'win', winner: { id: 'a', name: 'a', guest: false } })
  expect(seenBy(won, 'a').outcome).toBe('won')
  expect(seenBy(won, 'b').outcome).toBe('lost')
  expect(seenBy(won, 'b').other?.player.id).toBe('a')
})

test('a race without a winner says why', () => {
  expect(seenBy(race({ outcome: 'draw' }), 'a').outcome).toBe('draw')
  expect(seenBy(race({ outcome: 'no_contest' }), 'a').outcome).toBe('noContest')
  expect(seenBy(race({ state: 'cancelled' }), 'a').outcome).toBe('cancelled')
  expect(seenBy(race({ state: 'open' }), 'a').outcome).toBe('open')
  expect(seenBy(race({ state: 'countdown' }), 'a').outcome).toBe('running')
})
