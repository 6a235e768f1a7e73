// A list that comes in pages.

interface Page<T> {
  items: T[]
  next_cursor: string | null
}

export class Pages<T> {
  items: T[] = $state.raw([])
  loaded = $state(false)
  error: unknown = $state.raw(null)
  next: string | null = $state(null)
  #turn = 0 // the newest question

  constructor(
    private readonly ask: (cursor: string | undefined) => Promise<Page<T>>,
    private readonly key: (item: T) => string,
  ) {}

  /** The first page anew. */
  load = () => this.#take(undefined)

  more = () => this.#take(this.next ?? undefined)

  async #take(cursor: string | undefined): Promise<void> {
    const turn = ++this.#turn
    try {
      const page = await this.ask(cursor)
      if (turn !== this.#turn) return
      // What has moved from one page to the next in between is there once.
      const all = cursor ? [...this.items, ...page.items] : page.items
      this.items = [...new Map(all.map((item) => [this.key(item), item])).values()]
      this.next = page.next_cursor
      this.loaded = true
      this.error = null
    } catch (error) {
      if (turn === this.#turn) this.error = error
    }
  }
}
