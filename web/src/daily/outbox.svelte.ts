// Logs on their way to the server. A log is kept on the device before anything is sent, and goes when there is
// a verdict. What may pass is tried again; what the server has refused stays, to be read and downloaded.
// Sending twice is harmless: the server knows the log again.

import { untrack } from 'svelte'
import { api, call, newKey } from '../api/client'
import { serverNow } from '../api/clock.svelte'
import { locked } from '../api/locks'
import type { Challenge, Verdict } from '../api/schema.gen'
import { bearer, bearerOfPlayer, session } from '../api/session.svelte'
import { daily } from '../i18n/daily'
import { Shelf } from './keep'
import { afterFailure, inTurn, isDue, isEntry, mayBeSentBy, tooMany, type Entry } from './schedule'

export type Sending = 'none' | 'waiting' | 'sending' | 'sent' | 'refused'

interface Answered {
  verdict: Verdict
  made: number // when its log was, ms by the server's clock
}

const mostEntries = 40
const mostVerdicts = 100
const entryShelf = new Shelf('cruel.outbox.', isEntry)
const verdictShelf = new Shelf(
  'cruel.verdict.',
  (x): x is Answered => !!(x as Answered | null)?.verdict?.challenge_id,
)

let entries: readonly Entry[] = $state.raw(entryShelf.all())
let verdicts: readonly Answered[] = $state.raw(verdictShelf.all())
let sending = $state('') // the key of the entry that this tab sends now
let keeps = $state(true) // whether the device takes what it is given

function look(): void {
  entries = entryShelf.all()
  verdicts = verdictShelf.all()
}

function put(e: Entry): void {
  keeps = entryShelf.put(e.key, e)
  entries = entryShelf.all()
}

const newestOf = (challenge: string) =>
  entries
    .filter((e) => e.challenge === challenge)
    .reduce<Entry | undefined>((newest, e) => (newest && newest.made > e.made ? newest : e), undefined)

const answerOf = (challenge: string) =>
  verdicts.find((a) => a.verdict.challenge_id === challenge && a.verdict.player.id === session.player?.id)

export const outbox = {
  /** Keeps a log and sends it as soon as that is possible. */
  submit({ id, seed, variant }: Pick<Challenge, 'id' | 'seed' | 'variant'>, log: string): void {
    const waits = entries.some((e) => e.challenge === id && e.log === log && e.refused === null)
    if (!waits) {
      const maker = session.player ?? session.ended // what was begun as theirs stays so
      put({
        key: newKey(),
        challenge: id,
        seed,
        variant,
        log,
        player: maker && { ...maker },
        made: serverNow(),
        tries: 0,
        next: 0,
        told: false,
        refused: null,
      })
      for (const old of tooMany(entries, mostEntries)) entryShelf.delete(old.key)
      look()
    }
    void send()
  },

  /** How the newest log for a challenge is doing. */
  state(challenge: string): Sending {
    const newest = newestOf(challenge)
    const answer = answerOf(challenge)
    if (entries.some((e) => e.challenge === challenge && e.key === sending)) return 'sending'
    if (newest && newest.refused === null) return 'waiting'
    if (newest && newest.made > (answer?.made ?? 0)) return 'refused'
    return answer ? 'sent' : 'none'
  },

  /** Whether this device has never given a log for a challenge to anybody's name. */
  isUntouched(challenge: string): boolean {
    return !newestOf(challenge) && !verdicts.some((a) => a.verdict.challenge_id === challenge)
  },

  /** The last answer that this player has for a challenge. */
  verdict(challenge: string): Verdict | null {
    return answerOf(challenge)?.verdict ?? null
  },

  /** Why the newest log was refused, or can't be sent for now. */
  problem(challenge: string): string | null {
    const newest = newestOf(challenge)
    if (outbox.state(challenge) === 'refused') return newest?.refused ?? null
    return outbox.needsLogin(challenge) ? daily.logInToSubmit(newest?.player?.name ?? '') : null
  },

  /** Whether the newest log waits for its player to log in again. */
  needsLogin(challenge: string): boolean {
    const newest = newestOf(challenge)
    return !!newest && newest.refused === null && !mayBeSentBy(newest, session.player)
  },

  /** Whether what waits survives this page. */
  get keeps(): boolean {
    return keeps
  },
}

let busy = false

/** Sends what is due, one at a time over all tabs. */
async function send(anew = false): Promise<void> {
  if (busy) return // what came in between is seen at the end
  busy = true
  try {
    await locked('cruel.outbox', () => sendDue(anew))
  } finally {
    busy = false
  }
  wakeForNext()
}

async function sendDue(anew: boolean): Promise<void> {
  look() // another tab may have sent some
  const due = inTurn(entries.filter((e) => isDue(e, Date.now(), anew)))
  for (const [i, e] of due.entries()) {
    if (!mayBeSentBy(e, session.player)) continue
    const waits = await sendOne(e)
    if (!waits) continue
    for (const other of due.slice(i + 1)) put({ ...other, next: waits.next, told: waits.told })
    return
  }
}

/** Gives the entry if it has to be sent again. */
async function sendOne(e: Entry): Promise<Entry | undefined> {
  sending = e.key
  try {
    const headers = await headersFor(e)
    if (!mayBeSentBy(e, session.player)) return undefined // that was when we saw that the session has ended
    const verdict = await call(
      api.POST('/v1/challenges/{id}/submissions', {
        params: { path: { id: e.challenge }, header: { 'Idempotency-Key': e.key } },
        body: { log: e.log },
        headers,
      }),
    )
    keepVerdict({ verdict, made: e.made })
    entryShelf.delete(e.key)
    look()
    return undefined
  } catch (error) {
    const after = afterFailure(e, error, Date.now())
    put(after)
    return after.refused === null ? after : undefined
  } finally {
    sending = ''
  }
}

/** A registered player whose session has ended isn't made a guest. */
function headersFor(e: Entry): Promise<{ Authorization?: string }> {
  return e.player && !e.player.guest ? bearer() : bearerOfPlayer()
}

function keepVerdict(answer: Answered): void {
  const id = answer.verdict.challenge_id
  const before = verdictShelf.get(id)
  if (before && before.verdict.player.id === answer.verdict.player.id && before.made > answer.made) return
  verdictShelf.put(id, answer)
  const oldestFirst = verdictShelf.all().sort((a, b) => a.made - b.made)
  for (const { verdict } of oldestFirst.slice(0, -mostVerdicts)) verdictShelf.delete(verdict.challenge_id)
}

let timer: ReturnType<typeof setTimeout> | undefined
const longest = 3_600_000 // ms; a device whose clock was set back by months would wait for ever, or not at all

function wakeForNext(): void {
  clearTimeout(timer)
  const waiting = entries.filter((e) => e.refused === null && mayBeSentBy(e, session.player))
  if (waiting.length === 0) return
  const next = Math.min(...waiting.map((e) => e.next))
  timer = setTimeout(() => void send(), Math.min(Math.max(0, next - Date.now()), longest))
}

addEventListener('online', () => void send(true))
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void send(true)
})
addEventListener('storage', (e) => {
  if (e.key !== null && !e.key.startsWith(entryShelf.prefix) && !e.key.startsWith(verdictShelf.prefix)) return
  look()
  if (!busy) wakeForNext() // the tab that keeps a log may be gone before it could send it
})

// When the page is opened, and when somebody logs in.
$effect.root(() => {
  $effect(() => {
    void session.player?.id
    untrack(() => void send(true))
  })
})
