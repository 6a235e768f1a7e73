// What the tests do with a page: play a game on its table in any way, and look at what it shows.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { CDPSession, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import {
  apply,
  cardText,
  deal,
  legalMoves,
  moveText,
  parseLog,
  parseMove,
  suitLetters,
  topOf,
  variantOf,
  verify,
  type Position,
  type Variant,
} from '../src/engine'
import type { Server } from './harness'

export const cruel: Variant = variantOf('cruel')!
const root = fileURLToPath(new URL('../..', import.meta.url))

export const patience = { timeout: 20_000 } // ms that a page may take for anything, on a busy machine

// ---- The server's side

/** A player who isn't at a page. */
export async function someone(server: Server): Promise<{ id: string; name: string; token: string }> {
  const { player, access_token } = await server.call('POST', '/v1/players', {})
  return { id: player.id, name: player.name, token: access_token }
}

/** A challenge on a seed, open for a week; gives its id. */
export async function shared(server: Server, seed: string, token?: string): Promise<string> {
  token ??= (await someone(server)).token
  return (await server.call('POST', '/v1/challenges', { variant: 'cruel', seed }, token)).id
}

export const submit = (server: Server, challenge: string, log: string, token: string) =>
  server.call('POST', `/v1/challenges/${challenge}/submissions`, { log }, token)

export const boardOf = async (server: Server, challenge: string, query = '') =>
  (await server.call('GET', `/v1/challenges/${challenge}/leaderboard${query}`)).items

/** What the next submission of a page is answered. */
export async function nextVerdict(page: Page, challenge: string): Promise<any> {
  const answer = await page.waitForResponse(
    (r) => r.url().endsWith(`/v1/challenges/${challenge}/submissions`) && r.ok(),
    patience,
  )
  return answer.json()
}

/** What `cruel verify` says of a record; throws where it says no. */
export async function verifyFile(path: string): Promise<string> {
  return (await promisify(execFile)('go', ['run', './cmd/cruel', 'verify', path], { cwd: root })).stdout
}

// ---- What a page shows

export const table = (page: Page): Locator => page.getByRole('grid', { name: 'Table' })

/** A place on the table, by its letter as in the log. */
export function place(page: Page, letter: string): Locator {
  const suit = { C: 'clubs', D: 'diamonds', H: 'hearts', S: 'spades' }[letter]
  const name = letter === 'R' ? /^Redeal/ : suit ? `Foundation of ${suit}` : new RegExp(`^Pile ${letter},`)
  return page.getByRole('gridcell', { name })
}

export const figures = (page: Page): Locator => page.getByLabel('How the game stands')

/** The dialog of a game that is won. */
export const wonDialog = (page: Page, moves: number): Locator =>
  page.getByRole('dialog', { name: `Won in ${moves} moves` })

/** Waits until all is done that follows the paint of what was done last. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise((done) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => done(null)
        requestAnimationFrame(() => port2.postMessage(null))
      }),
  )
}

/** Waits until the table is there, and no card moves. */
export async function settled(page: Page): Promise<void> {
  await page.locator('[data-place="R"]').waitFor(patience) // hidden by its role in the text mode
  await painted(page)
  await page.waitForFunction(() => document.getAnimations().every((a) => a.playState !== 'running'))
}

/** The log as the device has it: under the id of a challenge or "practice.VARIANT.SEED". */
export async function keptLog(page: Page, name: string): Promise<string> {
  await painted(page)
  return page.evaluate((name) => {
    const kept = JSON.parse(localStorage.getItem(`cruel.game.${name}`) ?? 'null')
    return kept ? kept.log.split(' ').slice(0, kept.at).join(' ') : ''
  }, name)
}

/** The cards as they lie in the picture, by place; each pile with its bottom card first. */
export async function picture(page: Page): Promise<Record<string, string[]>> {
  await settled(page)
  return page.evaluate(() => {
    const cells = [...document.querySelectorAll<HTMLElement>('[role="gridcell"]')].map((cell) => ({
      place: cell.dataset.place!,
      box: cell.getBoundingClientRect(),
    }))
    const cards = [...document.querySelectorAll<HTMLElement>('[data-card]')].map((card) => {
      const { left, top, width, height } = card.getBoundingClientRect()
      const [x, y] = [left + width / 2, top + height / 2]
      const cell = cells.find(({ box }) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom)
      return {
        card: card.dataset.card!,
        place: cell?.place ?? 'nowhere',
        order: Number(getComputedStyle(card).zIndex),
      }
    })
    cards.sort((a, b) => a.order - b.order)
    const piles: Record<string, string[]> = {}
    for (const { card, place } of cards) (piles[place] ??= []).push(card)
    return piles
  })
}

/** The picture that a position should have. */
export function pictureOf(p: Position): Record<string, string[]> {
  const piles: Record<string, string[]> = {}
  p.piles.forEach((cards, i) => {
    if (cards.length > 0) piles['abcdefghijkl'.charAt(i)] = cards.map(cardText)
  })
  p.foundations.forEach((top, suit) => {
    piles[suitLetters.charAt(suit)] = Array.from({ length: top }, (_, i) => cardText((i + 1) * 4 + suit))
  })
  return piles
}

/** The position that a log leads to. Throws where the log isn't legal. */
export function positionAfter(seed: string, log: string, v = cruel): Position {
  const said = verify(v, seed, log)
  if ('refused' in said) throw new Error(`${JSON.stringify(said.refused)} in ${log}`)
  return said.moves.reduce((p, m) => apply(v, p, m)!, deal(seed, v))
}

