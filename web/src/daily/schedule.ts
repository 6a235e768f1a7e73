// When a log is sent that waits in the outbox, and what an answer means for it.

import { ProblemError } from '../api/client'
import type { Player } from '../api/schema.gen'

/** A log on its way to the server, as it is kept on the device. */
export interface Entry {
  key: string // its Idempotency-Key, and its name here
  challenge: string
  seed: string
  variant: string
  log: string
  player: Pick<Player, 'id' | 'name' | 'guest'> | null // who made it; null: nobody had an account yet
  made: number // when, ms by the server's clock
  tries: number
  next: number // not before, ms by the device's clock
  told: boolean // the server said so itself (Retry-After)
  refused: string | null // why it isn't sent any more
}

export function isEntry(x: unknown): x is Entry {
  const e = x as Entry | null
  return (
    typeof e?.key === 'string' &&
    typeof e.challenge === 'string' &&
    typeof e.seed === 'string' &&
    typeof e.variant === 'string' &&
    typeof e.log === 'string' &&
    [e.made, e.tries, e.next].every(Number.isFinite)
  )
}

/** How many ms to wait after so many tries: 1 s, 2 s, 4 s … 60 s, a little off so that not all come at once. */
export function pauseAfter(tries: number, retryAfter = 0, random = Math.random()): number {
  const grown = Math.min(60, 2 ** Math.max(0, tries - 1)) * (0.8 + 0.2 * random)
  return 1000 * Math.max(grown, retryAfter)
}

/** The entry after an answer that was no verdict. */
export function afterFailure(e: Entry, error: unknown, now: number): Entry {
  const tries = e.tries + 1
  if (isRefusal(error)) return { ...e, tries, refused: reasonOf(error) }
  const retryAfter = error instanceof ProblemError ? error.retryAfter : undefined
  return { ...e, tries, next: now + pauseAfter(tries, retryAfter), told: retryAfter !== undefined }
}

/**
 * Whether the server has said no for good. Anything else may pass: no connection, a busy server, a token that
 * isn't good any more, and an error of this page, which another version of it may not have.
 */
export function isRefusal(error: unknown): error is ProblemError {
  if (!(error instanceof ProblemError) || error.status === 401) return false
  if (error.status === 429) return error.kind === 'too-many-submissions'
  return error.status < 500
}

function reasonOf({ problem }: ProblemError): string {
  const { move, errors } = problem
  if (move) return `${move.index}. ${move.token}: ${move.reason}`
  return errors?.map((e) => e.message).join('; ') || problem.detail
}

/** Whether it is time; `anew`: the page was opened, looked at again, or is online again. */
export function isDue(e: Entry, now: number, anew = false): boolean {
  return e.refused === null && (e.next <= now || (anew && !e.told))
}

/** The order of sending: what failed least first, so that one log that never goes through holds up no other. */
export function inTurn(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => a.tries - b.tries || a.made - b.made)
}

/**
 * Whether who is logged in may send it. What a registered player made is sent as theirs or not at all; a guest's
 * or nobody's is sent by whoever is here, since no guest can log in again.
 */
export function mayBeSentBy(e: Entry, player: Pick<Player, 'id'> | null): boolean {
  return e.player === null || e.player.guest || e.player.id === player?.id
}

/** Which entries have to go for there to be room: refused ones first, then the oldest. */
export function tooMany(entries: readonly Entry[], most: number): Entry[] {
  const byWorth = entries.toSorted(
    (a, b) => Number(a.refused === null) - Number(b.refused === null) || a.made - b.made,
  )
  return byWorth.slice(0, Math.max(0, entries.length - most))
}
