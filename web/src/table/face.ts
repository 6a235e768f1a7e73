// What is drawn on a card, as paths in its own pixels: browsers keep account of each drawing that is scaled or
// moved by itself, and a table has 52 cards.

import { rankOf, suitOf, type Card } from '../engine'
import { heightOf } from './geometry'
import { pen, ranks, suits } from './glyphs'

export interface Face {
  width: number // CSS pixels, as all else here
  height: number
  /** "upright" is read in a strip at its top, "side" in a strip at its left, "short" is a strip. */
  look: 'upright' | 'side' | 'short'
  /** What the card on top of it leaves to be seen: all, where none is; the strip; or an edge. */
  visible: 'all' | 'strip' | 'edge'
  /** The height of the index, and what is free above it. */
  cap: number
  air: number
}

export interface Drawing {
  fill: string
  lines: string
  pen: number // the width of the lines
}

/** What is free beside an index, and above it where there is room. */
export const airOf = (width: number) => Math.max(3, 0.07 * width)

/** A card that lies alone, or whose strip at the top is seen. */
export function upright(width: number, visible: 'all' | 'strip' = 'all'): Face {
  return { width, height: heightOf(width), look: 'upright', visible, cap: 0.3 * width, air: airOf(width) }
}

const drawings = new Map<string, Drawing>()

/** The index, of rank and suit, and the large suit in the middle of what the strip leaves. */
export function drawn(card: Card, face: Face): Drawing {
  const { width, height, look, visible, cap, air } = face
  const key = [card, width, height, look, visible, cap, air].join()
  let drawing = drawings.get(key)
  if (!drawing) {
    if (drawings.size >= 1000) drawings.clear() // the table was resized again and again
    drawings.set(key, (drawing = draw(card, face)))
  }
  return drawing
}

function draw(card: Card, { width: w, height, look, visible, cap, air }: Face): Drawing {
  if (visible === 'edge') return { fill: '', lines: '', pen: 0 }
  const rank = ranks[rankOf(card) - 1]!
  const suit = suits[suitOf(card)]!.fill!
  const inset = look === 'short' ? 0.08 * w + 1 : airOf(w)
  const top = look === 'short' ? (height - cap) / 2 : air
  const small = look === 'side' ? 0.9 * cap : look === 'short' ? 0.92 * cap : cap
  const parts =
    look === 'side'
      ? [placed(suit, inset, air + cap + 0.07 * w + 1, small)]
      : [placed(suit, w - inset - small, top + (cap - small) / 2, small)]
  if (look === 'upright') parts.push(placed(suit, 0.2 * w, 0.58 * w + 1, 0.6 * w))
  if (look === 'side' && visible === 'all') parts.push(placed(suit, 0.36 * w + 1, 0.72 * w + 1, 0.54 * w))
  if (rank.fill) parts.push(placed(rank.fill, inset, top, cap))
  return {
    fill: parts.join(''),
    lines: rank.pen ? placed(rank.pen, inset, top, cap) : '',
    pen: (pen * cap) / 100,
  }
}

/** A glyph so high, with its corner at a whole pixel. */
export function placed(path: string, x: number, y: number, height: number): string {
  const scale = height / 100
  const [left, top] = [Math.round(x), Math.round(y)]
  return path.replace(/([A-Z])([^A-Z]*)/g, (_, command: string, numbers: string) => {
    const moved = numbers
      .split(' ')
      .filter(Boolean)
      .map((n, i) => (command === 'V' || (command !== 'H' && i % 2 === 1) ? top : left) + scale * Number(n))
    return command + moved.map((n) => Math.round(n * 100) / 100).join(' ')
  })
}
