// Server-sent events, read by fetch: EventSource can't send a token in a header, and would put it into an
// address. What is promised: each event is delivered once and in order, and a stream that breaks off is taken
// up again by itself where it was.

import { eitherOf } from './abort'
import { locked } from './locks'

export interface StreamEvent {
  id: string
  type: string
  data: string
}

/** Takes a stream apart, however it was cut into chunks. */
export class Parser {
  #line = '' // as much of it as is there
  #afterReturn = false // a line feed now ends no other line
  #id = ''
  #type = ''
  #data: string[] = []

  push(chunk: string): StreamEvent[] {
    if (chunk === '') return []
    if (this.#afterReturn && chunk.startsWith('\n')) chunk = chunk.slice(1)
    this.#afterReturn = chunk.endsWith('\r')
    const lines = (this.#line + chunk).split(/\r\n|\r|\n/)
    this.#line = lines.pop()!
    return lines.flatMap((line) => this.#read(line) ?? [])
  }

  #read(line: string): StreamEvent | undefined {
    if (line === '') return this.#end()
    const colon = line.indexOf(':')
    if (colon === 0) return // a comment
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') this.#data.push(value)
    else if (field === 'event') this.#type = value
    else if (field === 'id' && !value.includes('\0')) this.#id = value
  }

  #end(): StreamEvent | undefined {
    const event = { id: this.#id, type: this.#type || 'message', data: this.#data.join('\n') }
    const isThere = this.#data.length > 0
    this.#type = ''
    this.#data = []
    return isThere ? event : undefined
  }
}

const silence = 40_000 // ms without a byte, when there is a heartbeat each 15 s: nobody is there any more
const hiddenFor = 30_000 // ms that a hidden page keeps its stream
const askEvery = 2_000 // ms, where there is no place for a stream
// A browser has six connections to a host over HTTP/1.1. Streams of all tabs together leave some of them free.
const places = 3

/** How long to wait after so many failures in a row, ms: from 0.5 s up to 10 s, never all at one time. */
export function backoff(failures: number, random = Math.random()): number {
  const most = Math.min(10_000, 1000 * 2 ** Math.min(failures, 10))
  return most / 2 + (random * most) / 2
}

/** Waits; less long if the network comes back or somebody looks at the page again, or `stop` says so. */
export function nap(ms: number, stop?: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const awake = new AbortController()
    const wake = () => {
      clearTimeout(timer)
      awake.abort()
      done()
    }
    const timer = setTimeout(wake, ms)
    const { signal } = awake
    addEventListener('online', wake, { signal })
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && wake(), {
      signal,
    })
    stop?.addEventListener('abort', wake, { signal })
    if (stop?.aborted) wake()
  })
}

export interface Source {
  address: string
  headers: () => Promise<Record<string, string>>
  heard: (event: StreamEvent) => void
  /** Asks for the state instead, while other tabs have all places for streams. */
  ask: () => Promise<void>
  connected: (yes: boolean) => void
}

/** Reads a stream until the function that it gives is called, or the server says that there is none. */
export function follow(source: Source): () => void {
  const stop = new AbortController()
  void run(source, stop.signal)
  return () => stop.abort()
}

async function run(source: Source, stop: AbortSignal): Promise<void> {
  const reader = new Reader(source, stop)
  let failures = 0
  while (!stop.aborted) {
    const began = Date.now()
    try {
      const end = await atPlace(() => reader.read())
      if (end === 'no more') return
      if (end === 'cut') {
        while (document.visibilityState === 'hidden' && !stop.aborted) await nap(2 ** 31 - 1, stop)
        continue
      }
      if (end === undefined) {
        await source.ask()
        source.connected(true)
      }
      // One that ends as soon as it begins is no better than none.
      failures = end === undefined || Date.now() - began > 5000 ? 0 : failures + 1
      await nap(end === undefined ? askEvery : backoff(failures), stop)
    } catch {
      if (stop.aborted) return
      source.connected(false)
      await nap(backoff(failures++), stop)
    }
  }
}

/** Does something at one of the places for streams; undefined where they are all taken. */
async function atPlace<T>(work: () => Promise<T>): Promise<T | undefined> {
  for (let place = 0; place < places; place++) {
    let done: Promise<T> | undefined
    const take = async (got: boolean) => {
      if (got) await (done = work())
    }
    await locked(`cruel.stream.${place}`, take, { ifAvailable: true })
    if (done) return done
  }
}

class Reader {
  #lastId = ''
  #withToken = true

  constructor(
    readonly source: Source,
    readonly stop: AbortSignal,
  ) {}

  /** Reads until the stream ends, or is cut here. An error is thrown if it never began. */
  async read(): Promise<'ended' | 'cut' | 'no more'> {
    const cut = new AbortController()
    const watch = watchOver(cut)
    try {
      const response = await fetch(this.source.address, {
        headers: {
          ...(this.#withToken && (await this.source.headers())),
          Accept: 'text/event-stream',
          ...(this.#lastId && { 'Last-Event-ID': this.#lastId }),
        },
        cache: 'no-store',
        signal: eitherOf(this.stop, cut.signal),
      })
      if ([204, 400, 403, 404, 410].includes(response.status)) return 'no more'
      this.#withToken = response.status !== 401 // everybody may read it
      if (!response.ok || !response.body) throw new Error(`the stream's status is ${response.status}`)
      this.source.connected(true)
      await this.#deliver(response.body, watch.alive).catch(() => {}) // it broke off
      return cut.signal.aborted ? 'cut' : 'ended'
    } finally {
      watch.end()
      cut.abort()
    }
  }

  async #deliver(body: ReadableStream<Uint8Array>, alive: () => void): Promise<void> {
    const parser = new Parser()
    const text = new TextDecoder()
    const reader = body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done || this.stop.aborted) return
      alive()
      for (const event of parser.push(text.decode(value, { stream: true }))) {
        if (this.stop.aborted) return
        this.#lastId = event.id
        this.source.heard(event)
      }
    }
  }
}

/** Cuts a connection that has fallen silent, and that of a page which nobody looks at. */
function watchOver(cut: AbortController) {
  let heard = Date.now()
  let silent: ReturnType<typeof setTimeout>
  let hidden: ReturnType<typeof setTimeout> | undefined
  const alive = () => {
    heard = Date.now()
    clearTimeout(silent)
    silent = setTimeout(() => cut.abort(), silence)
  }
  const seen = () => {
    clearTimeout(hidden)
    if (document.visibilityState === 'hidden') hidden = setTimeout(() => cut.abort(), hiddenFor)
    else if (Date.now() - heard > silence / 2) cut.abort() // timers sleep when a phone does
  }
  const ended = new AbortController()
  alive()
  seen()
  document.addEventListener('visibilitychange', seen, { signal: ended.signal })
  addEventListener('online', () => cut.abort(), { signal: ended.signal }) // of another network, it may be
  return {
    alive,
    end: () => {
      clearTimeout(silent)
      clearTimeout(hidden)
      ended.abort()
    },
  }
}
