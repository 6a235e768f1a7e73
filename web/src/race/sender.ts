// What has to reach the server sooner or later, over a connection that comes and goes.

import { isPassing, ProblemError } from '../api/client'
import { backoff, nap } from '../api/events'

/** Does something until it is done or refused. `late` is told when it fails for now, and when it is done. */
export async function surely<T>(
  work: () => Promise<T>,
  late: (yes: boolean) => void,
  stop?: AbortSignal,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      const done = await work()
      late(false)
      return done
    } catch (error) {
      if (!isPassing(error) || stop?.aborted) throw error
      late(true)
      const asked = error instanceof ProblemError ? (error.retryAfter ?? 0) * 1000 : 0
      await nap(Math.max(backoff(failures), asked), stop)
      if (stop?.aborted) throw error
    }
  }
}

/** Sends the newest of what it is given: one at a time, and not more than two a second. */
export class Sender {
  #next: string | undefined
  #running = false
  #stop = new AbortController()

  constructor(
    readonly send: (text: string) => Promise<unknown>,
    readonly late: (yes: boolean) => void,
    readonly refused: (error: unknown) => void,
  ) {}

  give(text: string): void {
    this.#next = text
    if (!this.#running && !this.#stop.signal.aborted) void this.#run()
  }

  /** What waits isn't sent any more. */
  drop(): void {
    this.#next = undefined
  }

  stop(): void {
    this.#stop.abort()
  }

  async #run(): Promise<void> {
    this.#running = true
    try {
      while (this.#next !== undefined && !this.#stop.signal.aborted) {
        let sent: string | undefined
        // What comes while it fails takes the place of what has failed.
        const work = async () => {
          sent = this.#next
          if (sent !== undefined) await this.send(sent)
        }
        await surely(work, this.late, this.#stop.signal)
        if (this.#next === sent) this.#next = undefined
        await new Promise((done) => setTimeout(done, 500))
      }
    } catch (error) {
      this.#next = undefined
      if (!this.#stop.signal.aborted) this.refused(error)
    } finally {
      this.#running = false
    }
  }
}
