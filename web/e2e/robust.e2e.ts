// Nothing that happens to a table, by accident or in a hurry, loses a card, makes a move or miscounts one.

import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  cardText,
  deal,
  finish,
  legalMoves,
  logText,
  moveText,
  parseMove,
  redealt,
  stranded,
  topOf,
  verify,
} from '../src/engine'
import { pick, randomFrom } from '../src/engine/testing'
import { long, short } from './games'
import { harness, phone, type Look } from './harness'
import {
  cruel,
  expectWhole,
  figures,
  keptLog,
  nextVerdict,
  painted,
  patience,
  picture,
  pictureOf,
  place,
  Player,
  positionAfter,
  settled,
  tokensOf,
  type,
  verifyFile,
  wonDialog,
} from './help'

const h = harness()
const { seed, log } = short
const tokens = tokensOf(log)
const name = `practice.cruel.${seed}`
const still = { settings: { speed: 0 } }
const moving = { settings: { speed: 1 } }

beforeEach(() => h.server.setClock('2026-11-30T12:00:00Z'))

/** A practice deal: it needs no player. */
async function practise(look: Look = still): Promise<{ page: Page; player: Player }> {
  const page = await h.open(`/practice/cruel/${seed}`, look)
  await settled(page)
  return { page, player: new Player(page, seed) }
}

const first = (n: number) => tokens.slice(0, n).join(' ')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

describe('undo', () => {
  test('of a play, a build and a redeal gives back every card, and one press is one move', async () => {
    const { page, player } = await practise()
    await place(page, 'a').focus()
    for (const token of tokens.slice(0, 8)) {
      const [before, log] = [await picture(page), await keptLog(page, name)]
      const at = player.position
      await player.keys(token)
      expect(await picture(page)).not.toEqual(before)
      await page.keyboard.press('z')
      expect(await picture(page), `undone ${token}`).toEqual(before)
      expect(await keptLog(page, name)).toBe(log)
      player.position = at
      await player.keys(token)
    }
    expect(await expectWhole(page, seed, name)).toBe(first(8))
  })

  test('leads to the deal, by its button, by a key and by Ctrl+Z, and redo back', async () => {
    const { page, player } = await practise()
    await place(page, 'a').focus()
    await player.keys(first(6))
    await button(page, 'Undo').click()
    await page.keyboard.press('Control+z')
    await place(page, 'a').focus()
    await page.keyboard.press('z')
    expect(await keptLog(page, name)).toBe(first(3))
    for (let i = 0; i < 3; i++) await page.keyboard.press('z')
    expect(await picture(page)).toEqual(pictureOf(deal(seed, cruel)))
    await page.keyboard.press('z')
    await page.getByText('There is nothing to take back.').first().waitFor()
    await button(page, 'Redo').click()
    await page.keyboard.press('Control+y')
    await page.keyboard.press('Control+Shift+z')
    await place(page, 'a').focus()
    for (let i = 0; i < 3; i++) await page.keyboard.press('x')
    expect(await expectWhole(page, seed, name)).toBe(first(6))
  })
})

test('a restart gives the deal, also after a reload and twice, and undo leads back', async () => {
  const { page, player } = await practise()
  const dealt = pictureOf(deal(seed, cruel))
  await place(page, 'a').focus()
  await player.keys(first(20))
  await button(page, 'Restart').click()
  expect(await picture(page)).toEqual(dealt)
  await page.reload()
  expect(await picture(page)).toEqual(dealt)
  await place(page, 'a').focus()
  player.position = deal(seed, cruel)
  await player.keys(first(5))
  await button(page, 'Restart').click()
  await button(page, 'Restart').click({ force: true }) // it says that it does nothing, and does nothing
  expect(await expectWhole(page, seed, name)).toBe('')
  await place(page, 'a').focus()
  await page.keyboard.press('z')
  expect(await expectWhole(page, seed, name)).toBe(first(5))
})

