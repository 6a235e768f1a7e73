import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Verdict } from '../api/schema.gen'

// A device, a server and a session in small: what matters here is what is kept, sent and said, and when.

const device = new Map<string, string>()
let full = false
vi.stubGlobal(
  'localStorage',
  new Proxy({} as Storage, {
    get: (_, name) =>
      ({
        getItem: (key: string) => device.get(key) ?? null,
        setItem: (key: string, text: string) => {
          if (full) throw new Error('quota')
          device.set(key, text)
        },
        removeItem: (key: string) => device.delete(key),
      })[name as string],
    ownKeys: () => [...device.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  }),
)
const heard: Record<string, (() => void)[]> = {}
vi.stubGlobal('addEventListener', (name: string, f: () => void) => (heard[name] ??= []).push(f))
vi.stubGlobal('location', { origin: 'http://localhost' })
vi.stubGlobal('navigator', { languages: ['en'] }) // without locks
vi.stubGlobal('document', { visibilityState: 'visible' })

interface Sent {
  id: string
  log: string
  key: string
  authorization: string
}
const sent: Sent[] = []
let answers: (() => Response)[] = []

const player = { id: 'g1', name: 'guest-1', guest: true }
let here: typeof player | null = null
let ended: typeof player | null = null // whose session the server has ended
let made = 0
vi.mock('../api/session.svelte', () => ({
  session: {
    get player() {
      return here
    },
    get ended() {
      return ended
    },
  },
  bearer: async () => (here ? { Authorization: `Bearer ${here.id}` } : {}),
  bearerOfPlayer: async () => {
    if (!here) {
      made++
      here = player
    }
    return { Authorization: `Bearer ${here.id}` }
  },
}))

vi.stubGlobal('fetch', async (request: Request) => {
  sent.push({
    id: request.url.split('/')[5]!,
    log: ((await request.json()) as { log: string }).log,
    key: request.headers.get('Idempotency-Key') ?? '',
    authorization: request.headers.get('Authorization') ?? '',
  })
  return (answers.shift() ?? (() => verdict()))()
})

function verdict(): Response {
  const { id, log } = sent.at(-1)!
  const v = {
    id: 's' + sent.length,
    challenge_id: id,
    player: here,
    moves: log.split(' ').length,
  } as Partial<Verdict>
  return Response.json(v, { status: 201 })
}

function problem(status: number, kind: string, headers: Record<string, string> = {}): Response {
  const body = { type: `/problems/${kind}`, title: '', status, detail: 'the reason', instance: '' }
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/problem+json', ...headers },
  })
}

const offline = () => {
  throw new TypeError('failed to fetch')
}

const day = { id: 'cruel-2026-11-30', seed: '1', variant: 'cruel' } as const

/** The page, opened anew. */
async function open() {
  vi.resetModules()
  return (await import('./outbox.svelte')).outbox
}

const rest = (ms = 0) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  vi.useFakeTimers()
  device.clear()
  full = false
  sent.length = 0
  answers = []
  here = ended = null
  made = 0
  for (const name in heard) delete heard[name]
  return () => vi.useRealTimers()
})

