// Races: two at their pages, over a network that fails them, with clocks that go wrong; and what nobody may see.

import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { deal } from '../src/engine'
import { randomFrom, randomWalk } from '../src/engine/testing'
import { short } from './games'
import { expectTrouble, harness, phone } from './harness'
import { cruel, expectWhole, patience, picture, pictureOf, place, Player, someone, tokensOf } from './help'

const h = harness()
const still = { settings: { speed: 0 } } // no motion

// ---- What the tests share

/** A deal, and moves that are legal on it. */
interface Game {
  seed: string
  moves: string[]
}
const won: Game = { seed: short.seed, moves: tokensOf(short.log) }

const random = randomFrom(3)
let games = 0
/** Another one each time, since no two races may be on one seed at a time. Nothing is won, and nothing redealt. */
function anotherGame(): Game {
  for (;;) {
    const seed = `race-${++games}`
    const moves = tokensOf(randomWalk(cruel, seed, 12, random).log)
    if (moves.length === 12 && !moves.includes('R')) return { seed, moves }
  }
}

/** The first moves of a game, as a log. */
const logOf = ({ moves }: Game, n: number) => moves.slice(0, n).join(' ')

type Someone = Awaited<ReturnType<typeof someone>>

const act = (who: Someone, code: string, what: string, body?: object) =>
  h.server.call('POST', `/v1/races/${code}/${what}`, body, who.token)

const raceOf = (code: string) => h.server.call('GET', `/v1/races/${code}`)

/** A race on the deal of a game, made by who isn't at a page. */
async function made(by: Someone, { seed }: Game, more: object = {}): Promise<string> {
  const wish = { goal: 'fewest_moves', time_limit_s: 600, visibility: 'invite', seed, ...more }
  return (await h.server.call('POST', '/v1/races', wish, by.token)).code
}

/** A page that takes the free seat of a race. */
async function joined(code: string): Promise<Page> {
  const page = await h.open(`/races/${code}`, still)
  await page.getByRole('button', { name: 'Join the race' }).click()
  await page.getByRole('switch', { name: 'Ready' }).waitFor(patience)
  return page
}

const ready = (page: Page) => page.getByRole('switch', { name: 'Ready' }).click()

/** Waits for the deal on the table of a page. */
const dealt = (page: Page) => page.getByRole('gridcell', { name: /^Pile a, (?!face down)/ }).waitFor(patience)

/** A race that is on: Ana isn't at a page, the other one is. */
async function running(game: Game): Promise<{ ana: Someone; code: string; page: Page }> {
  const ana = await someone(h.server)
  const code = await made(ana, game)
  const page = await joined(code)
  await ready(page)
  await act(ana, code, 'ready')
  await dealt(page)
  return { ana, code, page }
}

const lanes = (page: Page) => page.getByRole('list', { name: 'How far both are' })

/** The moves of a game in the notation of its lane. */
const laneOf = (page: Page, text: string) => lanes(page).getByText(text).first()

/** Plays some moves of the game, from one to before another. */
async function play(page: Page, game: Game, from: number, to: number): Promise<void> {
  await dealt(page)
  await place(page, 'a').focus()
  await new Player(page, game.seed, logOf(game, from)).keys(game.moves.slice(from, to).join(' '))
  await expectMoves(page, game, to)
}

/** The page has so many moves of a game, and its picture is theirs. */
async function expectMoves(page: Page, game: Game, n: number): Promise<void> {
  const code = new URL(page.url()).pathname.split('/')[2]
  expect(await expectWhole(page, game.seed, `race.${code}`)).toBe(logOf(game, n))
}

/** Waits until the server knows so many moves of a seat. */
const told = (code: string, seat: number, n: number) =>
  expect.poll(async () => (await raceOf(code)).entrants[seat].moves, patience).toBe(n)

// What the network and the server's outages leave in the console.
const outage = [/503/, /net::ERR_/]

/** All that a context asks and is answered, and what each answer's stream says. */
function record(context: BrowserContext) {
  const urls: string[] = []
  const secrets: string[] = []
  const bodies: { url: string; text: string }[] = []
  context.on('request', (request) => urls.push(request.url()))
  context.on('response', async (response) => {
    if (!response.url().includes('/v1/') || response.url().endsWith('/events')) return
    const text = await response.text().catch(() => '')
    bodies.push({ url: response.url(), text })
    for (const [, secret] of text.matchAll(/"(?:access|refresh)_token":"([^"]+)"/g)) secrets.push(secret!)
  })
  return { urls, secrets, bodies }
}

interface Heard {
  id: string
  type: string
  text: string
}

