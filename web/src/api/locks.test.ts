import { afterEach, expect, test, vi } from 'vitest'
import { locked } from './locks'

afterEach(() => vi.unstubAllGlobals())

type Request = (name: string, options: LockOptions, work: (lock: Lock | null) => Promise<unknown>) => unknown
const withLocks = (request?: Request) => vi.stubGlobal('navigator', request ? { locks: { request } } : {})

const saysWhetherGot = vi.fn(async (got: boolean) => got)
afterEach(() => saysWhetherGot.mockClear())

test('the work is done under the lock, or hears that it is taken', async () => {
  withLocks((name, options, work) =>
    work(options.ifAvailable && name === 'taken' ? null : ({ name } as Lock)),
  )
  expect(await locked('free', saysWhetherGot, { ifAvailable: true })).toBe(true)
  expect(await locked('taken', saysWhetherGot, { ifAvailable: true })).toBe(false)
  expect(await locked('taken', saysWhetherGot)).toBe(true)
  expect(saysWhetherGot).toHaveBeenCalledTimes(3)
})

test('where there are no locks, or they are refused, the work is done all the same, once', async () => {
  withLocks()
  expect(await locked('a', saysWhetherGot)).toBe(true)
  withLocks(() => Promise.reject(new DOMException('not allowed in this context', 'SecurityError')))
  expect(await locked('a', saysWhetherGot)).toBe(true)
  withLocks(() => {
    throw new DOMException('not allowed in this context', 'SecurityError')
  })
  expect(await locked('a', saysWhetherGot, { ifAvailable: true })).toBe(true)
  expect(saysWhetherGot).toHaveBeenCalledTimes(3)
})

test('work that fails isn’t done again', async () => {
  const fails = vi.fn(() => Promise.reject(new Error('no')))
  withLocks((_, __, work) => work({} as Lock))
  await expect(locked('a', fails)).rejects.toThrow('no')
  withLocks()
  await expect(locked('a', fails)).rejects.toThrow('no')
  expect(fails).toHaveBeenCalledTimes(2)
})