test('no card moves by itself; a finish that was asked for is in the log and is undone move by move', async () => {
  const { page, player } = await practise()
  await place(page, 'a').focus()
  // Until plays alone win; many cards could go home long before.
  const n = tokens.findIndex((_, i) => finish(cruel, positionAfter(seed, first(i))))
  for (const token of tokens.slice(0, n)) {
    await player.keys(token)
    expect((await keptLog(page, name)).endsWith(token)).toBe(true)
  }
  expect(await expectWhole(page, seed, name)).toBe(first(n))

  await button(page, 'Finish').click()
  await wonDialog(page, tokens.length).getByRole('button', { name: 'Close' }).first().click(patience)
  const finished = await expectWhole(page, seed, name)
  expect(finished.startsWith(first(n))).toBe(true)
  expect(tokensOf(finished)).toHaveLength(tokens.length)

  await place(page, 'a').focus()
  for (let left = tokens.length - 1; left >= n; left--) {
    await page.keyboard.press('z')
    expect(await keptLog(page, name)).toBe(tokensOf(finished).slice(0, left).join(' '))
  }
  await page.reload() // and nothing comes back by itself
  expect(await expectWhole(page, seed, name)).toBe(first(n))
})

describe('clicks in a hurry, while cards fly', () => {
  const middle = async (page: Page, letter: string) => {
    const box = (await page.locator(`[data-place="${letter}"]`).boundingBox())!
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }

  test.each([
    ['one card', '', ['j', 'j', 'j', 'j', 'j']],
    ['two cards', '', ['j', 'c', 'j', 'c', 'j', 'c', 'j', 'c', 'j', 'c']],
    ['the place to redeal', 'jS cH', ['R', 'R', 'R', 'R', 'R']],
    ['all of them', 'jS cH', ['R', 'j', 'R', 'c', 'R', 'e', 'd', 'R', 'j', 'c']],
  ])('on %s', async (_, begun, places) => {
    const { page, player } = await practise(moving)
    await place(page, 'a').focus()
    await player.keys(begun)
    await settled(page)
    const points = []
    for (const letter of places) points.push(await middle(page, letter))
    await player.clickFast(...points)
    const log = await expectWhole(page, seed, name) // legal, and the cards lie as it says
    expect(
      Object.values(await picture(page))
        .flat()
        .sort(),
    ).toEqual(
      Object.values(pictureOf(deal(seed, cruel)))
        .flat()
        .sort(),
    )
    const made = tokensOf(log).length - tokensOf(begun).length
    expect(made).toBeGreaterThan(0)
    expect(made).toBeLessThanOrEqual(places.length)
    await figures(page)
      .getByText(`${tokensOf(log).length} move`)
      .waitFor()
  })

  test('a double click is one move', async () => {
    const { page, player } = await practise(moving)
    // A pile of which two cards could go home one after the other.
    const n = tokens.findIndex((token, i) => token === tokens[i + 1] && token !== 'R')
    await place(page, 'a').focus()
    await player.keys(first(n))
    const { from } = await player.ends(tokens[n]!)
    await settled(page)
    await player.clickFast(from, from)
    expect(tokensOf(await expectWhole(page, seed, name))).toHaveLength(n + 1)
  })

  test('keys, too', async () => {
    const { page, player } = await practise(moving)
    await place(page, 'a').focus()
    await player.keys(first(15))
    await Promise.all(
      ['z', 'z', 'x', 'R', 'z', 'z', 'z', 'x', 'x', 'r', 'r'].map((k) => page.keyboard.press(k)),
    )
    await expectWhole(page, seed, name)
  })
})

test('a move whose paint never comes is kept, and the next key comes after it', async () => {
  const { page } = await practise()
  await place(page, 'a').focus()
  /** Without a frame in between. */
  const press = (keys: string) =>
    page.evaluate(
      async ({ keys, name }) => {
        for (const key of keys) {
          const target = document.activeElement!
          target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
        }
        dispatchEvent(new Event('pagehide'))
        await Promise.resolve()
        const { log, at } = JSON.parse(localStorage.getItem(`cruel.game.${name}`)!)
        return { log, at }
      },
      { keys, name },
    )
  expect(tokens.slice(0, 2)).toEqual(['jS', 'cH'])
  expect(await press('jS')).toEqual({ log: 'jS', at: 1 })
  expect(await press('cHz')).toEqual({ log: 'jS cH', at: 1 })
  expect(await press('x')).toEqual({ log: 'jS cH', at: 2 })
})

