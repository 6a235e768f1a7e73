import { expect, test, vi } from 'vitest'
import { apply, deal, parseMove, variantOf, type Position } from '../engine'
import { descriptionOf, happened, pileName } from './words'

const settings = vi.hoisted(() => ({ language: 'en' }))
vi.mock('../app/settings.svelte', () => ({ settings }))

const cruel = variantOf('cruel')!
const dealt = deal('2', cruel)

function after(log: string): Position {
  return log.split(' ').reduce((p, token) => apply(cruel, p, parseMove(token)!)!, dealt)
}

function told(log: string, undone = false): string {
  const tokens = log.split(' ')
  const move = parseMove(tokens.at(-1)!)!
  const before = tokens.length > 1 ? after(tokens.slice(0, -1).join(' ')) : dealt
  return undone ? happened(after(log), before, move, true) : happened(before, after(log), move, false)
}

test('a move is told with what it uncovers', () => {
  settings.language = 'en'
  expect(told('cH')).toBe('Two of hearts to foundation. Pile c now: three of clubs.')
  expect(told('ah')).toBe('Four of spades onto pile h. Pile a now: nine of spades.')
  expect(told('cH', true)).toBe('Undone: Two of hearts to foundation. Pile c now: two of hearts.')
})

test('a redeal is told with what stays and what is on top now', () => {
  settings.language = 'en'
  expect(told('R')).toBe('Redealt. All piles as before.')
  expect(told('cH R')).toMatch(/^Redealt\. Piles a, b as before\. Now on top: c four of diamonds, d /)
  expect(told('cH R', true)).toMatch(/^Redeal undone\. Piles a, b as before\. Now on top: c three of clubs, /)
})

test('a pile is named by its top card and described from there down', () => {
  settings.language = 'de'
  expect(pileName(cruel, dealt, 0)).toBe('Stapel a, Pik 4, 4 Karten')
  expect(descriptionOf(dealt, null, 0)).toBe('Darunter: Pik 9, Kreuz Bube, Herz Bube')
  expect(descriptionOf(dealt, dealt, 0)).toMatch(/dieselbe Karte oben$/)
})
