// Who plays: accounts and guests, sessions of several tabs, and where tokens never are.

import type { BrowserContext, Locator, Page, Response } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { short } from './games'
import { expectTrouble, harness } from './harness'
import { boardOf, nextVerdict, patience, settled, shared, type, wonDialog } from './help'

const h = harness()
const typed = { settings: { speed: 0, textMode: true } }
const password = 'four winds over the table'

beforeEach(() => h.server.setClock('2026-11-30T12:00:00Z'))

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

let names = 0
const newName = () => `Ada-${Date.now().toString(36)}-${names++}`

async function fill(form: Locator, fields: Record<string, string>, submit: string): Promise<void> {
  for (const [label, text] of Object.entries(fields)) {
    await form.getByLabel(label, { exact: true }).fill(text, patience)
  }
  await form.getByRole('button', { name: submit, exact: true }).click()
}

const logIn = (page: Page, name: string, password: string) =>
  fill(page.getByRole('region', { name: 'Log in' }), { Name: name, Password: password }, 'Log in')

/** The recovery code that is shown, which is noted then. */
async function noted(page: Page): Promise<string> {
  const box = page.getByRole('region', { name: 'Your recovery code' })
  const code = await box.getByRole('textbox', { name: 'Recovery code' }).inputValue(patience)
  await box.getByRole('button', { name: 'I have noted it' }).click()
  await box.waitFor({ state: 'detached' })
  return code
}

/** Makes an account on the page; gives its recovery code. */
async function signUp(page: Page, name: string): Promise<string> {
  const form = page.getByRole('region', { name: 'Create an account' })
  await fill(form, { Name: name, Password: password }, 'Create an account')
  await title(page, `Logged in as ${name}`).waitFor(patience)
  return noted(page)
}

test('an account is made, left, entered, and recovered when the password is lost', async () => {
  const page = await h.open('/account')
  expectTrouble(page, /status of 401/)
  const name = newName()
  const code = await signUp(page, name)
  expect(code).not.toBe('')
  await page.getByRole('button', { name: 'Log out' }).click()
  await title(page, 'Account').waitFor(patience)

  await logIn(page, name, 'something else')
  await page.getByText('Name and password don’t belong together.').waitFor(patience)
  await logIn(page, name, password)
  await title(page, `Logged in as ${name}`).waitFor(patience)
  await page.reload()
  await title(page, `Logged in as ${name}`).waitFor(patience)
  await page.getByRole('button', { name: 'Log out' }).click()
  await title(page, 'Account').waitFor(patience)

  await page.getByText('Password lost? Use the recovery code').click()
  const form = page.getByRole('group').filter({ hasText: 'Password lost' })
  const fields = { Name: name, 'Recovery code': code, 'New password': 'another one altogether' }
  await fill(form, fields, 'Recover an account')
  await title(page, `Logged in as ${name}`).waitFor(patience)
  const second = await noted(page)
  expect(second).not.toBe(code)
  await page.getByRole('button', { name: 'Log out' }).click()
  await title(page, 'Account').waitFor(patience)
  await logIn(page, name, password)
  await page.getByText('Name and password don’t belong together.').waitFor(patience)
  await logIn(page, name, 'another one altogether')
  await title(page, `Logged in as ${name}`).waitFor(patience)
})

test('a guest becomes a named player and keeps all results', async () => {
  const challenge = await shared(h.server, short.seed)
  const page = await h.open(`/play/${challenge}`, typed)
  await settled(page)
  const answered = nextVerdict(page, challenge)
  await type(page, short.log)
  const guest = (await answered).player
  expect(guest.guest).toBe(true)
  await wonDialog(page, 54).getByRole('link', { name: 'Choose a name' }).click(patience)
  await title(page, `You play as the guest ${guest.name}`).waitFor(patience)

  const name = newName()
  await fill(page.getByRole('region', { name: 'Choose a name' }), { Name: name }, 'Save the name')
  await title(page, `You play as the guest ${name}`).waitFor(patience)
  const form = page.getByRole('region', { name: 'Set a password' })
  await fill(form, { 'New password': password }, 'Save the password')
  await title(page, `Logged in as ${name}`).waitFor(patience)
  await noted(page)
  expect(await boardOf(h.server, challenge)).toMatchObject([{ player: { id: guest.id, name, guest: false } }])

  // From another device
  const other = await h.open('/account')
  await logIn(other, name, password)
  await title(other, `Logged in as ${name}`).waitFor(patience)
  await other.getByRole('link', { name: 'Your results' }).click()
  const results = other.getByRole('region', { name: /results/i })
  await results.getByRole('cell', { name: /^54 moves/ }).waitFor(patience)
})

