import { expect, test } from 'vitest'
import { addDays, addMonths, dailyOf, dayAfterKey, isDay, isMonth, weeksOf } from './day'

test('days and months go over the ends of months and years', () => {
  expect(addDays('2026-11-30', 1)).toBe('2026-12-01')
  expect(addDays('2027-01-01', -1)).toBe('2026-12-31')
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
  expect(addMonths('2026-12', 1)).toBe('2027-01')
  expect(addMonths('2026-01', -1)).toBe('2025-12')
})

test('only days and months that exist are some', () => {
  expect(isDay('2026-11-30')).toBe(true)
  for (const text of ['2026-11-31', '2026-02-29', '2026-1-1', '', 'today', '2026-13-01'])
    expect(isDay(text), text).toBe(false)
  expect(isMonth('2026-11')).toBe(true)
  for (const text of ['2026-13', '2026-00', '', '2026-11-30']) expect(isMonth(text), text).toBe(false)
})

test('the id of a daily names its variant and its day', () => {
  expect(dailyOf('limited-cruel-3-2026-11-30')).toEqual({ variant: 'limited-cruel-3', date: '2026-11-30' })
  expect(dailyOf('k3v9x2m8q4t7')).toBeUndefined()
  expect(dailyOf('cruel-2026-11-31')).toBeUndefined()
})

test('a month has whole weeks that begin on Monday', () => {
  const november = weeksOf('2026-11') // its 1st is a Sunday, its 30th a Monday
  expect(november).toHaveLength(6)
  expect(november[0]).toEqual([null, null, null, null, null, null, '2026-11-01'])
  expect(november[5]).toEqual(['2026-11-30', null, null, null, null, null, null])
  expect(weeksOf('2027-02')).toHaveLength(4) // a Monday to a Sunday
})

test('arrow keys pass over days that have nothing', () => {
  const days = ['2026-11-03', '2026-11-04', '2026-11-12', '2026-11-30']
  expect(dayAfterKey(days, '2026-11-04', 'ArrowRight')).toBe('2026-11-12')
  expect(dayAfterKey(days, '2026-11-04', 'ArrowDown')).toBe('2026-11-12')
  expect(dayAfterKey(days, '2026-11-12', 'ArrowUp')).toBe('2026-11-04')
  expect(dayAfterKey(days, '2026-11-03', 'ArrowLeft')).toBeUndefined()
  expect(dayAfterKey(days, '2026-11-12', 'Home')).toBe('2026-11-03')
  expect(dayAfterKey(days, '2026-11-12', 'End')).toBe('2026-11-30')
  expect(dayAfterKey(days, '2026-11-12', 'x')).toBeUndefined()
})
