/** A game of the variant cruel that is won in 54 moves, the one in the README. */
export const won = {
  seed: '2',
  log:
    'jS cH R cd R eC hD cS cC cC aS hS hj hD dD dD dS R cH hD aD R cD aD cD dD cS cD dS aS dS dC hC hC hD ' +
    'eH eC eC eS fS bS bC aC bC bH hH gH fH fC gH gH aH gH fH',
}
