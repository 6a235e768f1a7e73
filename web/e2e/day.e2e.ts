// Days: midnight in an open tab, a server that isn't there, days in a row; and boards that change while they
// are read.

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { deal, finish, logText } from '../src/engine'
import { days, short, type WonGame } from './games'
import { expectTrouble, harness } from './harness'
import {
  boardOf,
  cruel,
  expectWhole,
  keptLog,
  nextVerdict,
  patience,
  picture,
  pictureOf,
  place,
  Player,
  positionAfter,
  settled,
  shared,
  someone,
  submit,
  tokensOf,
  type,
  wonDialog,
} from './help'

const h = harness()
const quick = { settings: { speed: 0 } }
const typed = { settings: { speed: 0, textMode: true } }
type Day = keyof typeof days
const idOf = (day: Day) => `cruel-${day}`

/** Holds that all of a page is of one day: the deal on the table is that of the challenge it names. */
async function expectDay(page: Page, day: Day, name: RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor(patience)
  const answer = await h.server.call('GET', `/v1/challenges/${idOf(day)}`)
  expect(answer.seed).toBe(days[day].seed)
  expect(await picture(page)).toEqual(pictureOf(deal(days[day].seed, cruel)))
  await page.getByRole('tabpanel').getByRole('heading', { name }).waitFor(patience)
}

describe('midnight in an open tab', () => {
  test('offers the new deal, and keeps the old game, which still counts for its day', async () => {
    const [eve, day] = ['2026-11-29', '2026-11-30'] as const
    await h.server.setClock('2026-11-29T23:58:00Z')
    const page = await h.open('/', quick)
    await expectDay(page, eve, /29 November 2026/)
    const old = new Player(page, days[eve].seed)
    await place(page, 'a').focus()
    const begun = tokensOf(days[eve].log).slice(0, 30).join(' ')
    await old.keys(begun)
    expect(await page.getByText('A new deal is here.').count()).toBe(0)

    // The server's clock counts. The page asks it when it is looked at again, and waits for midnight itself.
    await h.server.setClock('2026-11-29T23:59:57Z')
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    const offer = page.getByRole('complementary', { name: 'A new deal is here.' })
    await offer.getByText(/This game stays\. Its result counts until 00:10/).waitFor(patience)
    expect(await expectWhole(page, days[eve].seed, idOf(eve))).toBe(begun)

    // The new one is begun beside it, without a reload.
    await page.evaluate(() => Object.assign(window, { sameDocument: true }))
    await offer.getByRole('link', { name: 'Play it' }).click()
    await expectDay(page, day, /30 November 2026/)
    expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
    await place(page, 'a').focus()
    await new Player(page, days[day].seed).keys('jD R')
    expect(await keptLog(page, idOf(day))).toBe('jD R')
    expect(await keptLog(page, idOf(eve))).toBe(begun)

    // And the old one is finished and submitted as what it is.
    await page.goto(`${h.server.url}/play/${idOf(eve)}`)
    await page.getByText(/Over, but what arrives by 00:10 still counts/).waitFor(patience)
    expect(await expectWhole(page, days[eve].seed, idOf(eve))).toBe(begun)
    const answered = nextVerdict(page, idOf(eve))
    await place(page, 'a').focus()
    await old.keys(tokensOf(days[eve].log).slice(30).join(' '))
    expect(await answered).toMatchObject({ challenge_id: idOf(eve), outcome: 'won', late: false, rank: 1 })
    expect(await boardOf(h.server, idOf(eve))).toHaveLength(1)
    expect(await boardOf(h.server, idOf(day))).toHaveLength(0)

    await page.goto(`${h.server.url}/`)
    await settled(page)
    expect(await expectWhole(page, days[day].seed, idOf(day))).toBe('jD R')
  })

  test('a result that comes after the grace is marked late and on no board', async () => {
    await h.server.setClock('2026-12-01T12:00:00Z')
    await h.server.call('GET', '/v1/daily') // a day that nobody opens has no deal
    await h.server.setClock('2026-12-02T00:10:30Z')
    const page = await h.open('/play/cruel-2026-12-01', typed)
    await page.getByText('This day is over.').first().waitFor(patience)
    const answered = nextVerdict(page, 'cruel-2026-12-01')
    await type(page, days['2026-12-01'].log)
    expect(await answered).toMatchObject({ late: true, rank: null, would_rank: 1 })
    await wonDialog(page, 69).getByText('too late for the board (it would be rank 1)').waitFor(patience)
    expect(await boardOf(h.server, 'cruel-2026-12-01')).toHaveLength(0)
  })

  test('through the service worker, the page is wholly of the new day at 00:00:05', async () => {
    await h.server.setClock('2026-11-28T23:59:40Z')
    const page = await h.open('/', quick)
    await expectDay(page, '2026-11-28', /28 November 2026/)
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.reload() // now by the worker
    expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
    await expectDay(page, '2026-11-28', /28 November 2026/)
    await h.server.setClock('2026-11-29T00:00:05Z')
    await page.reload()
    await expectDay(page, '2026-11-29', /29 November 2026/)
    // The header answers to the day, too, and what links to today.
    await page
      .getByRole('banner')
      .getByRole('link', { name: /29 Nov 2026/ })
      .waitFor()
    // "Today", pressed in a tab that stayed open, is the new one without a reload.
    await h.server.setClock('2026-11-30T00:00:05Z')
    await page.getByRole('banner').getByRole('link', { name: 'Today', exact: true }).click()
    await expectDay(page, '2026-11-30', /30 November 2026/)
  })
})

