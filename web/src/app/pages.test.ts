import { expect, test } from 'vitest'
import { Pages } from './pages.svelte'

const id = (s: string) => s.charAt(0)
const one = { items: ['a1', 'b1'], next_cursor: 'x' }

test('an entry that two pages share is there once, as it came last', async () => {
  const list = new Pages<string>(
    async (cursor) => (cursor ? { items: ['b2', 'c2'], next_cursor: null } : one),
    id,
  )
  expect(list.loaded).toBe(false)
  await list.load()
  await list.more()
  expect(list.items).toEqual(['a1', 'b2', 'c2'])
  expect(list.next).toBeNull()
})

test('only the newest question’s answer counts', async () => {
  const answers: ((page: typeof one) => void)[] = []
  const list = new Pages<string>(() => new Promise((answer) => answers.push(answer)), id)
  const asked = [list.load(), list.load()]
  answers[1]!({ items: ['new'], next_cursor: 'y' })
  answers[0]!(one)
  await Promise.all(asked)
  expect(list.items).toEqual(['new'])
})

test('what is shown stays when more can’t be had, and that can be asked for again', async () => {
  let isDown = false
  const list = new Pages<string>(async (cursor) => {
    if (isDown) throw new Error('down')
    return cursor ? { items: ['c1'], next_cursor: null } : one
  }, id)
  await list.load()
  isDown = true
  await list.more()
  expect(list.items).toEqual(['a1', 'b1'])
  expect(list.error).toBeInstanceOf(Error)
  isDown = false
  await list.more()
  expect(list.items).toEqual(['a1', 'b1', 'c1'])
  expect(list.error).toBeNull()
})
