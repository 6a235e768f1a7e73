import { api, call } from '../api/client'
import type { PlayedDay, VariantId } from '../api/schema.gen'

/** A player's results of the dailies of a variant by their day, as far back as was asked for. */
export class PlayedDays {
  byDate = $state.raw<Record<string, PlayedDay>>({})
  private cursor: string | null | undefined = undefined // null: no more; undefined: not begun
  private oldest = '9999'
  private last: Promise<void> = Promise.resolve()

  constructor(
    readonly name: string,
    readonly variant: VariantId,
  ) {}

  /** Loads back to a day. One call after the other, since the server gives the newest first. */
  reach(day: string): Promise<void> {
    this.last = this.last.catch(() => {}).then(() => this.load(day))
    return this.last
  }

  private async load(day: string): Promise<void> {
    while (this.cursor !== null && this.oldest > day) {
      const query = { variant: this.variant, limit: 200, cursor: this.cursor }
      const page = await call(
        api.GET('/v1/players/{name}/days', { params: { path: { name: this.name }, query } }),
      )
      this.byDate = { ...this.byDate, ...Object.fromEntries(page.items.map((d) => [d.date, d])) }
      this.oldest = page.items.at(-1)?.date ?? ''
      this.cursor = page.next_cursor
    }
  }
}

export type DayState = 'empty' | 'tried' | 'won' | 'par'

export function stateOf(own: Pick<PlayedDay, 'outcome' | 'over_par'> | undefined): DayState {
  if (!own) return 'empty'
  if (own.outcome !== 'won') return 'tried'
  return own.over_par === 0 ? 'par' : 'won'
}
