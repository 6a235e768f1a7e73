import { address } from '../app/router.svelte'
import { settings } from '../app/settings.svelte'
import { variantName } from '../daily/challenge'
import { variantOf } from '../engine'
import { app } from '../i18n/app'
import { board } from '../i18n/board'
import { day, number } from '../i18n/index.svelte'
import type { Outcome, Player, VariantId } from '../api/schema.gen'
import { dailyOf } from './day'

export interface Shown {
  outcome: Outcome
  moves: number
  cards: number
  over_par: number | null
}

/** "61 moves · +4", "19/52". */
export function resultText(r: Shown): string {
  if (r.outcome !== 'won') return board.home(r.cards)
  return r.over_par === null ? board.moves(r.moves) : `${board.moves(r.moves)} · ${overText(r.over_par)}`
}

/** What fits into a cell of a calendar: "+4", "par", "19/52". */
export function shortResult(r: Shown): string {
  if (r.outcome !== 'won') return board.home(r.cards)
  return r.over_par === null ? number(r.moves) : overText(r.over_par)
}

/** "+4", "par". */
export const overText = (over: number): string => (over > 0 ? board.over(over) : board.atPar)

export const nameOf = (player: Player): string => player.name ?? app.deletedPlayer

/** The day of a daily, or that it is a shared challenge; with the variant, where the id says it. */
export function challengeText(id: string): string {
  const daily = dailyOf(id)
  if (!daily) return board.shared
  return daily.variant === 'cruel' ? day(daily.date) : `${day(daily.date)} · ${variantName(daily.variant)}`
}

/** The variant in the address, else the one that the player has chosen. */
export function variantAsked(): VariantId {
  return (variantOf(address.query.get('variant') ?? '') ?? variantOf(settings.variant))?.id ?? 'cruel'
}
