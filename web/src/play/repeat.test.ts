import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Repeat } from './repeat'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('at once, after 400 ms, then 8 a second, until it is let go', () => {
  const repeat = new Repeat()
  const act = vi.fn(() => true)
  repeat.start(act)
  expect(act).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(399)
  expect(act).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1)
  expect(act).toHaveBeenCalledTimes(2)
  vi.advanceTimersByTime(1000)
  expect(act).toHaveBeenCalledTimes(10)
  repeat.stop()
  vi.advanceTimersByTime(1000)
  expect(act).toHaveBeenCalledTimes(10)
})

test('ends by itself when there is nothing left to do', () => {
  const repeat = new Repeat()
  let left = 3
  repeat.start(() => --left > 0)
  vi.advanceTimersByTime(5000)
  expect(left).toBe(0)
})
