/** The name that somebody has most likely meant; null where none is near. */
export function nearest(word: string, names: readonly string[]): string | null {
  const ranked = names
    .map((name) => ({ name, steps: stepsBetween(word, name) }))
    .sort((a, b) => a.steps - b.steps)
  const [best] = ranked
  return best !== undefined && best.steps <= Math.max(1, Math.floor(word.length / 3))
    ? best.name
    : null
}

/** Letters that have to be added, taken away or replaced, and neighbours that have changed places. */
function stepsBetween(from: string, to: string): number {
  if (Math.max(from.length, to.length) > longestWord) return Number.POSITIVE_INFINITY
  let before: readonly number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1)
      next[j] = Math.min(
        (next[j - 1] ?? 0) + 1,
        (row[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1),
        from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
          ? (before[j - 2] ?? Number.POSITIVE_INFINITY) + 1
          : Number.POSITIVE_INFINITY,
      )
    before = row
    row = next
  }
  return row[to.length] ?? 0
}

const longestWord = 40
