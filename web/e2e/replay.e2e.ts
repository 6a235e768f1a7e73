// Games are watched: one's own while its deal is open, the par when the day is over; and nobody's before.

import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { days, short } from './games'
import { desktop, expectTrouble, harness, phone } from './harness'
import {
  expectWhole,
  keptLog,
  nextVerdict,
  patience,
  picture,
  pictureOf,
  place,
  positionAfter,
  settled,
  shared,
  someone,
  submit,
  tokensOf,
  type,
  verifyFile,
  wonDialog,
} from './help'

const h = harness()
const { seed, log } = short
const tokens = tokensOf(log)

beforeEach(() => h.server.setClock('2026-11-28T12:00:00Z'))

const slider = (page: Page) => page.getByRole('slider', { name: 'Moves' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Holds that a replay of the short game shows the moment after so many moves: in words, address and picture. */
async function expectMoment(page: Page, m: number): Promise<void> {
  await expect.poll(() => slider(page).inputValue(), patience).toBe(String(m))
  await page.waitForURL((url) => url.hash === `#m=${m}`)
  expect(await slider(page).getAttribute('aria-valuetext')).toMatch(`move ${m} of 54`)
  expect(await picture(page)).toEqual(pictureOf(positionAfter(seed, tokens.slice(0, m).join(' '))))
}

/** A page whose player has just won the short game; gives the id of the submission. */
async function winner(): Promise<{ page: Page; submission: string }> {
  const challenge = await shared(h.server, seed)
  const page = await h.open(`/play/${challenge}`, { settings: { textMode: true, speed: 0 } })
  await settled(page)
  const answered = nextVerdict(page, challenge)
  await type(page, log)
  return { page, submission: (await answered).id }
}

test('a win is watched by its player, from the result on', async () => {
  const { page, submission } = await winner()
  await wonDialog(page, 54).getByRole('link', { name: 'Replay' }).click(patience)
  await page.waitForURL(`**/replay/${submission}`)
  await page.getByText('Checked in your browser: 54 moves, won.').first().waitFor(patience)
  await settled(page)
  expect(await picture(page)).toEqual(pictureOf(positionAfter(seed, '')))

  // Step by step, by buttons
  await button(page, 'One move on').click()
  await expectMoment(page, 1)
  await button(page, 'One move on').click()
  await button(page, 'One move back').click()
  await expectMoment(page, 1)
  await button(page, 'To the end').click()
  await expectMoment(page, 54)
  await page.keyboard.press('ArrowLeft') // the button that leads no further keeps the focus, and with it the keys
  await expectMoment(page, 53)
  await page.keyboard.press('End')
  expect(await button(page, 'One move on').getAttribute('aria-disabled')).toBe('true')
  await button(page, 'To the deal').click()
  await expectMoment(page, 0)

  // By keys
  await button(page, 'Play').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await expectMoment(page, 1)
  const redeals = tokens.flatMap((token, i) => (token === 'R' ? [i + 1] : []))
  await page.keyboard.press('PageDown')
  await expectMoment(page, redeals[0]!)
  await page.keyboard.press('Shift+ArrowRight')
  await expectMoment(page, redeals[1]!)
  await page.keyboard.press('PageUp')
  await expectMoment(page, redeals[0]!)
  await page.keyboard.press('End')
  await expectMoment(page, 54)
  await page.keyboard.press('Home')
  await expectMoment(page, 0)

  // By the scrubber and by the list of moves
  await slider(page).fill('30')
  await expectMoment(page, 30)
  await page.getByRole('complementary').getByRole('link', { name: tokens[9], exact: true }).first().click()
  await expectMoment(page, tokens.indexOf(tokens[9]!) + 1)
  await page.goBack()
  await expectMoment(page, 30)
})

test('a replay plays by itself, eight times as fast, and stops at the end and at a press', async () => {
  const { page, submission } = await winner()
  await page.goto(`${h.server.url}/replay/${submission}#m=40`)
  await expectMoment(page, 40)
  await page.getByRole('combobox', { name: 'Speed' }).selectOption({ label: '8×' })
  await button(page, 'Play').click()
  await button(page, 'Pause').waitFor()
  await expectMoment(page, 54) // 14 moves in about 800 ms
  await button(page, 'Play').waitFor()

  await button(page, 'Play').click() // from the deal again
  await expect.poll(() => slider(page).inputValue(), patience).not.toBe('54')
  await button(page, 'Pause').click()
  const stopped = Number(await slider(page).inputValue())
  expect(stopped).toBeLessThan(54)
  await expectMoment(page, stopped)
})

test('keys play, halt and hurry a replay, and it can be played on from any moment', async () => {
  const { page, submission } = await winner()
  await page.goto(`${h.server.url}/replay/${submission}#m=20`)
  await expectMoment(page, 20)
  const speed = page.getByRole('combobox', { name: 'Speed' })
  expect(await speed.locator('option:checked').innerText()).toBe('1×') // each time anew
  await place(page, 'a').focus()
  for (const key of ['>', '>', '>', '>', '<']) await page.keyboard.press(key)
  expect(await speed.locator('option:checked').innerText()).toBe('4×')
  await page.keyboard.press('Space')
  await button(page, 'Pause').waitFor()
  await expect.poll(() => slider(page).inputValue(), patience).not.toBe('20')
  await page.keyboard.press('Space')
  await button(page, 'Play').waitFor()
  const m = Number(await slider(page).inputValue())
  expect(m).toBeLessThan(54)
  await expectMoment(page, m)

  await page.getByRole('complementary').getByRole('button', { name: 'Play on from here' }).click()
  await page.waitForURL('**/practice/cruel/2')
  expect(await expectWhole(page, seed, 'practice.cruel.2')).toBe(tokens.slice(0, m).join(' '))
  await type(page, 'redo') // the rest of the game is there
  expect(await keptLog(page, 'practice.cruel.2')).toBe(tokens.slice(0, m + 1).join(' '))
})

test('the keys of a replay work at once after a link within the page, and are told', async () => {
  const { page, submission } = await winner()
  await wonDialog(page, 54).getByRole('link', { name: 'Replay' }).click(patience)
  await page.waitForURL(`**/replay/${submission}`)
  await settled(page)
  await page.keyboard.press('ArrowRight')
  await expectMoment(page, 1)
  await page.keyboard.press('Space')
  await button(page, 'Pause').waitFor()
  await page.keyboard.press('Space')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await expectMoment(page, 1)
  await page.keyboard.press('?') // a letter, so to say: not from everywhere
  expect(await page.getByRole('dialog', { name: 'Keys in a replay' }).isVisible()).toBe(false)
  await place(page, 'a').focus()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys in a replay' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
  await expectMoment(page, 1)
})

test('a step on is a move that flies, a step back and a jump are none', async () => {
  const { page, submission } = await winner()
  await page.goto(`${h.server.url}/replay/${submission}#m=10`)
  await expectMoment(page, 10)
  await page.evaluate(() => {
    const seen: string[] = ((window as any).seen = [])
    const { animate } = Element.prototype
    Element.prototype.animate = function (frames, options) {
      if (this.matches('[data-card]')) seen.push(Object.keys(frames as object).join())
      return animate.call(this, frames, options)
    }
    localStorage.setItem('cruel.settings', '{}')
    dispatchEvent(new StorageEvent('storage', { key: 'cruel.settings' }))
  })
  const seen = () => page.evaluate(() => [...new Set((window as any).seen.splice(0))])
  await button(page, 'One move on').click()
  await expectMoment(page, 11)
  expect(await seen()).toEqual(['transform'])
  await button(page, 'One move back').click()
  await expectMoment(page, 10)
  expect(await seen()).toEqual(['opacity'])
  await button(page, 'To the end').click()
  await expectMoment(page, 54)
  expect(await seen()).toEqual(['opacity'])
})

test('one’s game of a past day is compared with the par, on a phone one table at a time', async () => {
  await h.server.setClock('2026-11-27T12:00:00Z')
  const { seed, log } = days['2026-11-27']
  const page = await h.open('/rules')
  const own = `R ${log}` // a redeal that was for nothing, first
  await page.evaluate(
    ([seed, log]) => {
      const game = { variant: 'cruel', seed, log, at: log.split(' ').length, kept: 1 }
      localStorage.setItem('cruel.game.cruel-2026-11-27', JSON.stringify(game))
    },
    [seed, own] as const,
  )
  const answered = nextVerdict(page, 'cruel-2026-11-27')
  await page.goto(`${h.server.url}/play/cruel-2026-11-27`)
  const { id } = await answered
  await h.server.setClock('2026-11-28T00:10:01Z')
  await page.setViewportSize(phone)
  await page.goto(`${h.server.url}/replay/${id}`)
  await page.getByRole('button', { name: 'Moves', exact: true }).click(patience)
  await page.getByRole('button', { name: 'Compare with the par' }).click(patience)
  await page.waitForURL(`**/replay/${id}?with=par-cruel-2026-11-27**`)

  const two = page.getByRole('group', { name: 'The games' })
  await two.getByRole('button', { name: 'The par', pressed: true }).waitFor(patience)
  const tables = page.getByRole('grid', { name: 'Table' })
  expect(await tables.count()).toBe(1)
  expect((await page.locator('[data-card]').first().boundingBox())!.width).toBeGreaterThan(50)
  // In step by round: one's own first round was a redeal alone.
  await page.keyboard.press('ArrowRight')
  const par = (await h.server.call('GET', '/v1/challenges/cruel-2026-11-27/par')).log as string
  expect(await picture(page)).toEqual(pictureOf(positionAfter(seed, par.slice(0, par.indexOf('R') + 1))))
  await two.getByRole('button', { name: /game$/ }).click()
  expect(await picture(page)).toEqual(pictureOf(positionAfter(seed, 'R')))
  await page.keyboard.press('End') // the switch keeps the focus, and the keys work all the same
  await two.getByRole('button', { name: 'The par' }).click()
  expect(await picture(page)).toEqual(pictureOf(positionAfter(seed, par)))
  await page.keyboard.press('Home')

  await page.setViewportSize(desktop)
  await expect.poll(() => tables.count(), patience).toBe(2)
  await page.getByRole('link', { name: 'They differ from round 1 on, at move 1.' }).waitFor()
  const mark = page.getByRole('complementary').getByRole('link', { name: 'the first move that differs' })
  expect(await mark.getAttribute('href')).toBe('#m=1')
  await page.getByRole('button', { name: 'Show this game alone' }).click()
  await expect.poll(() => tables.count(), patience).toBe(1)

  // With what can't be had there is no comparison, and it is said why.
  expectTrouble(page, /status of 404/)
  await page.goto(`${h.server.url}/replay/${id}?with=01k8ee0v2ihhklozvd4jlnglb6`)
  await page
    .getByRole('region', { name: 'Replay' })
    .getByText('There is no such thing here.')
    .waitFor(patience)
  expect(new URL(page.url()).search).toBe('')
  await page.getByRole('button', { name: 'Compare with the par' }).waitFor()

  // And from the par's side.
  await page.goto(`${h.server.url}/replay/par-cruel-2026-11-27`)
  await page.getByRole('button', { name: 'Compare with your game' }).click(patience)
  await page.waitForURL(`**/replay/par-cruel-2026-11-27?with=${id}**`)
  await expect.poll(() => tables.count(), patience).toBe(2)
})

test('a link leads to a moment', async () => {
  const { page, submission } = await winner()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${h.server.url}/replay/${submission}#m=37`)
  await expectMoment(page, 37)
  await button(page, 'One move on').click()
  await button(page, 'Copy a link to this move').click()
  await page.getByRole('region', { name: 'Replay' }).getByText('Link copied').waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toBe(`${h.server.url}/replay/${submission}#m=38`)
  await page.goto('about:blank')
  await page.goto(link)
  await expectMoment(page, 38)
  await page.evaluate(() => (location.hash = '#m=99'))
  await page.getByText('The link asks for move 99').waitFor()
  expect(await slider(page).inputValue()).toBe('54')
})

test('the record that a replay gives is right by the program, too', async () => {
  const { page, submission } = await winner()
  await page.goto(`${h.server.url}/replay/${submission}`)
  const link = page.getByRole('complementary').getByRole('link', { name: 'Download the record' })
  await link.waitFor(patience)
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(download.suggestedFilename()).toBe('2.cruel')
  const path = await download.path()
  expect(await readFile(path, 'utf8')).toContain('Result: won')
  expect(await verifyFile(path)).toMatch(/won/)

  // And it opens again without a server.
  await page.goto(`${h.server.url}/replay/file`)
  await page.getByLabel('Open a .cruel file').setInputFiles(path)
  await page.getByText('Checked in your browser: 54 moves, won.').first().waitFor(patience)
})

test('the par of a day is sealed until the day is over, and watched by anyone then', async () => {
  const { log } = days['2026-11-28']
  const page = await h.open('/replay/par-cruel-2026-11-28', { settings: { speed: 0 } })
  expectTrouble(page, /status of 403/)
  await page.getByRole('alert').getByText('This game can be seen from 29 Nov 2026').waitFor(patience)
  await h.server.setClock('2026-11-29T00:09:58Z')
  await page.reload()
  await page.getByRole('alert').getByText('This game can be seen from').waitFor(patience)
  await h.server.setClock('2026-11-29T00:10:01Z')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: 'The par' }).first().waitFor(patience)
  await page
    .getByText(`Checked in your browser: ${tokensOf(log).length} moves, won.`)
    .first()
    .waitFor()
})

test('another’s game is sealed while its deal is open', async () => {
  await h.server.setClock('2026-11-27T12:00:00Z')
  const { log } = days['2026-11-27']
  const { id } = await submit(h.server, 'cruel-2026-11-27', log, (await someone(h.server)).token)
  const page = await h.open(`/replay/${id}`)
  expectTrouble(page, /status of 403/)
  await page.getByRole('alert').getByText('Until then its deal is still being played').waitFor(patience)
  await h.server.setClock('2026-11-28T00:10:01Z')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Checked in your browser: 64 moves, won.').first().waitFor(patience)
})
