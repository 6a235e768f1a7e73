import { appended } from './rows'

/** A list that comes in pages, the newest first. */
export class Paged<T> {
  items = $state.raw<T[] | null>(null) // null: not here yet
  next = $state<string | null>(null)
  busy = $state(false)
  failure = $state<unknown>(null)

  constructor(
    private readonly ask: (cursor?: string) => Promise<{ items: T[]; next_cursor: string | null }>,
    private readonly key: (item: T) => string,
  ) {
    void this.more()
  }

  /** Loads the first page, and then one more each time. */
  more = async (): Promise<void> => {
    if (this.busy) return
    this.busy = true
    this.failure = null
    try {
      const page = await this.ask(this.next ?? undefined)
      this.items = appended(this.items ?? [], page.items, this.key)
      this.next = page.next_cursor
    } catch (error) {
      this.failure = error
    } finally {
      this.busy = false
    }
  }
}
