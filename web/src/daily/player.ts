// A player's days and what they come to.

import { api, call, ProblemError } from '../api/client'
import type { PlayedDay, PlayerStatistics, VariantId } from '../api/schema.gen'

export interface Days {
  statistics: PlayerStatistics
  latest: PlayedDay | null // the last day that they have a result of
}

/** null: there is no such player. */
export async function loadDays(name: string, variant: VariantId): Promise<Days | null> {
  const path = { name }
  const fresh = { cache: 'no-cache' } as const
  try {
    const [statistics, days] = await Promise.all([
      call(api.GET('/v1/players/{name}/statistics', { params: { path, query: { variant } }, ...fresh })),
      call(api.GET('/v1/players/{name}/days', { params: { path, query: { variant, limit: 1 } }, ...fresh })),
    ])
    return { statistics, latest: days.items[0] ?? null }
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return null
    throw error
  }
}
