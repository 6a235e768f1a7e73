// A race that is followed: what is known of it, the acts of who looks at it, and their game. All that comes
// from the server goes through `take`.

import { saying } from '../app/errors'
import { eitherOf } from '../api/abort'
import { api, call, ProblemError } from '../api/client'
import { sample, serverNow, uncertainty } from '../api/clock.svelte'
import { follow } from '../api/events'
import type { Race, RaceEvent } from '../api/schema.gen'
import { bearer, bearerOfPlayer, session } from '../api/session.svelte'
import { variantOf } from '../engine'
import { race as words } from '../i18n/race'
import { Playing } from '../play/playing.svelte'
import { after, isSettled, may, newer, seatOf, type Act } from './model'
import { dropRace, keepFinish, keepRace, keptFinish } from './recent'
import { Sender, surely } from './sender'

type Params = { params: { path: { code: string } }; headers: { Authorization: string } }

const acts = {
  join: (p: Params) => api.POST('/v1/races/{code}/join', p),
  ready: (p: Params) => api.POST('/v1/races/{code}/ready', p),
  unready: (p: Params) => api.POST('/v1/races/{code}/unready', p),
  leave: (p: Params) => api.POST('/v1/races/{code}/leave', p),
  progress: (p: Params, log: string) => api.POST('/v1/races/{code}/progress', { ...p, body: { log } }),
  finish: (p: Params, log: string) => api.POST('/v1/races/{code}/finish', { ...p, body: { log } }),
  forfeit: (p: Params) => api.POST('/v1/races/{code}/forfeit', p),
  unforfeit: (p: Params) => api.DELETE('/v1/races/{code}/forfeit', p),
  rematch: (p: Params) => api.POST('/v1/races/{code}/rematch', p),
} satisfies Record<Act, unknown>

export class Live {
  race: Race | null = $state.raw(null)
  /** Why it can't be shown. */
  missing: unknown = $state.raw(null)
  /** The game of who is in the race, once it runs. */
  playing: Playing | null = $state.raw(null)
  connected = $state(true)
  /** Whether something of the player's own hasn't reached the server yet. */
  late = $state(false)
  busy: Act | null = $state(null)
  /** Why the last act did nothing. */
  trouble = $state('')
  /** The log that is being handed in. */
  finishing: string | null = $state(null)

  // Not derived: answers come when the page has been left, too.
  get seat(): number {
    return this.race ? seatOf(this.race, session.player?.id) : -1
  }

