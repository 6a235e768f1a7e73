// A deal is won in every way that there is to move a card, and the server agrees with each.

import { beforeEach, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { finish, verify } from '../src/engine'
import { days, short } from './games'
import { harness, phone, type Look } from './harness'
import {
  boardOf,
  cruel,
  expectWhole,
  figures,
  keptLog,
  listen,
  nextVerdict,
  patience,
  Player,
  positionAfter,
  place,
  settled,
  shared,
  someone,
  submit,
  table,
  tokensOf,
  type,
  wonDialog,
} from './help'

const h = harness()
const { seed, log } = short
const moves = tokensOf(log).length
const still = { speed: 0 } // no motion

beforeEach(() => h.server.setClock('2026-11-30T12:00:00Z'))

/** What the verdict on a won game must say of it, whoever made which move how. */
function provenBy(seed: string, log: string) {
  const said = verify(cruel, seed, log)
  if ('refused' in said) throw new Error(`${seed} is refused`)
  return said.result
}

/** The first moves of the game after which plays alone win it. */
function untilFinish(): string {
  const tokens = tokensOf(log)
  const n = tokens.findIndex((_, i) => finish(cruel, positionAfter(seed, tokens.slice(0, i).join(' '))))
  return tokens.slice(0, n).join(' ')
}

interface Way {
  way: string
  look: Look
  win: (page: Page) => Promise<void>
}

const ways: Way[] = [
  {
    way: 'by dragging with a mouse',
    look: { settings: still },
    win: (page) => new Player(page, seed).drag(log),
  },
  {
    way: 'with a finger on a phone',
    look: { settings: still, viewport: phone, hasTouch: true, isMobile: true },
    win: (page) => new Player(page, seed).touch(log),
  },
  {
    way: 'with the keyboard alone, and the focus never leaves the cards',
    look: { settings: still },
    async win(page) {
      await tabTo(page)
      await new Player(page, seed).keys(log, async (token) => {
        if (token === tokensOf(log).at(-1)) return // the result may have it
        expect(await focusedPlace(page), token).toMatch(token === 'R' ? /^R$/ : /^[a-l]$/)
      })
    },
  },
  {
    way: 'by the button that finishes it',
    look: { settings: still },
    async win(page) {
      const first = untilFinish()
      await tabTo(page)
      await new Player(page, seed).keys(first)
      await page.getByRole('button', { name: 'Finish' }).click()
    },
  },
  {
    way: 'by typing in the text mode',
    look: { settings: { textMode: true } },
    async win(page) {
      const half = log.length / 2
      const space = log.indexOf(' ', half)
      await type(page, log.slice(0, space))
      await type(page, log.slice(space + 1))
      await page.getByRole('log').getByText(`Won in ${moves} moves.`).waitFor()
    },
  },
]

describe.each(ways)('a deal is won $way', ({ look, win }) => {
  test('and is on the board with the result that its log proves', async () => {
    const [friend, challenge] = [await someone(h.server), await shared(h.server, seed)]
    await submit(h.server, challenge, 'jS cH R', friend.token)
    const page = await h.open(`/play/${challenge}`, look)
    await settled(page)
    const answered = nextVerdict(page, challenge)
    await win(page)

    const verdict = await answered
    expect(verdict).toMatchObject({ ...provenBy(seed, log), rank: 1, players: 2 })
    const dialog = wonDialog(page, moves)
    await dialog.getByText(/^Checked by the server/).waitFor(patience)
    expect(await dialog.getByText('1 of 2').isVisible()).toBe(true)

    const rows = await boardOf(h.server, challenge)
    expect(rows.map((row: any) => [row.rank, row.player.name, row.outcome, row.moves])).toEqual([
      [1, verdict.player.name, 'won', moves],
      [2, friend.name, 'unfinished', 3],
    ])
    expect(provenBy(seed, await expectWhole(page, seed, challenge))).toEqual(provenBy(seed, log))
  })
})

test('today’s deal is won and is on its board', async () => {
  const { seed, log } = days['2026-11-30']
  expect((await h.server.call('GET', '/v1/daily')).seed).toBe(seed)
  const page = await h.open('/', { settings: still })
  await page.getByRole('heading', { level: 1, name: 'Cruel, Monday, 30 November 2026' }).waitFor(patience)
  await settled(page)
  const answered = nextVerdict(page, 'cruel-2026-11-30')
  await tabTo(page)
  await new Player(page, seed).keys(log)

  const verdict = await answered
  expect(verdict).toMatchObject({ ...provenBy(seed, log), rank: 1, over_par: 0, late: false })
  const dialog = wonDialog(page, 62)
  await dialog.getByText(/^Checked by the server/).waitFor(patience)
  expect(await boardOf(h.server, 'cruel-2026-11-30')).toMatchObject([
    { rank: 1, player: { name: verdict.player.name }, outcome: 'won', moves: 62 },
  ])
})

test('cards are moved by arrows and Enter, too', async () => {
  const page = await h.open(`/practice/cruel/${seed}`, { settings: still })
  await settled(page)
  await tabTo(page)
  for (const token of ['jS', 'cH', 'R', 'cd']) {
    for (const letter of token) {
      await walkTo(page, letter)
      await page.keyboard.press('Enter')
    }
  }
  expect(await expectWhole(page, seed, `practice.cruel.${seed}`)).toBe('jS cH R cd')
})

test('keys that are meant for the table work after a press of its bar, and arrows at once', async () => {
  const page = await h.open(`/practice/cruel/${short.seed}`, { settings: { speed: 0 } })
  await settled(page)
  await page.keyboard.press('ArrowRight') // nothing has the focus yet
  expect(await place(page, 'a').evaluate((e) => e === document.activeElement)).toBe(true)
  await new Player(page, short.seed).keys('jS')
  await page.getByRole('button', { name: 'Undo' }).click()
  expect(await keptLog(page, `practice.cruel.${short.seed}`)).toBe('')
  await page.keyboard.press('x')
  expect(await keptLog(page, `practice.cruel.${short.seed}`)).toBe('jS')
  await page.keyboard.press('z')
  expect(await keptLog(page, `practice.cruel.${short.seed}`)).toBe('')
  await page.keyboard.press('Tab') // it went on from there: the letters left the focus where it was
  expect(await page.getByRole('button', { name: 'Redo' }).evaluate((e) => e === document.activeElement)).toBe(
    true,
  )
})

test('in the text mode no letter plays beside the field', async () => {
  const page = await h.open(`/practice/cruel/${short.seed}`, { settings: { textMode: true } })
  await settled(page)
  await page.getByRole('button', { name: 'Undo' }).focus()
  for (const key of 'jjS') await page.keyboard.press(key)
  expect(await keptLog(page, `practice.cruel.${short.seed}`)).toBe('')
})

test('a screen reader hears each move, each redeal and the win', async () => {
  const page = await h.open(`/practice/cruel/${seed}`, { settings: still })
  await settled(page)
  const heard = await listen(page)
  await tabTo(page)
  const player = new Player(page, seed)
  await player.keys('jS')
  expect((await heard()).at(-1)).toMatch(/^\w+ of spades to foundation\. Pile j now: /)
  await player.keys('cH R')
  expect((await heard()).at(-1)).toMatch(/^Redealt\. .*Now on top: /)
  await player.keys('cd')
  expect((await heard()).at(-1)).toMatch(/ onto pile d\. Pile c now: /)
  await page.keyboard.press('z')
  expect((await heard()).at(-1)).toMatch(/^Undone: .* onto pile d\./)
  await page.keyboard.press('x')
  await player.keys(tokensOf(log).slice(4).join(' '))
  await expect.poll(heard).toContain(`Won in ${moves} moves.`)
})

test('each card of the table has a name, with the cards below it', async () => {
  const page = await h.open(`/practice/cruel/${seed}`, { settings: still })
  await settled(page)
  const snapshot = await table(page).ariaSnapshot()
  expect(snapshot.match(/gridcell "Pile [a-l], [^"]*, 4 cards/g)).toHaveLength(12)
  expect(snapshot.match(/gridcell "Foundation of \w+, Ace of \w+/g)).toHaveLength(4)
  const described = await place(page, 'a').evaluate(
    (cell) => document.getElementById(cell.getAttribute('aria-describedby')!)!.textContent,
  )
  expect(described).toMatch(/^Below it: (\w+ of \w+, ){2}\w+ of \w+$/)
})

test('a game goes on after a reload', async () => {
  const page = await h.open(`/practice/cruel/${seed}`, { settings: still })
  await settled(page)
  const begun = tokensOf(log).slice(0, 20).join(' ')
  await tabTo(page)
  await new Player(page, seed).keys(begun)
  await page.keyboard.press('z')
  await page.reload()
  await settled(page)
  const nineteen = tokensOf(log).slice(0, 19).join(' ')
  expect(await expectWhole(page, seed, `practice.cruel.${seed}`)).toBe(nineteen)
  await figures(page).getByText('19 moves').waitFor()
  await tabTo(page)
  await page.keyboard.press('x')
  expect(await keptLog(page, `practice.cruel.${seed}`)).toBe(begun)
})

/** Goes to the table as people do who have no mouse. */
async function tabTo(page: Page): Promise<void> {
  for (let i = 0; i < 30; i++) {
    if (await focusedPlace(page)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('Tab doesn’t lead to the table')
}

const focusedPlace = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement as HTMLElement | null
    return focused?.closest('[role="grid"]') ? focused.dataset.place : undefined
  })

// Where places lie on a desktop: foundations and redeal at the left, piles beside them in two rows.
const map = ['CDabcdef', 'HSghijkl', 'R']

/** Presses arrows until a place has the focus. */
async function walkTo(page: Page, letter: string): Promise<void> {
  const at = (place: string) => {
    const row = map.findIndex((places) => places.includes(place))
    return { row, column: map[row]!.indexOf(place) }
  }
  const to = at(letter)
  for (let i = 0; i < 20; i++) {
    const place = (await focusedPlace(page))!
    if (place === letter) return
    const here = at(place)
    // The rail at the left first, then up and down: the place to redeal is below it.
    const sideways = to.column < 2 && here.column > 1 ? to.column - here.column : 0
    const down = to.row - here.row
    const key = sideways
      ? 'ArrowLeft'
      : down > 0
        ? 'ArrowDown'
        : down < 0
          ? 'ArrowUp'
          : to.column > here.column
            ? 'ArrowRight'
            : 'ArrowLeft'
    await page.keyboard.press(key)
  }
  throw new Error(`the arrows don’t lead to ${letter}`)
}
