import { beforeEach, expect, test, vi } from 'vitest'

vi.stubGlobal('addEventListener', () => {})

const start = Date.parse('2026-11-30T12:00:00Z')
let clock: typeof import('./clock.svelte')

beforeEach(async () => {
  vi.useFakeTimers({ now: start })
  vi.resetModules()
  clock = await import('./clock.svelte')
  return () => vi.useRealTimers()
})

const header = (ms: number) => new Response('', { headers: { Date: new Date(ms).toUTCString() } })
const ahead = () => clock.serverNow() - Date.now()
/** A sample of a server that is ahead by so much, after a round trip. */
const sample = (by: number, trip: number) => clock.sample(start + by + trip / 2, start, start + trip)

test('a device that is right is left alone by a Date header', () => {
  clock.notice(header(start))
  expect(ahead()).toBe(0)
})

test('a device that is minutes off is put right by one, to the second', () => {
  clock.notice(header(start + 300_000))
  expect(Math.abs(ahead() - 300_000)).toBeLessThanOrEqual(500)
})

test('the sample with the shortest way counts', () => {
  sample(46_000, 400)
  sample(46_100, 80)
  sample(46_180, 300)
  expect(ahead()).toBe(46_100)
  expect(clock.uncertainty()).toBe(40)
})

test('a sample that contradicts the best one takes its place: the clock was set', () => {
  sample(46_000, 80)
  sample(0, 400)
  expect(ahead()).toBe(0)
})

test('a late answer’s Date header takes nothing from a good sample', () => {
  sample(46_000, 80)
  clock.notice(header(start + 46_000 - 8000))
  expect(ahead()).toBe(46_000)
})

test('a Date header tells that the clock was set, also after a good sample', () => {
  sample(46_000, 80)
  vi.setSystemTime(start + 46_000)
  clock.notice(header(start + 46_000))
  expect(Math.abs(ahead())).toBeLessThanOrEqual(500)
  sample(200, 900) // and any sample is better than that
  expect(ahead()).toBe(200)
})