/** What is taken up, and where it could go. */
const taken = (page: Page) =>
  page.evaluate(() => ({
    cards: [...document.querySelectorAll<HTMLElement>('.lifted')].map((e) => e.dataset.card!),
    lit: [...document.querySelectorAll<HTMLElement>('[data-aim], .target')].map((e) => e.dataset.place!),
  }))

/** Holds that the deal lies as it was, and nothing is taken up. */
async function expectNothing(page: Page): Promise<void> {
  expect(await picture(page)).toEqual(pictureOf(deal(seed, cruel)))
  expect(await keptLog(page, name)).toBe('')
  expect(await taken(page)).toEqual({ cards: [], lit: [] })
}

describe('a press', () => {
  /** Presses what a move takes. */
  async function press(page: Page, player: Player, token: string) {
    const ends = await player.ends(token)
    await page.mouse.move(ends.from.x, ends.from.y)
    await page.mouse.down()
    return ends
  }

  test('takes the card up and lights where it can go, with the frame after, until it is lost', async () => {
    const { page, player } = await practise()
    await press(page, player, 'jS')
    await painted(page)
    expect(await taken(page)).toEqual({ cards: ['2S'], lit: ['S'] })
    await page.evaluate(() => window.dispatchEvent(new Event('blur')))
    await expectNothing(page)
    await page.mouse.up()
    await expectNothing(page)
  })

  test('that is held shows the pile, and nothing lit under it', async () => {
    const { page, player } = await practise()
    await press(page, player, 'jS')
    await page.locator('.peek').waitFor()
    await painted(page)
    expect(await taken(page)).toEqual({ cards: [], lit: [] })
    await page.mouse.up()
    await expectNothing(page)
  })

  test('means the card that lies there when it is dragged, which an undo may have brought', async () => {
    const { page, player } = await practise()
    const { from, to } = await player.ends('jS')
    await place(page, 'a').focus()
    await player.keys('jS')
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await painted(page)
    expect((await taken(page)).cards).not.toEqual(['2S'])
    await page.keyboard.press('z')
    await painted(page)
    expect(await taken(page)).toEqual({ cards: [], lit: [] })
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2)
    await page.mouse.move(to.x, to.y)
    await painted(page)
    expect(await taken(page)).toEqual({ cards: ['2S'], lit: ['S'] })
    await page.mouse.up()
    expect(await expectWhole(page, seed, name)).toBe('jS')
  })

  test('leaves nothing to be done that fails when the page is left', async () => {
    const { page, player } = await practise()
    await press(page, player, 'jS')
    await painted(page)
    await page.evaluate(() => document.querySelector<HTMLAnchorElement>('a[href="/rules"]')!.click())
    await page.locator('[data-place="R"]').waitFor({ state: 'detached' })
    await page.mouse.up()
    await painted(page) // the harness holds that no error came
  })

  test('that moves the card leaves nothing taken up', async () => {
    const { page, player } = await practise(moving)
    const { from } = await player.ends('jS')
    await page.mouse.click(from.x, from.y)
    expect(await expectWhole(page, seed, name)).toBe('jS')
    expect(await taken(page)).toEqual({ cards: [], lit: [] })
  })

  test('on a card that can go nowhere lets it lie again', async () => {
    const { page } = await practise()
    const stuck = [...'abcdefghijkl'].find(
      (pile) => !legalMoves(cruel, deal(seed, cruel)).some((m) => moveText(m).startsWith(pile)),
    )!
    await place(page, stuck).click()
    await expectNothing(page)
  })

  test('of a key that picks rings the card within the focus, also where colours are forced', async () => {
    const { page } = await practise()
    const moves = legalMoves(cruel, deal(seed, cruel)).map(moveText)
    const from = moves.find((m) => m !== 'R')!.charAt(0)
    await place(page, from).focus()
    await page.keyboard.press(from)
    await painted(page)
    const rings = () =>
      page.evaluate(() => {
        const ring = document.querySelector('.picked .ring')!
        const outlineOf = (of: CSSStyleDeclaration) =>
          `${of.outlineStyle} ${of.outlineWidth} ${of.outlineColor}`
        return [outlineOf(getComputedStyle(ring)), outlineOf(getComputedStyle(ring, '::before'))]
      })
    for (const forcedColors of ['none', 'active'] as const) {
      await page.emulateMedia({ forcedColors })
      const [focus, picked] = await rings()
      expect(picked).toMatch(/^solid 3px/)
      expect(focus).not.toBe(picked)
      expect(focus).not.toMatch(/^none/)
    }
  })

  test('that picks leaves the card up until it is put back, and lit is where it can go', async () => {
    const { page, player } = await practise()
    const moves = legalMoves(cruel, deal(seed, cruel)).map(moveText)
    const from = [...'abcdefghijkl'].find((pile) => moves.filter((m) => m.startsWith(pile)).length > 1)!
    const goals = moves.filter((m) => m.startsWith(from)).map((m) => m.charAt(1))
    const card = await player.ends(moves.find((m) => m.startsWith(from))!)

    await page.mouse.click(card.from.x, card.from.y)
    await painted(page)
    const now = await taken(page)
    expect(now.cards).toHaveLength(1)
    expect(now.lit.toSorted()).toEqual(goals.toSorted())
    expect((await player.ends(moves.find((m) => m.startsWith(from))!)).from.y).toBe(card.from.y - 6)

    await page.keyboard.press('Escape')
    await expectNothing(page)
  })
})