/** Writes down the events of a page's streams as they are read, before anything else runs in the page. */
async function listenToStreams(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const heard: Heard[] = ((window as any).heard = [])
    const real = window.fetch
    window.fetch = async (...args) => {
      const response = await real(...args)
      if (!response.url.endsWith('/events') || !response.body) return response
      const [own, theirs] = response.body.tee()
      void (async () => {
        let text = ''
        const reader = own.pipeThrough(new TextDecoderStream()).getReader()
        for (;;) {
          const { done, value } = await reader.read().catch(() => ({ done: true, value: '' }))
          if (done) return
          text += value
          const events = text.split('\n\n')
          text = events.pop()!
          for (const event of events) {
            const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(event)?.[1] ?? ''
            if (field('data')) heard.push({ id: field('id'), type: field('event'), text: event })
          }
        }
      })()
      return new Response(theirs, response)
    }
  })
}
const heardBy = (page: Page): Promise<Heard[]> => page.evaluate(() => (window as any).heard)

// ---- The tests

test('a whole race: by a reload, a cut connection and an outage, to the result and the rematch', async () => {
  const last = won.moves.length
  const a = await h.open('/races', still)
  const b = await h.open('/races', { ...still, viewport: phone })
  for (const page of [a, b]) expectTrouble(page, ...outage)
  const asked = [a, b].map((page) => record(page.context()))

  // Ana makes it, and Ben comes by its code.
  await a.getByText('Variant and seed').click()
  await a.getByRole('textbox', { name: 'Seed' }).fill(won.seed)
  await a.getByRole('button', { name: 'Make the race' }).click()
  const link = await a.getByRole('textbox', { name: 'Link' }).inputValue()
  const code = link.split('/').at(-1)!
  expect(a.url()).toBe(link)
  await b.getByRole('textbox', { name: /code/i }).fill(` ${code.slice(0, 3).toUpperCase()} ${code.slice(3)}`)
  await b.getByRole('button', { name: 'Join', exact: true }).click()
  await b.waitForURL(link)

  // Both are ready; the cards stay face down until the server says go.
  await ready(a)
  await ready(b)
  for (const page of [a, b]) {
    await page.getByText('It starts in', { exact: true }).waitFor(patience)
    expect(await page.getByRole('gridcell', { name: 'face down' }).count()).toBe(12)
  }
  await Promise.all([dealt(a), dealt(b)])
  for (const page of [a, b]) expect(await picture(page)).toEqual(pictureOf(deal(won.seed, cruel)))

  // The game goes on through all of it.
  await play(a, won, 0, 12)
  await laneOf(b, '12').waitFor(patience)
  await a.reload()
  await expectMoves(a, won, 12)
  await play(a, won, 12, 20)
  await h.server.drop()
  await play(a, won, 20, 28)
  await h.server.setOutage({ seconds: 3 })
  await play(a, won, 28, 36)
  await a.getByText('No connection').waitFor(patience)
  await play(b, won, 0, 5)
  await told(code, 0, 36)
  await told(code, 1, 5)
  await a.getByText('No connection').waitFor({ state: 'detached', ...patience })

  // One finishes with the win, the other as it is.
  await play(a, won, 36, last)
  await a
    .getByRole('button', { name: `Finish with ${last} moves` })
    .first()
    .click()
  await a.getByText(`Finished with ${last} moves`).waitFor(patience)
  await b
    .getByText(/finished/)
    .first()
    .waitFor(patience)
  await b.getByRole('button', { name: 'More' }).click()
  await b.getByRole('button', { name: 'Finish as it is' }).click()
  await b.getByRole('button', { name: 'Finish as it is' }).last().click()

  await a.getByRole('heading', { level: 1, name: 'You won' }).waitFor(patience)
  await b.getByRole('heading', { level: 1, name: / won$/ }).waitFor(patience)
  const { entrants, outcome } = await raceOf(code)
  expect(outcome).toBe('win')
  expect(entrants.map((e: { log: string }) => e.log)).toEqual([logOf(won, last), logOf(won, 5)])

  // Both games can be watched, and are checked again.
  const replays = b.getByRole('link', { name: /^Replay of/ })
  expect(await replays.count()).toBe(2)
  for (const i of [0, 1]) {
    await replays.nth(i).click()
    await b.waitForURL(/\/replay\//)
    await b
      .getByText(/✓/)
      .first()
      .waitFor({ state: 'attached', ...patience })
    await b.goBack()
    await b.getByRole('heading', { level: 1, name: / won$/ }).waitFor(patience)
  }

  await b.getByRole('link', { name: 'Compare the games move by move' }).click()
  const games = b.getByRole('group', { name: 'The games' }).getByRole('button')
  await expect.poll(() => games.count(), patience).toBe(2)
  await b.goBack()
  await b.getByRole('heading', { level: 1, name: / won$/ }).waitFor(patience)

  // A rematch leads both to the same lobby.
  await a.getByRole('button', { name: 'Rematch' }).click()
  await b.getByRole('button', { name: 'Accept the rematch' }).click()
  await expect.poll(() => a.url(), patience).not.toBe(link)
  const next = a.url()
  await b.waitForURL(next)
  for (const page of [a, b]) {
    await page.getByRole('heading', { name: 'Both are here' }).waitFor(patience)
    expect(await page.getByRole('listitem').filter({ hasText: 'not ready yet' }).count()).toBe(2)
  }

  // No token was ever in an address.
  const secrets = asked.flatMap((r) => r.secrets)
  expect(secrets.length).toBeGreaterThan(1)
  for (const { urls } of asked) {
    expect(urls.length).toBeGreaterThan(20)
    expect(urls.filter((url) => /token|bearer/i.test(url) || secrets.some((s) => url.includes(s)))).toEqual(
      [],
    )
  }
})

test('M16: what happens while a page is cut off it hears afterwards, each once and in order', async () => {
  const game = anotherGame()
  const ana = await someone(h.server)
  const code = await made(ana, game)
  const page = await h.open(null, still)
  expectTrouble(page, ...outage)
  await listenToStreams(page.context())
  await page.goto(`${h.server.url}/races/${code}`)
  await page.getByRole('button', { name: 'Join the race' }).click()
  await ready(page)
  await act(ana, code, 'ready')
  await dealt(page)
  await act(ana, code, 'progress', { log: logOf(game, 1) })
  await laneOf(page, '1 move,').waitFor({ state: 'attached', ...patience })

  const before = await heardBy(page)
  await page.context().setOffline(true)
  await h.server.drop()
  const cut = Date.now()
  const first = (await raceOf(code)).event_id
  for (let n = 2; n <= 11; n++) await act(ana, code, 'progress', { log: logOf(game, n) })
  const last = (await raceOf(code)).event_id
  expect(last - first).toBe(10)
  await page.waitForTimeout(5000 - (Date.now() - cut)) // it stays cut off for 5 s
  expect((await heardBy(page)).length).toBe(before.length)
  await page.context().setOffline(false)

  await laneOf(page, '11 moves,').waitFor({ state: 'attached', ...patience })
  const ids = (await heardBy(page)).slice(before.length).map(({ id }) => Number(id.split('-')[1]))
  expect(ids).toEqual(Array.from({ length: 10 }, (_, i) => first + 1 + i))
  expect(await lanes(page).innerText()).toContain('11 moves')
})

test('M17: with eight tabs of one browser open, a move of the last one arrives within 2 s', async () => {
  const game = anotherGame()
  const { code, page } = await running(game)
  const tabs = [page]
  for (let i = 1; i < 8; i++) {
    const tab = await page.context().newPage()
    await tab.goto(page.url())
    await dealt(tab)
    tabs.push(tab)
  }
  const last = tabs.at(-1)!
  await place(last, 'a').focus()
  const began = Date.now()
  const arrived = last.waitForResponse((r) => r.url().endsWith('/progress') && r.ok(), patience)
  await new Player(last, game.seed).keys(game.moves[0]!)
  await arrived
  expect(Date.now() - began).toBeLessThan(2000)
  expect((await raceOf(code)).entrants[1].moves).toBe(1)
  for (const tab of tabs) await expect.poll(() => lanes(tab).innerText(), patience).toContain('1 move')
})

test.each([
  ['46 s ahead', 46_000],
  ['5 min behind', -300_000],
])('M18: on a device whose clock is %s the countdown is the server’s', async (_, ahead) => {
  const game = anotherGame()
  const ana = await someone(h.server)
  const code = await made(ana, game, { time_limit_s: 120 })
  const page = await h.open(null, still)
  await page.context().addInitScript((ahead) => {
    const Real = Date
    window.Date = class extends Real {
      constructor(...args: []) {
        super(...((args.length > 0 ? args : [Real.now() + ahead]) as []))
      }
      static override now = () => Real.now() + ahead
    } as DateConstructor
    // When each digit came, by the machine's own clock.
    const seen: Record<string, number> = ((window as any).digits = {})
    const look = () => {
      const digit = document.querySelector('[role="timer"]')?.textContent?.match(/[1-5]|Go/)?.[0]
      if (digit) seen[digit] ??= performance.timeOrigin + performance.now()
      requestAnimationFrame(look)
    }
    look()
  }, ahead)
  await page.goto(`${h.server.url}/races/${code}`)
  await page.getByRole('button', { name: 'Join the race' }).click()
  await ready(page)
  await act(ana, code, 'ready')
  await dealt(page)

  // How far the server's clock is from the machine's.
  const { now } = await (await fetch(`${h.server.url}/test/clock`)).json()
  const offset = Date.parse(now) - Date.now()
  const { starts_at, ends_at } = await raceOf(code)
  const digits: Record<string, number> = await page.evaluate(() => (window as any).digits)
  const wrong = ['4', '3', '2', '1'].map(
    (digit) => digits[digit]! + offset - (Date.parse(starts_at) - Number(digit) * 1000),
  )
  // A busy machine may show one digit late, but it shows none early and not all late.
  expect(Math.min(...wrong.map(Math.abs)), String(wrong)).toBeLessThan(300)
  expect(Math.min(...wrong), String(wrong)).toBeGreaterThan(-300)

  // So is the time that is left, and the one that was taken.
  const left = await page
    .getByText(/1:[0-5]\d$/)
    .first()
    .innerText()
  const seconds = 60 + Number(left.slice(-2))
  expect(Math.abs(seconds - (Date.parse(ends_at) - Date.now() - offset) / 1000)).toBeLessThan(2)
  await play(page, game, 0, 2)
  await told(code, 1, 2)
  await act(ana, code, 'finish', { log: logOf(game, 9) })
  await page.getByRole('button', { name: 'Finish as it is' }).first().click()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: / won$/ }).waitFor(patience)
  const { entrants } = await raceOf(code)
  for (const { finished_at } of entrants) {
    const s = Math.floor((Date.parse(finished_at) - Date.parse(starts_at)) / 1000)
    await page
      .getByText(`0:${String(s).padStart(2, '0')}`, { exact: true })
      .first()
      .waitFor(patience)
  }
})

