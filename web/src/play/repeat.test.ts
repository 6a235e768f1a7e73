import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Repeat } from './repeat'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('once at its release', () => {
  const repeat = new Repeat()
  const act = vi.fn(() => true)
  repeat.start(act)
  vi.advanceTimersByTime(399)
  repeat.release()!()
  vi.advanceTimersByTime(5000)
  expect(act).toHaveBeenCalledTimes(1)
  expect(repeat.release()).toBeUndefined()
})

test('where it is held after 400 ms, then 8 a second, until it is let go', () => {
  const repeat = new Repeat()
  const act = vi.fn(() => true)
  repeat.start(act)
  vi.advanceTimersByTime(399)
  expect(act).toHaveBeenCalledTimes(0)
  vi.advanceTimersByTime(1)
  expect(act).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1000)
  expect(act).toHaveBeenCalledTimes(9)
  expect(repeat.release()).toBeUndefined()
  vi.advanceTimersByTime(1000)
  expect(act).toHaveBeenCalledTimes(9)
})

test('ends by itself when there is nothing left to do', () => {
  const repeat = new Repeat()
  let left = 3
  repeat.start(() => --left > 0)
  vi.advanceTimersByTime(5000)
  expect(left).toBe(0)
})

test('does nothing where it goes up elsewhere', () => {
  const repeat = new Repeat()
  const act = vi.fn(() => true)
  repeat.start(act)
  repeat.stop()
  expect(repeat.release()).toBeUndefined()
  vi.advanceTimersByTime(5000)
  expect(act).not.toHaveBeenCalled()
})

test('loses none of two fingers', () => {
  const repeat = new Repeat()
  const act = vi.fn(() => true)
  repeat.start(act)
  repeat.start(act)
  repeat.release()?.()
  repeat.release()?.()
  expect(act).toHaveBeenCalledTimes(2)
})
