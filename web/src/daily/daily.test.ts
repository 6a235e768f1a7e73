import { beforeEach, expect, it, vi } from 'vitest'
import type { Challenge } from '../api/schema.gen'
import { cardText, deal, variantOf } from '../engine'

// A device that keeps things, and a server that can be away.

const device = new Map<string, string>()
vi.stubGlobal(
  'localStorage',
  new Proxy({} as Storage, {
    get: (_, name) =>
      ({
        getItem: (key: string) => device.get(key) ?? null,
        setItem: (key: string, text: string) => device.set(key, text),
        removeItem: (key: string) => device.delete(key),
      })[name as string],
    ownKeys: () => [...device.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  }),
)
vi.stubGlobal('addEventListener', () => {})
vi.stubGlobal('location', { origin: 'http://localhost' })
vi.stubGlobal('navigator', { languages: ['en'] })

let answer: Challenge | null = null // null: the server isn't reached
let asked: Request
vi.stubGlobal('fetch', async (request: Request) => {
  asked = request
  if (!answer) throw new TypeError('failed to fetch')
  return Response.json(answer)
})

const { loadChallenge, loadToday, WrongChallengeError } = await import('./daily.svelte')

function dailyOf(date: string): Challenge {
  const next = new Date(Date.parse(date) + 24 * 60 * 60 * 1000).toISOString()
  return {
    id: `cruel-${date}`,
    kind: 'daily',
    variant: 'cruel',
    rules_version: 1,
    date,
    seed: `${date}-x`,
    deal: deal(`${date}-x`, variantOf('cruel')!).piles.map((pile) => pile.map(cardText)),
    opens_at: new Date(date).toISOString(),
    closes_at: next,
    grace_until: next,
    next_opens_at: next,
    winnable: true,
    par: null,
    difficulty: null,
    players: 0,
    winners: 0,
    commitment: null,
  }
}

beforeEach(() => {
  device.clear()
  vi.useFakeTimers({ now: Date.parse('2026-11-30T23:59:50Z') })
  return () => vi.useRealTimers()
})

it('the server is asked whether what the browser has is still right', async () => {
  answer = dailyOf('2026-11-30')
  expect(await loadToday('cruel')).toEqual({ challenge: answer, fromDevice: false })
  expect(asked.url).toBe('http://localhost/v1/daily?variant=cruel')
  expect(asked.cache).toBe('no-cache')
})

it('without the server today’s deal comes from the device', async () => {
  const today = (answer = dailyOf('2026-11-30'))
  await loadToday('cruel')
  answer = null
  expect(await loadToday('cruel')).toEqual({ challenge: today, fromDevice: true })
  expect(await loadChallenge(today.id)).toEqual({ challenge: today, fromDevice: true })
})

it('yesterday’s deal is never given as today’s', async () => {
  const old = (answer = dailyOf('2026-11-30'))
  await loadToday('cruel')
  answer = null
  vi.setSystemTime('2026-12-01T00:00:05Z')
  await expect(loadToday('cruel')).rejects.toThrow('not reached')
  expect((await loadChallenge(old.id)).challenge).toEqual(old) // by its own name it is still there
})

it('another variant’s isn’t either', async () => {
  answer = dailyOf('2026-11-30')
  await loadToday('cruel')
  answer = null
  await expect(loadToday('ripple-fan')).rejects.toThrow('not reached')
})

it('a deal that isn’t that of its seed is refused, and not kept', async () => {
  answer = { ...dailyOf('2026-11-30'), seed: '2026-11-29-x' }
  await expect(loadToday('cruel')).rejects.toThrow(WrongChallengeError)
  expect(device.size).toBe(0)
})

it('what others have left on the device is no challenge', async () => {
  answer = null
  const forged = { ...dailyOf('2026-11-30'), seed: 'z' }
  device.set('cruel.challenge.cruel-2026-11-30', JSON.stringify({ challenge: forged, kept: 1 }))
  device.set('cruel.challenge.x', '{')
  await expect(loadToday('cruel')).rejects.toThrow('not reached')
})

it('the device keeps the last twenty', async () => {
  for (let day = 1; day <= 25; day++) {
    vi.setSystemTime(Date.UTC(2026, 10, day))
    answer = dailyOf(`2026-11-${String(day).padStart(2, '0')}`)
    await loadChallenge(answer.id)
  }
  expect(device.size).toBe(20)
  expect([...device.keys()]).not.toContain('cruel.challenge.cruel-2026-11-05')
})