/** Looks at each frame: what was on the table, face up, by the names of the piles. */
async function watchTable(page: Page): Promise<void> {
  await page.context().addInitScript(() => {
    const seen = ((window as any).boards = new Set<string>())
    const look = () => {
      const piles = [...document.querySelectorAll('[data-place]')].filter((e) =>
        /^[a-l]$/.test(e.getAttribute('data-place')!),
      )
      const up = document.querySelectorAll('[data-card] .face:not(.back)').length
      if (piles.length > 0)
        seen.add(`${up} up: ${piles.map((e) => e.getAttribute('aria-label')).join(' | ')}`)
      requestAnimationFrame(look)
    }
    look()
  })
}

/** Only the four Aces were face up before the deal was, and nothing else ever. */
async function expectNoOtherBoard(page: Page, seed: string, before: boolean): Promise<void> {
  const boards: string[] = await page.evaluate(() => [...(window as any).boards])
  const hidden = `4 up: ${[...'abcdefghijkl'].map((p) => `Pile ${p}, face down`).join(' | ')}`
  expect(boards.length, boards.join('\n')).toBe(before ? 2 : 1)
  if (before) expect(boards[0]).toBe(hidden)
  expect(boards.at(-1)).toMatch(/^52 up: /)
  expect(await picture(page)).toEqual(pictureOf(deal(seed, cruel)))
}

