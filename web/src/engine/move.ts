import { pileLetters, suitLetters, type Suit } from './card'

/** What a player asks for. Piles are 0 to 11, a foundation is its suit; a build of 2 to 12 cards is a run. */
export type Move =
  | { kind: 'play'; from: number; to: Suit }
  | { kind: 'build'; from: number; to: number; count: number }
  | { kind: 'return'; from: Suit; to: number }
  | { kind: 'redeal' }

const form = /^([a-l])([CDHS])$|^([a-l])([a-l])([2-9]|1[0-2])?$|^([CDHS])([a-l])$/

/** The move that moveText writes so; undefined where the token isn't in notation. */
export function parseMove(token: string): Move | undefined {
  if (token === 'R') return { kind: 'redeal' }
  const parts = form.exec(token)
  if (!parts) return undefined
  const [, played, suit, from, to, count, returned, onto] = parts
  if (played && suit)
    return { kind: 'play', from: pileLetters.indexOf(played), to: suitLetters.indexOf(suit) }
  if (from && to) {
    return {
      kind: 'build',
      from: pileLetters.indexOf(from),
      to: pileLetters.indexOf(to),
      count: Number(count ?? 1),
    }
  }
  return { kind: 'return', from: suitLetters.indexOf(returned ?? ''), to: pileLetters.indexOf(onto ?? '') }
}

/** A move in notation: "cH", "ab", "ab4", "Sd" or "R". */
export function moveText(m: Move): string {
  switch (m.kind) {
    case 'play':
      return pileLetters.charAt(m.from) + suitLetters.charAt(m.to)
    case 'build':
      return pileLetters.charAt(m.from) + pileLetters.charAt(m.to) + (m.count === 1 ? '' : m.count)
    case 'return':
      return suitLetters.charAt(m.from) + pileLetters.charAt(m.to)
    case 'redeal':
      return 'R'
  }
}

/** Whether two moves are the same. */
export function sameMove(a: Move, b: Move): boolean {
  return moveText(a) === moveText(b)
}
