import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'

const frames: (() => void)[] = []
const listeners = new Map<string, () => void>()
let afterPaint: (act: () => void) => void
const done: string[] = []

beforeAll(async () => {
  vi.stubGlobal('requestAnimationFrame', (f: () => void) => frames.push(f))
  vi.stubGlobal('addEventListener', (type: string, f: () => void) => listeners.set(type, f))
  ;({ afterPaint } = await import('./paint'))
})
afterAll(() => vi.unstubAllGlobals())
beforeEach(() => void (done.length = 0))

/** A frame is drawn, without the messages that follow it. */
const frame = () => frames.shift()!()
const messages = () => new Promise((done) => setTimeout(done, 20))

test('what needn’t be seen is done after the frame, in its order', async () => {
  afterPaint(() => done.push('first'))
  afterPaint(() => done.push('second'))
  await messages()
  expect(done).toEqual([])
  frame()
  expect(done).toEqual([])
  await messages()
  expect(done).toEqual(['first', 'second'])
})

test('an input is after all that came before, and before all that it brings', async () => {
  afterPaint(() => done.push('before'))
  frame()
  listeners.get('pointerup')!() // faster than the message of that frame
  expect(done).toEqual(['before'])
  afterPaint(() => done.push('brought'))
  await messages()
  expect(done).toEqual(['before'])
  frame()
  await messages()
  expect(done).toEqual(['before', 'brought'])
})

test('one that fails doesn’t stop the others', async () => {
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  afterPaint(() => {
    throw new Error('no')
  })
  afterPaint(() => done.push('other'))
  frame()
  await messages()
  expect(done).toEqual(['other'])
  expect(reported).toHaveBeenCalledOnce()
})
