// A race in words.

import type { Entrant, Player, Race } from '../api/schema.gen'
import { app } from '../i18n/app'
import { race as words } from '../i18n/race'
import { reasonOf, type Change } from './model'

export const nameOf = (player: Player | undefined) => player?.name ?? app.deletedPlayer

/** How a race ended, for who sits on a seat, or for a spectator. */
export function titleOf(race: Race, seat: number): string {
  if (race.outcome === 'no_contest') return words.noContest
  if (race.outcome === 'draw' || !race.winner) return words.draw
  return race.winner.id === race.entrants[seat]?.player.id ? words.youWon : words.youLost(nameOf(race.winner))
}

/** Why it ended so. */
export function becauseOf(race: Race): string {
  const reason = reasonOf(race)
  const [a, b] = race.entrants as [Entrant, Entrant]
  const [winner, loser] = race.winner?.id === b.player.id ? [b, a] : [a, b]
  switch (reason) {
    case 'forfeit':
      return words.because_forfeit(nameOf(loser.player))
    case 'fewer_moves':
      return words.because_fewer_moves(winner.moves, loser.moves)
    case 'earlier':
      return words.because_earlier(winner.moves)
    case 'more_cards':
      return words.because_more_cards(winner.cards, loser.cards)
    case 'same_cards':
      return words.because_same_cards(winner.cards, winner.moves, loser.moves)
    default:
      return words[`because_${reason}`]
  }
}

/** What a change is to who sits on a seat; nothing where it is their own act. */
export function saidOf(change: Change, race: Race, seat: number): string | undefined {
  if ('seat' in change && change.seat === seat) return undefined
  const name = 'seat' in change ? nameOf(race.entrants[change.seat]?.player) : ''
  switch (change.what) {
    case 'joined':
      return words.saidJoined(name)
    case 'left':
      return words.saidLeft
    case 'ready':
      return words.saidReady(name)
    case 'unready':
      return words.saidUnready(name)
    case 'forfeited':
      return words.saidForfeited(name)
    case 'unforfeited':
      return words.saidUnforfeited(name)
    case 'finished':
      return words.saidFinished(name, change.cards, change.moves)
    case 'cards':
      return words.saidCards(name, change.cards)
    case 'rematch':
      return words.rematchWanted(name)
    case 'off':
      return words.off
    case 'started':
      return words.go
    case 'over':
      return words.saidOver(titleOf(race, seat))
    case 'cancelled':
      return `${words.cancelledTitle}.`
    case 'countdown':
      return undefined // its digits are said
  }
}

/** How a series stands: "Series: Ana 1 : 0 Ben". */
export function seriesOf(race: Race): string {
  const [a, b] = race.entrants as [Entrant, Entrant]
  return words.series(`${nameOf(a.player)} ${a.wins}`, `${b.wins} ${nameOf(b.player)}`)
}

/** What becomes of an entrant who isn't racing any more. */
export function stateText(e: Entrant): string {
  if (e.state === 'finished') return words.isFinished
  if (e.state === 'forfeited') return words.hasForfeited
  if (e.state === 'out_of_time') return words.isOutOfTime
  if (e.state === 'beaten') return words.isBeaten
  return ''
}

/** "4:59", for a time that runs down. */
export function clockText(ms: number): string {
  const s = Math.max(0, Math.ceil(ms / 1000))
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')}`
}

/** A time that was taken: "12:05", or "1:02:05". */
export function lapText(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1000))
  const two = (n: number) => String(n).padStart(2, '0')
  const hours = Math.floor(s / 3600)
  return hours
    ? `${hours}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`
    : `${Math.floor(s / 60)}:${two(s % 60)}`
}
