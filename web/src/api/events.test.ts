import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { backoff, follow, Parser, type StreamEvent } from './events'

const text =
  ': hello\r\n\r\nid: kqtwzv-1\nevent: state\ndata: {"a":\ndata: 1}\n\n:\n\n' +
  'id:kqtwzv-2\revent:joined\rdata:x\r\r' +
  'id: kqtwzv-3\nevent: empty\n\nretry: 5\nwhat\ndata: grüße ♣\n\ndata: cut off'
const events: StreamEvent[] = [
  { id: 'kqtwzv-1', type: 'state', data: '{"a":\n1}' },
  { id: 'kqtwzv-2', type: 'joined', data: 'x' },
  { id: 'kqtwzv-3', type: 'message', data: 'grüße ♣' },
]

describe('Parser', () => {
  test.each([1, 2, 3, 7, 1000])('reads the same from chunks of %i', (size) => {
    for (const all of [text, text.replaceAll('\n', '\r\n').replaceAll('\r\r\n', '\r\n')]) {
      const parser = new Parser()
      const read: StreamEvent[] = []
      for (let i = 0; i < all.length; i += size) read.push(...parser.push(all.slice(i, i + size)))
      expect(read).toEqual(events)
    }
  })

  test('comments and empty events carry no id on', () => {
    expect(
      new Parser().push('id: a-1\ndata: 1\n\n:\n\ndata: 2\n\nid: bad\0\ndata: 3\n\n').map((e) => e.id),
    ).toEqual(['a-1', 'a-1', 'a-1'])
  })
})

test('waits grow from half a second to ten', () => {
  expect([0, 1, 2, 3, 4, 99].map((n) => backoff(n, 0))).toEqual([500, 1000, 2000, 4000, 5000, 5000])
  expect([0, 1, 2, 3, 4, 99].map((n) => backoff(n, 1))).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000])
})

describe('follow', () => {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const outside = new EventTarget()
  let requests: { headers: Record<string, string>; send: (text: string) => void; end: () => void }[] = []
  let answer: () => number // the status of the next answer; one that throws is no answer
  let heard: string[]
  let connected: boolean[]
  let stop = () => {}

  function show(state: 'visible' | 'hidden'): void {
    page.visibilityState = state
    page.dispatchEvent(new Event('visibilitychange'))
  }

  beforeEach(() => {
    vi.useFakeTimers()
    requests = []
    heard = []
    connected = []
    answer = () => 200
    page.visibilityState = 'visible'
    vi.stubGlobal('document', page)
    vi.stubGlobal('navigator', {})
    vi.stubGlobal('addEventListener', outside.addEventListener.bind(outside))
    vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
      let body!: ReadableStreamDefaultController<Uint8Array>
      const stream = new ReadableStream<Uint8Array>({ start: (c) => void (body = c) })
      init.signal!.addEventListener('abort', () => body.error(new Error('aborted')))
      requests.push({
        headers: init.headers as Record<string, string>,
        send: (t) => body.enqueue(new TextEncoder().encode(t)),
        end: () => body.close(),
      })
      const status = answer()
      return new Response(status === 204 ? null : stream, { status })
    })
  })
  afterEach(() => {
    stop()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  const start = () => {
    stop = follow({
      address: '/events',
      headers: async () => ({ Authorization: 'Bearer t' }),
      heard: (e) => heard.push(e.id),
      ask: async () => {},
      connected: (yes) => connected.push(yes),
    })
    return vi.advanceTimersByTimeAsync(0)
  }
  const last = () => requests.at(-1)!

  test('resumes after the last event', async () => {
    await start()
    last().send('id: a-1\ndata: 1\n\nid: a-2\ndata')
    await vi.advanceTimersByTimeAsync(0)
    last().end()
    await vi.advanceTimersByTimeAsync(2000)
    last().send('id: a-2\ndata: 2\n\n')
    await vi.advanceTimersByTimeAsync(0)
    expect(heard).toEqual(['a-1', 'a-2'])
    expect(requests.map((r) => r.headers['Last-Event-ID'])).toEqual([undefined, 'a-1'])
  })

  test('tries again until it is there, at once when the network is', async () => {
    answer = () => {
      throw new TypeError('no network')
    }
    await start()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(requests.length).toBeGreaterThan(6)
    expect(requests.length).toBeLessThan(16)
    const before = requests.length
    answer = () => 200
    outside.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(0)
    expect(requests.length).toBe(before + 1)
    expect(connected.slice(-2)).toEqual([false, true])
  })

  test('leaves a connection that has fallen silent, and only that', async () => {
    await start()
    for (let i = 0; i < 8; i++) {
      await vi.advanceTimersByTimeAsync(15_000)
      last().send(':\n\n')
    }
    expect(requests.length).toBe(1)
    await vi.advanceTimersByTimeAsync(41_000)
    expect(requests.length).toBe(2)
  })

  test('a hidden page gives its stream back and has it again when it is seen', async () => {
    await start()
    show('hidden')
    await vi.advanceTimersByTimeAsync(20_000)
    last().send('id: a-1\ndata: 1\n\n')
    await vi.advanceTimersByTimeAsync(600_000)
    expect(requests.length).toBe(1)
    show('visible')
    await vi.advanceTimersByTimeAsync(0)
    expect(requests.map((r) => r.headers['Last-Event-ID'])).toEqual([undefined, 'a-1'])
  })

  test('goes on without a token that is no good', async () => {
    answer = () => (requests.length === 1 ? 401 : 200)
    await start()
    await vi.advanceTimersByTimeAsync(2000)
    expect(requests.map((r) => r.headers.Authorization)).toEqual(['Bearer t', undefined])
  })

  test.each([204, 404])('ends with %i', async (status) => {
    answer = () => status
    await start()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(requests.length).toBe(1)
  })

  test('ends when it is told to', async () => {
    await start()
    stop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(requests.length).toBe(1)
  })

  test('asks where all places for streams are taken', async () => {
    vi.stubGlobal('navigator', {
      locks: { request: (_: string, __: unknown, f: (l: null) => unknown) => f(null) },
    })
    let asked = 0
    stop = follow({
      address: '/events',
      headers: async () => ({}),
      heard: () => {},
      ask: async () => void asked++,
      connected: () => {},
    })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(requests.length).toBe(0)
    expect(asked).toBeGreaterThanOrEqual(5)
    expect(asked).toBeLessThan(8)
  })
})
