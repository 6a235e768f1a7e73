import type { Move } from '../engine'

/** Makes the moves of a finish one after the other, so that one sees them go; the rest at once when asked. */
export class Finishing {
  #rest: Move[]
  #timer: ReturnType<typeof setTimeout> | undefined
  #ended = false

  /** A pause of 0 makes all moves now. `move` says whether it was made; `done` is called once, at the end. */
  constructor(
    moves: readonly Move[],
    private readonly pause: number, // ms
    private readonly move: (m: Move) => boolean,
    private readonly done: () => void,
  ) {
    this.#rest = [...moves]
    if (pause === 0) this.skip()
    else this.#next()
  }

  #next(): void {
    const m = this.#rest.shift()
    if (!m || !this.move(m)) return this.stop()
    if (this.#rest.length === 0) return this.stop()
    this.#timer = setTimeout(() => this.#next(), this.pause)
  }

  /** To the end at once. */
  skip(): void {
    for (const m of this.#rest) if (!this.move(m)) break
    this.stop()
  }

  /** No further move. */
  stop(): void {
    if (this.#ended) return
    this.#ended = true
    clearTimeout(this.#timer)
    this.#rest = []
    this.done()
  }
}
