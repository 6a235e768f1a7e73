import { isFreeHeader, recordText, type Header, type Move, type Result, type Variant } from '../engine'

/** The text of a game's .cruel file, which anyone can check. A name that no header can hold is left out. */
export function recordOf(
  game: { variant: Variant; seed: string; moves: readonly Move[]; result: Result },
  player: string | null | undefined,
): string {
  const by: Header = { name: 'Player', value: player ?? '' }
  return recordText({
    variant: game.variant,
    seed: game.seed,
    log: game.moves,
    result: game.result.outcome,
    moves: game.result.moves,
    headers: player && isFreeHeader(by) ? [by] : [],
  })
}
