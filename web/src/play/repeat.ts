/** Does something at once, and while it is held again and again: after 400 ms, then 8 times a second. */
export class Repeat {
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `act` says whether it makes sense to go on. */
  start(act: () => boolean): void {
    this.stop()
    const again = (wait: number) => {
      if (act()) this.#timer = setTimeout(again, wait, 125)
    }
    again(400)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
