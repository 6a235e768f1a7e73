// Races that this device is in and that aren't over, so that the list of races leads back to them: those by
// invitation are on no list. The newest first.

const key = 'cruel.races'
const most = 8

export function recentRaces(): string[] {
  try {
    const codes = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(codes) ? codes.filter((c) => /^[a-z]{6}$/.test(c)) : []
  } catch {
    return []
  }
}

export function keepRace(code: string): void {
  write([code, ...recentRaces().filter((c) => c !== code)].slice(0, most))
}

export function dropRace(code: string): void {
  if (recentRaces().includes(code)) write(recentRaces().filter((c) => c !== code))
}

function write(codes: string[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(codes))
  } catch {
    // the link still leads there
  }
}

// A log that was handed in and not yet acknowledged: it survives a reload.

const finishKey = (code: string) => `cruel.finish.${code}`

export function keptFinish(code: string): string | null {
  try {
    return localStorage.getItem(finishKey(code))
  } catch {
    return null
  }
}

export function keepFinish(code: string, log: string | null): void {
  try {
    if (log === null) localStorage.removeItem(finishKey(code))
    else localStorage.setItem(finishKey(code), log)
  } catch {
    // it is sent as long as the page is there
  }
}
