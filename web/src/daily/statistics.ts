// Distances from par as bars.

import type { BoardHistogram, PlayedDay } from '../api/schema.gen'

/** A line of the histogram; `from` null are the games that weren't won. */
export interface Bar {
  from: number | null
  to: number | null // null: no end
  count: number
  share: number // of the longest, 0 to 1
  marked: boolean // the game that is asked about is one of these
}

type Played = Pick<PlayedDay, 'outcome' | 'over_par'>

export function barsOf(counts: Pick<BoardHistogram, 'over_par' | 'not_won'>, marked: Played | null): Bar[] {
  const ranges: Pick<Bar, 'from' | 'to' | 'count'>[] = [
    ...counts.over_par,
    { from: null, to: null, count: counts.not_won },
  ]
  const longest = Math.max(1, ...ranges.map((r) => r.count))
  return ranges.map((r) => ({ ...r, share: r.count / longest, marked: marked !== null && holds(r, marked) }))
}

function holds({ from, to }: Pick<Bar, 'from' | 'to'>, game: Played): boolean {
  if (game.outcome !== 'won') return from === null
  if (from === null || game.over_par === null) return false
  return game.over_par >= from && (to === null || game.over_par <= to)
}

/** Fewer games say nothing on average. */
export const enoughGames = 5
