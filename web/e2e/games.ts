// Games that are known to be won, as `cruel solve SEED` finds them; games.e2e.ts has them checked.

import { won } from './won'

export interface WonGame {
  seed: string
  log: string
}

/** The dailies of the variant cruel: the test server deals a day the same cards each time. */
export const days = {
  '2026-11-27': {
    seed: '2026-11-27-d7vlii76pchrzyhmjul5',
    log:
      'ke R hS fS gb gS fS fH kH R aj cf ei R aC eS fS af aD aD iD dD iS R fH cH fC gS hH hH bf bD cD ' +
      'he hD aD aD R bS bS cD cD dH eS fD fH be ae ab aC dH dH dS fC bC bC cC cC eC eC eC aC eH eH',
  },
  '2026-11-28': {
    seed: '2026-11-28-lndxcybnogv3nqkuossr',
    log:
      'kC lH dl R iD R iC jC fh fD hD hD bi de R aH aS bH dH fC fa ie ia R hD bD eD R aS aS aS bS dD dD ' +
      'fC fD aD gS gS gS bS eS ef R dS bS bH R cH aH bH bH R bH bH bC aC ab cC cC aC aD bC bC cH',
  },
  '2026-11-29': {
    seed: '2026-11-29-euzbl5sfypnnbdbj6grh',
    log:
      'bc kb R dH hC fa fD R iH R iH iH ae af aH aC hC R fD R fC hS R cC hS eS R hH hS fS fC fc ic R dD ' +
      'dH fD af aD gD dD dD R eC aC aS eH R aH bD dS dS dH dH bH eC aC aD bC bC eD cD cS aS cS cS',
  },
  '2026-11-30': {
    seed: '2026-11-30-ok4nz2kvx7you4vx2u5y',
    log:
      'jD R ak R eH iH iH iS ha R df dC R hC iS cS ah aS bS gi R aD aD gS gD gD iD fD eD eS eS jS fS ac ' +
      'R aH bH dH cH dC dH bH fD fD cD dD gH R aS aH bH ab cC cC cC cC aC bC bC bC bS dC',
  },
  '2026-12-01': {
    seed: '2026-12-01-nik7djcpi2gktdi7y3oa',
    log:
      'fi gf gl ga jg R ch cC R cC R kD kS kC ad R ad aS cS cH bH jH fH bi R bS cS gC gC R dH R cH hH ' +
      'hH gH aH aS dH gf gS gS cf R aS aS aC aD cC R bS dD dD dD R bD cC aC aC aC aS cD dD cD cD bD bD ' +
      'bH dC',
  },
  '2026-12-02': {
    seed: '2026-12-02-crdh5procothhpafrvlw',
    log:
      'bS ae dc R dH jH R dC jH cH cC R dD iH iD R cH gH aH aD fH eH iS jD R bC bH bD cC cC R cS R eC ' +
      'eC aC aD dD bD bC dC fC fb fD cD de ce cS cC dS eS eS eS bS bS aS aH bS fD eD',
  },
} satisfies Record<string, WonGame>

/** Seeds that are no exact numbers in JavaScript. */
export const long: WonGame[] = [
  {
    seed: '9007199254740993',
    log:
      'kj bk R gC iS ak ak R bD R eS eC eD hS lS fS gS gD hc R eS fD fD iD bD iD aD aD dD ea R bH bC dS ' +
      'aS dH aH aH dC dC R cC R cH bH cC aC cD eC bC bS bS eH dH dH dH aH aC aH cC dS',
  },
  {
    seed: '18446744073709551615',
    log:
      'lS ab ah R dC jS ej R aS aD eH iD iC iH cH iH kC ea eS bS fl R cH cC eS bS fD gH gD gD iS iS hS ' +
      'eS R cH R cH bH eD bD aD bC bC R aH aH aH aC bS cC dC R aC ab aD bD bD aD bC bC',
  },
]

export const short: WonGame = won
export const all: WonGame[] = [short, ...long, ...Object.values(days)]