describe('without a server', () => {
  /** The submissions that the server has of the short game on a challenge. */
  async function submissionsOf(challenge: string): Promise<number> {
    const rows = await boardOf(h.server, challenge)
    let count = 0
    for (const { player } of rows) {
      const { items } = await h.server.call('GET', `/v1/players/${player.name}/submissions`)
      count += items.filter((s: any) => s.challenge_id === challenge).length
    }
    return count
  }

  test('a win is kept, and sent by itself when the server is back, once', async () => {
    await h.server.setClock('2026-11-30T12:00:00Z')
    const challenge = await shared(h.server, short.seed)
    const page = await h.open(`/play/${challenge}`, typed)
    expectTrouble(page, /status of 503/)
    await settled(page)
    await h.server.setOutage({ on: true })
    await type(page, short.log)
    const dialog = wonDialog(page, 54)
    await dialog.getByText(/Kept on this device; sent as soon as the server is reachable/).waitFor(patience)
    await h.server.setOutage({})
    await dialog.getByText(/^Checked by the server/).waitFor(patience)
    expect(await submissionsOf(challenge)).toBe(1)
    // Nothing is left to be sent.
    await page.reload()
    await settled(page)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await page.getByRole('button', { name: 'Result' }).click()
    await dialog.getByText(/^Checked by the server/).waitFor(patience)
    expect(await submissionsOf(challenge)).toBe(1)
  })

  test('a win that waits survives a reload, and two tabs send it once', async () => {
    await h.server.setClock('2026-11-30T12:00:00Z')
    const challenge = await shared(h.server, short.seed)
    const page = await h.open(`/play/${challenge}`, typed)
    expectTrouble(page, /status of 503/)
    await settled(page)
    await h.server.setOutage({ on: true })
    await type(page, short.log)
    await wonDialog(page, 54)
      .getByText(/^Kept on this device/)
      .waitFor(patience)
    await page.reload()
    await page
      .getByText('The server can’t be reached. This is the deal as this device kept it')
      .waitFor(patience)
    expect(await expectWhole(page, short.seed, challenge)).toBe(short.log)
    const second = await page.context().newPage()
    expectTrouble(second, /status of 503/)
    await second.goto(`${h.server.url}/play/${challenge}`)
    await settled(second)
    await h.server.setOutage({})
    for (const tab of [page, second]) {
      await tab.evaluate(() => dispatchEvent(new Event('online')))
    }
    await expect.poll(() => boardOf(h.server, challenge), patience).toHaveLength(1)
    await page.getByRole('button', { name: 'Result' }).click()
    await wonDialog(page, 54)
      .getByText(/^Checked by the server/)
      .waitFor(patience)
    expect(await submissionsOf(challenge)).toBe(1)
  })

  test('an answer that is lost on its way back doesn’t make a second submission', async () => {
    await h.server.setClock('2026-11-30T12:00:00Z')
    const challenge = await shared(h.server, short.seed)
    const page = await h.open(`/play/${challenge}`, typed)
    expectTrouble(page, /ERR_FAILED/)
    await settled(page)
    let lost = 0
    await page.route('**/submissions', async (route) => {
      if (lost++ > 0) return route.continue()
      await route.fetch() // the server has it
      await route.abort()
    })
    await type(page, short.log)
    await wonDialog(page, 54)
      .getByText(/^Checked by the server/)
      .waitFor(patience)
    expect(lost).toBe(2)
    expect(await submissionsOf(challenge)).toBe(1)
  })

  test('the page opens by the service worker with the deal that it kept, and sends later', async () => {
    await h.server.setClock('2026-11-27T12:00:00Z')
    const page = await h.open('/rules', quick)
    await page.clock.install({ time: '2026-11-27T12:00:00Z' }) // the device's, which counts where there is no other
    await page.goto(h.server.url)
    expectTrouble(page, /ERR_INTERNET_DISCONNECTED/)
    const { seed, log } = days['2026-11-27']
    await expectDay(page, '2026-11-27', /27 November 2026/)
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.reload()
    await settled(page)
    await page.context().setOffline(true)
    await page.reload()
    await page
      .getByText('The server can’t be reached. This is the deal as this device kept it')
      .waitFor(patience)
    expect(await picture(page)).toEqual(pictureOf(deal(seed, cruel)))
    await place(page, 'a').focus()
    await new Player(page, seed).keys(log)
    await wonDialog(page, 64)
      .getByText(/^Kept on this device/)
      .waitFor(patience)
    await page.reload() // and it is still there
    await settled(page)
    const answered = nextVerdict(page, 'cruel-2026-11-27')
    await page.context().setOffline(false)
    expect(await answered).toMatchObject({ outcome: 'won', moves: 64, late: false })
    expect(await submissionsOf('cruel-2026-11-27')).toBe(1)
  })

  test('nothing that was never seen is made up', async () => {
    await h.server.setClock('2026-11-30T12:00:00Z')
    await h.server.setOutage({ on: true })
    const page = await h.open('/', quick)
    expectTrouble(page, /status of 503/)
    await page.getByRole('alert').getByText('The server has trouble at the moment.').waitFor(patience)
    await h.server.setOutage({})
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: /30 November 2026/ }).waitFor(patience)
  })
})