test('two tabs whose tokens have ended both stay logged in', async () => {
  const first = await h.open('/account')
  const context = first.context()
  await h.server.call('GET', '/v1/daily')
  await context.clock.install({ time: '2026-11-30T12:00:00Z' }) // the device's, which moves with the server's
  const name = newName()
  await signUp(first, name)
  const second = await context.newPage()
  await second.goto(`${h.server.url}/account`)
  await title(second, `Logged in as ${name}`).waitFor(patience)
  for (const tab of [first, second]) expectTrouble(tab, /status of 404/) // who is on no board isn't around there

  const steps: (string | number)[] = []
  const isRefresh = (url: string) => url.endsWith('/v1/sessions/refresh')
  context.on('request', (r) => isRefresh(r.url()) && steps.push('asked'))
  context.on('response', (r) => isRefresh(r.url()) && steps.push(r.status()))
  for (const time of ['12:16', '12:32', '12:48']) {
    await h.server.setClock(`2026-11-30T${time}:00Z`)
    await context.clock.fastForward('16:00')
    await h.server.setOutage({ delay_ms: 200 }) // so that they would meet
    await Promise.all([
      navigate(first, '/board/cruel-2026-11-30?around=me'),
      navigate(second, `/players/${name}`),
    ])
    await first.getByText('You have no result on this board yet.').waitFor(patience)
    await second.getByRole('region', { name: 'Latest results' }).getByText('No result yet.').waitFor(patience)
    await h.server.setOutage({})
    for (const tab of [first, second]) {
      await navigate(tab, '/rules')
      await tab.getByRole('heading', { level: 1, name: 'Rules' }).waitFor(patience)
    }
  }
  // One after the other: each time both had to.
  expect(steps).toEqual(Array(6).fill(['asked', 200]).flat())
  for (const tab of [first, second]) {
    await tab.getByRole('banner').getByRole('link', { name }).waitFor()
    await navigate(tab, '/account')
    await title(tab, `Logged in as ${name}`).waitFor(patience)
  }
})

test('a token that the server takes no more, though the device thinks it does, is renewed', async () => {
  const page = await h.open('/account')
  expectTrouble(page, /status of 401/)
  const name = newName()
  await signUp(page, name)
  await h.server.setClock('2026-11-30T12:20:00Z') // the device's stands
  await fill(page.getByRole('region', { name: 'Change the name' }), { Name: `${name}-b` }, 'Save the name')
  await title(page, `Logged in as ${name}-b`).waitFor(patience)
})

/** Goes to an address of the same page, as its links do, without loading it anew. */
async function navigate(page: Page, to: string): Promise<void> {
  await page.evaluate((to) => {
    const link = document.createElement('a')
    link.href = to
    document.body.append(link)
    link.click()
    link.remove()
  }, to)
}

test('who logs out in one tab is logged out in the other', async () => {
  const first = await h.open('/account')
  const name = newName()
  await signUp(first, name)
  const second = await first.context().newPage()
  await second.goto(`${h.server.url}/account`)
  await title(second, `Logged in as ${name}`).waitFor(patience)
  await first.getByRole('button', { name: 'Log out' }).click()
  await title(second, 'Account').waitFor(patience)
})

test('no token is in any storage, address or page', async () => {
  const challenge = await shared(h.server, short.seed)
  const page = await h.open('/account', typed)
  const context = page.context()
  const secrets = collectSecrets(context)
  const urls: string[] = []
  context.on('request', (r) => urls.push(r.url()))

  const name = newName()
  const code = await signUp(page, name)
  await page.goto(`${h.server.url}/play/${challenge}`)
  await settled(page)
  const answered = nextVerdict(page, challenge)
  await type(page, short.log)
  const { id } = await answered
  for (const path of [`/replay/${id}`, `/board/${challenge}?around=me`, `/players/${name}`, '/races', '/']) {
    await page.goto(h.server.url + path)
    await page.getByRole('heading', { level: 1 }).first().waitFor(patience)
  }

  const tokens = [...(await secrets()), code, password]
  expect(tokens.length).toBeGreaterThan(4)
  const cookies = await context.cookies()
  expect(cookies).toHaveLength(1)
  expect(cookies[0]).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
  tokens.push(cookies[0]!.value)
  const kept = await page.evaluate(async () => {
    const cached = []
    for (const key of await caches.keys()) {
      for (const answer of await (await caches.open(key)).matchAll())
        cached.push(answer.url, await answer.text())
    }
    const databases = await indexedDB.databases()
    return JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      databases,
      cached,
      history.state,
      document.documentElement.outerHTML,
    ])
  })
  for (const token of tokens) {
    expect(token.length).toBeGreaterThan(10)
    expect(kept.includes(token)).toBe(false)
    expect(urls.filter((url) => decodeURIComponent(url).includes(token))).toEqual([])
  }
  expect(urls.length).toBeGreaterThan(20)
})

/** What a context is given that nobody else may know. */
function collectSecrets(context: BrowserContext): () => Promise<string[]> {
  const answers: Promise<string[]>[] = []
  context.on('response', (r) => {
    if (/\/v1\/(players|sessions(\/\w+)?)$/.test(r.url())) answers.push(tokensIn(r))
  })
  return async () => (await Promise.all(answers)).flat()
}

async function tokensIn(r: Response): Promise<string[]> {
  const body = (await r.json().catch(() => ({}))) as Record<string, string>
  return [body.access_token, body.refresh_token].filter((token) => token !== undefined)
}
