import type { Entrant, Race } from '../api/schema.gen'

export type RaceOutcome = 'won' | 'lost' | 'draw' | 'noContest' | 'open' | 'running' | 'cancelled'

/** A race as one of its entrants sees it. */
export function seenBy(race: Race, id: string): { outcome: RaceOutcome; own?: Entrant; other?: Entrant } {
  return {
    outcome: outcomeFor(race, id),
    own: race.entrants.find((e) => e.player.id === id),
    other: race.entrants.find((e) => e.player.id !== id),
  }
}

function outcomeFor(race: Race, id: string): RaceOutcome {
  switch (race.outcome) {
    case 'win':
      return race.winner?.id === id ? 'won' : 'lost'
    case 'draw':
      return 'draw'
    case 'no_contest':
      return 'noContest'
  }
  if (race.state === 'cancelled') return 'cancelled'
  return race.state === 'open' ? 'open' : 'running'
}