test('days in a row and the distances from par are counted', async () => {
  const row = ['2026-11-27', '2026-11-28', '2026-11-29'] as const
  await h.server.setClock(`${row[0]}T12:00:00Z`)
  const tab = await h.open('/', typed)
  for (const [i, day] of row.entries()) {
    await h.server.setClock(`${day}T12:00:00Z`)
    await tab.goto(`${h.server.url}/`)
    await tab
      .getByRole('heading', { level: 1, name: new RegExp(`${day.slice(8)} November`) })
      .waitFor(patience)
    const answered = nextVerdict(tab, idOf(day))
    await type(tab, i === 2 ? withOneMore(days[day]) : days[day].log)
    const { moves, over_par } = await answered
    expect(over_par).toBe(i === 2 ? 1 : 0)
    const record = wonDialog(tab, moves).getByRole('region', { name: 'Dailies' })
    await record.waitFor(patience)
    const definition = (term: string) => record.getByRole('term').filter({ hasText: term }).locator('+ dd')
    expect(await definition('Days in a row').textContent()).toBe(String(i + 1))
    expect(await definition('Won').textContent()).toContain(`${i + 1} of ${i + 1}`)
  }
  const histogram = wonDialog(tab, 67).getByRole('table', { name: 'Moves over par' })
  await expect
    .poll(() => histogram.getByRole('row', { name: /^par/ }).innerText(), patience)
    .toMatch(/^par\s+2/)
  expect(await histogram.getByRole('row', { name: /^\+1/ }).innerText()).toMatch(/^\+1\s+1\s+latest/)

  // Among all of that day, and on the table when it is opened again.
  await tab.goto(`${h.server.url}/board/${idOf(row[2])}`)
  const all = tab.getByRole('table', { name: 'Moves over par' })
  await all.getByRole('row', { name: /^\+1/ }).waitFor(patience)
  expect(await all.getByRole('row', { name: /^\+1/ }).innerText()).toMatch(/^\+1\s+\d\s+you/)
  await tab.evaluate(() => localStorage.setItem('cruel.settings', '{}'))
  await tab.goto(`${h.server.url}/play/${idOf(row[2])}`)
  await tab.getByText('Won in 67 moves. Par +1.').first().waitFor(patience)

  // When it was handed in nobody was before it; now somebody is.
  await submit(h.server, idOf(row[2]), days[row[2]].log, (await someone(h.server)).token)
  await tab.getByRole('button', { name: 'Result' }).click()
  const rank = wonDialog(tab, 67).getByRole('term').filter({ hasText: 'Rank' }).locator('+ dd')
  await expect.poll(() => rank.innerText(), patience).toMatch(/^[2-9]/)

  // A day without a win ends the row.
  await h.server.setClock('2026-12-01T12:00:00Z')
  await tab.goto(`${h.server.url}/account`)
  await tab.getByRole('link', { name: 'Your results' }).click(patience)
  const record = tab.getByRole('region', { name: 'Dailies' })
  await record.getByText('A win is missing on 30 Nov 2026.').waitFor(patience)
  expect(await record.getByRole('term').filter({ hasText: 'Longest' }).locator('+ dd').textContent()).toBe(
    '3',
  )
})

