import { afterEach, beforeEach, expect, test, vi } from 'vitest'

class OfflineError extends Error {}
vi.mock('../api/client', () => ({
  isPassing: (e: unknown) => e instanceof OfflineError,
  ProblemError: class {},
}))
const { Sender } = await import('./sender')

let sent: string[]
let late: boolean[]
let refused: unknown[]
let answer: (text: string) => Promise<void>
let sender: InstanceType<typeof Sender>

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', new EventTarget())
  vi.stubGlobal('addEventListener', () => {})
  sent = []
  late = []
  refused = []
  answer = async () => {}
  sender = new Sender(
    (text) => {
      sent.push(text)
      return answer(text)
    },
    (yes) => late.push(yes),
    (error) => refused.push(error),
  )
})
afterEach(() => {
  sender.stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('two a second at most, and the newest always', async () => {
  for (let i = 0; i < 40; i++) {
    sender.give(String(i))
    await vi.advanceTimersByTimeAsync(50)
  }
  await vi.advanceTimersByTimeAsync(1000)
  expect(sent.length).toBeLessThanOrEqual(6)
  expect(sent[0]).toBe('0')
  expect(sent.at(-1)).toBe('39')
})

test('one at a time', async () => {
  let done = () => {}
  answer = () => new Promise((d) => (done = d))
  sender.give('a')
  sender.give('b')
  sender.give('c')
  await vi.advanceTimersByTimeAsync(5000)
  expect(sent).toEqual(['a'])
  done()
  await vi.advanceTimersByTimeAsync(5000)
  expect(sent).toEqual(['a', 'c'])
})

test('what failed is sent again, or what came after it', async () => {
  answer = async () => {
    throw new OfflineError()
  }
  sender.give('a')
  await vi.advanceTimersByTimeAsync(3000)
  expect(late).toContain(true)
  sender.give('b')
  answer = async () => {}
  await vi.advanceTimersByTimeAsync(10_000)
  expect(sent.at(-1)).toBe('b')
  expect(sent.filter((s) => s === 'b').length).toBe(1)
  expect(late.at(-1)).toBe(false)
})

test('what is refused is not sent again, and what comes later is', async () => {
  answer = async () => {
    throw new Error('no')
  }
  sender.give('a')
  await vi.advanceTimersByTimeAsync(10_000)
  expect([sent, refused.length]).toEqual([['a'], 1])
  answer = async () => {}
  sender.give('b')
  await vi.advanceTimersByTimeAsync(1000)
  expect(sent).toEqual(['a', 'b'])
})

test('what is dropped is not sent, nor tried again', async () => {
  sender.give('a')
  await vi.advanceTimersByTimeAsync(0)
  sender.give('b')
  sender.drop()
  await vi.advanceTimersByTimeAsync(5000)
  answer = async () => {
    throw new OfflineError()
  }
  sender.give('c')
  await vi.advanceTimersByTimeAsync(0)
  sender.drop()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(sent).toEqual(['a', 'c'])
})
