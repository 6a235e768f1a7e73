// What can be said of a name and a password before the server is asked. It has the last word.

import { ProblemError } from '../api/client'
import { account } from '../i18n/account'

export type Field = 'name' | 'password' | 'current_password' | 'code'
export type Faults = Partial<Record<Field, string>>

const length = (text: string) => [...text].length // characters, not UTF-16 units

export function nameFault(name: string): string | undefined {
  if (name === '') return account.needName
  if (/\s/.test(name)) return account.spaceInName
  if (length(name) < 3) return account.shortName
  if (length(name) > 20) return account.longName
  return undefined
}

export function newPasswordFault(password: string): string | undefined {
  if (password === '') return account.needPassword
  if (length(password) < 8) return account.shortPassword
  if (length(password) > 128) return account.longPassword
  return undefined
}

/** Which fields the server means; undefined where it means none. */
export function faultsOf(error: unknown, credentials: Faults): Faults | undefined {
  if (!(error instanceof ProblemError)) return undefined
  if (error.kind === 'name-taken') return { name: account.nameTaken }
  if (error.kind === 'bad-credentials') return credentials
  const faults: Faults = {}
  for (const { field, message } of error.problem.errors ?? []) {
    if (field === 'name') faults.name = account.refusedName(message)
    else if (field === 'password') faults.password = account.refusedPassword(message)
    else if (field === 'current_password' || field === 'code') faults[field] = message
  }
  return Object.keys(faults).length > 0 ? faults : undefined
}
