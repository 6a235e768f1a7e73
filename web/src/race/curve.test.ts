import { expect, test } from 'vitest'
import { variantOf, verify } from '../engine'
import { homeCurve, pathOf, ticks } from './curve'

const cruel = variantOf('cruel')!
const log =
  'jS cH R cd R eC hD cS cC cC aS hS hj hD dD dD dS R cH hD aD R cD aD cD dD cS cD dS aS dS dC hC hC hD ' +
  'eH eC eC eS fS bS bC aC bC bH hH gH fH fC gH gH aH gH fH'

test('the curve ends where the log does', () => {
  const read = verify(cruel, '2', log)
  if ('refused' in read) throw new Error(read.refused.token)
  const home = homeCurve(cruel, '2', log)
  expect(home.length).toBe(read.result.moves + 1)
  expect([home[0], home.at(-1)]).toEqual([4, read.result.cards])
  expect(read.result.cards).toBe(52)
  expect(homeCurve(cruel, '2', '')).toEqual([4])
  expect(homeCurve(cruel, '2', 'jS zz')).toEqual([4])
  expect(homeCurve(cruel, '2', 'jS aa cH')).toEqual([4, 5])
})

test('the path has a step for each change', () => {
  expect(pathOf([4, 5, 5, 6, 6], 8, 80, 48)).toBe('M0 48H10V47H30V46H40V46')
  expect(pathOf([4], 0, 80, 48)).toBe('M0 48')
})

test('ticks', () => {
  expect(ticks(61)).toEqual([0, 10, 20, 30, 40, 50, 60])
  expect(ticks(0)).toEqual([0])
  expect(ticks(140).length).toBe(8)
})