test('M19: whom the answers reach late gets the deal, and so does who comes at the start', async () => {
  const { seed } = anotherGame()
  const ana = await h.open('/races', still)
  await ana.getByText('Variant and seed').click()
  await ana.getByRole('textbox', { name: 'Seed' }).fill(seed)
  await ana.getByRole('button', { name: 'Make the race' }).click()
  const code = (await ana.getByRole('textbox', { name: 'Link' }).inputValue()).split('/').at(-1)!
  expectTrouble(ana, ...outage)
  await watchTable(ana)
  await ana.reload()
  const ben = await joined(code)
  expectTrouble(ben, ...outage)
  await ready(ana)
  await ready(ben)
  await ana.getByText('It starts in', { exact: true }).waitFor(patience)

  // Ben leaves in the countdown and is back at the start; Ana's connection is cut and slow.
  await ben.goto('about:blank')
  await h.server.setOutage({ delay_ms: 3000 })
  await h.server.drop()
  const { starts_at } = await raceOf(code)
  const { now } = await (await fetch(`${h.server.url}/test/clock`)).json()
  await watchTable(ben)
  await new Promise((done) => setTimeout(done, Date.parse(starts_at) - Date.parse(now)))
  await ben.goto(`${h.server.url}/races/${code}`, { timeout: 60_000 })
  await dealt(ana)
  await expectNoOtherBoard(ana, seed, true)
  await h.server.setOutage({})
  await dealt(ben)
  await expectNoOtherBoard(ben, seed, (await ben.evaluate(() => (window as any).boards.size)) > 1)
  expect((await raceOf(code)).starts_at).toBe(starts_at)
})

