import type { Game } from '../game/game.svelte'
import { recordOf } from '../game/record'

/** Saves a game as a .cruel record, which anyone can check. */
export function downloadRecord(game: Game, player: string | null | undefined, name: string): void {
  const url = URL.createObjectURL(new Blob([recordOf(game, player)], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}.cruel`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
