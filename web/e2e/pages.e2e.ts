// Every page, in every language, size and look: it fits, it says all that it has to say, and who doesn't see it
// or has no mouse can use it.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { days, long, short as won } from './games'
import { desktop, harness, phone, type Look } from './harness'
import { patience, place, Player, settled } from './help'
import { pairwise } from './pairwise'

const h = harness()
const axe = readFileSync(
  fileURLToPath(new URL('../node_modules/axe-core/axe.min.js', import.meta.url)),
  'utf8',
)

// ---- What there is to see: Ada has won a day, is in races of every state, and Ben is in them with her.

const today = '2026-11-30T12:00:00Z'
const ada = { name: 'Ada', password: 'correct horse battery' }
let replay = '' // the id of Ada's submission
const races = { lobby: '', running: '', finished: '' } // their codes

beforeAll(async () => {
  const { server } = h
  await server.setClock('2026-11-29T12:00:00Z')
  const { access_token } = await server.call('POST', '/v1/players', ada)
  const { id } = await server.call('GET', '/v1/daily')
  const log = days['2026-11-29'].log
  replay = (await server.call('POST', `/v1/challenges/${id}/submissions`, { log }, access_token)).id

  await server.setClock(today)
  const a = (await server.call('POST', '/v1/sessions', ada)).access_token
  const b = (await server.call('POST', '/v1/players', { name: 'Ben' })).access_token
  const firstOf = (log: string) => log.split(' ').slice(0, 15).join(' ')
  const act = (code: string, what: string, token: string, body?: object) =>
    server.call('POST', `/v1/races/${code}/${what}`, body, token)
  const make = async (seed: string) => {
    const wish = { goal: 'fewest_moves', time_limit_s: 3600, visibility: 'open', seed }
    return (await server.call('POST', '/v1/races', wish, a)).code as string
  }
  const start = async (seed: string) => {
    const code = await make(seed)
    await act(code, 'join', b)
    await act(code, 'ready', a)
    await act(code, 'ready', b)
    return code
  }
  // No two races may be on one seed at a time.
  races.finished = await start(won.seed)
  races.running = await start(long[0]!.seed)
  await server.setClock('2026-11-30T12:00:10Z') // both have begun
  for (const code of [races.finished, races.running]) {
    await vi.waitFor(
      async () => expect((await server.call('GET', `/v1/races/${code}`)).state).toBe('running'),
      patience,
    )
  }
  await act(races.running, 'progress', b, { log: firstOf(long[0]!.log) })
  await act(races.finished, 'finish', a, { log: won.log })
  await act(races.finished, 'finish', b, { log: firstOf(won.log) })
  races.lobby = await make(long[1]!.seed)
}, 60_000)

/** The addresses of the pages that are read. */
const readingPages = () => [
  '/board/cruel-2026-11-29',
  '/board',
  '/archive',
  '/races',
  `/races/${races.lobby}`,
  `/races/${races.finished}`,
  '/players/Ada',
  '/rules',
  '/account',
]
/** And of those with a table. */
const tables = () => [
  '/',
  '/practice/cruel/2',
  '/play/cruel-2026-11-29',
  `/replay/${replay}`,
  `/races/${races.running}`,
]

/** A page of Ada's browser, which knows her. */
async function openAsAda(path: string, look: Look = {}): Promise<Page> {
  const page = await h.open(null, look)
  const answer = await page
    .context()
    .request.post(`${h.server.url}/v1/sessions`, { data: { ...ada, transport: 'cookie' } })
  const { player } = await answer.json()
  await page
    .context()
    .addInitScript((text) => localStorage.setItem('cruel.player', text), JSON.stringify(player))
  await page.goto(h.server.url + path)
  return page
}

/** Goes to an address as a link does, without loading anything anew. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((path) => {
    history.pushState(null, '', path)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await there(page)
}

/** Waits until all of a page is there and nothing on it moves. */
async function there(page: Page): Promise<void> {
  await page
    .getByRole('heading', { level: 1 })
    .first()
    .waitFor({ state: 'attached', ...patience })
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(() => document.getAnimations().every((a) => a.playState !== 'running'))
}

// ---- What is held of each

