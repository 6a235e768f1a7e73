// Where a replay comes from: a submission, the par of a challenge, a seat of a race.

import { api, call, ProblemError } from '../api/client'
import type { ParReplay, Replay } from '../api/schema.gen'
import { serverNow } from '../api/clock.svelte'
import { bearer } from '../api/session.svelte'
import { falseClaim, variantOf, type Record, type Result } from '../engine'
import { app } from '../i18n/app'
import { replay } from '../i18n/replay'
import { filmOf, type Film } from './model'

type Claims = Pick<Record, 'result' | 'moves'>

export interface Source {
  film: Film
  title: string
  player: string | null // null: nobody's, or of somebody deleted
  claims: Claims
  challenge: string | null // its id
  rulesVersion: number
  race?: string // its code
  rivals?: readonly Rival[] // the other game of a race
}

/** A game of the same deal, to compare with. */
export interface Rival {
  id: string
  title: string
}

/** Loads what an address names, or throws a ProblemError or an OfflineError. */
export async function load(id: string): Promise<Source> {
  const par = /^par-(.+)$/.exec(id)?.[1]
  if (par) return ofPar(par)
  const [, code, seat] = /^race-([a-z]{6})-([01])$/.exec(id) ?? []
  if (code) return ofRace(code, Number(seat))
  const asked = api.GET('/v1/submissions/{id}/replay', { params: { path: { id } }, headers: await bearer() })
  const r = (await call(asked)) as Replay // a record only where it is asked for
  const name = r.player.name
  return {
    film: film(r.variant, r.seed, r.log),
    title: replay.of(name ?? app.deletedPlayer),
    player: name,
    claims: claimsOf(r.result),
    challenge: r.challenge_id,
    rulesVersion: r.rules_version,
  }
}

async function ofPar(id: string): Promise<Source> {
  const r = (await call(api.GET('/v1/challenges/{id}/par', { params: { path: { id } } }))) as ParReplay
  return {
    film: film(r.variant, r.seed, r.log),
    title: replay.parOf,
    player: r.par.holder?.name ?? null,
    claims: claimsOf(r.result),
    challenge: r.challenge_id,
    rulesVersion: r.rules_version,
  }
}

async function ofRace(code: string, seat: number): Promise<Source> {
  const r = await call(api.GET('/v1/races/{code}', { params: { path: { code } } }))
  const entrant = r.entrants[seat]
  if (!r.seed || typeof entrant?.log !== 'string') throw notFound()
  const other = r.entrants[1 - seat]
  const name = (e: typeof entrant) => e.player.name ?? app.deletedPlayer
  return {
    film: film(r.variant, r.seed, entrant.log),
    title: replay.of(name(entrant)),
    player: entrant.player.name,
    claims: claimsOf(entrant.result),
    challenge: null,
    rulesVersion: r.rules_version,
    race: code,
    ...(typeof other?.log === 'string' && {
      rivals: [{ id: `race-${code}-${1 - seat}`, title: name(other) }],
    }),
  }
}

/** Whether the par of a challenge is to be seen. */
export async function hasOpenPar(challenge: string): Promise<boolean> {
  const asked = api.GET('/v1/challenges/{id}', { params: { path: { id: challenge } } })
  const { par, grace_until } = await call(asked)
  return par !== null && serverNow() >= Date.parse(grace_until)
}

const claimsOf = (r: Pick<Result, 'outcome' | 'moves'> | null): Claims =>
  r ? { result: r.outcome, moves: r.moves } : {}

function film(variant: string, seed: string, log: string): Film {
  const v = variantOf(variant)
  if (!v) throw notFound() // of a server that is newer than this page
  return filmOf(v, seed, log)
}

function notFound(): ProblemError {
  return new ProblemError(
    404,
    { type: '/problems/not-found', title: '', status: 404, detail: '', instance: '' },
    undefined,
  )
}

/** Whether the log proves what was claimed of it. */
export function holds({ film, claims }: Source): boolean {
  return !film.refused && !falseClaim(claims, film.result)
}
