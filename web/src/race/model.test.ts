import { describe, expect, test } from 'vitest'
import type { Entrant, Race, RaceEvent } from '../api/schema.gen'
import {
  after,
  changes,
  goesOn,
  isSettled,
  may,
  newer,
  outOfReach,
  reasonOf,
  seatOf,
  type Act,
} from './model'
import { entrant, race } from './testing'

const at = '2026-11-30T12:00:00Z'
const running = race('running', [entrant('ana', { state: 'racing' }), entrant('ben', { state: 'racing' })])
const progress = (player_id: string, cards: number, moves: number): RaceEvent => ({
  type: 'progress',
  at,
  player_id,
  cards,
  moves,
})

describe('what is known', () => {
  test('an older answer never takes the place of a newer event', () => {
    const now = after(running, 'kqtwzv-8', progress('ben', 9, 12))!
    expect(now.entrants[1]).toMatchObject({ cards: 9, moves: 12 })
    expect(now.event_id).toBe(8)
    expect(newer(now, running)).toBe(now)
    const later = race('finished', running.entrants, { event_id: 9 })
    expect(newer(now, later)).toBe(later)
  })

  test('progress that a newer race has in it already changes nothing', () => {
    expect(after(running, 'kqtwzv-7', progress('ben', 9, 12))).toBe(running)
    expect(after(running, 'nonsense', progress('ben', 9, 12))).toBe(running)
    expect(after(null, 'kqtwzv-7', progress('ben', 9, 12))).toBe(null)
  })

  test('an event whose race is ahead of it is taken as it is', () => {
    const ahead = race('finished', running.entrants, { event_id: 12 })
    expect(after(running, 'kqtwzv-8', { type: 'finished', at, race: ahead })).toBe(ahead)
    expect(after(ahead, 'kqtwzv-9', { type: 'over', at, race: race('finished', [], { event_id: 9 }) })).toBe(
      ahead,
    )
  })

  test('seats', () => {
    expect([seatOf(running, 'ben'), seatOf(running, 'cem'), seatOf(running, undefined)]).toEqual([1, -1, -1])
  })
})

describe('what one may do', () => {
  const acts: Act[] = [
    'join',
    'ready',
    'unready',
    'leave',
    'progress',
    'finish',
    'forfeit',
    'unforfeit',
    'rematch',
  ]
  const allowed = (r: Race, seat: number) => acts.filter((a) => may(r, seat, a)).join(' ')
  const two = (state: Race['state'], a: Entrant['state'], b: Entrant['state'], more: Partial<Race> = {}) =>
    race(state, [entrant('ana', { state: a }), entrant('ben', { state: b })], more)

  test.each([
    ['a free seat, a stranger', race('open', [entrant('ana')]), -1, 'join'],
    ['no free seat', two('open', 'joined', 'joined'), -1, ''],
    ['joined', two('open', 'joined', 'ready'), 0, 'ready leave'],
    ['ready', two('open', 'joined', 'ready'), 1, 'unready leave'],
    ['countdown', two('countdown', 'ready', 'ready'), 1, 'unready leave'],
    ['racing', running, 0, 'progress finish forfeit'],
    ['forfeited', two('running', 'forfeited', 'racing'), 0, 'unforfeit'],
    ['finished first', two('running', 'finished', 'racing'), 0, ''],
    ['over', two('finished', 'finished', 'beaten'), 1, 'rematch'],
    ['over with a next one', two('finished', 'finished', 'beaten', { next_code: 'abcdef' }), 1, ''],
    ['a series that goes on', two('finished', 'finished', 'beaten', { best_of: 3 }), 1, ''],
    ['over, a stranger', two('finished', 'finished', 'beaten'), -1, ''],
    ['cancelled', two('cancelled', 'joined', 'joined'), 0, ''],
  ])('%s', (_, r, seat, want) => expect(allowed(r, seat)).toBe(want))

  test('not with somebody who is gone, or twice', () => {
    const gone = entrant('ben', { player: { id: 'ben', name: null, guest: false } })
    expect(may(race('finished', [entrant('ana'), gone]), 0, 'rematch')).toBe(false)
    expect(may(race('finished', [entrant('ana', { rematch: true }), entrant('ben')]), 0, 'rematch')).toBe(
      false,
    )
  })

  test.each([
    [1, 1, 1, 0, false],
    [3, 1, 1, 0, true],
    [3, 2, 1, 1, true],
    [3, 2, 2, 0, false],
    [3, 3, 1, 1, false],
    [5, 3, 2, 1, true],
  ])('best of %i after game %i, %i:%i', (best_of, game, a, b, want) => {
    const wins = [entrant('ana', { wins: a }), entrant('ben', { wins: b })]
    expect(goesOn(race('finished', wins, { best_of, game }))).toBe(want)
  })

  test('a race is settled when nothing can come of it', () => {
    const over = race('finished', [], { ends_at: at })
    const min = 60_000
    expect(isSettled(over, Date.parse(at) + 34 * min)).toBe(false)
    expect(isSettled(over, Date.parse(at) + 36 * min)).toBe(true)
    expect(isSettled({ ...over, next_code: 'abcdef' }, Date.parse(at))).toBe(true)
    expect(isSettled(race('cancelled', []), Date.parse(at))).toBe(true)
    expect(isSettled(running, Infinity)).toBe(false)
  })
})