/** The serious findings of axe. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { violations } = await (window as any).axe.run(document, { resultTypes: ['violations'] })
    return violations
      .filter((v: any) => v.impact === 'serious' || v.impact === 'critical')
      .flatMap((v: any) => v.nodes.map((n: any) => `${v.id}: ${n.target.join(' ')} – ${n.failureSummary}`))
  })
}

/** What of a page is wider than it may be. Where the text is large, a table of data may scroll in itself. */
const tooWide = (page: Page, { large = false } = {}): Promise<string[]> =>
  page.evaluate((large) => {
    const root = document.documentElement
    const all = [
      ...document.querySelectorAll<HTMLElement>('body, main, main *, dialog[open], dialog[open] *'),
    ].filter(
      (e) =>
        e.scrollWidth > e.clientWidth + 1 &&
        ['auto', 'scroll'].includes(getComputedStyle(e).overflowX) &&
        !e.matches('pre, input, select') &&
        !(large && e.querySelector(':scope > table')),
    )
    return [
      ...(root.scrollWidth > root.clientWidth ? [`the page: ${root.scrollWidth} > ${root.clientWidth}`] : []),
      ...all.map((e) => `${e.tagName}.${e.className}: ${e.scrollWidth} > ${e.clientWidth}`),
    ]
  }, large)

/** The texts that an edge cuts off, though nothing scrolls. */
const cutText = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const inside = [...document.querySelectorAll<HTMLElement>('main *, header *')].filter((e) => {
      const { left, right, width } = e.getBoundingClientRect()
      const own = [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.textContent!.trim())
      if (!own || width < 2 || (left >= 0 && right <= innerWidth + 1)) return false
      for (let up: HTMLElement | null = e; up; up = up.parentElement) {
        if (['auto', 'scroll'].includes(getComputedStyle(up).overflowX) && up.matches(':has(> table), pre'))
          return false
        if (up.matches('.spoken, [aria-hidden="true"]')) return false
      }
      return true
    })
    return inside.map((e) => `${e.tagName}.${e.className}: ${e.textContent!.trim().slice(0, 40)}`)
  })

/** All that a page says, to those who see it and to those who don't. */
const textOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const said = ['aria-label', 'title', 'placeholder', 'alt'].flatMap((name) =>
      [...document.querySelectorAll(`[${name}]`)].map((e) => e.getAttribute(name)),
    )
    return [document.title, document.body.innerText, ...said].join('\n')
  })

