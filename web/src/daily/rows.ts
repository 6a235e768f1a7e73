// The day's board in small: its top, and the rows about a player.

import type { Standing } from '../api/schema.gen'

export interface Row {
  standing: Standing
  gap: boolean // others, who aren't shown, are before it
}

/** Each player once, the best first, whichever list they came in. */
export function rowsOf(top: readonly Standing[], around: readonly Standing[] = []): Row[] {
  const known = new Set(top.map((s) => s.player.id))
  const more = around.filter((s) => !known.has(s.player.id))
  const follows = more.length < around.length || more[0]?.rank === top.length + 1
  const rows = new Map(top.map((standing): [string, Row] => [standing.player.id, { standing, gap: false }]))
  for (const standing of more) {
    rows.set(standing.player.id, { standing, gap: standing === more[0] && !follows && top.length > 0 })
  }
  return [...rows.values()]
}
