import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Move } from '../engine'
import { Finishing } from './finishing'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const moves: Move[] = [0, 1, 2].map((from) => ({ kind: 'play', from, to: 0 }))

function begin(pause: number, refusing = -1) {
  const made: number[] = []
  const done = vi.fn()
  const finishing = new Finishing(
    moves,
    pause,
    (m) => m.kind === 'play' && m.from !== refusing && made.push(m.from) > 0,
    done,
  )
  return { made, done, finishing }
}

test('a move each 80 ms', () => {
  const { made, done } = begin(80)
  expect(made).toEqual([0])
  vi.advanceTimersByTime(80)
  expect(made).toEqual([0, 1])
  expect(done).not.toHaveBeenCalled()
  vi.advanceTimersByTime(80)
  expect(made).toEqual([0, 1, 2])
  expect(done).toHaveBeenCalledOnce()
})

test('the rest at once, and each move once', () => {
  const { made, done, finishing } = begin(80)
  finishing.skip()
  vi.advanceTimersByTime(1000)
  finishing.skip()
  expect(made).toEqual([0, 1, 2])
  expect(done).toHaveBeenCalledOnce()
})

test('without a pause all at once', () => {
  const { made, done } = begin(0)
  expect(made).toEqual([0, 1, 2])
  expect(done).toHaveBeenCalledOnce()
})

test('stopped, nothing more is moved', () => {
  const { made, done, finishing } = begin(80)
  finishing.stop()
  vi.advanceTimersByTime(1000)
  expect(made).toEqual([0])
  expect(done).toHaveBeenCalledOnce()
})

test('a move that is refused ends it', () => {
  const { made, done } = begin(80, 1)
  vi.advanceTimersByTime(1000)
  expect(made).toEqual([0])
  expect(done).toHaveBeenCalledOnce()
})
