// What a key means while the table has the focus, or its bar. Single letters mean something there only, so that
// they are free for typing everywhere else.

import { rankOf, suitLetters, suitOf, type Card } from '../engine'
import { foundationPlaces, pileOf, type Place } from './geometry'

export type Command =
  | { act: 'step'; dx: number; dy: number }
  | { act: 'undo' | 'redo' }
  | { act: 'choose' | 'spread' | 'escape' | 'redeal' | 'preview' | 'help' }
  | { act: 'lengthen'; by: number }
  | { act: 'pile'; place: Place }
  | { act: 'foundation'; place: Place } // or cards of its suit, for as long as it is held
  | { act: 'find'; rank: string }

const named: Record<string, Command> = {
  ArrowLeft: { act: 'step', dx: -1, dy: 0 },
  ArrowRight: { act: 'step', dx: 1, dy: 0 },
  ArrowUp: { act: 'step', dx: 0, dy: -1 },
  ArrowDown: { act: 'step', dx: 0, dy: 1 },
  Enter: { act: 'choose' },
  ' ': { act: 'spread' },
  Escape: { act: 'escape' },
  '?': { act: 'help' },
  '+': { act: 'lengthen', by: 1 },
  '-': { act: 'lengthen', by: -1 },
  r: { act: 'redeal' },
  R: { act: 'redeal' },
  p: { act: 'preview' },
  z: { act: 'undo' },
  x: { act: 'redo' },
}

type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'getModifierState'>

export function commandOf(e: Pressed): Command | undefined {
  if (e.altKey) return undefined
  const key = e.key.length === 1 && e.getModifierState('CapsLock') ? turned(e.key) : e.key
  if (e.ctrlKey || e.metaKey) {
    if (key === 'y' || key === 'Z') return { act: 'redo' }
    return key === 'z' ? { act: 'undo' } : undefined
  }
  if (named[key]) return named[key]
  if (pileOf(key) >= 0) return { act: 'pile', place: key }
  if (foundationPlaces.includes(key)) return { act: 'foundation', place: key }
  // A J Q K are written with Shift, as in the log; 1 isn't a rank and 0 is the ten.
  return /^[02-9AJQK]$/.test(key) ? { act: 'find', rank: key } : undefined
}

const turned = (key: string) => (key === key.toLowerCase() ? key.toUpperCase() : key.toLowerCase())

const ranks: Record<string, number> = { '0': 10, A: 1, J: 11, Q: 12, K: 13 }

/** Whether a card has one of the ranks and one of the suits that are asked for; none of a kind means any. */
export function isFound(card: Card, asked: Iterable<string>): boolean {
  const keys = [...asked]
  const suits = keys.filter((key) => suitLetters.includes(key))
  const rest = keys.filter((key) => !suitLetters.includes(key))
  return (
    (suits.length === 0 || suits.includes(suitLetters.charAt(suitOf(card)))) &&
    (rest.length === 0 || rest.some((key) => (ranks[key] ?? Number(key)) === rankOf(card)))
  )
}