test('M20: nothing tells the seed before the start, and who watches sees no cards before the end', async () => {
  const ana = await someone(h.server)
  const { code } = await h.server.call(
    'POST',
    '/v1/races',
    { goal: 'fewest_moves', time_limit_s: 600, visibility: 'open' },
    ana.token,
  )
  const [ben, watcher] = [await h.open(null, still), await h.open(null, still)]
  const pages = [ben, watcher]
  const asked = pages.map((page) => record(page.context()))
  for (const page of pages) {
    await listenToStreams(page.context())
    await page.goto(`${h.server.url}/races`)
    await page.goto(`${h.server.url}/races/${code}`)
  }
  await ben.getByRole('button', { name: 'Join the race' }).click()
  await ready(ben)
  await act(ana, code, 'ready')
  for (const page of pages) await page.getByRole('timer').waitFor(patience)
  const known = await Promise.all(
    pages.map((page) =>
      page.evaluate(async () => {
        const stored = [
          { ...localStorage },
          { ...sessionStorage },
          (await indexedDB.databases()).map((d) => d.name),
        ]
        const events = (window as any).heard.map((e: Heard) => e.text)
        return [document.documentElement.outerHTML, JSON.stringify(stored), ...events].join('\n')
      }),
    ),
  )
  const answers = asked.flatMap(({ bodies }) => bodies.map(({ text }) => text))
  await dealt(ben)

  const race = await raceOf(code)
  expect(race.seed).toMatch(/^[a-z0-9-]{10,}$/)
  expect(answers.length).toBeGreaterThan(4)
  for (const text of [...known, ...answers]) {
    expect(text).not.toContain(race.seed)
    expect(text).not.toMatch(/"(seed|deal)":\s*["{[]/)
  }

  // Who watches sees how far both are.
  await watcher.getByText('You are watching').waitFor(patience)
  await act(ana, code, 'progress', { log: 'R R' })
  await laneOf(watcher, '2 moves').waitFor(patience)
  expect(await watcher.locator('[data-card]').count()).toBe(0)
  expect(await watcher.getByRole('link', { name: /Replay/ }).count()).toBe(0)
  expect((await raceOf(code)).entrants[0].log).toBeNull()
  await act(ana, code, 'finish', { log: 'R R' })
  expect(await watcher.locator('[data-card]').count()).toBe(0)
  await ben.getByRole('button', { name: 'Finish as it is' }).first().click()
  await ben.keyboard.press('Enter')
  await watcher
    .getByRole('link', { name: /^Replay of/ })
    .first()
    .waitFor(patience)
  expect(await watcher.getByRole('link', { name: /^Replay of/ }).count()).toBe(2)
})

test('who gives up may take it back, before it is sent and after', async () => {
  const game = anotherGame()
  const { ana, code, page } = await running(game)
  await play(page, game, 0, 3)
  const giveUp = async () => {
    await page.getByRole('button', { name: 'Give up' }).first().click()
    await page.getByText('Give up this race?').first().waitFor(patience)
    await page.keyboard.press('Enter') // the question has the focus
    await page
      .getByText(/^Giving up in/)
      .first()
      .waitFor(patience)
  }
  await giveUp()
  const takeBack = page.getByRole('button', { name: 'Take back' })
  await takeBack.click()
  await takeBack.waitFor({ state: 'detached', ...patience })
  expect((await raceOf(code)).entrants[1].state).toBe('racing')

  await giveUp()
  await page.getByText('You have given up').first().waitFor(patience)
  expect((await raceOf(code)).entrants[1].state).toBe('forfeited')
  await page.getByRole('button', { name: 'Go on after all' }).click()
  await expect.poll(async () => (await raceOf(code)).entrants[1].state, patience).toBe('racing')
  await page
    .getByText('You have given up')
    .first()
    .waitFor({ state: 'detached', ...patience }) // the page knows it, too
  await play(page, game, 3, 6)
  await told(code, 1, 6)

  await giveUp()
  await page.getByText('You have given up').first().waitFor(patience)
  await act(ana, code, 'finish', { log: logOf(game, 1) })
  await page
    .getByText(/gave up/)
    .first()
    .waitFor(patience)
  expect((await raceOf(code)).winner.id).toBe(ana.id)
})
