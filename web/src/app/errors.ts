import { OfflineError, ProblemError } from '../api/client'
import { LoggedOutError } from '../api/session.svelte'
import { app } from '../i18n/app'

/** What an error is to a player. */
export function saying(error: unknown): string {
  if (error instanceof OfflineError) return app.offline
  if (error instanceof LoggedOutError) return app.loggedOut(error.message)
  if (!(error instanceof ProblemError)) return app.failed(String(error))
  if (error.status === 404) return app.notFound
  if (error.kind === 'sealed-seed') return app.sealedSeed
  if (error.status === 429) return app.slowDown(error.retryAfter ?? 1)
  if (error.status >= 500) return app.serverTrouble
  return app.failed(error.problem.errors?.map((e) => e.message).join('; ') || error.problem.detail)
}