  readonly #left = new AbortController() // the page was left
  readonly #settled = new AbortController() // nothing more can come
  #told = '' // the log that was sent last: none at the deal
  #due: ReturnType<typeof setTimeout> | undefined
  readonly #sender = new Sender(
    (log) => this.#do('progress', log),
    (late) => (this.late = late),
    (error) => void this.#refused(error),
  )

  constructor(
    readonly code: string,
    readonly changed: (before: Race, now: Race) => void,
  ) {}

  /** Follows the race until the function that it gives is called, or nothing more can come. */
  follow(): () => void {
    void this.#open()
    return () => {
      this.#left.abort()
      this.#sender.stop()
      clearTimeout(this.#due)
    }
  }

  async #open(): Promise<void> {
    const stop = eitherOf(this.#left.signal, this.#settled.signal)
    try {
      await surely(
        () => this.ask(),
        (late) => (this.connected = !late),
        stop,
      )
    } catch (error) {
      if (!stop.aborted) this.missing = error
      return
    }
    if (stop.aborted) return
    const end = follow({
      address: `/v1/races/${this.code}/events`,
      headers: async () => ({ ...(await bearer()) }),
      heard: (e) => {
        if (!e.data.startsWith('{')) return
        const now = after(this.race, e.id, JSON.parse(e.data) as RaceEvent)
        if (now) this.take(now)
      },
      ask: () => this.ask(),
      connected: (yes) => (this.connected = yes),
    })
    stop.addEventListener('abort', end)
    // The answer with the shortest way tells the server's clock best: five are asked for at most.
    const hasDeadlines = this.race!.state !== 'finished'
    for (let i = 1; i < 5 && hasDeadlines && uncertainty() > 25 && !stop.aborted; i++) {
      await new Promise((done) => setTimeout(done, 200))
      await this.ask().catch(() => {})
    }
  }

  async ask(): Promise<void> {
    const sent = Date.now()
    const race = await call(
      api.GET('/v1/races/{code}', { params: { path: { code: this.code } }, cache: 'no-store' }),
    )
    sample(Date.parse(race.server_time), sent, Date.now())
    this.take(race)
  }

  take(said: Race): void {
    const before = this.race
    const now = newer(before, said)
    this.#watchDeadline(now)
    if (now === before) return
    this.race = now
    this.#play(now)
    const isOver = now.state === 'finished' || now.state === 'cancelled'
    if (isOver) keepFinish(this.code, null)
    if (isOver || this.seat < 0) dropRace(this.code)
    else if (before?.state !== now.state) keepRace(this.code)
    if (before) this.changed(before, now)
    if (isSettled(now, serverNow())) this.#settled.abort()
  }

  /** At the start and at the end of the time the server tells; if it can't be heard, it is asked. */
  #watchDeadline(race: Race): void {
    clearTimeout(this.#due)
    const due = race.state === 'countdown' ? race.starts_at : race.state === 'running' ? race.ends_at : null
    if (!due || this.#left.signal.aborted) return
    const wait = Date.parse(due) + 400 - serverNow()
    this.#due = setTimeout(
      () => {
        this.#watchDeadline(race)
        void this.ask().catch(() => {})
      },
      Math.max(1000, wait),
    )
  }

  /** Begins the game at the start, or goes on with it after a reload. */
  #play(race: Race): void {
    const variant = variantOf(race.variant)
    if (this.playing || race.state !== 'running' || this.seat < 0 || !race.seed || !variant) return
    this.playing = new Playing(variant, race.seed, `race.${this.code}`)
    const handedIn = keptFinish(this.code)
    if (handedIn !== null) void this.finish(handedIn)
  }

  /** Keeps the game and tells how far it is, also after a reload: the last moves may not have arrived. */
  moved(): void {
    const { race, playing } = this
    if (!race || !playing || this.finishing !== null || !may(race, this.seat, 'progress')) return
    playing.keep()
    const { log, outcome } = playing.game
    if (log === this.#told) return
    this.#told = log
    if (race.goal === 'first_win' && outcome === 'won') void this.finish(log)
    else this.#sender.give(log)
  }

  /** Hands a log in, again and again until it is acknowledged. */
  async finish(log: string): Promise<void> {
    if (this.finishing !== null) return
    this.finishing = log
    this.trouble = ''
    this.#sender.drop()
    keepFinish(this.code, log)
    try {
      await surely(
        () => this.#do('finish', log),
        (late) => (this.late = late),
        this.#left.signal,
      )
    } catch (error) {
      if (this.#left.signal.aborted) return // the next page goes on with it
      await this.#refused(error)
    }
    keepFinish(this.code, null)
    this.finishing = null
  }

  /** What a button asks for. */
  async act(kind: Act): Promise<boolean> {
    if (this.busy) return false
    this.busy = kind
    this.trouble = ''
    try {
      await this.#do(kind, '')
      return true
    } catch (error) {
      await this.#refused(error, kind)
      return false
    } finally {
      this.busy = null
    }
  }

  async #do(kind: Act, log: string): Promise<void> {
    const headers = await bearerOfPlayer()
    const sent = Date.now()
    const race = await call<Race>(acts[kind]({ params: { path: { code: this.code } }, headers }, log))
    sample(Date.parse(race.server_time), sent, Date.now())
    this.take(race)
  }

  /** Says why something wasn't done; where the race has gone on meanwhile, it is asked how it is. */
  async #refused(error: unknown, kind?: Act): Promise<void> {
    const hasGoneOn = error instanceof ProblemError && error.kind === 'race-state'
    if (hasGoneOn) await this.ask().catch(() => {})
    this.late = false
    if (!hasGoneOn) {
      this.trouble =
        error instanceof ProblemError && error.kind === 'forbidden' ? words.notYours : saying(error)
      return
    }
    const state = error.problem.state ?? this.race!.state
    // What a game sends by itself can come too late without anybody having to know.
    if (!kind && (state === 'finished' || !may(this.race!, this.seat, 'progress'))) return
    if (kind === 'join' && state !== 'finished' && state !== 'cancelled') this.trouble = words.seatTaken
    else this.trouble = tooLate[state]()
  }
}

const tooLate = {
  open: () => words.nowOpen,
  countdown: () => words.nowCountdown,
  running: () => words.nowRunning,
  finished: () => words.nowFinished,
  cancelled: () => words.nowCancelled,
}
