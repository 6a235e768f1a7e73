import { now } from '../api/clock.svelte'
import { settings } from '../app/settings.svelte'
import { time } from '../i18n/index.svelte'

const near = 20 * 60 * 60 * 1000 // ms

/** A moment in the device's time zone, with its date where it isn't near. */
export const moment = (at: string) => time(at, Math.abs(Date.parse(at) - now()) > near)

/** Where today's deal of a variant is played. */
export const todayLink = (variant: string) => (variant === settings.variant ? '/' : `/?variant=${variant}`)
