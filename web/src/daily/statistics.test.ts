import { expect, it } from 'vitest'
import type { PlayerStatistics } from '../api/schema.gen'
import { barsOf } from './statistics'

const statistics: PlayerStatistics = {
  variant: 'cruel',
  played: 9,
  won: 7,
  streak: { current: 2, best: 4, last_missed: '2026-11-28' },
  over_par: [
    { from: 0, to: 0, count: 1 },
    { from: 1, to: 1, count: 0 },
    { from: 2, to: 2, count: 0 },
    { from: 3, to: 5, count: 4 },
    { from: 6, to: 10, count: 1 },
    { from: 11, to: null, count: 1 },
  ],
  best_over_par: 0,
  not_won: 2,
}

const latest = (over_par: number | null, outcome: 'won' | 'stuck' = 'won') =>
  barsOf(statistics, { outcome, over_par }).findIndex((bar) => bar.marked)

it('has a bar for each distance and one for what wasn’t won', () => {
  const bars = barsOf(statistics, null)
  expect(bars.map((b) => b.count)).toEqual([1, 0, 0, 4, 1, 1, 2])
  expect(bars.map((b) => b.share)).toEqual([0.25, 0, 0, 1, 0.25, 0.25, 0.5])
  expect(bars.at(-1)).toMatchObject({ from: null, to: null })
  expect(bars.some((b) => b.marked)).toBe(false)
})

it('marks the one that the last game is in', () => {
  expect([0, 1, 3, 4, 5, 6, 10, 11, 500].map((n) => latest(n))).toEqual([0, 1, 3, 3, 3, 4, 4, 5, 5])
  expect(latest(null, 'stuck')).toBe(6)
  expect(latest(null)).toBe(-1) // won without a par
})

it('has no bar longer than the place for it, also without a game', () => {
  const none = { ...statistics, over_par: statistics.over_par.map((r) => ({ ...r, count: 0 })), not_won: 0 }
  expect(barsOf(none, null).every((b) => b.share === 0)).toBe(true)
})