/** A win of a game with a redeal at its end that isn't needed. */
function withOneMore({ seed, log }: WonGame): string {
  const tokens = tokensOf(log)
  for (let n = tokens.length - 1; ; n--) {
    const longer = [...tokens.slice(0, n), 'R'].join(' ')
    const plays = finish(cruel, positionAfter(seed, longer))
    if (plays?.length === tokens.length - n) return `${longer} ${logText(plays)}`
  }
}

describe('a board that changes while it is read', () => {
  const seventy = 70
  const tokens = tokensOf(short.log)
  const begun = (n: number) => tokens.slice(0, n).join(' ')

  /** A challenge with the results of seventy players; of the first 53 each is better than the one before. */
  async function crowded() {
    const challenge = await shared(h.server, short.seed)
    const crowd = []
    for (let i = 0; i < seventy; i++) {
      const player = await someone(h.server)
      await submit(h.server, challenge, i < 53 ? begun(i + 1) : `jS${' R'.repeat(i)}`, player.token)
      crowd.push(player)
    }
    return { challenge, crowd }
  }

  const names = (page: Page) =>
    page.getByRole('table').getByRole('rowheader').getByRole('link').allInnerTexts()

  test('has each row once, in the order of the server', async () => {
    await h.server.setClock('2026-11-30T12:00:00Z')
    const { challenge, crowd } = await crowded()
    const page = await h.open(`/board/${challenge}`)
    await expect.poll(async () => (await names(page)).length, patience).toBe(50)

    // Between two pages a row beyond the first page becomes the best, and a new one comes in.
    await submit(h.server, challenge, short.log, crowd[60]!.token)
    const newcomer = await someone(h.server)
    await submit(h.server, challenge, begun(30), newcomer.token)
    // And a row that is shown already is made better, so that it moves.
    await submit(h.server, challenge, begun(45), crowd[9]!.token)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(async () => (await names(page)).length, patience).toBeGreaterThan(50)
    const shown = await names(page)
    expect(new Set(shown).size).toBe(shown.length)

    // Looked at again, it is as the server has it.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    const truth = (await boardOf(h.server, challenge, '?limit=200')).map((row: any) => row.player.name)
    await expect.poll(() => names(page), patience).toEqual(truth.slice(0, shown.length))
  })

  test('around me, has a row once that was shown below and moved up', async () => {
    await h.server.setClock('2026-11-30T12:00:00Z')
    const { challenge, crowd } = await crowded()
    const page = await h.open(`/play/${challenge}`, typed)
    await settled(page)
    const answered = nextVerdict(page, challenge)
    await type(page, begun(20))
    await type(page, 'submit')
    await type(page, 'submit')
    expect(await answered).toMatchObject({ outcome: 'unfinished', players: seventy + 1 })
    await page.goto(`${h.server.url}/board/${challenge}?around=me`)
    await expect.poll(async () => (await names(page)).length, patience).toBe(21)
    const before = await names(page)
    const below = crowd.find(({ name }) => name === before.at(-1))!
    await submit(h.server, challenge, short.log, below.token)

    await page.getByRole('button', { name: 'Show better results' }).click()
    await expect.poll(async () => (await names(page)).length, patience).toBeGreaterThan(21)
    while (await page.getByRole('button', { name: 'Show better results' }).isVisible()) {
      const had = (await names(page)).length
      await page.getByRole('button', { name: 'Show better results' }).click()
      await expect.poll(async () => (await names(page)).length, patience).toBeGreaterThan(had)
    }
    const shown = await names(page)
    expect(new Set(shown).size).toBe(shown.length)
    expect(shown[0]).toBe(below.name)
    // The page is still alive.
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(async () => (await names(page)).length, patience).toBe(seventy + 1)
    expect(new Set(await names(page)).size).toBe(seventy + 1)
  })
})