describe('a log', () => {
  it('is sent with a key of its own, by a guest who is made on the way, and its verdict is kept', async () => {
    const outbox = await open()
    expect(outbox.state(day.id)).toBe('none')
    outbox.submit(day, 'cH R')
    await rest()
    expect(sent).toMatchObject([{ id: day.id, log: 'cH R', authorization: 'Bearer g1' }])
    expect(sent[0]!.key).toMatch(/^[0-9a-f-]{36}$/)
    expect(made).toBe(1)
    expect(outbox.state(day.id)).toBe('sent')
    expect(outbox.verdict(day.id)?.moves).toBe(2)
    const later = await open()
    expect(later.state(day.id)).toBe('sent')
    expect(later.verdict(day.id)?.moves).toBe(2)
    await rest(120_000)
    expect(sent).toHaveLength(1)
  })

  it('is on the device before it is sent', async () => {
    const outbox = await open()
    let kept = 0
    answers = [() => ((kept = device.size), verdict())]
    outbox.submit(day, 'cH')
    await rest()
    expect(kept).toBe(1)
  })

  it('waits without a connection and is sent with the same key later', async () => {
    const outbox = await open()
    answers = [offline, offline]
    outbox.submit(day, 'cH')
    await rest()
    expect(outbox.state(day.id)).toBe('waiting')
    await rest(1000)
    expect(sent).toHaveLength(2)
    expect(outbox.state(day.id)).toBe('waiting')
    await rest(2000)
    expect(outbox.state(day.id)).toBe('sent')
    expect(new Set(sent.map((s) => s.key)).size).toBe(1)
  })

  it('is sent by the next page if this one goes', async () => {
    const outbox = await open()
    answers = [offline]
    outbox.submit(day, 'cH')
    await rest()
    const next = await open()
    expect(next.state(day.id)).toBe('waiting')
    heard.online!.at(-1)!()
    await rest()
    expect(next.state(day.id)).toBe('sent')
  })

  it('is sent by another tab, by itself, if the one that kept it goes', async () => {
    const outbox = await open()
    const entry = { ...day, key: 'k1', challenge: day.id, log: 'cH', player: null, refused: null }
    device.set('cruel.outbox.k1', JSON.stringify({ ...entry, made: 1, tries: 0, next: Date.now() + 1000 }))
    const told = heard.storage!.at(-1) as unknown as (e: { key: string }) => void
    told({ key: 'cruel.outbox.k1' })
    expect(outbox.state(day.id)).toBe('waiting')
    await rest(1000)
    expect(sent).toMatchObject([{ key: 'k1', log: 'cH' }])
    expect(outbox.state(day.id)).toBe('sent')
  })

  it('with a time far ahead, of a clock that was wrong, keeps nobody busy', async () => {
    await open()
    const entry = { ...day, key: 'k1', challenge: day.id, log: 'cH', player: null, refused: null }
    const next = Date.now() + 60 * 86_400_000
    device.set('cruel.outbox.k1', JSON.stringify({ ...entry, made: 1, tries: 1, next, told: true }))
    const timers = vi.spyOn(globalThis, 'setTimeout')
    await open()
    await rest(10_000)
    expect(timers.mock.calls.length).toBeLessThan(5)
    timers.mockRestore()
  })

  it('is sent at once when the connection is back', async () => {
    const outbox = await open()
    answers = [offline, offline, offline, offline, offline]
    outbox.submit(day, 'cH')
    await rest(20_000)
    const before = sent.length
    heard.online!.at(-1)!()
    await rest()
    expect(sent.length).toBe(before + 1)
    expect(outbox.state(day.id)).toBe('sent')
  })

  it('waits as long as the server says, whatever happens', async () => {
    const outbox = await open()
    answers = [() => problem(503, 'unavailable', { 'Retry-After': '40' })]
    outbox.submit(day, 'cH')
    await rest()
    heard.online!.at(-1)!()
    await rest(39_000)
    expect(sent).toHaveLength(1)
    await rest(1000)
    expect(outbox.state(day.id)).toBe('sent')
  })

  it('that is submitted twice while it waits is one', async () => {
    const outbox = await open()
    answers = [offline]
    outbox.submit(day, 'cH')
    await rest()
    outbox.submit(day, 'cH')
    await rest(2000)
    expect(device.size).toBe(1)
    expect(outbox.state(day.id)).toBe('sent')
  })

  it('that the server refuses stays, with the reason', async () => {
    const outbox = await open()
    answers = [() => problem(422, 'illegal-log')]
    outbox.submit(day, 'cH')
    await rest(120_000)
    expect(sent).toHaveLength(1)
    expect(outbox.state(day.id)).toBe('refused')
    expect(outbox.problem(day.id)).toBe('the reason')
    expect((await open()).state(day.id)).toBe('refused')
  })

  it('after a refused one goes its own way', async () => {
    const outbox = await open()
    answers = [() => problem(429, 'too-many-submissions')]
    outbox.submit(day, 'cH')
    await rest(1000)
    outbox.submit(day, 'cH R')
    await rest()
    expect(outbox.state(day.id)).toBe('sent')
    expect(outbox.problem(day.id)).toBeNull()
  })

  it('that never goes through holds up no other', async () => {
    const outbox = await open()
    const other = { ...day, id: 'cruel-2026-11-29' }
    answers = [() => problem(500, 'internal')]
    outbox.submit(day, 'cH')
    outbox.submit(other, 'R')
    await rest(1000)
    expect(sent.map((s) => s.log)).toEqual(['cH', 'R', 'cH'])
    expect([outbox.state(day.id), outbox.state(other.id)]).toEqual(['sent', 'sent'])
  })

  it('is sent also by a device that keeps nothing', async () => {
    full = true
    const outbox = await open()
    answers = [offline]
    outbox.submit(day, 'cH')
    await rest()
    expect(outbox.state(day.id)).toBe('waiting')
    expect(outbox.keeps).toBe(false)
    await rest(1000)
    expect(outbox.state(day.id)).toBe('sent')
    expect(outbox.verdict(day.id)?.moves).toBe(1)
  })
})

describe('a registered player’s log', () => {
  const ada = { id: 'a1', name: 'Ada', guest: false }

  it('is not sent by a guest once the session has ended', async () => {
    here = ada
    const outbox = await open()
    answers = [offline]
    outbox.submit(day, 'cH')
    await rest()
    here = null
    await rest(120_000)
    heard.online!.at(-1)!()
    await rest()
    expect(made).toBe(0)
    expect(sent).toHaveLength(1)
    expect(outbox.state(day.id)).toBe('waiting')
    expect(outbox.needsLogin(day.id)).toBe(true)
    expect(outbox.problem(day.id)).toContain('Ada')
    here = ada
    heard.online!.at(-1)!()
    await rest()
    expect(outbox.state(day.id)).toBe('sent')
    expect(sent.at(-1)!.authorization).toBe('Bearer a1')
  })

  it('that is submitted after the session has ended waits for its player, too', async () => {
    ended = ada
    const outbox = await open()
    outbox.submit(day, 'cH')
    await rest(120_000)
    expect([made, sent.length]).toEqual([0, 0])
    expect(outbox.needsLogin(day.id)).toBe(true)
    expect(outbox.problem(day.id)).toContain('Ada')
  })

  it('shows no verdict to somebody else, and isn’t for them to submit', async () => {
    here = ada
    const outbox = await open()
    expect(outbox.isUntouched(day.id)).toBe(true)
    outbox.submit(day, 'cH')
    expect(outbox.isUntouched(day.id)).toBe(false)
    await rest()
    here = player
    expect(outbox.verdict(day.id)).toBeNull()
    expect(outbox.state(day.id)).toBe('none')
    expect(outbox.isUntouched(day.id)).toBe(false)
  })
})

it('is not upset by what others have left in its place', async () => {
  for (const [i, text] of ['{', 'null', '[]', '{"key":1}', '"x"'].entries())
    device.set(`cruel.outbox.${i}`, text)
  device.set('cruel.verdict.x', '{"verdict":null}')
  const outbox = await open()
  await rest()
  expect(outbox.state('x')).toBe('none')
  expect(sent).toHaveLength(0)
})