describe('a drag that isn’t finished', () => {
  async function expectNextDrag(page: Page, player: Player): Promise<void> {
    await player.drag('jS')
    expect(await expectWhole(page, seed, name)).toBe('jS')
  }

  async function begin(page: Page, player: Player) {
    const { from, to } = await player.ends('jS')
    await page.mouse.move(from.x, from.y)
    await Promise.all([page.mouse.down(), page.mouse.move(from.x - 30, from.y)])
    await page.mouse.move(from.x - 60, from.y - 60)
    await page.locator('.lifted').first().waitFor({ state: 'attached' })
    return { from, to }
  }

  test.each([still, moving])('by a release outside of the window (%o)', async (look) => {
    const { page, player } = await practise(look)
    await begin(page, player)
    await page.mouse.move(-40, 300)
    await page.mouse.up()
    await expectNothing(page)
    await expectNextDrag(page, player)
  })

  test('by a release that nobody told of', async () => {
    const { page, player } = await practise(moving)
    const { to } = await begin(page, player)
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...to, button: 'none', buttons: 0 })
    await expectNothing(page)
    await page.mouse.up()
    await expectNothing(page)
    await expectNextDrag(page, player)
  })

  test.each([
    ['another window', () => window.dispatchEvent(new Event('blur'))],
    ['another tab', () => document.dispatchEvent(new Event('visibilitychange'))],
    [
      'the system',
      () =>
        document
          .querySelector('.lifted')!
          .closest('.table')!
          .querySelector('.surface')!
          .dispatchEvent(new PointerEvent('pointercancel', { pointerId: 1, isPrimary: true })),
    ],
  ])('because of %s', async (_, happens) => {
    const { page, player } = await practise(moving)
    const { to } = await begin(page, player)
    await page.evaluate(happens)
    await expectNothing(page)
    await page.mouse.move(to.x, to.y)
    await page.mouse.up()
    await expectNothing(page)
    await expectNextDrag(page, player)
  })

  test('because the move before it is undone under the hand', async () => {
    const { page, player } = await practise(moving)
    await place(page, 'a').focus()
    await player.keys(tokens[0]!)
    const { from } = await player.ends(tokens[1]!)
    await page.mouse.move(from.x, from.y)
    await Promise.all([page.mouse.down(), page.mouse.move(from.x - 30, from.y)])
    await page.locator('[data-aim]').first().waitFor({ state: 'attached' })
    await page.keyboard.press('z')
    await expectNothing(page)
    await page.mouse.up()
    await expectNothing(page)
  })

  test('by Escape', async () => {
    const { page, player } = await practise(moving)
    const { to } = await begin(page, player)
    await page.keyboard.press('Escape')
    await page.mouse.move(to.x, to.y)
    await page.mouse.up()
    await expectNothing(page)
    await expectNextDrag(page, player)
  })

  test('because the place was no target', async () => {
    const { page, player } = await practise(moving)
    const { from } = await player.ends('jS')
    const box = (await place(page, 'g').boundingBox())!
    await page.mouse.move(from.x, from.y)
    await Promise.all([page.mouse.down(), page.mouse.move(from.x - 30, from.y)])
    await page.mouse.move(box.x + 50, box.y + 120)
    await page.mouse.up()
    await expectNothing(page)
    await expectNextDrag(page, player)
  })

  test('by a finger that the system takes, or by a second finger', async () => {
    const { page, player } = await practise({ ...moving, viewport: phone, hasTouch: true, isMobile: true })
    const { from, to } = await player.ends('jS')
    const half = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }

    await Promise.all([player.finger('touchStart', from), player.finger('touchMove', half)])
    await page.locator('.lifted').first().waitFor({ state: 'attached' })
    await player.finger('touchCancel')
    await expectNothing(page)

    await Promise.all([player.finger('touchStart', from), player.finger('touchMove', half)])
    await page.locator('.lifted').first().waitFor({ state: 'attached' })
    const second = { x: 40, y: 500 }
    await player.finger('touchStart', half, second)
    await expectNothing(page)
    await player.finger('touchMove', to, second)
    await player.finger('touchEnd')
    await expectNothing(page)

    await player.touchDrag(from, to)
    expect(await expectWhole(page, seed, name)).toBe('jS')
  })
})