const notAMessage = /\b(undefined|NaN|null|Invalid Date)\b|\[object|=>|\bfunction\b/
const english =
  /\b(the|and|of|is|are|with|for|today|board|moves?|races?|rules|players?|log in|cards?|redeals?|seed|won|home|more|piles?)\b/i
const german = /(\b(der|die|das|und|ist|mit|heute|Rangliste|Züge?|Rennen|Regeln|Karten?|Spieler)\b)/

/** The cards that aren't wholly on the screen. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-card]')]
      .filter((card) => getComputedStyle(card).visibility !== 'hidden')
      .filter((card) => {
        const { left, top, right, bottom } = card.getBoundingClientRect()
        return left < 0 || top < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5
      })
      .map((card) => card.dataset.card!),
  )

// ---- The tests

describe('a page has no serious fault for who can’t see it or has no mouse', () => {
  const looks: [string, Look][] = [
    ['light', { colorScheme: 'light', viewport: desktop }],
    ['dark, on a phone', { colorScheme: 'dark', viewport: phone }],
  ]
  test.each(looks)('%s: as one who is logged in', { timeout: 120_000 }, async (_, look) => {
    const page = await openAsAda('/', look)
    const found: Record<string, string[]> = {}
    for (const path of [...tables(), ...readingPages()]) {
      await goTo(page, path)
      const all = await findings(page)
      if (all.length > 0) found[path] = all
    }
    expect(found).toEqual({})
  })

  test.each(looks)('%s: as a stranger, and what opens over a page', { timeout: 120_000 }, async (_, look) => {
    const page = await h.open('/account', { ...look, settings: { speed: 0 } })
    const found: Record<string, string[]> = {}
    const check = async (what: string) => {
      await there(page)
      const all = await findings(page)
      if (all.length > 0) found[what] = all
    }
    await check('account')
    await goTo(page, '/nowhere')
    await check('nothing')
    await goTo(page, `/races/${races.running}`)
    await check('a race that is watched')

    await goTo(page, '/play/cruel-2026-11-30')
    await page.getByRole('button', { name: 'Menu' }).click()
    await check('menu')
    await page.keyboard.press('Escape')
    const more = page.getByRole('button', { name: 'More' })
    if (await more.isVisible()) {
      await more.click()
      await check('more')
      await page.keyboard.press('Escape')
    }
    await place(page, 'a').click()
    await page.keyboard.press('?')
    await check('keys')
    await page.keyboard.press('Escape')
    await new Player(page, days['2026-11-30'].seed).keys('jD')
    await page.keyboard.press('p')
    await page.keyboard.press('a')
    await check('preview, and a card in hand')

    await page.evaluate(
      ([seed, log]) => {
        const game = { variant: 'cruel', seed, log, at: log.split(' ').length, kept: 1 }
        localStorage.setItem('cruel.game.cruel-2026-11-30', JSON.stringify(game))
      },
      [days['2026-11-30'].seed, days['2026-11-30'].log] as const,
    )
    await page.reload()
    await page.getByRole('button', { name: 'Result' }).click()
    await page.getByText('Checked by the server').first().waitFor(patience)
    await check('result')
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByLabel('Text mode').last().check()
    await page.keyboard.press('Escape')
    await check('text mode')
    const previews = await page.getByRole('button', { name: 'Preview' }).count()
    expect(previews).toBe(look.viewport === phone ? 0 : 1) // where there is no picture it would change nothing
    expect(found).toEqual({})
  })
})

describe('every size, language, theme, deck and view, by pairs', () => {
  const rows = pairwise({
    size: ['360×640', '320×568', '640×300', '768×954', '1280×720', '1920×970'],
    language: ['en', 'de'],
    theme: ['light', 'dark'],
    view: ['stacked', 'fanned'],
  }).map((row, i) => ({ ...row, deck: ['auto', 'two', 'safe'][i % 3]! })) // colours alone: they meet no size
  test.each(rows)('$size $language $theme $deck $view', { timeout: 120_000 }, async (row) => {
    const [width, height] = row.size.split('×').map(Number) as [number, number]
    const { deck, view, language } = row
    const page = await openAsAda('/', {
      viewport: { width, height },
      locale: language === 'de' ? 'de-DE' : 'en-GB',
      colorScheme: row.theme as 'light' | 'dark',
      settings: { deck, view },
    })
    for (const path of [...tables(), ...readingPages()]) {
      await goTo(page, path)
      expect.soft(await tooWide(page), path).toEqual([])
      expect.soft(await cutText(page), path).toEqual([])
      expect.soft(await cutOff(page), path).toEqual([])
      const text = await textOf(page)
      expect.soft(text, path).not.toMatch(notAMessage)
      expect.soft(await page.locator('html').getAttribute('lang'), path).toBe(language)
      const foreign = language === 'de' ? english : german
      expect
        .soft(
          text.split('\n').filter((line) => foreign.test(line)),
          path,
        )
        .toEqual([])
    }
    await goTo(page, '/')
    await settled(page)
    expect(await page.locator('[data-card]').count()).toBe(52)
    const shownDeck = { auto: 'four', two: 'two', safe: 'safe' }[deck]
    expect(await page.locator('[data-deck]').first().getAttribute('data-deck')).toBe(shownDeck)
  })
})

test('text of twice the size on the narrowest phone makes nothing scroll sideways', async () => {
  for (const locale of ['en-GB', 'de-DE']) {
    const page = await openAsAda('/rules', { viewport: { width: 320, height: 568 }, locale })
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
    for (const path of [...readingPages(), ...tables()]) {
      await goTo(page, path)
      expect.soft(await tooWide(page, { large: true }), `${path} ${locale}`).toEqual([])
      expect.soft(await cutText(page), `${path} ${locale}`).toEqual([])
    }
  }
})

test('beside the notch of a phone on its side lies nothing that one plays with', async () => {
  const page = await openAsAda('/', { viewport: { width: 844, height: 390 } })
  const cdp = await page.context().newCDPSession(page)
  const insets = { left: 47, right: 47, bottom: 21 }
  await cdp.send('Emulation.setSafeAreaInsetsOverride', { insets })
  for (const path of tables()) {
    await goTo(page, path)
    await page.locator('[data-card]').first().waitFor(patience)
    const beside = await page.evaluate(
      ({ left, right }) =>
        [...document.querySelectorAll('main :is(button, a, input, [data-card], [data-place]), header *')]
          .map((e) => ({ e, box: e.getBoundingClientRect() }))
          .filter(({ box }) => box.width > 1 && (box.left < left - 3 || box.right > innerWidth - right + 3))
          .map(({ e, box }) => `${e.outerHTML.slice(0, 80)} ${box.left}–${box.right}`),
      insets,
    )
    expect.soft(beside, path).toEqual([])
  }
})

test.each(['en-GB', 'de-DE'])('%s: how a game stands fits the header of any phone', async (locale) => {
  const { seed, log } = long[0]!
  const page = await h.open('/rules', { locale })
  const redeals = log.split(' ').indexOf('R') + 1 // one that is repeated until the counts have three digits
  const padded = [
    ...log.split(' ').slice(0, redeals),
    ...Array(100).fill('R'),
    ...log.split(' ').slice(redeals),
  ]
  await page.evaluate(
    ([seed, log]) => {
      const game = { variant: 'cruel', seed, log, at: log.split(' ').length - 20, kept: 1 }
      localStorage.setItem(`cruel.game.practice.cruel.${seed}`, JSON.stringify(game))
    },
    [seed, padded.join(' ')] as const,
  )
  await page.goto(`${h.server.url}/practice/cruel/${seed}`)
  await settled(page)
  const header = page.getByRole('banner')
  const expectFits = async (width: number) => {
    await page.setViewportSize({ width, height: 800 })
    await settled(page)
    const text = await header.innerText()
    expect.soft(text, `${width}`).toMatch(/\d\d\/52/)
    expect.soft(text, `${width}`).toMatch(/(≥|at best |bestenfalls )\d{2,3}/)
    expect.soft((await header.boundingBox())!.height, `${width}`).toBe(36)
    expect.soft(await cutText(page), `${width}`).toEqual([])
    return text
  }
  const widths = [320, 360, 375, 390, 430, 600, 740]
  for (const width of widths) expect.soft(await expectFits(width), `${width}`).toMatch(/\d{3}/)
  await page.evaluate(
    ([seed, log]) => {
      const game = { variant: 'cruel', seed, log, at: log.split(' ').length - 9, kept: 1 }
      localStorage.setItem(`cruel.game.practice.cruel.${seed}`, JSON.stringify(game))
    },
    [seed, log] as const,
  )
  await page.reload()
  for (const width of widths) {
    const text = await expectFits(width)
    if (width >= 360) expect.soft(text, `${width}`).toMatch(/\d\d (moves|Züge)/)
  }
})

test.each([
  ['colours that the system forces', { forcedColors: 'active' }],
  ['no motion wanted', { reducedMotion: 'reduce' }],
  ['more contrast wanted', { contrast: 'more' }],
] as [string, Look][])('with %s one plays', async (_, look) => {
  const page = await h.open('/play/cruel-2026-11-30', { viewport: phone, ...look })
  await settled(page)
  const player = new Player(page, days['2026-11-30'].seed)
  await player.drag('jD R')
  await page.getByText('2 moves').first().waitFor(patience)
  expect(await findings(page)).toEqual([])
  // A card has an edge, and the focus is seen.
  await page.locator('[data-place="a"]').focus()
  await page.keyboard.press('ArrowRight')
  const { edge, outline } = await page.evaluate(() => ({
    edge: getComputedStyle(document.querySelector('[data-card] .face')!).borderTopWidth,
    outline: getComputedStyle(document.activeElement!.querySelector('.ring')!).outline,
  }))
  expect(parseFloat(edge)).toBeGreaterThan(0)
  expect(outline).toMatch(/(solid|double) [3-9]px/)
})

test('the page may load what is the server’s own, and nothing else', async () => {
  const answer = await fetch(h.server.url)
  const policy = new Map(
    answer.headers
      .get('Content-Security-Policy')!
      .split(';')
      .map((part) => part.trim().split(' '))
      .map(([name, ...values]) => [name, values.join(' ')]),
  )
  expect(policy.get('default-src')).toBe("'none'")
  for (const name of ['script-src', 'style-src', 'connect-src']) expect(policy.get(name), name).toBe("'self'")
  expect(policy.get('frame-ancestors')).toBe("'none'")
  expect([...policy.values()].join(' ')).not.toMatch(/unsafe|https?:|\*/)

  const page = await openAsAda('/')
  const asked: string[] = []
  page.on('request', (r) => asked.push(r.url()))
  await page.evaluate(() => {
    const all: string[] = ((window as any).violations = [])
    document.addEventListener('securitypolicyviolation', (e) =>
      all.push(`${e.violatedDirective} ${e.blockedURI}`),
    )
  })
  for (const path of [...tables(), ...readingPages(), '/nowhere']) await goTo(page, path)
  expect(await page.evaluate(() => (window as any).violations)).toEqual([])
  expect(asked.filter((url) => !url.startsWith(h.server.url) && !url.startsWith('data:'))).toEqual([])
})
