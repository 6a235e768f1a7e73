// Who plays. The access token is in this page's memory only; the refresh token is in a cookie that no script
// can read, and tabs that refresh wait for each other.

import { api, call, newKey, ProblemError, renewal } from './client'
import { locked } from './locks'
import type { Credentials, Player, PlayerChange, Session } from './schema.gen'

// What this browser knows, in all tabs and the next time; no secret.
const hint = 'cruel.player' // who has a session
const endedHint = 'cruel.ended' // whose session the server has ended
const early = 60_000 // ms before its end that a token is renewed

let token = ''
let tokenEnds = 0 // by this device's own clock, from when it came
let player = $state<Player | null>(remembered(hint))
let ended = $state<Player | null>(remembered(endedHint))

function remembered(key: string): Player | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

function remember(key: string, p: Player | null): void {
  if (key === hint) player = p
  else ended = p
  try {
    if (p) localStorage.setItem(key, JSON.stringify(p))
    else localStorage.removeItem(key)
  } catch {
    // this page only
  }
}

addEventListener('storage', (e) => {
  if (e.key === endedHint) ended = remembered(endedHint)
  if (e.key !== hint) return
  const other = remembered(hint)
  if (other?.id !== player?.id) token = '' // somebody else logged in, in another tab
  player = other
})

function take(s: Session): string {
  token = s.access_token
  tokenEnds = Date.now() + s.expires_in * 1000
  remember(hint, s.player)
  remember(endedHint, null)
  return token
}

/** One at a time over all tabs. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  return locked('cruel.session', work)
}

const hasToken = () => token !== '' && Date.now() < tokenEnds - early

async function refresh(): Promise<string> {
  if (hasToken()) return token // another call was first
  try {
    return take(await call(api.POST('/v1/sessions/refresh', { body: { transport: 'cookie' } })))
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) {
      token = ''
      const whose = remembered(hint) // nobody's, if another tab has logged out
      if (whose && !whose.guest) remember(endedHint, whose)
      remember(hint, null)
      return ''
    }
    throw error
  }
}

renewal.of = async (refused) => {
  if (refused === token) token = ''
  return session.token()
}

/** Somebody with a password was logged out by the server. What they do now mustn't become a guest's. */
export class LoggedOutError extends Error {}

// Of sign-ups whose answer hasn't come yet: asked again, they lead to the same player.
let guestKey = ''
let named = { asked: '', key: '' }

async function signUpGuest(): Promise<string> {
  guestKey ||= newKey()
  const s = await call(
    api.POST('/v1/players', {
      params: { header: { 'Idempotency-Key': guestKey } },
      body: { transport: 'cookie' },
    }),
  )
  guestKey = ''
  return take(s)
}

export const session = {
  /** Who it is as far as this browser knows; null: nobody yet. */
  get player() {
    return player
  },

  /** Whose session the server has ended, with nobody here since; null: nobody's. */
  get ended() {
    return ended
  },

  /** From now on whoever plays here is a guest. */
  goOnAsGuest(): void {
    remember(endedHint, null)
  },

  /** A token that is good for now, or '' where nobody is logged in. */
  async token(): Promise<string> {
    if (hasToken()) return token
    if (!player) return ''
    return alone(refresh)
  },

  /** A token; whoever has no account gets one as a guest. A LoggedOutError where a session has ended. */
  async ensure(): Promise<string> {
    if (hasToken()) return token
    return alone(async () => {
      if (remembered(hint)) {
        const renewed = await refresh()
        if (renewed) return renewed
      }
      if (ended) throw new LoggedOutError(ended.name ?? '')
      return signUpGuest()
    })
  },

  async logIn(credentials: Omit<Credentials, 'transport'>): Promise<void> {
    await alone(async () => {
      take(await call(api.POST('/v1/sessions', { body: { ...credentials, transport: 'cookie' } })))
    })
  },

  /** A new account with a name and a password; gives the recovery code. */
  async signUp(name: string, password: string): Promise<string | undefined> {
    const asked = `${name} ${password}`
    if (named.asked !== asked) named = { asked, key: newKey() }
    return alone(async () => {
      const s = await call(
        api.POST('/v1/players', {
          params: { header: { 'Idempotency-Key': named.key } },
          body: { name, password, transport: 'cookie' },
        }),
      )
      named = { asked: '', key: '' }
      take(s)
      return s.recovery_code
    })
  },

  async recover(name: string, code: string, password: string): Promise<string | undefined> {
    return alone(async () => {
      const s = await call(
        api.POST('/v1/sessions/recover', { body: { name, code, password, transport: 'cookie' } }),
      )
      take(s)
      return s.recovery_code
    })
  },

  /** Changes name or password; a first password gives a recovery code. */
  async change(change: PlayerChange): Promise<string | undefined> {
    const changed = await call(api.PATCH('/v1/players/me', { body: change, headers: await bearer() }))
    remember(hint, changed.player)
    return changed.recovery_code
  },

  async logOut(): Promise<void> {
    const headers = await bearer()
    if (headers.Authorization) await call(api.DELETE('/v1/sessions/current', { headers }))
    token = ''
    remember(hint, null)
    remember(endedHint, null)
  },

  async deleteAccount(): Promise<void> {
    await call(api.DELETE('/v1/players/me', { headers: await bearer() }))
    token = ''
    remember(hint, null)
  },
}

/** The header of somebody who is logged in, or nothing. */
export async function bearer(): Promise<{ Authorization?: string }> {
  const t = await session.token()
  return t ? { Authorization: `Bearer ${t}` } : {}
}

/** The header of a player, who becomes a guest if need be. */
export async function bearerOfPlayer(): Promise<{ Authorization: string }> {
  return { Authorization: `Bearer ${await session.ensure()}` }
}
