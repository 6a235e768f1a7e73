// A race as it is known here: what answers and events make of it, and what follows from it. Pure.

import type { Entrant, Race, RaceEvent } from '../api/schema.gen'

/** The newer of what is known and what was said: a slow answer takes nothing back. */
export function newer(known: Race | null, said: Race): Race {
  return known && known.code === said.code && known.event_id > said.event_id ? known : said
}

/** What an event makes of a race. All but progress have the whole race with them. */
export function after(known: Race | null, id: string, event: RaceEvent): Race | null {
  if (event.race) return newer(known, event.race)
  const number = Number(id.slice(id.lastIndexOf('-') + 1))
  if (!known || event.type !== 'progress' || !(number > known.event_id)) return known
  const entrants = known.entrants.map((e) =>
    e.player.id === event.player_id
      ? { ...e, cards: event.cards ?? e.cards, moves: event.moves ?? e.moves }
      : e,
  )
  return { ...known, event_id: number, entrants }
}

/** -1: a spectator. */
export function seatOf(race: Race, player: string | undefined): number {
  return race.entrants.findIndex((e) => e.player.id === player)
}

export type Act =
  'join' | 'ready' | 'unready' | 'leave' | 'progress' | 'finish' | 'forfeit' | 'unforfeit' | 'rematch'

/** Whether an act would do something now. The server has the same table, and the last word. */
export function may(race: Race, seat: number, act: Act): boolean {
  const own = race.entrants[seat]
  const waiting = race.state === 'open' || race.state === 'countdown'
  if (act === 'join') return race.state === 'open' && !own && race.entrants.length < 2
  if (!own) return false
  switch (act) {
    case 'ready':
      return race.state === 'open' && own.state === 'joined'
    case 'unready':
      return waiting && own.state === 'ready'
    case 'leave':
      return waiting
    case 'progress':
    case 'finish':
    case 'forfeit':
      return race.state === 'running' && own.state === 'racing'
    case 'unforfeit':
      return race.state === 'running' && own.state === 'forfeited'
    case 'rematch':
      return (
        race.state === 'finished' && !race.next_code && !goesOn(race) && !own.rematch && !someoneGone(race)
      )
  }
}

const someoneGone = (race: Race) => race.entrants.some((e) => e.player.name === null)

/** Whether the next race of a series comes by itself. */
export function goesOn(race: Race): boolean {
  const most = Math.max(...race.entrants.map((e) => e.wins))
  return (
    race.state === 'finished' && race.game < race.best_of && 2 * most < race.best_of && !someoneGone(race)
  )
}

/** Whether the player is done with a race that isn't over yet, or would be, had they a say. */
export const isOut = (e: Entrant) => e.state !== 'joined' && e.state !== 'ready' && e.state !== 'racing'

/** Whether nothing more can come of it: a rematch can, until half an hour after the end. */
export function isSettled(race: Race, now: number): boolean {
  if (race.state === 'cancelled' || race.next_code !== null) return true
  return race.state === 'finished' && now > Date.parse(race.ends_at ?? race.created_at) + 35 * 60_000
}

export const hasWon = (e: Entrant) => (e.result ? e.result.outcome === 'won' : e.cards === 52)

/**
 * The moves of a finished win of the other that no game with `atBest` moves can beat any more. Of two equal
 * wins the earlier one wins, and the other's is.
 */
export function outOfReach(race: Race, seat: number, atBest: number): number | undefined {
  const other = race.entrants[1 - seat]
  if (race.goal !== 'fewest_moves' || !other || other.state !== 'finished' || !hasWon(other)) return undefined
  return atBest >= other.moves ? other.moves : undefined
}

/** Why a race ended as it did. */
export type Reason =
  | 'both_forfeited'
  | 'no_cards'
  | 'forfeit'
  | 'first_win'
  | 'only_win'
  | 'fewer_moves'
  | 'earlier'
  | 'more_cards'
  | 'same_cards'
  | 'same_moment'
  | 'equal'

export function reasonOf(race: Race): Reason {
  const [a, b] = race.entrants as [Entrant, Entrant]
  if (race.outcome === 'no_contest') {
    return a.state === 'forfeited' && b.state === 'forfeited' ? 'both_forfeited' : 'no_cards'
  }
  if (race.outcome === 'draw') return hasWon(a) && hasWon(b) ? 'same_moment' : 'equal'
  const [winner, loser] = race.winner?.id === a.player.id ? [a, b] : [b, a]
  if (loser.state === 'forfeited') return 'forfeit'
  if (hasWon(winner)) {
    if (race.goal === 'first_win') return 'first_win'
    if (!hasWon(loser)) return 'only_win'
    return winner.moves < loser.moves ? 'fewer_moves' : 'earlier'
  }
  return winner.cards > loser.cards ? 'more_cards' : 'same_cards'
}

/** What is worth a word when a race has changed. `seat`: whose act it was. */
export type Change =
  | { what: 'joined' | 'left' | 'ready' | 'unready' | 'forfeited' | 'unforfeited' | 'rematch'; seat: number }
  | { what: 'finished' | 'cards'; seat: number; cards: number; moves: number }
  | { what: 'countdown' | 'off' | 'started' | 'over' | 'cancelled' }

const milestones = [13, 26, 39, 52]

export function changes(before: Race, now: Race): Change[] {
  const all: Change[] = []
  if (before.state !== now.state) {
    if (now.state === 'countdown') all.push({ what: 'countdown' })
    if (now.state === 'open') all.push({ what: 'off' })
    if (now.state === 'running') all.push({ what: 'started' })
    if (now.state === 'finished') all.push({ what: 'over' })
    if (now.state === 'cancelled') all.push({ what: 'cancelled' })
  }
  if (now.entrants.length > before.entrants.length) all.push({ what: 'joined', seat: 1 })
  if (now.entrants.length < before.entrants.length) all.push({ what: 'left', seat: 1 })
  now.entrants.forEach((e, seat) => {
    const was = before.entrants[seat]
    if (!was || was.player.id !== e.player.id) return
    if (e.state !== was.state) {
      if (e.state === 'ready') all.push({ what: 'ready', seat })
      if (e.state === 'joined' && now.state === 'open') all.push({ what: 'unready', seat })
      if (e.state === 'forfeited') all.push({ what: 'forfeited', seat })
      if (e.state === 'racing' && was.state === 'forfeited') all.push({ what: 'unforfeited', seat })
      if (e.state === 'finished') all.push({ what: 'finished', seat, cards: e.cards, moves: e.moves })
    } else if (milestones.some((m) => was.cards < m && e.cards >= m)) {
      all.push({ what: 'cards', seat, cards: e.cards, moves: e.moves })
    }
    if (e.rematch && !was.rematch) all.push({ what: 'rematch', seat })
  })
  return all
}