/** Holds that the picture, the kept log and the figures are those of one game; gives its log. */
export async function expectWhole(page: Page, seed: string, name: string): Promise<string> {
  const shown = await picture(page)
  const log = await keptLog(page, name)
  expect(shown).toEqual(pictureOf(positionAfter(seed, log)))
  return log
}

/** Records all that the page says to screen readers from now on. */
export async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const said: string[] = []
    Object.assign(window, { said })
    for (const region of document.querySelectorAll('[aria-live]')) {
      new MutationObserver(() => said.push(region.textContent!)).observe(region, {
        characterData: true,
        childList: true,
        subtree: true,
      })
    }
  })
  return async () => {
    await painted(page)
    return page.evaluate(() => (window as unknown as { said: string[] }).said)
  }
}

// ---- Playing

interface Box {
  x: number // of its middle
  y: number
}

/** Plays on the table of a page. It knows the position, so that it finds the cards. */
export class Player {
  position: Position
  private session?: Promise<CDPSession>
  private lastTap = ''

  constructor(
    readonly page: Page,
    readonly seed: string,
    log = '', // what was played before
  ) {
    this.position = positionAfter(seed, log)
  }

  /** Where a card is that a move takes, and where its target is. */
  async ends(token: string): Promise<{ from: Box; to: Box }> {
    const [from, to] = [token.charAt(0), token.charAt(1)]
    const card = cardText(topOf(this.position.piles['abcdefghijkl'.indexOf(from)]))
    await painted(this.page)
    return this.page.evaluate(
      ([card, to]) => {
        const middle = (selector: string) => {
          const { left, top, width, height } = document.querySelector(selector)!.getBoundingClientRect()
          return { x: left + width / 2, y: top + height / 2 }
        }
        return { from: middle(`[data-card="${card}"]`), to: middle(`[data-place="${to}"]`) }
      },
      [card, to] as const,
    )
  }

  made(token: string): void {
    const next = apply(cruel, this.position, parseMove(token)!)
    if (!next) throw new Error(`${token} isn't legal`)
    this.position = next
  }

  /** With the mouse: cards are dragged, the place to redeal is clicked. */
  async drag(log: string): Promise<void> {
    const { mouse } = this.page
    for (const token of tokensOf(log)) {
      if (token === 'R') await place(this.page, 'R').click()
      else {
        const { from, to } = await this.ends(token)
        await mouse.move(from.x, from.y)
        // At once: who waits, on a busy machine, has held the card, and sees the pile spread.
        await Promise.all([mouse.down(), mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2)])
        await mouse.move(to.x, to.y)
        await mouse.up()
      }
      this.made(token)
    }
  }

  /** With the keys of the log; the table must have the focus. */
  async keys(log: string, after?: (token: string) => Promise<void>): Promise<void> {
    for (const token of tokensOf(log)) {
      for (const key of token) await this.page.keyboard.press(key)
      this.made(token)
      await after?.(token)
    }
  }

  /** With a finger: a card is tapped, and its target where there are two; or it is dragged, each in turn. */
  async touch(log: string): Promise<void> {
    const { touchscreen } = this.page
    for (const token of tokensOf(log)) {
      if (token === 'R') await place(this.page, 'R').tap()
      else {
        const { from, to } = await this.ends(token)
        // Two taps on one pile in a hurry would be a double tap, which means one card.
        if (this.lastTap === token.charAt(0)) {
          await this.touchDrag(from, to)
          this.lastTap = ''
        } else {
          const others = legalMoves(cruel, this.position).filter((m) => moveText(m)[0] === token[0])
          await touchscreen.tap(from.x, from.y)
          if (others.length > 1) await touchscreen.tap(to.x, to.y)
          this.lastTap = token.charAt(0)
        }
      }
      this.made(token)
    }
  }

  async touchDrag(from: Box, to: Box): Promise<void> {
    const half = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }
    await Promise.all([this.finger('touchStart', from), this.finger('touchMove', half)])
    await this.finger('touchMove', to)
    await this.finger('touchEnd')
  }

  /** What the fingers on the screen do. */
  async finger(
    type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel',
    ...touchPoints: Box[]
  ): Promise<void> {
    await (await this.cdp()).send('Input.dispatchTouchEvent', { type, touchPoints })
  }

  private cdp(): Promise<CDPSession> {
    return (this.session ??= this.page.context().newCDPSession(this.page))
  }

  /** So many clicks at once, as fast as a browser takes them. */
  async clickFast(...points: Box[]): Promise<void> {
    const cdp = await this.cdp()
    const seen = new Map<string, number>()
    await Promise.all(
      points.flatMap(({ x, y }) => {
        const clickCount = (seen.get(`${x} ${y}`) ?? 0) + 1
        seen.set(`${x} ${y}`, clickCount)
        return (['mousePressed', 'mouseReleased'] as const).map((type) =>
          cdp.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount }),
        )
      }),
    )
  }
}

export function tokensOf(log: string): string[] {
  const read = parseLog(log)
  if (!('moves' in read)) throw new Error(`${log} is no log`)
  return read.moves.map(moveText)
}

/** Types into the text mode, as its field takes it: moves and words. */
export async function type(page: Page, line: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Move or question' })
  await field.fill(line)
  await field.press('Enter')
}
