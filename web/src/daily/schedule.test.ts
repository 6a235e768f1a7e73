import { describe, expect, it, vi } from 'vitest'
import type { Problem } from '../api/schema.gen'
import type { Entry } from './schedule'

vi.stubGlobal('addEventListener', () => {}) // the page's clock wants to know when it is looked at
vi.stubGlobal('location', { origin: 'http://localhost' })
const { OfflineError, ProblemError } = await import('../api/client')
const { afterFailure, inTurn, isDue, isEntry, isRefusal, mayBeSentBy, pauseAfter, tooMany } =
  await import('./schedule')

const entry = (e: Partial<Entry> = {}): Entry => ({
  key: 'k',
  challenge: 'cruel-2026-11-30',
  seed: '1',
  variant: 'cruel',
  log: 'R',
  player: null,
  made: 1000,
  tries: 0,
  next: 0,
  told: false,
  refused: null,
  ...e,
})

function problem(status: number, kind: string, more: Partial<Problem> = {}, retryAfter?: number) {
  const type = `/problems/${kind}` as Problem['type']
  return new ProblemError(
    status,
    { type, title: '', status, detail: 'why', instance: '', ...more },
    retryAfter,
  )
}

describe('pauses', () => {
  it('grow from 1 s to 60 s', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 1000].map((tries) => pauseAfter(tries, 0, 1) / 1000)
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
  })

  it('are at least what the server says', () => {
    expect(pauseAfter(1, 90, 1)).toBe(90_000)
    expect(pauseAfter(7, 5, 1)).toBe(60_000)
  })

  it('differ a little, and are never longer than that', () => {
    expect(pauseAfter(3, 0, 0)).toBe(3200)
    expect(pauseAfter(3, 0, 0.5)).toBe(3600)
  })
})

describe('what an answer means', () => {
  const passing: [string, unknown][] = [
    ['no connection', new OfflineError('')],
    ['too fast', problem(429, 'rate-limited')],
    ['a fault', problem(500, 'internal')],
    ['busy', problem(503, 'unavailable')],
    ['no token', problem(401, 'unauthorized')],
    ['an error of this page', new TypeError('')],
  ]
  it.each(passing)('%s may pass', (_, error) => {
    expect(isRefusal(error)).toBe(false)
    expect(afterFailure(entry(), error, 5000)).toMatchObject({ tries: 1, refused: null, told: false })
    expect(afterFailure(entry(), error, 5000).next).toBeGreaterThan(5000)
  })

  const refusals: [string, unknown][] = [
    ['an illegal log', problem(422, 'illegal-log')],
    ['no such challenge', problem(404, 'not-found')],
    ['a malformed request', problem(400, 'bad-request')],
    ['too many submissions', problem(429, 'too-many-submissions')],
    ['too large', problem(413, 'too-large')],
  ]
  it.each(refusals)('%s is refused for good', (_, error) => {
    expect(afterFailure(entry(), error, 5000)).toMatchObject({ tries: 1, refused: 'why' })
  })

  it('names the move that was refused', () => {
    const move = { index: 3, token: 'cH', code: 'illegal', reason: 'the hearts foundation needs 5H' } as const
    expect(afterFailure(entry(), problem(422, 'illegal-log', { move }), 0).refused).toBe(
      '3. cH: the hearts foundation needs 5H',
    )
  })

  it('keeps what the server said about when', () => {
    const after = afterFailure(entry(), problem(503, 'unavailable', {}, 30), 1000)
    expect(after).toMatchObject({ next: 31_000, told: true })
  })
})

describe('when an entry is sent', () => {
  const now = 10_000
  const cases: [string, Partial<Entry>, boolean, boolean][] = [
    ['a new one at once', {}, false, true],
    ['not during its pause', { next: now + 1 }, false, false],
    ['when the page is looked at again, though', { next: now + 1 }, true, true],
    ['but not before the time that the server gave', { next: now + 1, told: true }, true, false],
    ['at that time', { next: now, told: true }, false, true],
    ['never once it was refused', { refused: 'why' }, true, false],
  ]
  it.each(cases)('%s', (_, e, anew, due) => {
    expect(isDue(entry(e), now, anew)).toBe(due)
  })

  it('those that failed least go first, then the oldest', () => {
    const [a, b, c] = [entry({ made: 1, tries: 3 }), entry({ made: 3 }), entry({ made: 2 })]
    expect(inTurn([a, b, c])).toEqual([c, b, a])
  })
})

describe('who may send it', () => {
  const ada = { id: 'a', name: 'Ada', guest: false }
  const guest = { id: 'g', name: 'guest-1', guest: true }
  const cases: [string, Entry['player'], { id: string } | null, boolean][] = [
    ['nobody’s by a new guest', null, null, true],
    ['nobody’s by who is here now', null, ada, true],
    ['a guest’s by a new guest', guest, null, true],
    ['a guest’s by who has logged in since', guest, ada, true],
    ['a registered player’s by them', ada, ada, true],
    ['a registered player’s by nobody else', ada, guest, false],
    ['a registered player’s not by a new guest', ada, null, false],
  ]
  it.each(cases)('%s', (_, player, here, may) => {
    expect(mayBeSentBy(entry({ player }), here)).toBe(may)
  })
})

it('makes room by dropping refused ones first, then the oldest', () => {
  const refused = entry({ key: 'r', made: 9, refused: 'why' })
  const [old, newer] = [entry({ key: 'o', made: 1 }), entry({ key: 'n', made: 2 })]
  expect(tooMany([newer, refused, old], 3)).toEqual([])
  expect(tooMany([newer, refused, old], 2)).toEqual([refused])
  expect(tooMany([newer, refused, old], 1)).toEqual([refused, old])
})

it('takes nothing else for an entry', () => {
  expect(isEntry(entry())).toBe(true)
  for (const x of [null, 1, 'x', [], {}, { ...entry(), log: 1 }, { ...entry(), next: null }]) {
    expect(isEntry(x)).toBe(false)
  }
})