test('what a card waits for stands out on the table, where no letter names its pile', async () => {
  const { page, player } = await practise({ ...still, viewport: phone })
  const { position } = player
  const pile = position.piles.findIndex((_, i) => (stranded(cruel, position, i)?.where ?? []).length > 0)
  const { needs } = stranded(cruel, position, pile)!
  const stands = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('[data-card]')]
        .filter((card) => getComputedStyle(card.querySelector('.face')!).boxShadow !== 'none')
        .map((card) => card.dataset.card),
    )
  expect(await stands()).toEqual([])
  const top = page.locator(`[data-card="${cardText(topOf(position.piles[pile]))}"]`)
  const { x, y, width, height } = (await top.boundingBox())!
  await page.mouse.click(x + width / 2, y + height / 2)
  await page
    .getByText(/needs .* free/)
    .first()
    .waitFor()
  await painted(page)
  expect(await stands()).toEqual(needs!.map(cardText))
  await place(page, 'R').click()
  await painted(page)
  expect(await stands()).toEqual([])
})

test('a press without a pointer, as screen readers make them, may become a click; a finger’s may not', async () => {
  const { page, player } = await practise({ ...still, viewport: phone, hasTouch: true, isMobile: true })
  /** Whether a touch that nothing else comes with may go on to a click; if so it does. */
  const press = (selector: string) =>
    page.evaluate((selector) => {
      const element = document.querySelector<HTMLElement>(selector)!
      const event = new TouchEvent('touchend', { bubbles: true, cancelable: true })
      Object.defineProperty(event, 'timeStamp', { value: performance.now() + 1000 }) // long after any finger
      const goesOn = element.dispatchEvent(event)
      if (goesOn) element.click()
      return goesOn
    }, selector)
  expect(await press('[data-place="R"]')).toBe(true)
  await page.getByRole('group', { name: 'This redeal changes nothing' }).waitFor()
  const { from, to } = await player.ends('jS')
  await player.touchDrag(from, to)
  expect(await keptLog(page, name)).toBe('jS')
  expect(await press('.bar button')).toBe(true)
  expect(await keptLog(page, name)).toBe('')

  await player.touchDrag(from, to)
  await page.evaluate(() => {
    const seen: string[] = ((window as any).seen = [])
    for (const type of ['touchend', 'mousedown', 'click']) {
      addEventListener(type, (e) => setTimeout(() => seen.push(`${type} ${e.defaultPrevented}`)))
    }
  })
  await page.getByRole('button', { name: 'Undo' }).tap()
  await painted(page)
  expect(await page.evaluate(() => (window as any).seen)).toEqual(['touchend true'])
  expect(await keptLog(page, name)).toBe('')
})

