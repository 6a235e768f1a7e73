// The text that tells others of a game: nothing in it says how the deal is played.

import type { Challenge } from '../api/schema.gen'
import { apply, cardsHome, deal, type Move, type Variant } from '../engine'
import { daily } from '../i18n/daily'
import { day } from '../i18n/index.svelte'
import { variantName } from './challenge'

/** The cards home at the end of each round: at each redeal, and at the end. */
export function cardsByRound(variant: Variant, seed: string, moves: readonly Move[]): number[] {
  let position = deal(seed, variant)
  const cards: number[] = []
  for (const move of moves) {
    if (move.kind === 'redeal') cards.push(cardsHome(position))
    position = apply(variant, position, move) ?? position
  }
  return [...cards, cardsHome(position)]
}

/** Numbers in a row; of many only the first and the last, so that the text stays short. */
export function inShort(numbers: readonly number[]): string {
  const texts = numbers.map(String)
  return (texts.length > 12 ? [...texts.slice(0, 6), '…', ...texts.slice(-5)] : texts).join(', ')
}

/** "Cruel 30 Nov 2026: won in 61 moves (par 57, +4), 4 redeals", and a second line. */
export function shareText(
  challenge: Pick<Challenge, 'date' | 'seed' | 'par'>,
  variant: Variant,
  moves: readonly Move[],
): string {
  const rounds = cardsByRound(variant, challenge.seed, moves)
  const redeals = rounds.length - 1
  const cards = rounds.at(-1) ?? 4
  const name = variantName(variant.id)
  const title = challenge.date ? daily.shareDay(name, day(challenge.date)) : daily.shareDeal(name)
  const result =
    cards === 52
      ? daily.shareWon(moves.length, parText(moves.length, challenge.par?.moves), redeals)
      : daily.shareNotWon(cards, moves.length, redeals)
  return `${title}: ${result}\n${daily.shareRounds(inShort(rounds))}`
}

/** " (par 57, +4)" */
function parText(moves: number, par: number | undefined): string {
  if (par === undefined) return ''
  const over = moves - par
  return over === 0 ? daily.sharePar(par) : daily.shareOverPar(par, signed(over))
}

/** A distance from par: "+4", "−1"; "0" for none. */
export function signed(n: number): string {
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '0'
}
