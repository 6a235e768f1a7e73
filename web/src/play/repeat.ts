/** What a held button does: at its release once, or while it is held again and again: from 400 ms, 8 times a second. */
export class Repeat {
  #timer: ReturnType<typeof setTimeout> | undefined
  #act: (() => void) | undefined // what a release does

  /** The button goes down. `act` says whether it makes sense to go on. */
  start(act: () => boolean): void {
    const again = () => {
      this.#act = undefined
      if (act()) this.#timer = setTimeout(again, 125)
    }
    this.release()?.() // a second finger came before the first was up
    this.#act = act
    this.#timer = setTimeout(again, 400)
  }

  /** It goes up: gives what is to be done now, if it wasn't held. */
  release(): (() => void) | undefined {
    const act = this.#act
    this.stop()
    return act
  }

  /** It goes up elsewhere. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#act = undefined
  }
}