test('in a session of 120 random steps the counters are what the verifier derives, at each step', async () => {
  const { page } = await practise()
  await place(page, 'a').focus()
  const random = randomFrom(23)
  const shown = async () => {
    await painted(page)
    return page.evaluate((name) => {
      const kept = JSON.parse(localStorage.getItem(`cruel.game.${name}`) ?? 'null')
      return {
        figures: document
          .querySelector('[aria-label="How the game stands"]')!
          .textContent!.replace(/\s+/g, ' ')
          .trim(),
        log: kept ? kept.log.split(' ').slice(0, kept.at).join(' ') : '',
      }
    }, name)
  }
  const stand: string[] = []
  let taken: string[] = []
  for (let step = 0; step < 120; step++) {
    const dice = random()
    if (dice < 0.25) {
      await page.keyboard.press('z')
      if (stand.length > 0) taken.unshift(stand.pop()!)
    } else if (dice < 0.4) {
      await page.keyboard.press('x')
      if (taken.length > 0) stand.push(taken.shift()!)
    } else {
      const p = positionAfter(seed, stand.join(' '))
      const cards = legalMoves(cruel, p).filter((m) => m.kind !== 'redeal')
      // A redeal that changes nothing is asked about: another test has that.
      const useful = redealt(cruel, p).piles.some((pile, i) => pile !== p.piles[i])
      if (cards.length === 0 && !useful) continue
      const m = useful && (cards.length === 0 || random() < 0.3) ? parseMove('R')! : pick(cards, random)
      for (const key of moveText(m)) await page.keyboard.press(key)
      stand.push(moveText(m))
      taken = []
    }
    const said = verify(cruel, seed, stand.join(' '))
    if ('refused' in said) throw new Error(`${JSON.stringify(said.refused)} in ${stand.join(' ')}`)
    const { moves, redeals, cards } = said.result
    const s = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`
    expect(await shown(), `step ${step}`).toEqual({
      figures: `${s(moves, 'move')} ${s(redeals, 'redeal')} ${cards}/52 at best ${moves + 52 - cards}`,
      log: logText(said.moves),
    })
  }
})

describe.each(long)('the seed $seed, which is no exact number in JavaScript,', ({ seed, log }) => {
  test('keeps its digits from the form to the board and into the record', async () => {
    const page = await h.open('/archive', { settings: { speed: 0 } })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const form = page.getByRole('region', { name: 'A deal of your own' })
    await form.getByLabel('Seed').fill(seed)
    await form.getByRole('button', { name: 'Make a challenge' }).click()
    await form.getByRole('link', { name: 'Play it' }).click(patience)
    await page.waitForURL('**/play/*')
    const challenge = page.url().split('/').at(-1)!
    expect((await h.server.call('GET', `/v1/challenges/${challenge}`)).seed).toBe(seed)

    await settled(page)
    expect(await picture(page)).toEqual(pictureOf(deal(seed, cruel)))
    await page.getByRole('checkbox', { name: 'Text mode' }).check()
    const answered = nextVerdict(page, challenge)
    await type(page, log)
    expect(await answered).toMatchObject({ outcome: 'won', moves: tokensOf(log).length })

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      wonDialog(page, tokensOf(log).length).getByRole('button', { name: 'Save record' }).click(patience),
    ])
    const path = await download.path()
    expect(await readFile(path, 'utf8')).toContain(seed)
    expect(await verifyFile(path)).toMatch(/won/)
  })

  test('keeps them in practice, in the address, on the page and when copied', async () => {
    const page = await h.open(`/practice/cruel/${seed}`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await settled(page)
    expect(await picture(page)).toEqual(pictureOf(deal(seed, cruel)))
    expect(new URL(page.url()).pathname).toBe(`/practice/cruel/${seed}`)
    await page.getByRole('banner').getByText(seed, { exact: true }).waitFor()
    expect(await page.title()).toContain(seed)
    await button(page, 'Share the deal').click()
    await page.getByText('The link is copied.').first().waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${h.server.url}/practice/cruel/${seed}`,
    )
  })
})

test('a redeal that changes nothing is asked about, and made when wanted', async () => {
  const { page } = await practise()
  await place(page, 'a').focus()
  await page.keyboard.press('r') // all piles have four cards, so none would change
  await page.getByText('This redeal changes nothing and counts a move.').first().waitFor()
  expect(await keptLog(page, name)).toBe('')
  await button(page, 'Cancel').click()
  expect(await keptLog(page, name)).toBe('')
  await place(page, 'R').click()
  // A press that comes at once is the second of a double click, and no answer.
  await expect
    .poll(async () => {
      await button(page, 'Redeal').click()
      return keptLog(page, name)
    })
    .toBe('R')
  await expectWhole(page, seed, name)
})
