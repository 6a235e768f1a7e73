// The contract, typed. `call` turns every answer that isn't the one that was hoped for into an error that
// pages can show.

import createClient, { type Middleware } from 'openapi-fetch'
import { notice } from './clock.svelte'
import type { paths, Problem } from './schema.gen'

/** The server said no. */
export class ProblemError extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
    readonly retryAfter: number | undefined, // seconds
  ) {
    super(problem.detail)
  }

  /** The kind without its path: "sealed-log". */
  get kind(): string {
    return this.problem.type.replace('/problems/', '')
  }
}

/** The server wasn't reached, or what answered wasn't it. */
export class OfflineError extends Error {}

/** Whether trying the same again later may help. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof OfflineError || (error instanceof ProblemError && [429, 500, 503].includes(error.status))
  )
}

const patience = 20_000 // ms, for any answer but a stream

const observer: Middleware = {
  onRequest: ({ request }) => new Request(request, { signal: AbortSignal.timeout(patience) }),
  onResponse: ({ response }) => {
    notice(response)
  },
}

/** Gives a new token for one that was refused, or '' where nobody is logged in; session.svelte.ts sets it. */
export const renewal = { of: async (_refused: string) => '' }

/** A token may end before its time: by another tab, or by a new key. Then it is renewed, once. */
async function fetchRenewing(request: Request): Promise<Response> {
  const again = request.clone()
  const response = await fetch(request)
  const refused = again.headers.get('Authorization')?.replace('Bearer ', '')
  if (response.status !== 401 || !refused) return response
  const token = await renewal.of(refused)
  if (!token) return response
  again.headers.set('Authorization', `Bearer ${token}`)
  return fetch(again)
}

export const api = createClient<paths>({ baseUrl: location.origin, fetch: fetchRenewing })
api.use(observer)

interface Answer<T> {
  data?: T
  error?: unknown
  response: Response
}

/** What a call gives, or a ProblemError or an OfflineError. */
export async function call<T>(asked: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>
  try {
    answer = await asked
  } catch (cause) {
    throw new OfflineError('the server was not reached', { cause })
  }
  const { data, error, response } = answer
  if (response.ok) return data as T
  throw problemOf(response, error)
}

function problemOf(response: Response, body: unknown): Error {
  if (!response.headers.get('Content-Type')?.includes('application/problem+json')) {
    return new OfflineError(`something else than the server answered with ${response.status}`)
  }
  return new ProblemError(
    response.status,
    body as Problem,
    Number(response.headers.get('Retry-After')) || undefined,
  )
}

/** A new Idempotency-Key. randomUUID is only there on https and localhost. */
export function newKey(): string {
  if (crypto.randomUUID) return crypto.randomUUID()
  const hex = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((b) => b.toString(16).padStart(2, '0'))
    .join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
