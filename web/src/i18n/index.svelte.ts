// Words in English and German. Each part of the client has a file with its messages beside this one:
//
//	export const play = messages({ undo: 'Undo', moves: (n: number) => `${n} moves` }, { undo: …, moves: … })
//
// and uses them as `play.undo` and `play.moves(3)`. The second language must have just what the first has,
// or it doesn't compile. A component follows a change of the language.

import { settings } from '../app/settings.svelte'

export type Language = 'en' | 'de'

const chosen: Language = $derived.by(() => {
  if (settings.language !== 'auto') return settings.language
  const preferred = navigator.languages.find((l) => /^(en|de)\b/i.test(l))
  return preferred?.toLowerCase().startsWith('de') ? 'de' : 'en'
})

/** The language that is shown: the one that was chosen, or the browser's. */
export const language = () => chosen

type Message = string | ((...values: never[]) => string)
type SameShape<T> = { [K in keyof T]: T[K] extends string ? string : T[K] }

export function messages<T extends Record<string, Message>>(en: T, de: SameShape<T>): SameShape<T> {
  return new Proxy(en, {
    get: (_, name) => (language() === 'de' ? de : en)[name as keyof T],
  }) as SameShape<T>
}

/** A count with its noun: counted(1, 'move', 'moves') is "1 move". */
export const counted = (n: number, one: string, many: string) => `${number(n)} ${n === 1 ? one : many}`

const numbers: Partial<Record<Language, Intl.NumberFormat>> = {} // kept: to make one takes long
export const number = (n: number) => (numbers[language()] ??= new Intl.NumberFormat(language())).format(n)

/** A day (2026-11-30) as people write it: "30 Nov 2026", "30.11.2026". */
export function day(date: string, style: 'short' | 'long' | 'noYear' = 'short'): string {
  const german = language() === 'de'
  const options: Intl.DateTimeFormatOptions = {
    day: 'numeric',
    month: style === 'long' ? 'long' : german ? 'numeric' : 'short',
    ...(style !== 'noYear' && { year: 'numeric' }),
    ...(style === 'long' && { weekday: 'long' }),
    timeZone: 'UTC',
  }
  return new Intl.DateTimeFormat(german ? 'de' : 'en-GB', options).format(new Date(date + 'T00:00:00Z'))
}

/** A moment in the device's time zone: "14:05", or with its date. */
export function time(at: string | number | Date, withDate = false): string {
  const locale = language() === 'de' ? 'de' : 'en-GB'
  const options: Intl.DateTimeFormatOptions = withDate
    ? { dateStyle: 'medium', timeStyle: 'short' }
    : { timeStyle: 'short' }
  return new Intl.DateTimeFormat(locale, options).format(new Date(at))
}

/** How long something takes, down to minutes: "3 h 12 min"; below one of them seconds: "42 s". */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`
}
