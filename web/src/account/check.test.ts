import { expect, test, vi } from 'vitest'
import type { Problem } from '../api/schema.gen'

const { ProblemError } = vi.hoisted(() => ({
  ProblemError: class extends Error {
    constructor(
      readonly kind: string,
      readonly problem: Partial<Problem> = {},
    ) {
      super()
    }
  },
}))
vi.mock('../app/settings.svelte', () => ({ settings: { language: 'en' } }))
vi.mock('../api/client', () => ({ ProblemError }))
const { faultsOf, nameFault, newPasswordFault } = await import('./check')

test('a name is as long as the server wants it, in characters', () => {
  expect(nameFault('ab')).toContain('at least 3')
  expect(nameFault('Ada')).toBeUndefined()
  expect(nameFault('𝒜'.repeat(20))).toBeUndefined()
  expect(nameFault('a'.repeat(21))).toContain('at most 20')
  expect(nameFault('Ada L')).toContain('no spaces')
  expect(nameFault('')).toBeDefined()
})

test('a new password is neither short nor endless', () => {
  expect(newPasswordFault('1234567')).toContain('at least 8')
  expect(newPasswordFault('        ')).toBeUndefined() // the server takes spaces
  expect(newPasswordFault('x'.repeat(129))).toContain('at most 128')
})

test('what the server refuses is said at its field', () => {
  const errors = [{ field: 'name', message: 'This name is reserved.' }]
  expect(faultsOf(new ProblemError('bad-request', { errors }), {})).toEqual({
    name: 'This name is reserved.',
  })
  expect(faultsOf(new ProblemError('name-taken'), {})?.name).toContain('belongs to somebody')
  expect(faultsOf(new ProblemError('bad-credentials'), { code: 'no' })).toEqual({ code: 'no' })
  expect(faultsOf(new ProblemError('internal'), {})).toBeUndefined()
  expect(faultsOf(new Error('offline'), {})).toBeUndefined()
})
