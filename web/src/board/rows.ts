// The rows of a board that are shown: pages of it that came at different times, while results came in.

import type { Standing } from '../api/schema.gen'
import { better } from '../engine'

type Row = Pick<Standing, 'player' | 'outcome' | 'moves' | 'cards' | 'verified_at'>

/** Rows in the order of the board, one a player. What came later is true: a player may have moved meanwhile. */
export function merged<R extends Row>(shown: readonly R[], came: readonly R[]): R[] {
  const byPlayer = new Map([...shown, ...came].map((row) => [row.player.id, row]))
  return [...byPlayer.values()].sort(inOrder)
}

/** As the server sorts: the better result first, of equal ones the earlier. */
export function inOrder(a: Row, b: Row): number {
  if (better(a, b)) return -1
  return better(b, a) ? 1 : Date.parse(a.verified_at) - Date.parse(b.verified_at)
}
