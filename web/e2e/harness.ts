// What the browser tests share: the test server, Debian's Chromium, and pages in which nothing may go wrong
// unseen.

import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The real server, but its clock is the test's. See cmd/testserver. */
export class Server {
  private constructor(
    readonly url: string,
    private readonly process: ChildProcess,
  ) {}

  static async start(...flags: string[]): Promise<Server> {
    const child = spawn(
      `${root}bin/testserver`,
      ['-dist', process.env.CRUEL_DIST ?? `${root}web/dist`, ...flags],
      {
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    )
    const url = await new Promise<string>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code) => reject(new Error(`the test server ended with ${code}`)))
      child.stdout!.on('data', (text: Buffer) => {
        const found = /listening (http:\S+)/.exec(text.toString())
        if (found) resolve(found[1]!.replace('127.0.0.1', 'localhost'))
      })
    })
    return new Server(url, child)
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once('exit', resolve))
    this.process.stdin!.end() // it stops when nobody holds the other end
    await ended
  }

  /** Sets the server's clock: it is that time now, and goes on. */
  async setClock(now: string): Promise<void> {
    await this.ask('clock', { now })
  }

  /** {on} 503 to everything, {seconds} for so long, {delay_ms} slow answers, {} all is well. */
  async setOutage(outage: { on?: boolean; seconds?: number; delay_ms?: number }): Promise<void> {
    await this.ask('outage', outage)
  }

  /** Cuts all event streams without a word. */
  async drop(): Promise<void> {
    await this.ask('drop', {})
  }

  private async ask(what: string, body: object): Promise<void> {
    const answer = await fetch(`${this.url}/test/${what}`, { method: 'POST', body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${what}: ${await answer.text()}`)
  }

  /** Calls the API as another client would. */
  async call(method: string, path: string, body?: unknown, token?: string): Promise<any> {
    const answer = await fetch(this.url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text && JSON.parse(text)
  }
}

export const phone = { width: 360, height: 640 }
export const desktop = { width: 1280, height: 720 }

export type Look = Omit<BrowserContextOptions, 'viewport'> & {
  viewport?: { width: number; height: number }
  settings?: Record<string, unknown> // of app/settings.svelte.ts
}

const troubles = new Map<Page, string[]>()

/** Trouble that a test brings about itself, such as an outage, is none. */
export function expectTrouble(page: Page, ...patterns: RegExp[]): void {
  expected.set(page, [...(expected.get(page) ?? []), ...patterns])
}
const expected = new Map<Page, RegExp[]>()

/**
 * The server and the browser of a test file. Each page is a browser of its own, so to say; after each test all
 * are closed, and the test fails if one of them had an error in its console or met the page's own policy.
 */
export function harness(...flags: string[]) {
  const made: { server: Server; browser: Browser } = {} as never

  beforeAll(async () => {
    made.server = await Server.start(...flags)
    made.browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    })
  })
  afterAll(async () => {
    await made.browser?.close()
    await made.server?.stop()
  })
  afterEach(async () => {
    for (const context of made.browser.contexts()) await context.close()
    await made.server.setOutage({})
    const all = [...troubles].flatMap(([page, texts]) =>
      texts.filter((text) => !expected.get(page)?.some((pattern) => pattern.test(text))),
    )
    troubles.clear()
    expected.clear()
    expect(all).toEqual([])
  })

  return {
    get server() {
      return made.server
    },
    get browser() {
      return made.browser
    },
    /** A page in a context of its own; null: it is nowhere yet. */
    async open(path: string | null = '/', { settings, ...look }: Look = {}): Promise<Page> {
      const context = await made.browser.newContext({ viewport: desktop, locale: 'en-GB', ...look })
      if (settings) {
        await context.addInitScript((text) => {
          if (location.protocol === 'about:') return // the empty page that comes first
          if (!localStorage.getItem('cruel.settings')) localStorage.setItem('cruel.settings', text)
        }, JSON.stringify(settings))
      }
      context.on('page', watch)
      const page = await context.newPage()
      if (path !== null) await page.goto(made.server.url + path)
      return page
    },
  }
}

function watch(page: Page): void {
  const texts: string[] = []
  troubles.set(page, texts)
  page.on('pageerror', (error) => texts.push(`error: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      texts.push(`console: ${message.text()} ${message.location().url}`)
    }
  })
}
