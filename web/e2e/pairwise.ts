/**
 * Rows of one value of each factor, in which every two values of two factors meet: far fewer than all rows,
 * and a fault that takes two to happen is found. Greedily: each row meets the most pairs that are left.
 */
export function pairwise<T extends Record<string, readonly string[]>>(
  factors: T,
): { [K in keyof T]: string }[] {
  const names = Object.keys(factors)
  const pairsOf = (row: Record<string, string>) =>
    names.flatMap((a, i) => names.slice(i + 1).map((b) => `${a}=${row[a]} ${b}=${row[b]}`))
  let all: Record<string, string>[] = [{}]
  for (const name of names)
    all = all.flatMap((row) => factors[name]!.map((value) => ({ ...row, [name]: value })))

  const left = new Set(all.flatMap(pairsOf))
  const rows: Record<string, string>[] = []
  while (left.size > 0) {
    const met = (row: Record<string, string>) => pairsOf(row).filter((pair) => left.has(pair)).length
    const best = all.reduce((best, row) => (met(row) > met(best) ? row : best))
    for (const pair of pairsOf(best)) left.delete(pair)
    rows.push(best)
  }
  return rows as { [K in keyof T]: string }[]
}
