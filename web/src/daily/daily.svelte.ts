// Challenges from the server, checked by the rules of this page; the last ones are kept on the device, so that
// a deal that was seen can be played without a connection. A challenge is taken whole, from one answer: its
// id, seed and deal always belong to one day.

import { api, call, isPassing } from '../api/client'
import { serverNow } from '../api/clock.svelte'
import type { Challenge, VariantId } from '../api/schema.gen'
import { daily } from '../i18n/daily'
import { faultOf, isToday } from './challenge'
import { Shelf } from './keep'

export interface Loaded {
  challenge: Challenge
  fromDevice: boolean // the server wasn't reached
}

/** The server's challenge isn't what its seed gives, or this page is too old for it. */
export class WrongChallengeError extends Error {
  override name = '' // its message is for players
}

interface Kept {
  challenge: Challenge
  kept: number // when, ms
}

const most = 20
const shelf = new Shelf(
  'cruel.challenge.',
  (x): x is Kept => !!(x as Kept | null)?.challenge?.id && !faultOf((x as Kept).challenge),
)

const fresh = { cache: 'no-cache' } as const // the browser may keep it but asks whether it is still right

/** The daily of the current UTC day. */
export function loadToday(variant: VariantId): Promise<Loaded> {
  return load(
    () => call(api.GET('/v1/daily', { params: { query: { variant } }, ...fresh })),
    () => shelf.all().find((k) => isToday(k.challenge, variant, serverNow()))?.challenge,
  )
}

export function loadChallenge(id: string): Promise<Loaded> {
  return load(
    () => call(api.GET('/v1/challenges/{id}', { params: { path: { id } }, ...fresh })),
    () => shelf.get(id)?.challenge,
  )
}

async function load(ask: () => Promise<Challenge>, kept: () => Challenge | undefined): Promise<Loaded> {
  try {
    const challenge = checked(await ask())
    keep(challenge)
    return { challenge, fromDevice: false }
  } catch (error) {
    const challenge = isPassing(error) ? kept() : undefined
    if (challenge) return { challenge, fromDevice: true }
    throw error
  }
}

function checked(challenge: Challenge): Challenge {
  const fault = faultOf(challenge)
  if (fault === 'rules') throw new WrongChallengeError(daily.otherRules)
  if (fault === 'deal') throw new WrongChallengeError(daily.wrongDeal)
  return challenge
}

function keep(challenge: Challenge): void {
  shelf.put(challenge.id, { challenge, kept: Date.now() })
  const oldestFirst = shelf.all().sort((a, b) => a.kept - b.kept)
  for (const old of oldestFirst.slice(0, -most)) shelf.delete(old.challenge.id)
}
