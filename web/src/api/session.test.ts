import { beforeEach, describe, expect, test, vi } from 'vitest'

const device = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => device.get(key) ?? null,
  setItem: (key: string, text: string) => device.set(key, text),
  removeItem: (key: string) => device.delete(key),
})
vi.stubGlobal('addEventListener', () => {})
vi.stubGlobal('location', { origin: 'http://localhost' })
vi.stubGlobal('navigator', {}) // without locks

const asked: { what: string; key: string | null }[] = []
let answers: (() => Response)[] = []
vi.stubGlobal('fetch', async (request: Request) => {
  asked.push({
    what: `${request.method} ${new URL(request.url).pathname}`,
    key: request.headers.get('Idempotency-Key'),
  })
  return answers.shift()!()
})

const ada = { id: 'a1', name: 'Ada', guest: false }
const given = (player: object) => () => Response.json({ player, access_token: 't', expires_in: 900 })
const no = () =>
  new Response('{"type":"/problems/bad-credentials"}', {
    status: 401,
    headers: { 'Content-Type': 'application/problem+json' },
  })
const offline = () => {
  throw new TypeError('failed to fetch')
}

/** The page, opened anew. */
async function open() {
  vi.resetModules()
  return import('./session.svelte')
}

beforeEach(() => {
  device.clear()
  asked.length = 0
  answers = []
})

describe('a session that the server has ended', () => {
  beforeEach(() => {
    device.set('cruel.player', JSON.stringify(ada))
  })

  test('makes nobody a guest, not even after a reload', async () => {
    const first = await open()
    answers = [no]
    await expect(first.session.ensure()).rejects.toBeInstanceOf(first.LoggedOutError)
    const { session, LoggedOutError } = await open()
    expect([session.player, session.ended]).toEqual([null, ada])
    await expect(session.ensure()).rejects.toBeInstanceOf(LoggedOutError)
    expect(asked.map((a) => a.what)).toEqual(['POST /v1/sessions/refresh'])
  })

  test('is forgotten by who goes on as a guest', async () => {
    const { session } = await open()
    answers = [no, given({ id: 'g1', name: 'guest-1', guest: true })]
    expect(await session.token()).toBe('')
    session.goOnAsGuest()
    expect(await session.ensure()).toBe('t')
    expect(session.player?.name).toBe('guest-1')
    expect((await open()).session.ended).toBeNull()
  })

  test('is forgotten by who logs in, and needs no logging out', async () => {
    const { session } = await open()
    answers = [no, given(ada)]
    expect(await session.token()).toBe('')
    await session.logIn({ name: 'Ada', password: 'x' })
    expect([session.player, session.ended]).toEqual([ada, null])
    const later = await open()
    answers = [no]
    await later.session.logOut()
    expect([later.session.player, later.session.ended]).toEqual([null, null])
    expect(asked.at(-1)!.what).toBe('POST /v1/sessions/refresh')
  })
})

test('a sign-up whose answer was lost is asked again under the same key', async () => {
  const { session } = await open()
  answers = [offline, offline, given(ada), given(ada)]
  await expect(session.signUp('Ada', 'one')).rejects.toThrow()
  await expect(session.signUp('Ada', 'two')).rejects.toThrow()
  await session.signUp('Ada', 'two')
  await session.signUp('Ada', 'two')
  const keys = asked.map((a) => a.key)
  expect(keys[0]).not.toBe(keys[1])
  expect(keys[2]).toBe(keys[1])
  expect(keys[3]).not.toBe(keys[2])
})
