import type { Game } from '../game/game.svelte'
import { isFreeHeader, recordText, type Header } from '../engine'

/** Saves a game as a .cruel record, which anyone can check. */
export function downloadRecord(game: Game, player: string | null | undefined, name: string): void {
  const by: Header = { name: 'Player', value: player ?? '' }
  const text = recordText({
    variant: game.variant,
    seed: game.seed,
    log: game.moves,
    result: game.result.outcome,
    moves: game.result.moves,
    headers: player && isFreeHeader(by) ? [by] : [],
  })
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}.cruel`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
