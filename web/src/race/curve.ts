// How the cards came home in a game, for the picture of a race.

import { apply, cardsHome, deal, parseLog, type Variant } from '../engine'

/** Cards home after 0, 1, 2 … moves of a log, as far as it is legal. */
export function homeCurve(variant: Variant, seed: string, log: string): number[] {
  let position = deal(seed, variant)
  const home = [cardsHome(position)]
  const read = parseLog(log)
  if ('refused' in read) return home
  for (const move of read.moves) {
    const next = apply(variant, position, move)
    if (!next) break
    position = next
    home.push(cardsHome(position))
  }
  return home
}

/** Round numbers from 0 to `most`, about six. */
export function ticks(most: number): number[] {
  const step = [5, 10, 20, 50, 100, 200, 500, 1000].find((s) => most / s <= 7) ?? 1000
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step)
}

/** The path of a curve, with steps, in a picture of a width and height for up to `most` moves. */
export function pathOf(home: readonly number[], most: number, width: number, height: number): string {
  const x = (moves: number) => round((moves / Math.max(1, most)) * width)
  const y = (cards: number) => round(height - ((cards - 4) / 48) * height)
  return home
    .map((cards, i) =>
      i === 0 ? `M0 ${y(cards)}` : cards === home[i - 1] && i < home.length - 1 ? '' : `H${x(i)}V${y(cards)}`,
    )
    .join('')
}

const round = (n: number) => Math.round(n * 10) / 10