test('a win can be out of reach', () => {
  const won = entrant('ben', { state: 'finished', cards: 52, moves: 61 })
  const against = (other: Entrant, more = {}) =>
    race('running', [entrant('ana', { state: 'racing' }), other], more)
  expect(outOfReach(against(won), 0, 60)).toBe(undefined)
  expect(outOfReach(against(won), 0, 61)).toBe(61) // a tie is the earlier one's
  expect(outOfReach(against({ ...won, cards: 40 }), 0, 99)).toBe(undefined)
  expect(outOfReach(against({ ...won, state: 'racing' }), 0, 99)).toBe(undefined)
  expect(outOfReach(against(won, { goal: 'first_win' }), 0, 99)).toBe(undefined)
})

test.each([
  ['finished', 52, 60, 'finished', 52, 61, 'ana', 'fewest_moves', 'fewer_moves'],
  ['finished', 52, 60, 'finished', 52, 60, 'ben', 'fewest_moves', 'earlier'],
  ['finished', 52, 60, 'finished', 52, 60, null, 'fewest_moves', 'same_moment'],
  ['finished', 52, 60, 'out_of_time', 40, 50, 'ana', 'fewest_moves', 'only_win'],
  ['finished', 52, 60, 'beaten', 40, 50, 'ana', 'first_win', 'first_win'],
  ['out_of_time', 30, 60, 'finished', 40, 50, 'ben', 'first_win', 'more_cards'],
  ['out_of_time', 30, 60, 'finished', 30, 50, 'ben', 'fewest_moves', 'same_cards'],
  ['out_of_time', 30, 60, 'finished', 30, 60, null, 'fewest_moves', 'equal'],
  ['forfeited', 30, 60, 'racing', 4, 0, 'ben', 'fewest_moves', 'forfeit'],
  ['forfeited', 30, 60, 'forfeited', 30, 60, undefined, 'fewest_moves', 'both_forfeited'],
  ['finished', 4, 0, 'out_of_time', 4, 3, undefined, 'fewest_moves', 'no_cards'],
] as const)('why: %s %i/%i, %s %i/%i', (sa, ca, ma, sb, cb, mb, winner, goal, want) => {
  const entrants = [
    entrant('ana', { state: sa, cards: ca, moves: ma }),
    entrant('ben', { state: sb, cards: cb, moves: mb }),
  ]
  const outcome = winner === undefined ? 'no_contest' : winner ? 'win' : 'draw'
  const who = entrants.find((e) => e.player.id === winner)?.player ?? null
  expect(reasonOf(race('finished', entrants, { goal, outcome, winner: who }))).toBe(want)
})

describe('what is worth a word', () => {
  const open = race('open', [entrant('ana')])
  const joined = race('open', [entrant('ana'), entrant('ben')])
  const counting = race('countdown', [entrant('ana', { state: 'ready' }), entrant('ben', { state: 'ready' })])
  const ben = (more: Partial<Entrant>) => ({
    ...running,
    entrants: [running.entrants[0]!, entrant('ben', more)],
  })

  test.each([
    ['joined', open, joined, [{ what: 'joined', seat: 1 }]],
    ['left', joined, open, [{ what: 'left', seat: 1 }]],
    ['off', counting, joined, ['off', 'unready', 'unready']],
    ['started', counting, running, [{ what: 'started' }]],
    ['a few cards', running, ben({ state: 'racing', cards: 12, moves: 20 }), []],
    ['many', running, ben({ state: 'racing', cards: 27, moves: 40 }), ['cards']],
    ['finished', running, ben({ state: 'finished', cards: 52, moves: 61 }), ['finished']],
    ['forfeited', running, ben({ state: 'forfeited' }), ['forfeited']],
    ['again', ben({ state: 'forfeited' }), running, ['unforfeited']],
  ])('%s', (_, before, now, want) => {
    const got = changes(before, now)
    if (typeof want[0] === 'string') expect(got.map((c) => c.what)).toEqual(want)
    else expect(got).toEqual(want)
  })
})
