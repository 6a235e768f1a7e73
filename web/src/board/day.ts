// Days and months as text, 2026-11-30 and 2026-11: as text they compare as they follow each other.

/** The UTC day of a moment in ms. */
export const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

export function addDays(day: string, n: number): string {
  return dayAt(Date.parse(day + 'T00:00:00Z') + n * 86_400_000)
}

export function addMonths(month: string, n: number): string {
  const at = new Date(month + '-01T00:00:00Z')
  at.setUTCMonth(at.getUTCMonth() + n)
  return at.toISOString().slice(0, 7)
}

export function isDay(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && dayAt(Date.parse(text)) === text
  )
}

export const isMonth = (text: string): boolean => isDay(text + '-01')

/** The id of a daily: cruel-2026-11-30. */
export const dailyId = (variant: string, day: string): string => `${variant}-${day}`

/** The variant and the day that an id of a daily names; undefined where it is that of another challenge. */
export function dailyOf(id: string): { variant: string; date: string } | undefined {
  const [, variant, date] = /^([a-z0-9-]+)-(\d{4}-\d{2}-\d{2})$/.exec(id) ?? []
  return variant && date && isDay(date) ? { variant, date } : undefined
}

/** The weeks of a month, each from Monday on; null before its first day and after its last. */
export function weeksOf(month: string): (string | null)[][] {
  const first = month + '-01'
  const before = (new Date(first + 'T00:00:00Z').getUTCDay() + 6) % 7
  const cells: (string | null)[] = Array(before).fill(null)
  for (let day = first; day.startsWith(month); day = addDays(day, 1)) cells.push(day)
  while (cells.length % 7 !== 0) cells.push(null)
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(7 * week, 7 * week + 7))
}

/**
 * Where an arrow key leads from a day, among days that can be opened (the earliest first). Days between them
 * are passed over. undefined: nowhere in this month.
 */
export function dayAfterKey(days: readonly string[], from: string, key: string): string | undefined {
  switch (key) {
    case 'ArrowLeft':
      return days.findLast((day) => day < from)
    case 'ArrowRight':
      return days.find((day) => day > from)
    case 'ArrowUp':
      return days.findLast((day) => day <= addDays(from, -7))
    case 'ArrowDown':
      return days.find((day) => day >= addDays(from, 7))
    case 'Home':
      return days[0]
    case 'End':
      return days.at(-1)
  }
  return undefined
}
