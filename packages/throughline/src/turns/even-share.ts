/** What each may have so that all fit: short ones leave their rest to the others. Without a limit where all fit as they are. */
export function evenShare(lengths: readonly number[], room: number): number {
  let left = room
  let count = lengths.length
  for (const length of lengths.toSorted((one, other) => one - other)) {
    if (length * count > left) return Math.floor(left / count)
    left -= length
    count -= 1
  }
  return Number.POSITIVE_INFINITY
}
